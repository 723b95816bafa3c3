"""Token numbers of prompts to ids of pieces: equal ids after equal beginnings, equal tokens.

What it does: cuts a prompt into pieces of 16 tokens and numbers the different pieces. Blocks of
16, 32, 64, ... tokens are then equal exactly if their ids are. With other block sizes a block
that ends inside a piece may count as different although it is the same: hits are then too few,
never too many.
"""

from collections.abc import Iterable, Sequence

TOKENS_PER_ID = 16


def blocks_of_tokens(prompts: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Ids of the pieces of every prompt, numbered in the order in which they first come.

    >>> blocks_of_tokens([range(20), range(16), [0, 1]])
    [(0, 1), (0,), (2,)]
    """
    known: dict[tuple[int, ...], int] = {}
    return [
        tuple(
            known.setdefault(tuple(prompt[at : at + TOKENS_PER_ID]), len(known))
            for at in range(0, len(prompt), TOKENS_PER_ID)
        )
        for prompt in prompts
    ]
