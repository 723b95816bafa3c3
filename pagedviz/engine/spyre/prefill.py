"""Prompts: who of the waiting may start, and one chunk at a time of the one that has.

Leaves out: the rules themselves (`admission`), blocks (`life`), decoding (`scheduler`).

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (schedule), v1/worker/
spyre_model_runner.py (_prepare_chunked_prefill); vllm-spyre 1.10.0, the same names and
_maybe_prepare_last_prefill.
"""

from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.admission import Candidate, Decision, Reason
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.life import Life
from pagedviz.engine.spyre.server_state import ServerState
from pagedviz.engine.spyre.step_result import PrefillStep, Waiting


@dataclass(frozen=True, slots=True)
class Asked:
    """Who may start, and why the others may not."""

    taken: Life | None
    waits: tuple[Waiting, ...]


def ask_waiting(state: ServerState) -> Asked:
    """Ask all waiting requests in their order. Changes nothing.

    Most steps refuse everybody, whatever their size. Then nobody's prompt is looked up in the
    prefix cache, but of a request that may lack blocks: those found there are not needed.
    """
    release = state.release
    available = state.blocks().available
    refusal = state.refuses_all()
    taken: Life | None = None
    stopped = False
    waits = []
    for life in state.waiting:
        if stopped:
            waits.append(Waiting(life.name, Reason.BEHIND))
            continue
        enough = not release.promises_blocks or life.blocks_needed(()) <= available
        if refusal is not None and enough:
            waits.append(Waiting(life.name, refusal))
            stopped = release.strict_fifo
            continue
        if release.promises_blocks:
            hits = life.find_cached(state.manager, release)
            candidate = Candidate(
                life.prompt_len,
                life.max_tokens,
                computed=len(hits) * BLOCK_SIZE,
                blocks_needed=life.blocks_needed(hits),
                blocks_available=available,
            )
        else:  # looks into its cache only once a request is taken, and counts no blocks
            candidate = Candidate(life.prompt_len, life.max_tokens)
        decision = state.ask(candidate, someone_taken=taken is not None)
        if decision.starts:
            taken = life
            available -= candidate.blocks_needed
            refusal = state.refuses_all(someone_taken=True)
        else:
            waits.append(_waiting(life, decision, candidate))
            stopped = release.strict_fifo or decision.reason is Reason.NO_BLOCKS
    return Asked(taken, tuple(waits))


def start(state: ServerState, life: Life) -> PrefillStep:
    """Take `life` in and compute its first chunk."""
    release, manager = state.release, state.manager
    nobody_holds = state.blocks().held == 0
    hits = life.find_cached(manager, release)
    life.take_in(manager, hits, release)
    state.waiting.remove(life)
    state.running.insert(0, life)
    state.prefilling = life
    if not release.promises_blocks and nobody_holds:
        state.card_tkv = life.prompt_len  # a new batch

    assert life.reuse is not None
    found = life.reuse.lookup_hit_tokens
    if release.prompt_blocks_at_once:
        from_cache = life.reuse.chunks_skipped > 0
        chunk = 0
        scheduled = 0 if from_cache else life.computed
    else:
        from_cache = False
        chunk = (life.row.left_padding + found) // life.row.chunk_size
        scheduled = life.computed - found
    return _ran(state, life, chunk, scheduled, from_cache, is_first=True)


def go_on(state: ServerState, life: Life) -> PrefillStep:
    """Compute the next chunk of the prompt that is under way."""
    chunk = (life.row.left_padding + life.computed) // life.row.chunk_size
    scheduled = life.next_chunk(state.manager, state.release)
    state.running.remove(life)
    state.running.insert(0, life)
    return _ran(state, life, chunk, scheduled, from_cache=False, is_first=False)


def why_not(state: ServerState) -> tuple[bool, Waiting | None]:
    """Whether the prompt under way may go on now, and if not, why."""
    life = state.prefilling
    if life is None:
        return False, None
    candidate = Candidate(life.prompt_len, life.max_tokens, life.computed, is_prefilling=True)
    decision = state.ask(candidate)
    return decision.starts, None if decision.starts else _waiting(life, decision, candidate)


def _ran(
    state: ServerState,
    life: Life,
    chunk: int,
    scheduled: int,
    from_cache: bool,
    is_first: bool,
) -> PrefillStep:
    """Note that a chunk has run, and describe it."""
    is_last = life.is_prefilled
    state.last_step_was_prefill = True
    if state.release.promises_blocks:
        state.card_tkv = life.prompt_len
    elif is_last:
        state.card_tkv = _aligned(life.prompt_len, state.card_tkv)
    state.tkv = state.card_tkv
    if is_last:
        state.prefilling = None
        life.write_first()
    assert life.reuse is not None
    row = life.row
    begin, end = row.chunk_tokens(chunk)
    return PrefillStep(
        life.name,
        life.prompt_len,
        chunk,
        row.chunks_total,
        life.reuse.chunks_skipped,
        begin,
        begin if from_cache else end,
        scheduled,
        row.left_padding,
        row.right_padding,
        len(life.hit_ids),
        life.reuse.reusable_blocks,
        is_first,
        is_last,
        from_cache,
        life.hit_ids if is_first else (),
    )


def _aligned(prompt_len: int, tkv: int) -> int:
    """The tkv of two requests side by side, whose last tokens lie in the same block."""
    base = (max(cdiv(prompt_len, BLOCK_SIZE), cdiv(tkv, BLOCK_SIZE)) - 1) * BLOCK_SIZE
    return base + 1 + max((prompt_len - 1) % BLOCK_SIZE, (tkv - 1) % BLOCK_SIZE)


def _waiting(life: Life, decision: Decision, candidate: Candidate) -> Waiting:
    projection = decision.projection
    lacks_blocks = decision.reason is Reason.NO_BLOCKS
    return Waiting(
        life.name,
        decision.reason,
        candidate.blocks_needed if lacks_blocks else None,
        candidate.blocks_available if lacks_blocks else None,
        None if projection is None else projection.worst_volume,
    )
