"""A step in the storage room's words: who writes at the table, who sits out, and why.

The table is as wide as its longest row; the empty places of a shorter row are paid for like the
others. Boxes are worked out a cartload at a time before their owner may sit down.

Leaves out: the engine's words (`words_engine`), drawing.
"""

from __future__ import annotations

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.padding import Rectangle
from pagedviz.engine.spyre.step_result import Finished, PrefillStep, StepResult
from pagedviz.timeline.spyre.moments import STANDING, Moment, Played
from pagedviz.timeline.spyre.reasons import why


def caption(played: Played, moment: Moment) -> str:
    """The caption of a step; `**bold**` marks emphasis."""
    if moment.refused:
        return _refused(played, moment)
    result = moment.result
    if result is None or moment.is_start:
        return _start(played, result)
    if result.prefill is not None:
        return _prefill(played, moment, result, result.prefill)
    assert result.rectangle is not None
    return _decode(played, moment, result, result.rectangle)


def _start(played: Played, result: StepResult | None) -> str:
    limits = played.limits
    if result is None:
        return (
            f"Nobody is here: {_shelves(limits.usable_blocks)} of {BLOCK_SIZE} boxes stand empty, "
            f"at most **{_n(limits.max_num_seqs, 'visitor')}** may write at once, on "
            f"**{limits.batch_tkv_limit:,} places** together."
        )
    waits = len(result.waiting)
    out = f", {waits} wait{'s' if waits == 1 else ''} at the door" if waits else ""
    verb = "is" if len(result.running) == 1 else "are"
    return (
        f"**{_n(len(result.running), 'visitor')}** {verb} inside{out}. Before each step it is "
        f"decided who writes: the table has {limits.batch_tkv_limit:,} places."
    )


def _refused(played: Played, moment: Moment) -> str:
    one = played.visitors[moment.refused[0]]
    check = one.refused
    assert check is not None
    others = len(moment.refused) - 1
    more = f" {others} more {'is' if others == 1 else 'are'} turned away too." if others else ""
    fits = (
        f"an answer of {check.max_tokens_that_fit:,} would fit"
        if check.max_tokens_that_fit
        else f"{check.prompt_that_fits:,} boxes would fit"
    )
    return (
        f"**{one.letter} is turned away at the door**: {_boxes(check.prompt_len)} on full shelves "
        f"take {check.padded_prompt_len:,} places, with an answer of {check.max_tokens:,} more "
        f"than {check.max_model_len:,}; **{fits}**.{more}"
        f"{_must_wait(played, moment, brief=True)}"
    )


def _prefill(played: Played, moment: Moment, result: StepResult, step: PrefillStep) -> str:
    name = played.visitor(step.request_id).letter
    chunk = f"{step.chunk + 1:,} of {step.chunks_total:,}"
    if step.from_cache:
        return (
            f"**{name}**: cartload {chunk} was found, so **nothing is worked out** in this step; "
            f"{_boxes(step.reused_blocks * BLOCK_SIZE)} are used again."
        )
    if step.is_first:
        text = f"**{name} comes in**{_promise(played, result, step)}. " + _chunk(step, chunk)
    else:
        text = f"**{name}**: {_lower(_chunk(step, chunk))}"
    if result.finished:
        return f"{text} {_left(played, result.finished)}{_must_wait(played, moment, brief=True)}"
    if moment.must_wait:
        return f"{text}{_must_wait(played, moment)}"
    still = sum(one.status == "decoding" for one in result.running) - step.is_last
    if step.is_last and not step.is_first:
        return f"{text} With it comes **the first box of the answer**."
    if still > 0 and not step.is_first:
        return f"{text} {_n(still, 'other')} do{'es' if still == 1 else ''} not write meanwhile."
    return text


def _promise(played: Played, result: StepResult, step: PrefillStep) -> str:
    if not played.release.promises_blocks:
        return ", no shelves are promised"
    inside = next((one for one in result.running if one.request_id == step.request_id), None)
    if inside is None:
        return ""
    shelves = inside.held_blocks + inside.promised_blocks
    return f" with {_shelves(shelves)} promised for boxes and answer"


def _chunk(step: PrefillStep, chunk: str) -> str:
    text = f"Cartload **{chunk}**, {_boxes(step.end - step.start)}"
    if step.is_first and step.hit_blocks:
        hit = f"{_shelves(step.hit_blocks)} found"
        if step.chunks_skipped:
            skipped = _n(step.chunks_skipped, "cartload")
            saved = _boxes(step.reused_blocks * BLOCK_SIZE)
            return f"{text}: {hit}, **{skipped} spared** ({saved})."
        return f"{text}: {hit}, but no whole cartload of them, so **all is worked out**."
    if step.start == 0 and step.left_padding:
        return f"{text} behind {step.left_padding:,} empty places."
    return f"{text}."


