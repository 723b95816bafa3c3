"""The texts of the prefix page's presets, the long ones with exactly as many tokens as needed.

A long text is a made-up handbook, cut at a sentence and filled up with single words until the
tokenizer counts the wanted number. Words after a space are cut on their own by the tokenizer,
so a text may be continued with a space and a word without changing the tokens before it.

Leaves out: what the texts are to show (`prefix_presets.py`, `chunk_presets.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pagedviz.tokens import default_tokenizer

_TOPICS = ("cards", "loans", "savings", "transfers", "cheques", "cash", "fees", "accounts")
_RULES = (
    "questions about {0} are answered at the desk on the same day",
    "a form for {0} needs two names and the date",
    "complaints about {0} go to the branch that wrote the letter",
    "copies of papers about {0} are kept for seven years",
    "nobody gives advice about {0} by telephone",
)

_FILL = ("and", "so", "on")


def num_tokens(text: str) -> int:
    """Tokens under the app's own tokenizer."""
    return len(default_tokenizer().encode(text))


@cache
def handbook(tokens: int, chapter: str = "Hill Bank", after: str = "") -> str:
    """A text that begins with `after` and has exactly `tokens` tokens more.

    Raises ValueError if so few tokens do not hold the chapter's name.

    >>> shared = handbook(100)
    >>> num_tokens(shared), shared[:40]
    (100, 'Handbook of Hill Bank. Rule 1: questions')
    >>> longer = handbook(50, "Lake Bank", after=shared)
    >>> num_tokens(longer), longer[len(shared) :][:23]
    (150, ' Handbook of Lake Bank.')
    """
    wanted = tokens + (num_tokens(after) if after else 0)
    text = f"{after} Handbook of {chapter}." if after else f"Handbook of {chapter}."
    if num_tokens(text) > wanted:
        raise ValueError(f"{tokens} tokens are too few for a handbook of {chapter}")
    rule = 0
    while num_tokens(longer := f"{text} {_rule(rule, len(chapter))}") <= wanted:
        text, rule = longer, rule + 1
    # each of these words is one token
    return text + "".join(f" {_FILL[i % 3]}" for i in range(wanted - num_tokens(text)))


def _rule(i: int, turn: int) -> str:
    topic = _TOPICS[(i + turn) % len(_TOPICS)]  # turned, or all handbooks would be the same
    return f"Rule {i + 1}: {_RULES[i % len(_RULES)].format(topic)}."


_DESK = "You are the help desk of Hill Bank. Answer in one short line."
_CARD, _LOAN = " How do I block my card?", " What is the rate for a car loan?"
_OPEN, _SAFE = " When do you open on Monday?", " Is my money safe with you?"
_RATES = " Rates: a car loan costs four percent, a home loan three."
_HOURS = " Hours: we open at nine and close at five, except on Sunday."
BLOCKED, YES = " Call us, we block it at once.", " Yes, the state protects it."


def help_desk() -> tuple[str, ...]:
    """A system prompt twice, and once behind a time stamp."""
    return (_DESK + _CARD, _DESK + _LOAN, "14:05\n" + _DESK + _CARD)


def system_prompt() -> tuple[str, ...]:
    """Four questions behind one system prompt."""
    return tuple(_DESK + question for question in (_CARD, _LOAN, _OPEN, _SAFE))


def twice() -> tuple[str, ...]:
    """64 tokens, the same again, and one more."""
    question = handbook(64)
    return (question, question, question + " and")


def turns() -> tuple[str, ...]:
    """A chat as it grows."""
    first = _DESK + _CARD
    second = first + BLOCKED + _SAFE
    return (first, second, second + YES + _OPEN)


def retrieval() -> tuple[str, ...]:
    """Two documents, in two orders."""
    return (
        _DESK + _RATES + _HOURS + _LOAN,
        _DESK + _HOURS + _RATES + _LOAN,
        _DESK + _RATES + _HOURS + _OPEN,
    )


def time_stamp() -> tuple[str, ...]:
    """The time in front, and at the end."""
    return (
        "14:05\n" + _DESK + _CARD,
        "14:06\n" + _DESK + _CARD,
        _DESK + _CARD + "\n14:05",
        _DESK + _CARD + "\n14:06",
    )


def tenants() -> tuple[str, ...]:
    """One text five times."""
    return (_DESK + _CARD,) * 5


def short_system_prompt() -> tuple[str, ...]:
    """Six tokens in common, then longer questions."""
    lost = " I lost it on the train this morning and fear that somebody has found it."
    used = " It is a used one, four years old, and I can pay a third of it at once."
    busy = " I have to be at work at ten and would like to come before that."
    return tuple(
        "Answer in one short line." + question + more
        for question, more in ((_CARD, lost), (_LOAN, used), (_OPEN, busy))
    )


def first_letter() -> tuple[str, ...]:
    """A capital letter, a small one, a capital again."""
    text = _DESK + _CARD
    return (text, "y" + text[1:], text)


def what_is_left() -> tuple[str, ...]:
    """Two, a long one, and the first again."""
    return (_DESK + _CARD, _DESK + _LOAN, handbook(44), _DESK + _CARD)


def chunks(own: int) -> Callable[[], tuple[str, ...]]:
    """Two prompts with 2,500 tokens in common; the second has `own` more."""

    def make() -> tuple[str, ...]:
        shared = handbook(2500)
        return (
            handbook(500, "Lake Bank", after=shared),
            handbook(own - 1, "River Bank", after=shared + " New"),
        )

    return make


def one_chunk() -> tuple[str, ...]:
    """Two prompts of 1,000 tokens, 900 in common."""
    shared = handbook(900)
    return (
        handbook(100, "Lake Bank", after=shared),
        handbook(99, "River Bank", after=shared + " New"),
    )


def encoder() -> tuple[str, ...]:
    """The same text twice, and another."""
    return (_DESK + _CARD, _DESK + _CARD, _DESK + _LOAN)
