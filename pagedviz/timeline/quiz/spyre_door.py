"""Questions about a request at the door of a Spyre server: refused, taken or not, what is reserved.

The right answer is what the scheduler did in the step. No option names a rule: more than one can
keep a request out, and only the first that says no is the reason.

Leaves out: decode steps (`spyre.py`).
"""

from __future__ import annotations

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair, meaning
from pagedviz.timeline.quiz.say import counted
from pagedviz.timeline.spyre.moments import Moment, Played, Visitor
from pagedviz.timeline.spyre.reasons import why as reason


def _brings(one: Visitor) -> Words:
    """Who it is, with prompt and answer."""
    return Words(
        f"**Visitor {one.letter}** brings {counted(one.prompt, 'box').room} and may write up to "
        f"{one.max_tokens:,} more",
        f"**Request {one.letter}** has a prompt of {one.prompt:,} and max_tokens "
        f"{one.max_tokens:,}",
    )


def taken(played: Played, moment: Moment, worth: int) -> Question | None:
    """Whether a waiting request is taken in this step."""
    result = moment.result
    assert result is not None
    waits = moment.must_wait[0] if moment.must_wait else None
    if waits is not None:
        one = played.visitor(waits.request_id)
    else:
        assert result.prefill is not None
        one = played.visitor(result.prefill.request_id)
    inside = [each for each in result.running if each.request_id != one.request_id]
    says, who, people = _brings(one), one.letter, counted(len(inside), "visitor")
    is_in = Option(
        "in",
        Words(f"{who} comes in now", f"{who} is taken now"),
        Words("There is a rule against it in this step.", "A rule keeps it out in this step."),
    )
    wait = Option(
        "wait",
        Words(f"{who} waits at the door", f"{who} waits"),
        Words("Nothing keeps it out in this step.", "No rule keeps it out in this step."),
    )
    room = Option(
        "room",
        Words(f"someone inside leaves for {who}", f"a running request is preempted for {who}"),
        Words(
            "Nobody loses a place here for somebody at the door.",
            "This scheduler preempts nobody for a waiting request.",
        ),
    )
    if waits is not None:
        said = reason(waits, played.limits)
        because = Words(f"{who} waits: {said.room}.", f"{who} waits: {said.engine}.")
    else:
        because = Words(
            f"A seat is free for {who}, and shelves for all that it may need.",
            f"A slot is free for {who}, and blocks for all that it may need.",
        )
        if not played.release.promises_blocks:
            because = Words(f"A seat is free for {who}.", f"A slot is free for {who}.")
    return fair(
        moment.index,
        "taken",
        Words(
            f"{says.room}; {people.room} {'are' if len(inside) > 1 else 'is'} inside. What happens "
            "in this step?",
            f"{says.engine}; {people.engine} {'are' if len(inside) > 1 else 'is'} running. What "
            "happens in this step?",
        ),
        wait if waits is not None else is_in,
        [is_in, wait, *([room] if inside else [])],
        because,
        least=1,
        covers=("figures", "door"),
        worth=worth,
    )


def rejected(played: Played, moment: Moment, worth: int) -> Question | None:
    """What becomes of a request that is too long for the context."""
    one = played.visitors[moment.refused[0]]
    check = one.refused
    assert check is not None
    says, who = _brings(one), one.letter
    return fair(
        moment.index,
        "reject",
        Words(
            f"{says.room}; a row has {check.max_model_len:,} places at most. What happens?",
            f"{says.engine}; the context is {check.max_model_len:,}. What happens?",
        ),
        Option("away", Words(f"{who} is turned away", f"{who} is rejected")),
        [
            Option(
                "cut",
                Words(
                    f"{who} comes in and stops where the row ends",
                    f"{who} is taken and stops at the end of the context",
                ),
                Words(
                    "What might not fit is not let in at all.",
                    "What might not fit is rejected as a whole; nothing is cut.",
                ),
            ),
            Option(
                "wait",
                Words(f"{who} waits for more room", f"{who} waits for more blocks"),
                Words(
                    "Waiting would not help: the row never gets longer.",
                    "Waiting would not help: the context never grows.",
                ),
            ),
        ],
        Words(
            f"{check.prompt_len:,} on full shelves take {check.padded_prompt_len:,} places, and "
            f"with {check.max_tokens:,} more that is too long.",
            f"{check.prompt_len:,} padded to {check.padded_prompt_len:,}, plus "
            f"{check.max_tokens:,}, is more than {check.max_model_len:,}.",
        ),
        worth=worth,
    )


def promised(played: Played, moment: Moment, worth: int) -> Question | None:
    """How many blocks are reserved for a request when it is taken."""
    result = moment.result
    assert result is not None
    assert result.prefill is not None
    step = result.prefill
    inside = next((one for one in result.running if one.request_id == step.request_id), None)
    if inside is None or not played.release.promises_blocks or step.hit_blocks:
        return None
    one, right = played.visitor(step.request_id), inside.held_blocks + inside.promised_blocks
    says, size = _brings(one), counted(BLOCK_SIZE, "box")
    say, whole, total = (
        counted(right, "shelf"),
        cdiv(one.prompt, BLOCK_SIZE),
        one.prompt + one.max_tokens,
    )
    if right != cdiv(total, BLOCK_SIZE):
        return None
    context = cdiv(played.limits.max_model_len, BLOCK_SIZE)
    return fair(
        moment.index,
        "promise",
        Words(
            f"{says.room}; a shelf holds {size.room}. How many shelves are promised to "
            f"{one.letter} when it comes in?",
            f"{says.engine}; a block holds {size.engine}. How many blocks are reserved for "
            f"{one.letter} when it is taken?",
        ),
        Option(right, say),
        [
            _shelves(
                whole,
                "would be for what it brings alone; room for all it may write is promised too",
                "would be for the prompt alone; max_tokens are reserved too",
            ),
            _shelves(
                whole + cdiv(one.max_tokens, BLOCK_SIZE),
                "would begin a new shelf for the answer",
                "would begin a new block for the answer",
            ),
            _shelves(
                right - 1,
                "would not be enough if it writes as much as it may",
                "would not be enough for all of max_tokens",
            ),
            _shelves(
                context,
                "would be the longest row there may be, whatever it asks for",
                "would be the whole context, whatever it asks for",
            ),
            _shelves(
                cdiv(one.prompt, played.limits.chunk_size),
                "would be cartloads, not shelves",
                "would be chunks, not blocks",
            ),
        ],
        Words(
            f"{one.prompt:,} and up to {one.max_tokens:,} more are {total:,}, which fill "
            f"{say.room}.",
            f"{one.prompt:,} and max_tokens {one.max_tokens:,} are {total:,}, which fill "
            f"{say.engine}.",
        ),
        worth=worth,
    )


def _shelves(n: int, room: str, engine: str) -> Option:
    return meaning(n, counted(n, "shelf"), room, engine)
