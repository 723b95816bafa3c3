"""The requests of each preset.

The rows of IBM's table run on one server, that of an 8B model on four cards. Answers end early
where a prompt takes long to come in: whoever is first has written most when the last sits down.

Leaves out: what they are to show (`presets`).
"""

from __future__ import annotations

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.spyre.mix import four_cards
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.step import letter

PAUSING_OFF = "sendnn_2_6_3_pausing_off"
BLOCKS_30B = 2_080  # granite-4.1-30b on four cards, block 0 included


def small(max_num_seqs: int = 4) -> SpyreLimits:
    """A server small enough to be read whole: product 1,024, context 512, chunks of 128."""
    return SpyreLimits(max_num_seqs, 512, 1_024, chunk_size=128, num_blocks=36)


def four() -> Scenario:
    """Four requests of different length; the longest pushes one of them out."""
    lengths = ((240, 36), (100, 30), (170, 40), (60, 28))
    requests = tuple(SpyreRequest(letter(i), *lengths[i]) for i in range(4))
    return Scenario(small(), requests)


def row_32() -> Scenario:
    """32 x 4,096: each prompt takes 8 chunks, so 31 x 8 decode steps pass meanwhile."""
    return _row(32, 4_096, 256)


def row_16() -> Scenario:
    """16 x 8,192: 16 chunks each."""
    return _row(16, 8_192, 256)


def row_4() -> Scenario:
    """4 x 32,768: 64 chunks each."""
    return _row(4, 32_768, 256)


def _row(count: int, context: int, answer: int) -> Scenario:
    limits = four_cards()
    prompt = context - answer
    chunks = -(-prompt // limits.chunk_size)
    return Scenario(
        limits,
        tuple(
            # ends when the first one does, which has written most by then
            SpyreRequest(letter(i), prompt, answer, output_len=max(answer - chunks * i, 8))
            for i in range(count)
        ),
    )


def one_long() -> Scenario:
    """31 prompts of 200 tokens, then one of 30,000."""
    short = tuple(SpyreRequest(letter(i), 200, 120, output_len=120 - i) for i in range(31))
    return Scenario(four_cards(), (*short, SpyreRequest(letter(31), 30_000, 10, arrival_step=62)))


def no_max_tokens() -> Scenario:
    """Four that name no max_tokens, two that do, in the pool of the 30B model."""
    return _named(None)


def with_max_tokens() -> Scenario:
    """The same six, all with max_tokens 256."""
    return _named(256)


def _named(max_tokens: int | None) -> Scenario:
    limits = SpyreLimits(32, 32_768, 131_072, num_blocks=BLOCKS_30B)
    return Scenario(
        limits,
        tuple(
            SpyreRequest(letter(i), 1_900 + 60 * i, max_tokens if i < 4 else 256, output_len=40)
            for i in range(6)
        ),
    )


def promised() -> Scenario:
    """Four requests of 5 blocks in a pool of 19."""
    limits = SpyreLimits(4, 512, 1_024, chunk_size=128, num_blocks=20)
    return Scenario(limits, tuple(SpyreRequest(letter(i), 200, 120) for i in range(4)))


def chunks() -> Scenario:
    """A prompt of 8 chunks joins three that decode."""
    return _chunks(interleave=True)


def chunks_in_a_row() -> Scenario:
    """The same with the plugin's switch that keeps chunks together."""
    return _chunks(interleave=False)


def _chunks(interleave: bool) -> Scenario:
    short = tuple(SpyreRequest(letter(i), 300 + 50 * i, 30) for i in range(3))
    long = SpyreRequest(letter(3), 4_000, 10, arrival_step=9)
    return Scenario(four_cards(), (*short, long), interleave=interleave)


def prefix_on() -> Scenario:
    """Three prompts with the first 2,500 tokens in common."""
    return _prefix(caching=True)


def prefix_off() -> Scenario:
    """The same with prefix caching off."""
    return _prefix(caching=False)


def _prefix(caching: bool) -> Scenario:
    return Scenario(
        four_cards(),
        tuple(
            SpyreRequest(
                letter(i),
                3_000,
                40,
                arrival_step=i * 9,
                shared_prefix="handbook",
                shared_tokens=2_500,
            )
            for i in range(3)
        ),
        prefix_caching=caching,
    )


def too_long() -> Scenario:
    """One request too long by 8 tokens, and the same with what fits."""
    return Scenario(
        small(),
        (
            SpyreRequest("A", 150, 30),
            SpyreRequest("B", 300, 200, arrival_step=3),
            SpyreRequest("C", 300, 192, output_len=20, arrival_step=6),
        ),
    )


def volume_pausing_off() -> Scenario:
    """A big one that would not fit to its end, and a small one behind it."""
    return _volume(PAUSING_OFF)


def volume_pausing_on() -> Scenario:
    """The same, as the plugin decides since 2.4."""
    return _volume("sendnn_2_6_3_default_pausing")


def _volume(release: str) -> Scenario:
    return Scenario(
        small(),
        (
            SpyreRequest("A", 200, 60),
            SpyreRequest("B", 200, 60),
            SpyreRequest("C", 100, 200, output_len=60),
            SpyreRequest("D", 20, 20),
        ),
        release=release,
    )
