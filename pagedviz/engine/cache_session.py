"""The block manager behind plain words: the operations of the recorded traces.

What it does: takes operations with request names and token lists ("admit A", "append 7 to
A", "free A"), checks that each makes sense, runs it on a real `KVCacheManager`, and shows
results, events and the whole state as plain JSON types. Presets, a visitor's clicks and
traces recorded from vLLM all speak this language.

What it leaves out: deciding what to do next. That is the scheduler's work; here the
caller decides.

Source: the form of the traces recorded from vLLM 0.33.0 ("kv-block-trace/1").
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.errors import (
    ConfigError,
    OperationError,
    check_bool,
    check_int,
    check_text,
    shown,
)
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import LoRARequest, MultiModalFeature, Request, RequestStatus

CONFIG_KEYS = (
    "num_blocks",
    "block_size",
    "enable_caching",
    "max_model_len",
    "watermark",
    "enable_kv_cache_events",
)

Result = dict[str, Any]


class CacheSession:
    """One block manager and the requests that use it, driven by named operations.

    `config` has `num_blocks` (block 0, which is never lent, included) and may have
    `block_size`, `enable_caching`, `max_model_len`, `watermark` and
    `enable_kv_cache_events`. An operation that makes no sense raises OperationError and
    changes nothing; one that merely finds no room answers `{"ok": False, ...}`.

    >>> session = CacheSession({"num_blocks": 6, "block_size": 4})
    >>> session.add_request("A", [1, 2, 3, 4, 5])
    {}
    >>> session.admit("A")["new_blocks"]
    [1, 2]
    >>> session.append("A", [6])
    {}
    >>> session.allocate("A", 1)
    {'ok': True, 'new_blocks': []}
    >>> session.free("A")
    {}
    >>> session.state()["free_queue"]
    [2, 3, 4, 5, 1]
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        unknown = sorted(set(config) - set(CONFIG_KEYS))
        if unknown or "num_blocks" not in config:
            wrong = (
                f"has no use for {', '.join(map(shown, unknown))}"
                if unknown
                else "lacks num_blocks"
            )
            raise ConfigError(f"the config {wrong}; it takes {', '.join(CONFIG_KEYS)}")
        self.manager = KVCacheManager(**config)
        self.requests: dict[str, Request] = {}  # those that have not left, by arrival
        # as in vLLM, nothing is hashed when nothing could be found by it
        caching = self.manager.enable_caching
        self._hasher = get_request_block_hasher(self.manager.block_size) if caching else None

    # ---- operations

    def add_request(
        self,
        req: str,
        tokens: Sequence[int],
        cache_salt: str | None = None,
        lora: Mapping[str, Any] | None = None,
        mm: Iterable[Mapping[str, Any]] | None = None,
        skip_reading_prefix_cache: bool = False,
    ) -> Result:
        """A request arrives. It waits: no block is taken yet.

        `lora` is {name, id, path}, `mm` a list of {identifier, offset, length}.
        """
        if check_text("the request id", req, OperationError) in self.requests:
            raise OperationError(f"request {req!r} is already here; choose another name")
        self.requests[req] = Request(
            req,
            tokens,
            cache_salt=cache_salt,
            lora=None if lora is None else _lora(lora),
            mm_features=[_feature(item) for item in _each("mm", mm or ())],
            skip_reading_prefix_cache=skip_reading_prefix_cache,
            block_hasher=self._hasher,
        )
        return {}

    def admit(
        self,
        req: str,
        num_new_tokens: int | None = None,
        num_lookahead_tokens: int = 0,
        full_sequence_must_fit: bool = True,
        has_scheduled_reqs: bool = False,
    ) -> Result:
        """A waiting request asks for its first blocks: all its tokens, or the first chunk."""
        request = self._request(req)
        if request.status is RequestStatus.RUNNING:
            raise OperationError(f"request {req!r} is already running")
        check_bool("full_sequence_must_fit", full_sequence_must_fit, OperationError)
        check_bool("has_scheduled_reqs", has_scheduled_reqs, OperationError)
        hits, num_hit_tokens = self.manager.get_computed_blocks(request)
        num_new = request.num_tokens - num_hit_tokens
        if num_new_tokens is not None:
            check_int("num_new_tokens", num_new_tokens, 0, OperationError)
            num_new = min(num_new, num_new_tokens)
        new_blocks = self.manager.allocate_slots(
            request,
            num_new,
            num_hit_tokens,
            hits,
            num_lookahead_tokens,
            full_sequence_must_fit,
            has_scheduled_reqs,
        )
        if new_blocks is not None:
            request.num_computed_tokens = num_hit_tokens + num_new
            request.status = RequestStatus.RUNNING
        return {
            "ok": new_blocks is not None,
            "hit_tokens": num_hit_tokens,
            "hit_blocks": [block.block_id for block in hits],
            "num_new_tokens": num_new,
            "new_blocks": None if new_blocks is None else [b.block_id for b in new_blocks],
        }

    def allocate(self, req: str, num_new_tokens: int, num_lookahead_tokens: int = 0) -> Result:
        """A running request asks for room for more tokens: the next chunk, the next word."""
        request = self._running(req)
        check_int("num_new_tokens", num_new_tokens, 1, OperationError)
        new_blocks = self.manager.allocate_slots(
            request, num_new_tokens, num_lookahead_tokens=num_lookahead_tokens
        )
        if new_blocks is None:
            return {"ok": False, "new_blocks": None}
        request.num_computed_tokens += num_new_tokens
        return {"ok": True, "new_blocks": [block.block_id for block in new_blocks]}

    def append(self, req: str, tokens: Sequence[int]) -> Result:
        """The model has written tokens. They get their room with the next `allocate`."""
        request = self._request(req)
        if not tokens:
            raise OperationError(f"there are no tokens to append to {req!r}")
        request.append_output_token_ids(tokens)
        return {}

    def rollback(self, req: str, num_tokens: int) -> Result:
        """The last `num_tokens` computed tokens were wrong guesses. Their room is kept."""
        request = self._request(req)
        check_int("num_tokens", num_tokens, 0, OperationError)
        if num_tokens > request.num_computed_tokens:
            raise OperationError(
                f"cannot take back {num_tokens} tokens of {req!r}: "
                f"{request.num_computed_tokens} are computed"
            )
        request.num_computed_tokens -= num_tokens
        return {}

    def free(self, req: str) -> Result:
        """A request leaves, finished or not, and gives its blocks back."""
        request = self._request(req)
        self.manager.free(request)
        request.status = RequestStatus.FINISHED
        del self.requests[req]
        return {}

    def preempt(self, req: str) -> Result:
        """A running request gives its blocks back and waits to be computed again."""
        request = self._running(req)
        self.manager.free(request)
        request.start_over()
        return {}

    def reset_prefix_cache(self) -> Result:
        """Forget all kept prefixes; not possible while anyone holds a block."""
        return {"ok": self.manager.reset_prefix_cache()}

    def evict_blocks(self, block_ids: Iterable[int]) -> Result:
        """Forget the content of these blocks, in use or not."""
        ids = list(_each("block_ids", block_ids))
        for block_id in ids:
            check_int("a block id", block_id, 0, OperationError)
        self.manager.evict_blocks(set(ids))
        return {}

    # ---- looking

    def take_events(self) -> list[dict[str, Any]]:
        """The events since the last call, as plain JSON types."""
        return [event.to_dict() for event in self.manager.take_events()]

    def state(self) -> dict[str, Any]:
        """Everything there is to see, as plain JSON types.

        `ref_cnt` is indexed by block id, `free_queue` goes from head to tail, `cached`
        lists [block id, content hash]. The hash is the number events carry.
        """
        pool = self.manager.block_pool
        tables = {req: self.manager.get_block_ids(req) for req in self.requests}
        return {
            "tables": {req: table for req, table in tables.items() if table},
            "num_tokens": {r.request_id: r.num_tokens for r in self.requests.values()},
            "num_computed_tokens": {
                r.request_id: r.num_computed_tokens for r in self.requests.values()
            },
            "ref_cnt": [block.ref_cnt for block in pool.blocks],
            "free_queue": [block.block_id for block in pool.free_block_queue],
            "cached": pool.get_cached_blocks(),
            "usage": pool.get_usage(),
        }

    # ---- finding one's way

    def _request(self, req: object) -> Request:
        request = self.requests.get(req) if isinstance(req, str) else None
        if request is None:
            here = ", ".join(map(repr, self.requests)) or "nobody"
            raise OperationError(f"there is no request {shown(req)}; here now: {here}")
        return request

    def _running(self, req: str) -> Request:
        request = self._request(req)
        if request.status is not RequestStatus.RUNNING:
            raise OperationError(f"request {req!r} is {request.status.value}, not running")
        return request


def _each(name: str, values: Any) -> Iterable[Any]:
    if not isinstance(values, Iterable):
        raise OperationError(f"{name} must be a list, not {shown(values)}")
    return values


def _lora(lora: Any) -> LoRARequest:
    if not isinstance(lora, Mapping) or set(lora) != {"name", "id", "path"}:
        raise OperationError("lora takes exactly name, id and path")
    return LoRARequest(lora["name"], lora["id"], lora["path"])


def _feature(item: Any) -> MultiModalFeature:
    if not isinstance(item, Mapping) or set(item) != {"identifier", "offset", "length"}:
        raise OperationError("each mm item takes exactly identifier, offset and length")
    return MultiModalFeature(item["identifier"], item["offset"], item["length"])
