"""What a Spyre server can be started with, and what is said of the rest."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.limits import (
    SpyreLimits,
    check_num_blocks,
    default_num_blocks,
    min_num_blocks,
    overridden_num_blocks,
)
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, RELEASES, get_release

FULL = {"max_num_seqs": 32, "max_model_len": 32_768, "batch_tkv_limit": 131_072}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"max_num_seqs": 0}, r"requests \(max_num_seqs\) must be a whole number of at least 1"),
        ({"max_num_seqs": 33}, r"requests \(max_num_seqs\) 33 is more than .* 32; try 32"),
        ({"max_num_seqs": 4.0}, "max_num_seqs"),
        ({"max_model_len": 0}, r"context \(max_model_len\) must be a whole number"),
        ({"max_model_len": 32_832}, "32,832 is more than the ceiling of 32,768 tokens; try 32,768"),
        ({"max_model_len": 5_000}, "no multiple of 64.* holds? 4,992 tokens.*Try 4,992 or 5,056"),
        ({"max_model_len": 63}, "Try 64$"),
        ({"batch_tkv_limit": 0}, "batch_tkv_limit"),
        (
            {"batch_tkv_limit": 32_767},
            "32,767 is smaller than one full request of 32,768 .* at least 32,768, or a context of "
            "32,704",
        ),
        ({"batch_tkv_limit": 10}, "or a context of 64"),
        ({"chunk_size": 500}, "chunk 500 is no multiple of the block size 64; try 448 or 512"),
        ({"chunk_size": 0}, "chunk_size"),
        ({"num_blocks": 512}, "num_blocks 512 is too few: .* 512 blocks .* try at least 513"),
        ({"num_blocks": -1}, "num_blocks"),
        ({"num_blocks": True}, "num_blocks"),
    ],
)
def test_the_door_names_the_limit_and_what_would_do(change, said):
    with pytest.raises(ConfigError, match=said):
        SpyreLimits(**{**FULL, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"max_model_len": 64, "batch_tkv_limit": 64},
        {"max_num_seqs": 1},
        {"batch_tkv_limit": 32_768},
        {"num_blocks": 513},
        {"chunk_size": 64},
    ],
)
def test_the_last_value_that_works_is_taken(change):
    SpyreLimits(**{**FULL, **change})


def test_limits_stay_as_they_are():
    with pytest.raises(dataclasses.FrozenInstanceError):
        SpyreLimits(**FULL).max_num_seqs = 5


@pytest.mark.parametrize(
    ("seqs", "context", "blocks"),
    [(32, 32_768, 16_416), (16, 3_072, 784), (4, 8_192, 516), (1, 64, 2), (3, 128, 9)],
)
def test_blocks_the_plugin_makes_of_the_other_limits(seqs, context, blocks):
    assert default_num_blocks(seqs, context) == blocks
    assert SpyreLimits(seqs, context, 131_072).num_blocks == blocks
    assert blocks > seqs * context // 64  # block 0 beside a full batch
    assert blocks % seqs == 0


@given(st.integers(1, 32), st.integers(1, 512), st.integers(1, 131_072), st.integers(1, 20_000))
def test_a_named_number_of_blocks_is_rounded_down_and_large_enough_or_refused(
    seqs, context_blocks, limit, named
):
    least = min_num_blocks(seqs, context_blocks * 64, limit)
    try:
        blocks = check_num_blocks(named, seqs, context_blocks * 64, limit)
    except ConfigError as error:
        assert overridden_num_blocks(named, seqs) < least
        near = int(str(error).rsplit("try ", 1)[1].replace(",", ""))
        assert check_num_blocks(near, seqs, context_blocks * 64, limit) == near
        if near > seqs:
            with pytest.raises(ConfigError):
                check_num_blocks(near - 1, seqs, context_blocks * 64, limit)
    else:
        assert blocks % seqs == 0
        assert least <= blocks <= named < blocks + seqs


def test_fewest_blocks_are_a_full_batch_or_the_product():
    assert min_num_blocks(32, 32_768, 131_072) == 2_049
    assert min_num_blocks(4, 8_192, 131_072) == 513


def test_releases_are_those_of_the_recordings():
    assert list(RELEASES) == [
        "sendnn_2_6_3_default_pausing",
        "sendnn_2_6_3_pausing_off",
        "vllm_spyre_1_10_0",
    ]
    on, off, older = RELEASES.values()
    assert on.key == DEFAULT_RELEASE
    differing = {
        field.name
        for field in dataclasses.fields(on)
        if getattr(on, field.name) != getattr(off, field.name)
    }
    assert differing == {"key", "name", "pausing"}
    assert (older.default_chunk_size, older.prefix_caching_default) == (1024, False)
    assert (on.default_chunk_size, on.prefix_caching_default) == (512, True)


@pytest.mark.parametrize("key", ["2.6.3", "", None, ["vllm_spyre_1_10_0"]])
def test_an_unknown_release_is_answered_with_the_known_ones(key):
    with pytest.raises(ConfigError, match=r"must be one of sendnn_2_6_3_default_pausing, .*, not"):
        get_release(key)
