"""One term of the field: what it means, what stands for it in the storage room, where to see it.

Definitions are in the field's own words throughout; the storage room's word stands apart, so
that no sentence mixes the two. Leaves out: the terms themselves (`terms_*.py`) and finding one
(`terms.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pagedviz.facts.checks import FactError, check_id, check_text, check_words, slug
from pagedviz.facts.sources import SOURCES

MAX_WORDS: Final = 45  # of a definition: one or two sentences
GROUPS: Final = ("model", "memory", "serving", "before", "spyre", "units")


@dataclass(frozen=True, slots=True)
class Seen:
    """Where in the app a term can be seen: a page by its key, and the rest of the link."""

    page: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A term and its definition.

    Attributes:
        name: as the field writes it.
        says: the definition, at most MAX_WORDS words, in the field's words alone.
        group: one of GROUPS.
        source: who said so, an id of SOURCES.
        room: what stands for it in the storage room; empty if nothing does.
        also: other spellings it is found by, and known by in running text.
        see: ids of terms to go on with.
        at: where it can be seen; None if no page shows it.
        quiet: too common a word to be marked wherever it is used.
    """

    name: str
    says: str
    group: str
    source: str
    room: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    at: Seen | None = None
    quiet: bool = False

    def __post_init__(self) -> None:
        check_text("name", self.name)
        check_id("name", self.id)
        check_words(f"says of {self.id}", self.says, MAX_WORDS)
        if self.group not in GROUPS:
            raise FactError(f"group of {self.id}: must be one of {', '.join(GROUPS)}")
        if self.source not in SOURCES:
            raise FactError(f'source of {self.id}: "{self.source}" is not in SOURCES')
        if self.id in self.see:
            raise FactError(f"see of {self.id}: names the term itself")

    @property
    def id(self) -> str:
        """The name as it stands in a link.

        >>> Term("Block table", "A list.", "memory", "vllm").id
        'block-table'
        """
        return slug(self.name)

    def is_called(self, text: str) -> bool:
        """Whether this is one of its spellings, as a name or as in a link.

        >>> Term("Block table", "A list.", "memory", "vllm").is_called("BLOCK-TABLE")
        True
        """
        return slug(text) in {slug(spelling) for spelling in (self.name, *self.also)}
