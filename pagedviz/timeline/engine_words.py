"""The engine's words: requests, tokens, blocks, hashes, the calls as vLLM names them.

One function per operation; each takes a step and returns the calls it stands for, what
they returned and why. `#7` is hash class 7.

Leaves out: every picture word; those are in `room_words.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagedviz.timeline.state import RequestView
from pagedviz.timeline.step import Refusal, Step

_LIST = 30  # characters of a list that is written whole
_LONGEST = 220  # characters that fit the stage


def start(step: Step) -> str:
    """The fresh pool."""
    n = step.pool.num_blocks
    queue = "1" if n == 2 else f"1 .. {n - 1}"
    return f"BlockPool({n}): block 0 is the null block, free queue = {queue}"


def add_request(step: Step) -> str:
    """A request is queued."""
    req, view = _req(step)
    op, pool = step.op or {}, step.pool
    full = view.num_tokens // pool.block_size
    hashed = f"{_n(full, 'full block')} hashed" if pool.caching else "caching off, no hashes"
    parts = [f"add_request({req}): {_n(view.num_tokens, 'token')}, {hashed}, WAITING"]
    if op.get("lora"):
        parts.append("LoRA name and path in every key")
    if mm := op.get("mm"):
        parts.append(f"{_n(len(mm), 'image')} in the keys")  # type: ignore[arg-type]
    if op.get("cache_salt"):
        parts.append("cache_salt in the first key")
    if op.get("skip_reading_prefix_cache"):
        parts.append("skip_reading_prefix_cache")
    if step.effects.never:
        parts.append(
            f"can never be admitted: needs {step.effects.never:,} blocks, the pool "
            f"has {pool.usable:,}"
        )
    if step.effects.too_long:
        parts.append(f"longer than max_model_len {pool.max_model_len:,}: vLLM rejects it")
    return "; ".join(parts)


def append(step: Step) -> str:
    """The model wrote tokens."""
    req, view = _req(step)
    n, size = step.num_tokens_of_op, step.pool.block_size
    full = view.num_tokens // size - (view.num_tokens - n) // size
    hashed = f"; {_n(full, 'full block')} hashed" if full and step.pool.caching else ""
    return (
        f"append_output_token_ids({req}): +{n:,}, num_tokens {view.num_tokens:,}, computed "
        f"{view.num_computed_tokens:,}{hashed}"
    )


def admit(step: Step) -> str:
    """Lookup and first allocation."""
    e, (req, view) = step.effects, _req(step)
    if e.refusal is not None:
        hits = step.result.get("hit_blocks")
        found = f"get_computed_blocks({req}) -> {ids(hits)}; " if hits else ""  # type: ignore[arg-type]
        return found + _refused(step, e.refusal)
    tokens = f" ({_n(len(e.hit) * step.pool.block_size, 'token')})" if e.hit else ""
    parts = [f"get_computed_blocks({req}) -> {ids(e.hit)}{tokens}"]
    calls = []
    if e.hit:
        out = f", {len(e.kept_hits)} out of the free queue" if e.kept_hits else ""
        calls.append(f"touch (ref_cnt +1{out})")
    calls.append(_popped(e.new))
    parts.append(f"allocate_slots: {', '.join(calls)}{_lookahead(step)}")
    beyond = view.num_computed_tokens - step.pool.max_model_len
    if e.too_long and beyond > 0:
        parts.append(
            f"no slot for {_n(beyond, 'token')} beyond max_model_len "
            f"{step.pool.max_model_len:,}: vLLM rejects such a prompt"
        )
    parts += _hashes(step)
    if view.in_hand:
        parts.append(f"{_n(view.in_hand, 'token')} left for later steps")
    return _joined(parts)


def allocate(step: Step) -> str:
    """Room for a running request."""
    e, (req, view) = step.effects, _req(step)
    if e.refusal is not None:
        return _refused(step, e.refusal)
    n = step.num_tokens_of_op
    what = _popped(e.new)
    if e.placed_before:
        fits = (
            f"{e.placed_before:,} in {'block' if len(_old(step)) == 1 else 'blocks'} "
            f"{ids(_old(step))}"
        )
        what = f"{fits}, {what}"
    drafts = min(n, max(0, view.num_computed_tokens - view.num_tokens))
    parts = [f"allocate_slots({req}, {n}): {what}{_lookahead(step)}"]
    if drafts:
        parts.append(f"{_n(drafts, 'draft token')}, not cached")
    return _joined(parts + _hashes(step))


def rollback(step: Step) -> str:
    """Rejected drafts."""
    req, view = _req(step)
    n = step.num_tokens_of_op
    before = step.view_before.num_computed_tokens if step.view_before else 0
    return (
        f"{_n(n, 'draft token')} of {req} rejected: num_computed_tokens {before:,} -> "
        f"{view.num_computed_tokens:,}; blocks stay"
    )


def leave(step: Step) -> str:
    """Blocks given back."""
    req, _ = _req(step)
    e = step.effects
    call = "free" if step.name == "free" else "_preempt_request"
    if not step.table_before:
        return f"{call}({req}): was waiting, holds no block"
    parts = [f"{call}({req}){_why(step)}: ref_cnt -1 on {_n(step.table_before, 'block')}"]
    if e.freed_front:
        why = "no hash" if step.pool.caching else "caching off"
        parts.append(f"{why} -> head {ids(e.freed_front)}")
    if e.freed_back:
        parts.append(f"hashed -> tail {ids(e.freed_back)}")
    if e.stay:
        parts.append(f"still held {ids(e.stay)}")
    if step.name == "preempt":
        parts.append("num_computed_tokens = 0")
    return _joined(parts)


def reset(step: Step) -> str:
    """The index emptied."""
    if step.refused:
        return f"reset_prefix_cache() -> False: {_n(step.counts.used, 'block')} in use"
    n = len(step.effects.unlabelled)
    return f"reset_prefix_cache() -> True: {_n(n, 'hash', 'hashes')} dropped, free queue order kept"


def evict_blocks(step: Step) -> str:
    """Hashes dropped by block id."""
    asked = step.op["block_ids"] if step.op else ()
    dropped = step.effects.unlabelled
    what = f"drops {_marks(c for _, c in dropped)}" if dropped else "no hash to drop"
    return (
        f"evict_blocks({ids(asked)}): {what}; ref_cnt and "  # type: ignore[arg-type]
        "free queue unchanged"
    )


def ids(blocks: Sequence[int]) -> str:
    """Block ids as a list; long ones are shortened.

    >>> ids([3, 1]), ids([]), ids(list(range(1, 21)))
    ('[3, 1]', '[]', '[1, 2, 3, .. 17 more]')
    """
    whole = str(list(blocks))
    if len(blocks) <= 8 and len(whole) <= _LIST:
        return whole
    return f"[{', '.join(map(str, blocks[:3]))}, .. {len(blocks) - 3} more]"


def _req(step: Step) -> tuple[str, RequestView]:
    assert step.request is not None
    assert step.view is not None
    return f"req {step.request.letter}", step.view


def _n(n: int, noun: str, plural: str = "") -> str:
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def _joined(parts: Sequence[str]) -> str:
    """The calls, and of what followed from them as much as fits."""
    text = parts[0]
    for part in parts[1:]:
        if len(longer := f"{text}; {part}") <= _LONGEST:
            text = longer
    return text


def _popped(new: Sequence[int]) -> str:
    return f"popleft_n({len(new)}) -> {ids(new)}" if new else "no new block"


def _old(step: Step) -> list[int]:
    return [b for b in step.effects.fills if b not in step.effects.new]


def _lookahead(step: Step) -> str:
    ahead = step.op.get("num_lookahead_tokens") if step.op else None
    return f", {_n(ahead, 'lookahead slot')}" if isinstance(ahead, int) and ahead else ""


def _hashes(step: Step) -> list[str]:
    e, parts = step.effects, []
    if e.evict:
        parts.append(f"evicts {_marks(c for _, c in e.evict)}")
    if e.stored:
        parts.append(f"caches {_marks(c for _, c in e.stored)}")
    if e.duplicates:
        copy, first = e.duplicates[0]
        more = f" and {len(e.duplicates) - 1} more" if len(e.duplicates) > 1 else ""
        why = ": the last token must be computed" if e.recomputed else ""
        parts.append(f"block {copy} duplicates block {first}{more}{why}")
    return parts


def _marks(classes: Iterable[int]) -> str:
    marks = [f"#{c}" for c in classes]
    whole = " ".join(marks)
    if len(marks) <= 6 and len(whole) <= _LIST:
        return whole
    few = marks[:3] if len(marks) > 3 else marks[:1]
    return f"{' '.join(few)} .. {len(marks) - len(few)} more" if len(marks) > 1 else whole


def _refused(step: Step, no: Refusal) -> str:
    req, _ = _req(step)
    if no.never:
        verb = "be admitted" if step.name == "admit" else "go on"
        return (
            f"allocate_slots({req}) -> None: can never {verb}: needs {no.never:,} blocks, "
            f"the pool has {step.pool.usable:,}"
        )
    a_hit = "a hit" if no.kept_hits == 1 else "hits"
    hits = f" ({no.kept_hits} of them {a_hit} in the free queue)" if no.kept_hits else ""
    watermark = f" + watermark {no.watermark}" if no.watermark else ""
    return (
        f"allocate_slots({req}) -> None: needs {_n(no.need, 'block')}{hits}{watermark}, "
        f"{no.free:,} free; state unchanged"
    )


def _why(step: Step) -> str:
    e = step.effects
    why = {"last": "last admitted", "priority": "lowest priority", "": ""}[e.victim_why]
    if not e.room_for:
        return ""
    own = step.request is not None and e.room_for == step.request.letter
    room = "no block left for itself" if own else f"to make room for req {e.room_for}"
    return f" {room}{', ' + why if why else ''}"
