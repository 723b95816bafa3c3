"""How long the requests are: named mixes, each made for one claim, and one's own means.

    mixed      prompts of 8 to 44 tokens, answers of 14 to 46, and now and then a long one
    three      most have 3 tokens of prompt and a few of answer; every eighth is long
    truckload  everybody comes close to the longest allowed length
    giant      one has the longest allowed length, all others are short
    chat       spread as chats are: log-normal, with the published ShareGPT means of 161 and 338
               tokens divided by 8, so that they can be watched one by one
    own        log-normal around one's own means

Lengths are not cut to the longest allowed: who is longer is turned away, as a server does.

Leaves out: traffic at its real size (that is the workload page's), where lengths come from files.

Source: mean prompt 161 and answer 338 tokens of ShareGPT: Kwon et al., SOSP 2023, section 6.
The spread of `chat` and `own` (sigma 0.7) is ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Literal, get_args

Mix = Literal["mixed", "three", "truckload", "giant", "chat", "own"]
MIXES: tuple[Mix, ...] = get_args(Mix)

CHAT_MEANS = (161 / 8, 338 / 8)  # tokens of prompt and answer
SIGMA = 0.7  # of the logarithm: the largest of twenty is some four times the mean


def draw_lengths(
    mix: Mix, count: int, max_model_len: int, means: tuple[float, float], random: Random
) -> list[tuple[int, int]]:
    """(prompt, answer) of `count` requests, in tokens, each at least 1.

    means: of prompt and answer; only `own` looks at them.

    >>> draw_lengths("giant", 3, 128, (1, 1), Random(1))
    [(4, 13), (37, 91), (3, 11)]
    """
    return [_MAKERS[mix](number, max_model_len, means, random) for number in range(count)]


def _mixed(number: int, most: int, means: tuple[float, float], random: Random) -> tuple[int, int]:
    prompt, output = random.randint(8, 44), random.randint(14, 46)
    return prompt, 80 if number % 18 == 6 else output


def _three(number: int, most: int, means: tuple[float, float], random: Random) -> tuple[int, int]:
    output = random.randint(3, 12)
    if number % 8 == 5:
        return _split(max(most * 3 // 4, 2), 0.4)
    return 3, output


def _truckload(
    number: int, most: int, means: tuple[float, float], random: Random
) -> tuple[int, int]:
    return _split(max(round(most * random.uniform(0.95, 1.0)), 2), random.uniform(0.6, 0.8))


def _giant(number: int, most: int, means: tuple[float, float], random: Random) -> tuple[int, int]:
    prompt, output = random.randint(3, 8), random.randint(4, 16)
    # the second, so that somebody is there before and many come after
    return _split(most, 0.29) if number == 1 else (prompt, output)


def _chat(number: int, most: int, means: tuple[float, float], random: Random) -> tuple[int, int]:
    return _own(number, most, CHAT_MEANS, random)


def _own(number: int, most: int, means: tuple[float, float], random: Random) -> tuple[int, int]:
    prompt, output = (_log_normal(mean, random) for mean in means)
    return prompt, output


def _log_normal(mean: float, random: Random) -> int:
    # exp(mu + sigma^2 / 2) is the mean of a log-normal
    return max(1, round(random.lognormvariate(math.log(mean) - SIGMA**2 / 2, SIGMA)))


def _split(total: int, share: float) -> tuple[int, int]:
    """A total cut into prompt and answer, each at least 1."""
    prompt = min(max(1, round(total * share)), total - 1)
    return prompt, total - prompt


_Maker = Callable[[int, int, tuple[float, float], Random], tuple[int, int]]
_MAKERS: dict[Mix, _Maker] = {
    "mixed": _mixed,
    "three": _three,
    "truckload": _truckload,
    "giant": _giant,
    "chat": _chat,
    "own": _own,
}
