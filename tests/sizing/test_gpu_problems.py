"""What is wrong with a plan, and that the value it names makes it right."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.sizing import ConfigError
from pagedviz.sizing.gpu_inputs import weights_bytes
from pagedviz.sizing.gpu_plan import gpu_plan
from pagedviz.sizing.gpu_problems import longest_that_fits, problems
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.units import GIB
from tests.sizing.gpu import LLAMA_8B, inputs
from tests.sizing.shapes import plain


def first(plan):
    return problems(plan)[0]


def test_negative_room_says_what_the_share_is_of_and_which_would_do():
    # Qwen3-8B in bf16 on 24 GiB at 0.4: 9.6 GiB for 15.3 GiB of weights
    found = first(gpu_plan(inputs(plain("qwen3", 36, 32, 8, 4096, head_dim=128), 24 * GIB,
                                  weights_bytes(8_190_735_360, 2), utilization=0.4)))  # fmt: skip
    assert "24 GiB x 0.4 = 9.6 GiB" in found.text
    assert "share of the card's total memory, weights included" in found.text
    assert found.stops
    share = float(found.fix.split()[3])
    better = inputs(plain("qwen3", 36, 32, 8, 4096, head_dim=128), 24 * GIB,
                    weights_bytes(8_190_735_360, 2), utilization=share)  # fmt: skip
    assert not [one for one in problems(gpu_plan(better)) if one.stops]
    worse = inputs(plain("qwen3", 36, 32, 8, 4096, head_dim=128), 24 * GIB,
                   weights_bytes(8_190_735_360, 2), utilization=share - 0.01)  # fmt: skip
    assert [one for one in problems(gpu_plan(worse)) if one.stops]


def test_weights_beyond_the_card_ask_for_more_cards_or_a_larger_one():
    big = plain("llama", 80, 64, 8, 8192)
    found = first(gpu_plan(inputs(big, 80 * GIB, 141 * 10**9)))
    assert found.fix == "Use 2 cards (tensor parallel size 2)."
    fixed = gpu_plan(inputs(big, 80 * GIB, 141 * 10**9, cards=2))
    assert not [one for one in problems(fixed) if one.stops]
    lonely = names_of_falcon()
    assert first(gpu_plan(inputs(lonely, 8 * GIB, 14 * 10**9))).fix.startswith("Use a card with")


def names_of_falcon():
    return {"model_type": "falcon", "n_layer": 32, "n_head": 71, "hidden_size": 4544}


def test_one_request_that_cannot_fit():
    plan = gpu_plan(inputs(num_blocks=229, max_model_len=4096))
    assert plan.startup.concurrency == pytest.approx(0.8945, abs=1e-4)
    assert plan.startup.tokens == 3664
    found = first(plan)
    assert "never be admitted" in found.text
    assert found.fix == "Set max_model_len to 3,648 or less."  # 228 x 16, block 0 kept back
    fits = gpu_plan(inputs(num_blocks=229, max_model_len=longest_that_fits(plan)))
    assert not [one for one in problems(fits) if one.stops]


def test_limits_below_and_above():
    few = problems(gpu_plan(inputs(max_num_seqs=8)))[0]
    assert "max_num_seqs lets 8 in" in few.text
    assert few.fix.startswith("Set max_num_seqs to ")
    assert gpu_plan(inputs(max_num_seqs=8)).limit == "max_num_seqs"
    assert gpu_plan(inputs(max_num_seqs=8)).at_once == (8, 8, 8)
    long = problems(gpu_plan(inputs(lengths=Lengths(9000, 1000))))[0]
    assert long.fix == "Set max_model_len to 10,000 or more."
    config = LLAMA_8B | {"max_position_embeddings": 4096}
    past = problems(gpu_plan(inputs(config)))[0]
    assert past.fix == "Set max_model_len to 4,096 or less."
    never = [one for one in problems(gpu_plan(inputs(num_blocks=40))) if "never" in one.text]
    assert never


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"utilization": 0}, "gpu_memory_utilization"),
        ({"utilization": 1.2}, "at most 1"),
        ({"utilization": True}, "gpu_memory_utilization"),
        ({"memory": 0}, "memory of a card"),
        ({"memory": 1.5}, "memory of a card"),
        ({"block_size": 24}, "try 16 or 32"),
        ({"block_size": 0}, "block_size"),
        ({"dtype_bytes": 8}, "bytes, not bits"),
        ({"max_model_len": 0}, "max_model_len"),
        ({"max_num_seqs": 0}, "max_num_seqs"),
        ({"cards": 0}, "cards"),
        ({"room": -1}, "room"),
    ],
)
def test_inputs_are_checked(change, said):
    with pytest.raises(ConfigError, match=said):
        inputs(**change)


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), True])
def test_weights_are_checked(wrong):
    with pytest.raises(ConfigError, match="parameters"):
        weights_bytes(wrong, 2)


@given(st.integers(1, 30_000), st.integers(1, 400))
def test_longest_that_fits_is_the_border(longest, blocks):
    plan = gpu_plan(inputs(num_blocks=blocks, max_model_len=longest))
    found = longest_that_fits(plan)
    if found:
        assert plan.blocks.per_request(found, plan.inputs.in_flight) <= plan.usable_blocks
    if found < longest:
        assert plan.blocks.per_request(found + 1, plan.inputs.in_flight) > plan.usable_blocks


def test_fewer_cards_are_named_when_a_shorter_context_would_do():
    big = plain("llama", 80, 64, 8, 8192) | {"max_position_embeddings": 131_072}
    long = inputs(big, 80 * GIB, 141 * 10**9, max_model_len=131_072)
    fix = problems(gpu_plan(long))[0].fix
    found = re.fullmatch(r"Use 4 cards .*, or 2 cards with max_model_len ([\d,]+) or less\.", fix)
    assert found
    fits = int(found[1].replace(",", ""))
    for length, stops in ((fits, False), (fits + 1, True)):
        found = problems(gpu_plan(replace(long, cards=2, max_model_len=length)))
        assert any(one.stops for one in found) == stops
