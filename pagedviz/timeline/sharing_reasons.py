"""Why a prompt shares up to here and no further: the reason at its first miss.

Derived from the tokens of those who came in before and from what the pool stored and threw
out until then. A hash is never looked into: that two keys differ is found out from what goes
into them, the tokens, the salt and the adapter.

Leaves out: the words (`sharing_words.py`).

Source of the rules: vLLM 0.33.0, v1/core/kv_cache_manager.py (get_computed_blocks),
v1/core/kv_cache_utils.py (hash_block_tokens, generate_block_hash_extra_keys).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pagedviz.engine.events import external_block_hash
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.likeness import SameRun, common_prefix, same_further_on
from pagedviz.timeline.prompts import Prompt
from pagedviz.timeline.step import Step

Kind = Literal[
    "nobody_before",
    "token_differs",
    "block_not_full",
    "last_token",
    "evicted",
    "salt_differs",
    "adapter_differs",
    "other_not_full",
    "waiting",
    "not_admitted",
    "caching_off",
]


@dataclass(frozen=True, slots=True)
class Other:
    """The earlier prompt a reason speaks of."""

    letter: str
    num_tokens: int  # stored
    salt: str
    adapter: str


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason and what its sentence needs; what does not belong to the kind is empty."""

    kind: Kind
    block: int = 0  # the first one not found, counted from 0
    other: Other | None = None
    token: int | None = None  # place in the prompt of the first token that differs
    ours: str = ""  # its piece, and that of the other prompt
    theirs: str = ""
    also: SameRun | None = None  # what is the same further on
    by: str = ""  # letter of the one for whom it was thrown out, or who is first in line
    step: int | None = None  # of the eviction or the refusal
    still_there: bool = False  # the block that must be computed again is in the index
    need: int = 0  # blocks
    free: int = 0  # blocks; for not_admitted all that the pool has


@dataclass(frozen=True, slots=True)
class Earlier:
    """Somebody who came in before."""

    letter: str
    prompt: Prompt
    tokens: tuple[int, ...]  # stored: the prompt, then as much of the answer as was placed

    def piece(self, place: int) -> str:
        """What to show for one of the tokens."""
        return (*self.prompt.pieces, *self.prompt.answer_pieces)[place]

    def alike(self, prompt: Prompt) -> bool:
        """Whether salt and adapter are the same, so that equal tokens have equal hashes."""
        return self.prompt.salt == prompt.salt and self.prompt.adapter == prompt.adapter

    def told(self) -> Other:
        """What a reason says of them."""
        p = self.prompt
        return Other(self.letter, len(self.tokens), p.salt, p.adapter)


@dataclass(slots=True)
class Index:
    """What the prefix cache holds and held, read off the events of the steps so far."""

    live: Counter[int] = field(default_factory=Counter)  # key -> copies that can be found
    stored_by: dict[int, str] = field(default_factory=dict)  # key -> letter, first time
    removed: dict[int, tuple[int, str]] = field(default_factory=dict)  # key -> (step, letter)

    def follow(self, step: Step) -> None:
        """Take in the events of one step."""
        who = step.request.letter if step.request is not None else ""
        for event in step.events:
            for key in ints(event.get("block_hashes")):
                if event["type"] == "BlockStored":
                    self.live[key] += 1
                    self.stored_by.setdefault(key, who)
                elif event["type"] == "BlockRemoved":
                    self.live[key] -= 1
                    self.removed[key] = (step.index, who)


def first_miss(
    prompt: Prompt,
    block_size: int,
    digests: Sequence[bytes],
    hits: int,
    earlier: Sequence[Earlier],
    index: Index,
) -> Reason:
    """Why the lookup that found `hits` blocks ended there.

    `digests` are the keys of the prompt's full blocks, `earlier` those who came in before
    in their order, `index` the cache as the lookup met it.
    """
    if not earlier:
        return Reason("nobody_before")
    if hits >= len(digests):
        return Reason("block_not_full", hits)
    key = external_block_hash(digests[hits])
    end = (hits + 1) * block_size
    by_letter = {e.letter: e for e in earlier}
    if key in index.stored_by:
        other = by_letter[index.stored_by[key]].told()
        if end == prompt.num_tokens:  # never looked up, whether it is there or not
            return Reason("last_token", hits, other, still_there=index.live[key] > 0)
        step, by = index.removed[key]
        # later blocks are gone too: a table is freed, and so evicted, from its end
        return Reason("evicted", hits, other, by=by, step=step)
    return _unequal(prompt, block_size, hits, earlier)


def _unequal(prompt: Prompt, block_size: int, hits: int, earlier: Sequence[Earlier]) -> Reason:
    """Nobody ever stored this block: what is different with those who came closest?"""
    common = [common_prefix(prompt.text_tokens, e.tokens) for e in earlier]
    alike = [e.alike(prompt) for e in earlier]
    end = (hits + 1) * block_size
    # The same tokens, and still no hit: it can only be what else goes into the hash.
    for e, n in zip(earlier, common, strict=True):
        if n >= end:
            kind: Kind = "salt_differs" if e.prompt.salt != prompt.salt else "adapter_differs"
            return Reason(kind, hits, e.told())
    # Whoever shares the blocks found so far; at the first block anybody.
    best = max(range(len(earlier)), key=lambda i: (alike[i], common[i]))
    other, n = earlier[best], common[best]
    if n == len(other.tokens):
        return Reason("other_not_full", hits, other.told())
    return Reason(
        "token_differs",
        hits,
        other.told(),
        token=n,
        ours=prompt.pieces[n],
        theirs=other.piece(n),
        # less than a block, or little of what follows, is not worth a word
        also=same_further_on(
            prompt.text_tokens, other.tokens, n, max(block_size, (prompt.num_tokens - n) // 4)
        ),
    )
