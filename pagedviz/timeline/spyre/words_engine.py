"""A step in the engine's words: who decodes or is prefilled, what it comes to, and why.

One sentence, or two short ones: what the step does, then what is new in it, in the order in
which one would ask: who left, who is kept out, whose prompt waits, what the padding costs.

Leaves out: the storage room's words (`words_room`), drawing.
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
            f"Empty: {limits.usable_blocks:,} blocks of {BLOCK_SIZE} tokens, at most "
            f"**{_n(limits.max_num_seqs, 'request')}** and **batch x tkv "
            f"{limits.batch_tkv_limit:,}**; prompts in chunks of {limits.chunk_size:,}."
        )
    inside = _n(len(result.running), "request")
    waits = len(result.waiting)
    out = f", {waits} wait{'s' if waits == 1 else ''} outside" if waits else ""
    return (
        f"**{inside}** with their prompts done{out}. Before each decode step it is chosen who "
        f"takes part: batch x tkv stays within {limits.batch_tkv_limit:,}."
    )


def _refused(played: Played, moment: Moment) -> str:
    one = played.visitors[moment.refused[0]]
    check = one.refused
    assert check is not None
    others = len(moment.refused) - 1
    more = f" {others} more {'is' if others == 1 else 'are'} refused too." if others else ""
    fits = (
        f"max_tokens {check.max_tokens_that_fit:,} would fit"
        if check.max_tokens_that_fit
        else f"a prompt of {check.prompt_that_fits:,} would fit"
    )
    return (
        f"**{one.letter} is rejected**: prompt {check.prompt_len:,}, padded to "
        f"{check.padded_prompt_len:,}, + max_tokens {check.max_tokens:,} > context "
        f"{check.max_model_len:,}; **{fits}**.{more}{_must_wait(played, moment, brief=True)}"
    )


def _prefill(played: Played, moment: Moment, result: StepResult, step: PrefillStep) -> str:
    name = played.visitor(step.request_id).letter
    chunk = f"{step.chunk + 1:,} of {step.chunks_total:,}"
    if step.from_cache:
        return (
            f"**{name}**: chunk {chunk} is cached, so **nothing is computed** in this step; "
            f"{step.reused_blocks * BLOCK_SIZE:,} tokens are reused."
        )
    if step.is_first:
        text = f"**{name} is taken**{_promise(played, result, step)}. " + _chunk(step, chunk)
    else:
        text = f"**{name}**: {_lower(_chunk(step, chunk))}"
    if result.finished:
        return f"{text} {_left(played, result.finished)}{_must_wait(played, moment, brief=True)}"
    if moment.must_wait:
        return f"{text}{_must_wait(played, moment)}"
    still = sum(one.status == "decoding" for one in result.running) - step.is_last
    if step.is_last and not step.is_first:
        return f"{text} It makes **the first token** of the answer."
    if still > 0 and not step.is_first:
        return f"{text} {_n(still, 'other')} do{'es' if still == 1 else ''} not decode meanwhile."
    return text


def _promise(played: Played, result: StepResult, step: PrefillStep) -> str:
    if not played.release.promises_blocks:
        return ", no blocks are reserved"
    inside = next((one for one in result.running if one.request_id == step.request_id), None)
    if inside is None:
        return ""
    blocks = inside.held_blocks + inside.promised_blocks
    return f", {_n(blocks, 'block')} reserved for prompt and answer"


def _chunk(step: PrefillStep, chunk: str) -> str:
    computed = step.end - step.start
    text = f"Chunk **{chunk}**, {_n(computed, 'token')}"
    if step.is_first and step.hit_blocks:
        hit = f"{_n(step.hit_blocks, 'block')} hit"
        if step.chunks_skipped:
            saved = step.reused_blocks * BLOCK_SIZE
            skipped = _n(step.chunks_skipped, "chunk")
            return f"{text}: {hit}, **{skipped} skipped**, {saved:,} tokens not recomputed."
        return f"{text}: {hit}, but no whole chunk of it is cached, so **all is computed**."
    if step.start == 0 and step.left_padding:
        return f"{text} behind {step.left_padding:,} of left padding."
    return f"{text}."


def _decode(played: Played, moment: Moment, result: StepResult, rectangle: Rectangle) -> str:
    rows, limit = len(rectangle.rows), played.limits.batch_tkv_limit
    product = f"{rows} x {rectangle.tkv:,} = {rectangle.volume:,}"
    waits = len(result.waiting) if played.is_mix else 0
    out = f", {waits} wait{'s' if waits == 1 else ''}" if waits else ""
    if result.paused:
        pauses = len(result.paused)
        text = f"**{rows} of {rows + pauses + waits} decode**"
        if waits:
            text += f", {pauses} pause{'s' if pauses == 1 else ''}{out}"
        text += f": {product}; one more would make"
        return f"{text} {moment.one_more or 0:,}, over {limit:,}.{_extra(played, moment, result)}"
    only = played.visitor(rectangle.rows[0].request_id).letter
    who = f"{only} decodes" if rows == 1 else f"{rows} requests decode"
    return f"**{who}**{out}: {product} of {limit:,}.{_extra(played, moment, result)}"


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
        phrase = why(new[0], played.limits).engine
        return f" {played.visitor(new[0].request_id).letter} arrives and waits: {phrase}."
    waits = [one for one in result.waiting if one.reason in STANDING][:1]
    if result.prefill_waits is not None:
        waits = [result.prefill_waits]
    if waits:
        phrase = why(waits[0], played.limits).engine
        whose = played.visitor(waits[0].request_id).letter
        whose = f"{whose}'s prompt" if result.prefill_waits is not None else whose
        return f" {whose} waits: {phrase}."
    rectangle = result.rectangle
    assert rectangle is not None
    if moment.widened:
        return f" The rectangle is now {rectangle.width_blocks:,} blocks wide."
    padding = rectangle.volume - rectangle.tokens
    if padding:
        return f" {padding:,} of it is padding."
    return ""


def _must_wait(played: Played, moment: Moment, *, brief: bool = False) -> str:
    """Who is held up by a lasting rule from this step on, and which, if there is room for it."""
    if not moment.must_wait:
        return ""
    first, result = moment.must_wait[0], moment.result
    assert result is not None
    who = played.visitor(first.request_id).letter
    if first is result.prefill_waits:
        who += "'s prompt"
    elif len(moment.must_wait) > 1:
        who += f" and {len(moment.must_wait) - 1} more"
    elif first.request_id in result.arrived and not brief:
        who += " arrives and"
    if brief:
        return f" {who} must wait."
    return f" **{who} must wait**: {why(first, played.limits).engine}."


def _turns(played: Played, result: StepResult) -> str:
    """Who pauses from this step on, and who is back."""
    fresh = [played.visitor(name).letter for name in result.newly_paused]
    back = [played.visitor(name).letter for name in result.resumed]
    if fresh and not back:
        if len(fresh) == 1:
            return f" {fresh[0]} pauses and keeps its blocks."
        return f" {_names(fresh)} pause and keep their blocks."
    texts = []
    if back:
        texts.append(f"{_names(back)} resume{'s' if len(back) == 1 else ''}")
    if fresh:
        texts.append(f"{_names(fresh)} pause{'s' if len(fresh) == 1 else ''}")
    return f" {', '.join(texts)}." if texts else ""


def _left(played: Played, finished: tuple[Finished, ...]) -> str:
    if not finished:
        return ""
    if len(finished) > 1:
        names = _names([played.visitor(one.request_id).letter for one in finished])
        return f"**{names} leave**, their blocks return."
    one = finished[0]
    name = played.visitor(one.request_id).letter
    back = (
        f", {_n(one.promise_returned, 'reserved block')} never used" if one.promise_returned else ""
    )
    return f"**{name} leaves** after {_n(one.generated, 'token')}{back}."


def _names(names: list[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