def _decode(played: Played, moment: Moment, result: StepResult, rectangle: Rectangle) -> str:
    rows, limit = len(rectangle.rows), played.limits.batch_tkv_limit
    product = f"{rows} x {rectangle.tkv:,} = {rectangle.volume:,}"
    waits = len(result.waiting) if played.is_mix else 0
    out = f", {waits} wait{'s' if waits == 1 else ''}" if waits else ""
    if result.paused:
        away = len(result.paused)
        text = f"**{rows} of {rows + away + waits} write**"
        if waits:
            text += f", {away} sit{'s' if away == 1 else ''} out{out}"
        text += f": {product} places; one more would"
        return (
            f"{text} take {moment.one_more or 0:,}, and there are {limit:,}."
            f"{_extra(played, moment, result)}"
        )
    only = played.visitor(rectangle.rows[0].request_id).letter
    who = f"{only} writes" if rows == 1 else f"{rows} visitors write"
    return f"**{who}**{out}: {product} of {limit:,} places.{_extra(played, moment, result)}"


def _extra(played: Played, moment: Moment, result: StepResult) -> str:
    if result.finished:
        return f" {_left(played, result.finished)}{_must_wait(played, moment, brief=True)}"
    if result.paused and (turns := _turns(played, result)):
        return turns + _must_wait(played, moment, brief=True)
    if moment.must_wait:
        return _must_wait(played, moment)
    if result.paused:
        return ""
    new = [one for one in result.waiting if one.request_id in result.arrived]
    if new:
        phrase = why(new[0], played.limits).room
        return f" {played.visitor(new[0].request_id).letter} comes and waits: {phrase}."
    waits = [one for one in result.waiting if one.reason in STANDING][:1]
    if result.prefill_waits is not None:
        waits = [result.prefill_waits]
    if waits:
        phrase = why(waits[0], played.limits).room
        whose = played.visitor(waits[0].request_id).letter
        whose = f"{whose}'s next cartload" if result.prefill_waits is not None else whose
        return f" {whose} waits: {phrase}."
    rectangle = result.rectangle
    assert rectangle is not None
    if moment.widened:
        return f" Every row is now {_shelves(rectangle.width_blocks)} wide."
    empty = rectangle.volume - rectangle.tokens
    if empty:
        return f" {empty:,} of them {'is' if empty == 1 else 'are'} empty and paid for."
    return ""


def _must_wait(played: Played, moment: Moment, *, brief: bool = False) -> str:
    """Who is held up by a lasting rule from this step on, and which, if there is room for it."""
    if not moment.must_wait:
        return ""
    first, result = moment.must_wait[0], moment.result
    assert result is not None
    who = played.visitor(first.request_id).letter
    if first is result.prefill_waits:
        who += "'s next cartload"
    elif len(moment.must_wait) > 1:
        who += f" and {len(moment.must_wait) - 1} more"
    elif first.request_id in result.arrived and not brief:
        who += " comes and"
    if brief:
        return f" {who} must wait."
    return f" **{who} must wait**: {why(first, played.limits).room}."


def _turns(played: Played, result: StepResult) -> str:
    """Who sits out from this step on, and who is back."""
    fresh = [played.visitor(name).letter for name in result.newly_paused]
    back = [played.visitor(name).letter for name in result.resumed]
    if fresh and not back:
        if len(fresh) == 1:
            return f" {fresh[0]} sits out and keeps the shelves."
        return f" {_names(fresh)} sit out and keep their shelves."
    texts = []
    if back:
        texts.append(f"{_names(back)} {'is' if len(back) == 1 else 'are'} back at the table")
    if fresh:
        texts.append(f"{_names(fresh)} sit{'s' if len(fresh) == 1 else ''} out")
    return f" {', '.join(texts)}." if texts else ""


def _left(played: Played, finished: tuple[Finished, ...]) -> str:
    if len(finished) > 1:
        names = _names([played.visitor(one.request_id).letter for one in finished])
        return f"**{names} leave** and give back their shelves."
    one = finished[0]
    name = played.visitor(one.request_id).letter
    back = (
        f", {_shelves(one.promise_returned)} promised and never used"
        if one.promise_returned
        else ""
    )
    return f"**{name} leaves** after {_boxes(one.generated)} of answer{back}."


def _names(names: list[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _boxes(n: int) -> str:
    return f"{n:,} {'box' if n == 1 else 'boxes'}"


def _shelves(n: int) -> str:
    return f"{n:,} {'shelf' if n == 1 else 'shelves'}"
