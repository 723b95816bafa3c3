"""A mix: requests that are there at the same time, their prompts done, about to decode.

The question it answers is how many of them decode together. Whoever the server has no room for
waits. Nothing arrives, no prompt is computed; `mix_play` plays the next decode steps, `advice`
tries what would help.

Leaves out: how they came in (`scenario`), reading typed lines (`mix_text`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pagedviz.engine.errors import OperationError, check_int
from pagedviz.engine.spyre.limits import (
    BATCH_TKV_LIMIT,
    MAX_MODEL_LEN,
    MAX_NUM_SEQS,
    SpyreLimits,
)
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, get_release
from pagedviz.engine.spyre.requests import check_request
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.scenario import MAX_REQUESTS

FOUR_CARD_BLOCKS = 8_192  # the pool of the 8B models' row for four cards, block 0 included


def four_cards(chunk_size: int = 512) -> SpyreLimits:
    """The limits of an 8B model on four cards.

    >>> four_cards().usable_blocks
    8191
    """
    return SpyreLimits(MAX_NUM_SEQS, MAX_MODEL_LEN, BATCH_TKV_LIMIT, chunk_size, FOUR_CARD_BLOCKS)


@dataclass(frozen=True, slots=True)
class MixGroup:
    """So many requests alike. Prompt and answer in tokens; the answer is their max_tokens."""

    count: int
    prompt: int
    answer: int

    def __str__(self) -> str:
        """As it is typed.

        >>> str(MixGroup(31, 200, 25))
        '31 x 200 + 25'
        """
        return f"{self.count} x {self.prompt} + {self.answer}"


@dataclass(frozen=True, slots=True)
class Mix:
    """Groups of requests under the limits of a server. MixError if it cannot be.

    >>> mix = Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))
    >>> mix.num_requests, mix.requests()[1]
    (32, (200, 25))
    >>> Mix((MixGroup(1, 32_760, 25),))
    Traceback (most recent call last):
    ...
    pagedviz.timeline.spyre.errors.MixError: row 1 (1 x 32760 + 25): a prompt of 32,760 tokens,
    padded to 32,768, and an answer of 25 are 32,793, more than the context of 32,768. With this
    answer a prompt of at most 32,704 fits
    """

    groups: tuple[MixGroup, ...]
    limits: SpyreLimits = field(default_factory=four_cards)
    release: str = DEFAULT_RELEASE

    def __post_init__(self) -> None:
        get_release(self.release)
        if not self.groups:
            raise MixError(
                "there are zero requests; name at least one, such as 1 x 30000 + 25 "
                "(requests x prompt + answer, in tokens)"
            )
        for row, group in enumerate(self.groups, 1):
            where = f"row {row} ({group})"
            for name in ("count", "prompt", "answer"):
                try:
                    check_int(name, getattr(group, name), 1, OperationError)
                except OperationError as error:
                    raise MixError(f"{where}: {error}; try 1 or more") from None
            self._check_length(where, group)
        total = self.num_requests
        if total > MAX_REQUESTS:
            raise MixError(
                f"{total:,} requests are more than the {MAX_REQUESTS} that can be shown; leave "
                f"out {total - MAX_REQUESTS:,}"
            )

    def _check_length(self, where: str, group: MixGroup) -> None:
        context = self.limits.max_model_len
        check = check_request(group.prompt, group.answer, max_model_len=context)
        if check.legal:
            return
        fits = []
        if check.prompt_that_fits:
            fits.append(f"With this answer a prompt of at most {check.prompt_that_fits:,} fits")
        if check.max_tokens_that_fit:
            fits.append(
                f"{'with' if fits else 'With'} this prompt an answer of at most "
                f"{check.max_tokens_that_fit:,}{'' if fits else ' fits'}"
            )
        advice = ", ".join(fits) or f"Prompt and answer together must fit {context:,}"
        padded = check.padded_prompt_len
        padding = "" if padded == group.prompt else f", padded to {padded:,},"
        raise MixError(
            f"{where}: a prompt of {group.prompt:,} tokens{padding} and an answer of "
            f"{group.answer:,} are {padded + group.answer:,}, more than the context of "
            f"{context:,}. {advice}"
        )

    @property
    def num_requests(self) -> int:
        """Requests in all groups."""
        return sum(group.count for group in self.groups)

    def requests(self) -> list[tuple[int, int]]:
        """Prompt and answer of each request, in the order of the groups."""
        return [(g.prompt, g.answer) for g in self.groups for _ in range(g.count)]


@dataclass(frozen=True, slots=True)
class MixPreset:
    """A mix to start from."""

    id: str
    title: Words
    lead: Words
    groups: tuple[MixGroup, ...]


MIX_PRESETS: tuple[MixPreset, ...] = (
    MixPreset(
        "one-long",
        Words("One long visit among many short ones", "One long request among many short ones"),
        Words(
            "One visitor with 30,000 boxes, 31 with 200. Everybody's row is as wide as the "
            "longest, so only 4 write at once.",
            "One prompt of 30,000 tokens, 31 of 200. All rows are padded to the longest, so only "
            "4 decode in one step.",
        ),
        (MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)),
    ),
    MixPreset(
        "chat",
        Words("Talks", "Chat"),
        Words(
            "32 visitors with much the same number of boxes: all write at once, and most places "
            "carry something.",
            "32 chat turns of similar length: all decode in one step, with little padding.",
        ),
        (
            MixGroup(8, 1_600, 300),
            MixGroup(12, 1_800, 300),
            MixGroup(8, 2_000, 400),
            MixGroup(4, 2_200, 400),
        ),
    ),
    MixPreset(
        "documents",
        Words("Questions about long papers", "Document questions"),
        Words(
            "12 visitors bring a long paper each and ask for a short answer. Not all of them "
            "write at once.",
            "12 prompts with a long document each, and short answers. They do not all fit one "
            "decode step.",
        ),
        (MixGroup(4, 9_000, 400), MixGroup(4, 14_000, 400), MixGroup(4, 18_000, 600)),
    ),
)


def mix_preset(key: str) -> MixPreset | None:
    """The preset with this id, or None.

    >>> mix_preset("chat").title.engine
    'Chat'
    """
    return next((preset for preset in MIX_PRESETS if preset.id == key), None)
