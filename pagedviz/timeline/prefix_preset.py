"""What a preset of the prefix page is: texts with a name and a reason, and the run they make.

Leaves out: the presets themselves (`prefix_presets.py`, `chunk_presets.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pagedviz.timeline.presets import Words
from pagedviz.timeline.prompts import Prompt, prompts_run
from pagedviz.timeline.run import Run
from pagedviz.tokens import Tokenizer, visible

_STAYS: tuple[int | None, ...] = (None,) * 6
_NONE = ("",) * 6


@dataclass(frozen=True, slots=True)
class PrefixPreset:
    """Prompts with a name and a reason; `num_blocks` includes the null block."""

    id: str
    title: Words
    lead: Words
    make: Callable[[], tuple[str, ...]]
    num_prompts: int
    block_size: int = 4
    num_blocks: int = 25
    opening: int = 6  # step worth seeing first
    chunk: int = 1024  # tokens; of the picture of chunks
    caching: bool = True
    _salts: tuple[str, ...] = _NONE
    _adapters: tuple[str, ...] = _NONE
    _leaves: tuple[int | None, ...] = _STAYS
    _answers: tuple[str, ...] = _NONE

    @property
    def texts(self) -> tuple[str, ...]:
        """One text per prompt, in the order of arrival."""
        return self.make()

    @property
    def salts(self) -> tuple[str, ...]:
        """One cache salt per prompt, "" for none."""
        return self._salts[: self.num_prompts]

    @property
    def adapters(self) -> tuple[str, ...]:
        """One LoRA adapter's name per prompt, "" for none."""
        return self._adapters[: self.num_prompts]

    @property
    def leaves(self) -> tuple[int | None, ...]:
        """As `Prompt.leaves`, one per prompt."""
        return self._leaves[: self.num_prompts]

    @property
    def answers(self) -> tuple[str, ...]:
        """What each prompt writes, "" for nothing; it goes on from the prompt's text."""
        return self._answers[: self.num_prompts]

    def prompts(self, tokenizer: Tokenizer) -> list[Prompt]:
        """The prompts as this tokenizer cuts them."""
        return [
            cut_prompt(tokenizer, text, salt, adapter, leaves, answer)
            for text, salt, adapter, leaves, answer in zip(
                self.texts, self.salts, self.adapters, self.leaves, self.answers, strict=True
            )
        ]

    def run(self, tokenizer: Tokenizer) -> Run:
        """The run of these prompts."""
        return prompts_run(
            self.prompts(tokenizer),
            num_blocks=self.num_blocks,
            block_size=self.block_size,
            caching=self.caching,
            title=self.title.room,
        )


def cut_prompt(
    tokenizer: Tokenizer,
    text: str,
    salt: str = "",
    adapter: str = "",
    leaves: int | None = None,
    answer: str = "",
) -> Prompt:
    """A text as a prompt. Raises TextError or RunError if it cannot be one.

    >>> from pagedviz.tokens import default_tokenizer
    >>> cut_prompt(default_tokenizer(), "Hello there", answer=" General").pieces
    ('Hello', '·there')
    """
    pieces, written = tokenizer.pieces(text), tokenizer.pieces(answer) if answer else []
    return Prompt(
        tuple(piece.id for piece in pieces),
        tuple(visible(piece.text) for piece in pieces),
        salt,
        adapter,
        leaves,
        tuple(piece.id for piece in written),
        tuple(visible(piece.text) for piece in written),
    )
