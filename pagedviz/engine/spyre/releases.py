"""The releases of IBM's vLLM plugin whose rules are built here, by name.

The same requests meet different rules from release to release: whether a request may sit out
decode steps, whether its blocks are promised to it when it is taken, how carefully the product
of batch and length is estimated. Each release says which of them it has.

Leaves out: releases in between, and vllm-spyre 1.10.0 without chunked prefill. That mode keeps
a decode batch aligned token by token, which is another scheduler altogether.

Source: the wheels sendnn_inference-2.6.3 (files dated 2026-10-01) and vllm_spyre-1.10.0
(2026-03-26), each its own v1/core/scheduler.py, platform.py and envs.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pagedviz.engine.errors import ConfigError, shown
from pagedviz.engine.spyre.chunks import CHUNK_PLUGIN_2, CHUNK_STACK_1_1


@dataclass(frozen=True, slots=True)
class SpyreRelease:
    """A release of the plugin, with one switch where it has one, and the rules it follows."""

    key: str  # as recordings name it
    name: str  # as people name it
    package: str
    version: str
    date: str  # of the files in the wheel
    pausing: bool  # requests may sit out decode steps; taken in without looking at the product
    chooses_decode_set: bool  # looks at the product before each step; with pausing off, too
    promises_blocks: bool  # prompt + max_tokens in blocks, set aside when a request is taken
    volume_slack: bool  # the product is estimated on whole blocks, with one more to spare
    max_model_len_rule: bool  # lengths after joining must stay within the context
    strict_fifo: bool  # nobody overtakes a request that cannot be taken
    prompt_blocks_at_once: bool  # all blocks of a prompt with its first chunk, not chunk by chunk
    default_chunk_size: int  # tokens
    prefix_caching_default: bool


RELEASES: Mapping[str, SpyreRelease] = MappingProxyType(
    {
        release.key: release
        for release in (
            SpyreRelease(
                key="sendnn_2_6_3_default_pausing",
                name="sendnn-inference 2.6.3",
                package="sendnn-inference",
                version="2.6.3",
                date="2026-10-01",
                pausing=True,
                chooses_decode_set=True,
                promises_blocks=True,
                volume_slack=True,
                max_model_len_rule=False,
                strict_fifo=False,
                prompt_blocks_at_once=False,
                default_chunk_size=CHUNK_PLUGIN_2,
                prefix_caching_default=True,
            ),
            SpyreRelease(
                key="sendnn_2_6_3_pausing_off",
                name="sendnn-inference 2.6.3, pausing off",
                package="sendnn-inference",
                version="2.6.3",
                date="2026-10-01",
                pausing=False,
                chooses_decode_set=True,
                promises_blocks=True,
                volume_slack=True,
                max_model_len_rule=False,
                strict_fifo=False,
                prompt_blocks_at_once=False,
                default_chunk_size=CHUNK_PLUGIN_2,
                prefix_caching_default=True,
            ),
            SpyreRelease(
                key="vllm_spyre_1_10_0",
                name="vllm-spyre 1.10.0",
                package="vllm-spyre",
                version="1.10.0",
                date="2026-03-26",
                pausing=False,
                chooses_decode_set=False,
                promises_blocks=False,
                volume_slack=False,
                max_model_len_rule=True,
                strict_fifo=True,
                prompt_blocks_at_once=True,
                default_chunk_size=CHUNK_STACK_1_1,
                prefix_caching_default=False,
            ),
        )
    }
)

DEFAULT_RELEASE = "sendnn_2_6_3_default_pausing"


def get_release(key: str) -> SpyreRelease:
    """The release with this key; ConfigError that names the keys there are otherwise.

    >>> get_release("vllm_spyre_1_10_0").default_chunk_size
    1024
    >>> get_release("vllm_spyre_2")
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: release must be one of sendnn_2_6_3_default_pausing,
    sendnn_2_6_3_pausing_off, vllm_spyre_1_10_0, not 'vllm_spyre_2'
    """
    for release in RELEASES.values():
        if release.key == key:
            return release
    raise ConfigError(f"release must be one of {', '.join(RELEASES)}, not {shown(key)}")
