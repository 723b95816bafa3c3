"""The limits a Spyre server runs under, checked at the door.

Three ceilings meet: how many requests, how long each, and their product in a decode step. The
chunk is the step in which prompts are computed, the blocks are the pool the KV cache is cut
into. Block 0 belongs to nobody: it stands wherever a block table is padded.

Leaves out: which limits belong to which model and number of cards (`known_configs`), and the
memory of a card. The plugin does not measure it either: the pool follows from the limits.

Source: sendnn-inference 2.6.3, platform.py (DEFAULT_MAX_MODEL_LEN, DEFAULT_MAX_NUM_SEQS,
get_total_spyre_blocks, check_and_update_config).
"""

from dataclasses import dataclass

from pagedviz.engine.errors import ConfigError, check_int
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, CHUNK_PLUGIN_2, check_chunk_size

MAX_NUM_SEQS = 32  # requests; the plugin's ceiling for a configuration it does not know
MAX_MODEL_LEN = 32_768  # tokens; the same, and the longest the plugin says it supports
BATCH_TKV_LIMIT = 131_072  # tokens; requests x longest, of the 8B models on four cards


@dataclass(frozen=True, slots=True)
class SpyreLimits:
    """What a server was started with. Sizes in tokens, `num_blocks` with block 0 in it.

    >>> SpyreLimits(32, 32_768, 131_072, num_blocks=8192).usable_blocks
    8191
    >>> SpyreLimits(32, 32_768, 131_072).num_blocks  # room for every request at full length
    16416
    >>> SpyreLimits(4, 5_000, 131_072)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: context (max_model_len) 5,000 is no multiple of 64. The
    plugin takes it as it is and counts 78 blocks for it, which hold 4,992 tokens; a padded
    batch could then grow past the context. Try 4,992 or 5,056
    """

    max_num_seqs: int  # requests running at the same time, those that pause not counted
    max_model_len: int  # context: prompt, padded to whole blocks, and answer
    batch_tkv_limit: int  # requests in a decode step x their padded length
    chunk_size: int = CHUNK_PLUGIN_2
    num_blocks: int = 0  # 0: as many as the plugin makes of the other limits

    def __post_init__(self) -> None:
        check_requests(self.max_num_seqs)
        check_context(self.max_model_len)
        check_int("batch_tkv_limit", self.batch_tkv_limit, 1, ConfigError)
        if self.batch_tkv_limit < self.max_model_len:
            raise ConfigError(
                f"the product limit (batch_tkv_limit) {self.batch_tkv_limit:,} is smaller than "
                f"one full request of {self.max_model_len:,} tokens, which could then never "
                f"decode; try a product of at least {self.max_model_len:,}, or a context of "
                f"{max(self.batch_tkv_limit // BLOCK_SIZE, 1) * BLOCK_SIZE:,}"
            )
        check_chunk_size(self.chunk_size)
        check_int("num_blocks", self.num_blocks, 0, ConfigError)
        if self.num_blocks == 0:
            blocks = default_num_blocks(self.max_num_seqs, self.max_model_len)
            object.__setattr__(self, "num_blocks", blocks)
        least = self.max_model_len // BLOCK_SIZE + 1
        if self.num_blocks < least:
            raise ConfigError(
                f"num_blocks {self.num_blocks:,} is too few: one full request takes "
                f"{least - 1:,} blocks of {BLOCK_SIZE} tokens, and block 0 is nobody's; "
                f"try at least {least:,}"
            )

    @property
    def usable_blocks(self) -> int:
        """Blocks that can be lent: all but block 0."""
        return self.num_blocks - 1


def check_requests(max_num_seqs: int) -> int:
    """Return `max_num_seqs` if a server may run with it, else raise ConfigError."""
    check_int("requests (max_num_seqs)", max_num_seqs, 1, ConfigError)
    if max_num_seqs > MAX_NUM_SEQS:
        raise ConfigError(
            f"requests (max_num_seqs) {max_num_seqs:,} is more than the ceiling of "
            f"{MAX_NUM_SEQS}; try {MAX_NUM_SEQS}"
        )
    return max_num_seqs


def check_context(max_model_len: int) -> int:
    """Return `max_model_len` if a server may run with it, else raise ConfigError."""
    check_int("context (max_model_len)", max_model_len, 1, ConfigError)
    if max_model_len > MAX_MODEL_LEN:
        raise ConfigError(
            f"context (max_model_len) {max_model_len:,} is more than the ceiling of "
            f"{MAX_MODEL_LEN:,} tokens; try {MAX_MODEL_LEN:,}"
        )
    whole, rest = divmod(max_model_len, BLOCK_SIZE)
    if rest:
        below = whole * BLOCK_SIZE
        near = f"{below:,} or {below + BLOCK_SIZE:,}" if whole else f"{BLOCK_SIZE}"
        raise ConfigError(
            f"context (max_model_len) {max_model_len:,} is no multiple of {BLOCK_SIZE}. The "
            f"plugin takes it as it is and counts {whole:,} blocks for it, which hold {below:,} "
            "tokens; a padded batch could then grow past the context. "
            f"Try {near}"
        )
    return max_model_len


def default_num_blocks(max_num_seqs: int, max_model_len: int) -> int:
    """The pool the plugin makes if nobody names one: a full batch at full length, and block 0.

    Rounded up to a multiple of the number of requests.

    >>> default_num_blocks(16, 3072), default_num_blocks(4, 8192)
    (784, 516)
    """
    full_batch = max_num_seqs * (max_model_len // BLOCK_SIZE)
    return cdiv(full_batch + 1, max_num_seqs) * max_num_seqs


def overridden_num_blocks(override: int, max_num_seqs: int) -> int:
    """The pool made of a number that was named: rounded *down* to a multiple of the requests.

    >>> overridden_num_blocks(2080, 32), overridden_num_blocks(2100, 32)
    (2080, 2080)
    """
    return override // max_num_seqs * max_num_seqs


def min_num_blocks(max_num_seqs: int, max_model_len: int, batch_tkv_limit: int) -> int:
    """The fewest blocks the plugin starts with: a full batch, or the product, and block 0.

    >>> min_num_blocks(32, 32_768, 131_072)
    2049
    """
    full_batch = max_num_seqs * (max_model_len // BLOCK_SIZE)
    return min(full_batch, batch_tkv_limit // BLOCK_SIZE) + 1


def check_num_blocks(
    override: int, max_num_seqs: int, max_model_len: int, batch_tkv_limit: int
) -> int:
    """The pool made of `override`, in blocks; ConfigError if the plugin would not start.

    >>> check_num_blocks(2000, 32, 32_768, 131_072)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: blocks (num_gpu_blocks_override) 2,000, rounded down to
    1,984 for 32 requests, are fewer than the 2,049 the plugin asks for; try 2,080
    """
    check_int("blocks (num_gpu_blocks_override)", override, 1, ConfigError)
    found = overridden_num_blocks(override, max_num_seqs)
    least = min_num_blocks(max_num_seqs, max_model_len, batch_tkv_limit)
    if found < least:
        raise ConfigError(
            f"blocks (num_gpu_blocks_override) {override:,}, rounded down to {found:,} for "
            f"{max_num_seqs} requests, are fewer than the {least:,} the plugin asks for; "
            f"try {cdiv(least, max_num_seqs) * max_num_seqs:,}"
        )
    return found
