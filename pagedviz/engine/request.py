"""A request: its tokens, how far they are computed, and the hashes of its full blocks.

What it does: keeps the token list (prompt, then what the model wrote), and has every
block hashed as soon as its last token is known, whether or not memory was found for it.
The hashes survive a preemption, which is how a request finds its own blocks again.

What it leaves out: sampling parameters other than `max_tokens`, stop strings, streaming,
speculative tokens.

Source: vLLM 0.33.0, v1/request.py; lora/request.py; multimodal/inputs.py.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from pagedviz.engine.errors import OperationError, check_bool, check_int, check_text, shown


class RequestStatus(Enum):
    """Where a request stands. A preempted request waits again, from the beginning."""

    WAITING = "waiting"
    RUNNING = "running"
    PREEMPTED = "preempted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class LoRARequest:
    """An adapter. Its name and path are part of every block's key, its number is not."""

    name: str
    lora_id: int
    path: str

    def __post_init__(self) -> None:
        check_text("the LoRA name", self.name, OperationError)
        check_text("the LoRA path", self.path, OperationError)
        check_int("the LoRA id", self.lora_id, 1, OperationError)


@dataclass(frozen=True, slots=True)
class MultiModalFeature:
    """An image or sound in the prompt: `length` placeholder tokens from `offset` on."""

    identifier: str
    offset: int
    length: int

    def __post_init__(self) -> None:
        check_text("the multimodal identifier", self.identifier, OperationError)
        check_int("the multimodal offset", self.offset, 0, OperationError)
        check_int("the multimodal length", self.length, 1, OperationError)

    @property
    def end(self) -> int:
        """Position just after the last placeholder token."""
        return self.offset + self.length


class Request:
    """One request, from arrival to its last token.

    `block_hasher` is called when tokens have arrived and returns the hashes of the blocks
    that became full (see `block_hash.get_request_block_hasher`); without it, as with
    prefix caching off, there are no hashes.

    >>> request = Request("A", [5, 6, 7], max_tokens=2)
    >>> request.append_output_token_ids([8])
    >>> request.num_tokens, request.num_prompt_tokens, request.num_output_tokens
    (4, 3, 1)
    """

    __slots__ = (
        "all_token_ids",
        "arrival_time",
        "block_hasher",
        "block_hashes",
        "cache_salt",
        "lora",
        "max_tokens",
        "mm_features",
        "num_computed_tokens",
        "num_preemptions",
        "num_prompt_tokens",
        "priority",
        "request_id",
        "skip_reading_prefix_cache",
        "status",
    )

    def __init__(
        self,
        request_id: str,
        prompt_token_ids: Sequence[int],
        *,
        max_tokens: int = 16,
        cache_salt: str | None = None,
        lora: LoRARequest | None = None,
        mm_features: Iterable[MultiModalFeature] = (),
        skip_reading_prefix_cache: bool = False,
        priority: int = 0,
        arrival_time: float = 0.0,
        block_hasher: "Callable[[Request], list[bytes]] | None" = None,
    ) -> None:
        check_text("the request id", request_id, OperationError)
        if not prompt_token_ids:
            raise OperationError(f"request {request_id!r} has no tokens; it needs at least one")
        self.request_id = request_id
        self.all_token_ids = to_token_array(prompt_token_ids)  # prompt, then output
        self.num_prompt_tokens = len(self.all_token_ids)
        self.max_tokens = check_int("max_tokens", max_tokens, 1, OperationError)
        if cache_salt is not None and not isinstance(cache_salt, str):
            raise OperationError(f"cache_salt must be text, not {shown(cache_salt)}")
        self.cache_salt = cache_salt
        self.lora = lora
        self.mm_features = tuple(mm_features)
        offsets = [feature.offset for feature in self.mm_features]
        if offsets != sorted(offsets):
            raise OperationError(f"multimodal items of {request_id!r} must come by offset")
        self.skip_reading_prefix_cache = check_bool(
            "skip_reading_prefix_cache", skip_reading_prefix_cache, OperationError
        )
        self.priority = priority  # smaller goes first
        self.arrival_time = arrival_time
        self.status = RequestStatus.WAITING
        self.num_computed_tokens = 0  # tokens whose KV is in the cache
        self.num_preemptions = 0
        self.block_hasher = block_hasher
        self.block_hashes: list[bytes] = []  # one per full block, from the beginning
        self._update_block_hashes()

    @property
    def num_tokens(self) -> int:
        """Prompt and output tokens together."""
        return len(self.all_token_ids)

    @property
    def num_output_tokens(self) -> int:
        """Tokens the model has written."""
        return len(self.all_token_ids) - self.num_prompt_tokens

    def append_output_token_ids(self, token_ids: Sequence[int]) -> None:
        """Add tokens the model wrote; hash the blocks they complete."""
        self.all_token_ids += to_token_array(token_ids)
        self._update_block_hashes()

    def start_over(self) -> None:
        """Mark as preempted: everything is to be computed again, tokens and hashes stay."""
        self.status = RequestStatus.PREEMPTED
        self.num_computed_tokens = 0
        self.num_preemptions += 1

    def _update_block_hashes(self) -> None:
        if self.block_hasher is not None:
            self.block_hashes += self.block_hasher(self)

    def __lt__(self, other: "Request") -> bool:
        """Order of the priority queue: priority, then arrival, then id."""
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, float, str]:
        return self.priority, self.arrival_time, self.request_id

    def __repr__(self) -> str:
        return f"Request({self.request_id!r}, {self.num_tokens} tokens, {self.status.value})"


def to_token_array(token_ids: Iterable[int]) -> "array[int]":
    """The tokens as eight-byte numbers: checked on the way in, and cheap to hash.

    >>> to_token_array([7, 8])
    array('Q', [7, 8])
    """
    try:
        return array("Q", list(token_ids))
    except (TypeError, OverflowError):
        raise OperationError("token ids must be whole numbers, not negative") from None
