"""Prompts, seen through a played run: their blocks, hashes, hits, and why sharing ends.

Hits are the engine's own, read off the run; hashes are its SHA-256 chain. Only the reason at
the first miss is worked out here (`sharing_reasons.py`), from the tokens.

Leaves out: the words (`sharing_words.py`) and sums over all prompts (`sharing_numbers.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.request import LoRARequest, Request
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.likeness import common_prefix
from pagedviz.timeline.play import Timeline
from pagedviz.timeline.prompts import Prompt
from pagedviz.timeline.run import Run
from pagedviz.timeline.sharing_reasons import Earlier, Index, Reason, first_miss
from pagedviz.timeline.sharing_view import BlockView, PromptView
from pagedviz.timeline.sharing_words import reason_words
from pagedviz.timeline.step import RequestInfo, Step, letter

__all__ = ["BlockView", "PromptView", "encode_prompts", "explain", "reason_words"]


def explain(prompts: Sequence[Prompt], run: Run, timeline: Timeline) -> tuple[PromptView, ...]:
    """One view per prompt, by arrival (index = request number).

    `run` must come from `prompts_run` with these prompts, and `timeline` from `play(run)`;
    RunError if they do not belong together.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.prompts import prompts_run
    >>> words = tuple("You are the help desk . How are you ?".split())
    >>> a = Prompt(tuple(map(len, words)), words)
    >>> b = Prompt((*a.text_tokens[:6], 9), (*words[:6], "Why"))
    >>> run = prompts_run([a, b], num_blocks=9, block_size=4)
    >>> views = explain([a, b], run, play(run))
    >>> views[1].hit_tokens, reason_words(views[1], "room")
    (4, 'The last shelf is not full. Only full shelves get a label.')
    """
    mine = {letter(place): (place, prompt) for place, prompt in enumerate(prompts)}
    if timeline.run != run or sorted(i.request_id for i in timeline.requests) != sorted(mine):
        raise RunError(
            "these prompts, this run and this timeline do not belong together", source="prompts"
        )
    watch = _Watch(run, timeline, mine)
    for step in timeline.steps[1:]:
        watch.follow(step)
    return tuple(watch.view(info) for info in timeline.requests)


def encode_prompts(views: Sequence[PromptView]) -> list[dict[str, object]]:
    """The views as the browser gets them.

    Per prompt: r (request number), letter, place, pieces, bs (block size), hashes (four hex
    digits or None per block), hits (blocks), diff ([block, token in it] or None), why (room,
    engine), kind, salt, adapter, leaves, in (step of admission or None).
    """
    return [
        {
            "r": view.number,
            "letter": view.letter,
            "place": view.place,
            "pieces": list(view.prompt.pieces),
            "bs": view.block_size,
            "hashes": [block.short_hash for block in view.blocks],
            "hits": view.hits,
            "diff": None
            if view.reason.token is None
            else list(divmod(view.reason.token, view.block_size)),
            "why": [reason_words(view, "room"), reason_words(view, "engine")],
            "kind": view.reason.kind,
            "salt": view.prompt.salt,
            "adapter": view.prompt.adapter,
            "leaves": view.prompt.leaves,
            "in": view.admission,
        }
        for view in views
    ]


@dataclass(slots=True)
class _Seen:
    """What is known of a request so far."""

    reason: Reason
    admission: int | None = None
    departure: int | None = None
    hits: int = 0
    same_beginning: int = 0


class _Watch:
    """Goes through the steps and notes what became of each prompt."""

    def __init__(
        self, run: Run, timeline: Timeline, mine: Mapping[str, tuple[int, Prompt]]
    ) -> None:
        self._run, self._mine = run, mine
        self._digests = {name: _digests(name, prompt, run) for name, (_, prompt) in mine.items()}
        self._index = Index()
        self._earlier: dict[str, Earlier] = {}  # by letter, in the order of admission
        self._seen = {i.number: _Seen(_never_asked(timeline, i)) for i in timeline.requests}

    def follow(self, step: Step) -> None:
        info = step.request
        assert info is not None  # every operation of such a run is about a prompt
        _, prompt = self._mine[info.request_id]
        seen = self._seen[info.number]
        if step.name == "admit" and step.refused:
            seen.reason = _refused(step)
        elif step.name == "admit":
            self._came_in(info, prompt, step)
        elif step.name == "allocate" and not step.refused:
            one = self._earlier[info.letter]
            wrote = prompt.answer_tokens[: step.num_tokens_of_op]
            self._earlier[info.letter] = replace(one, tokens=(*one.tokens, *wrote))
        elif step.name == "free":
            seen.departure = step.index
        self._index.follow(step)

    def _came_in(self, info: RequestInfo, prompt: Prompt, step: Step) -> None:
        seen, earlier = self._seen[info.number], list(self._earlier.values())
        seen.admission, seen.hits = step.index, len(ints(step.result["hit_blocks"]))
        digests = self._digests[info.request_id]
        seen.reason = (
            first_miss(prompt, self._run.block_size, digests, seen.hits, earlier, self._index)
            if self._run.caching
            else Reason("caching_off")
        )
        seen.same_beginning = max(
            (common_prefix(prompt.text_tokens, e.tokens) for e in earlier if e.alike(prompt)),
            default=0,
        )
        self._earlier[info.letter] = Earlier(info.letter, prompt, prompt.text_tokens)

    def view(self, info: RequestInfo) -> PromptView:
        place, prompt = self._mine[info.request_id]
        seen, size = self._seen[info.number], self._run.block_size
        return PromptView(
            prompt=prompt,
            place=place,
            number=info.number,
            letter=info.letter,
            block_size=size,
            arrival=info.step,
            admission=seen.admission,
            departure=seen.departure,
            blocks=_blocks(prompt.num_tokens, size, self._digests[info.request_id]),
            hits=seen.hits,
            same_beginning=seen.same_beginning,
            reason=seen.reason,
        )


def _never_asked(timeline: Timeline, info: RequestInfo) -> Reason:
    """The reason of one for whom no step asks: they are behind others in the line."""
    state = timeline.state(info.step)
    before = [r for r in state.requests if r != info.number and r not in state.tables]
    return Reason("waiting", by=timeline.requests[before[0]].letter if before else "")


def _refused(step: Step) -> Reason:
    no = step.effects.refusal
    assert no is not None
    if no.never:
        return Reason("not_admitted", step=step.index, need=no.never, free=step.pool.usable)
    return Reason("waiting", step=step.index, need=no.need, free=no.free)


def _digests(name: str, prompt: Prompt, run: Run) -> list[bytes]:
    """The engine's keys of the full blocks; none if nothing is hashed."""
    if not run.caching:
        return []
    adapter = prompt.adapter
    return Request(
        name,
        prompt.text_tokens,
        cache_salt=prompt.salt or None,
        lora=LoRARequest(adapter, 1, adapter) if adapter else None,
        block_hasher=get_request_block_hasher(run.block_size),
    ).block_hashes


def _blocks(num_tokens: int, size: int, digests: Sequence[bytes]) -> tuple[BlockView, ...]:
    return tuple(
        BlockView(
            start,
            min(start + size, num_tokens),
            digests[i].hex() if i < len(digests) else None,
        )
        for i, start in enumerate(range(0, num_tokens, size))
    )
