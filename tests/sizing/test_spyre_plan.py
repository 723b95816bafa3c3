"""Spyre: known configurations, the product, the blocks, and who decodes together."""

import pytest

from pagedviz.sizing import ConfigError, kv_geometry, manual_geometry
from pagedviz.sizing.headline import headline
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.models import model, models
from pagedviz.sizing.spyre_inputs import SpyreInputs
from pagedviz.sizing.spyre_plan import encoder_shapes, spyre_plan
from tests.sizing.shapes import plain

GRANITE = "ibm-granite/granite-3.3-8b-instruct"


def plan(lengths=None, key="granite-3.3-8b", **more):
    found = model(key)
    lengths = lengths or Lengths(3000, 1000)
    return spyre_plan(SpyreInputs(found.geometry("spyre"), found.spyre_name, lengths, **more))


def test_bytes_per_card():
    found = plan()
    assert found.resolved.limits.num_blocks == 8192
    assert found.bytes_per_block == 64 * 2 * 40 * 2 * 128 * 2  # two of eight heads
    assert found.pool_bytes == 20 * 2**30
    assert found.product_bytes == 5 * 2**30
    assert plan(key="granite-3.3-8b-fp8").pool_bytes == 10 * 2**30
    assert plan(key="llama-3.1-8b").pool_bytes == 16 * 2**30


@pytest.mark.parametrize(
    ("tokens", "together"),
    [(64, 32), (4096, 32), (4097, 31), (8192, 16), (8193, 15), (32_768, 4)],
)
def test_published_rows(tokens, together):
    found = plan().of_length(tokens)
    assert found.decoding == together
    assert found.bound == ("requests" if together == 32 else "product")


def test_blocks_let_more_in_than_decode_together():
    found = plan().of_length(32_768)
    assert found.admitted == 15  # 8,191 blocks, 512 each
    assert found.decoding == 4


def test_one_card():
    found = plan(Lengths(2000, 1000), cards=1, context=3072, requests=16)
    assert found.resolved.limits.batch_tkv_limit == 49_152
    assert found.real.decoding == 16
    assert found.limit == "requests"


def test_the_longest_counts_for_all_so_a_spread_costs():
    still = plan(Lengths(6000, 2000))
    lively = plan(Lengths(6000, 2000, 1000, 1000))
    assert still.at_once == (16, 16, 16)
    low, about, high = lively.at_once
    assert low <= about < high == 16


def test_a_request_that_the_door_refuses():
    found = plan(Lengths(65, 2945), context=3072, requests=16, cards=1)
    text, fix = found.problems[0]
    assert "Refused at the door" in text
    assert "2,944 tokens of answer" in fix
    legal = plan(Lengths(65, 2944), context=3072, requests=16, cards=1)
    assert legal.problems == ()


def test_blocks_set_by_hand_must_cover_the_product():
    with pytest.raises(ConfigError, match="2,049"):
        plan(override_blocks=2048)


def test_a_configuration_nobody_verified_is_said():
    found = plan(context=16_384, requests=8)
    assert "no row" in found.problems[-1][0]
    assert "32,768 x 32 on 4 cards" in found.problems[-1][1]


def test_a_pool_beyond_the_card_is_said():
    shape = kv_geometry(plain("llama", 80, 64, 64, 8192), engine="spyre")
    found = spyre_plan(SpyreInputs(shape, "unknown/model", Lengths(10, 10), cards=1))
    assert "128 GB" in found.problems[0][0]


def test_the_geometry_must_be_read_for_spyre():
    with pytest.raises(ConfigError, match="engine"):
        SpyreInputs(manual_geometry(40, 8, 128), GRANITE, Lengths(10, 10))
    shape = kv_geometry(plain("bert", 12, 12, None, 768), engine="spyre")
    with pytest.raises(ConfigError, match="warm-up"):
        spyre_plan(SpyreInputs(shape, "bert", Lengths(10, 10)))


def test_encoder_only_models_go_by_their_shapes():
    name = "ibm-granite/granite-embedding-125m-english"
    shapes, why = encoder_shapes(name, 512)
    assert [(one.prompt_len, one.batch_size) for one in shapes] == [(512, 64)]
    assert why is None
    assert "513" in encoder_shapes(name, 513)[1]
    assert encoder_shapes("unknown", 5) == ((), None)


def test_every_model_that_the_plugin_knows_has_a_plan():
    for one in models():
        if one.spyre_name is None:
            continue
        inputs = SpyreInputs(one.geometry("spyre"), one.spyre_name, Lengths(500, 300))
        found = spyre_plan(inputs)
        assert found.rows, one.id
        assert found.real.decoding == 32
        assert headline(found).text.startswith("About 32 at once")
