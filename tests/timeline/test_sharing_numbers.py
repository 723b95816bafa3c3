"""Sums over all prompts, and the models whose bytes they are given in."""

import pytest
from hypothesis import given

from pagedviz.timeline.kv_models import KV_MODELS, kv_model
from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import prompts_run
from pagedviz.timeline.sharing import explain
from pagedviz.timeline.sharing_numbers import sharing_numbers
from tests.timeline.prompt_lists import of, setups, unhurried


@unhurried
@given(setups())
def test_numbers_add_up(setup):
    prompts, config = setup
    run = prompts_run(prompts, **config)
    timeline = play(run)
    views = explain(prompts, run, timeline)
    n = sharing_numbers(prompts, timeline, 10)
    inside = [v for v in views if v.admission]
    assert n.tokens_saved == sum(v.hit_tokens for v in inside)
    assert n.tokens_queried == sum(v.prompt.num_tokens for v in inside)
    assert n.tokens_computed == n.tokens_queried - n.tokens_saved
    assert n.prompt_tokens == sum(p.num_tokens for p in prompts)
    used = [sum(map(bool, timeline.state(i).owners)) for i in range(timeline.last + 1)]
    assert (n.blocks_end, n.blocks_most) == (used[-1], max(used))
    tables = [sum(map(len, timeline.state(i).tables.values())) for i in range(timeline.last + 1)]
    assert (n.blocks_end_unshared, n.blocks_most_unshared) == (tables[-1], max(tables))
    assert 0 <= n.hit_rate < 1
    assert n.bytes_most == n.blocks_most * run.block_size * 10
    assert n.blocks_most <= n.blocks_most_unshared


def test_hit_rate_is_found_tokens_over_queried_ones():
    prompts = [of(range(64)), of(range(64)), of(range(65))]
    n = sharing_numbers(prompts, play(prompts_run(prompts, num_blocks=20)), 163_840)
    assert (n.tokens_queried, n.tokens_saved, n.tokens_computed) == (193, 112, 81)
    assert n.hit_rate == pytest.approx(112 / 193)
    assert (n.blocks_end, n.blocks_end_unshared) == (6, 13)
    assert n.bytes_saved == 112 * 163_840
    assert sharing_numbers([], play(prompts_run([])), 1).hit_rate == 0.0


KIB = 1024


def test_bytes_per_token_are_the_published_ones():
    per_token = {model.id: model.bytes_per_token for model in KV_MODELS}
    assert per_token == {
        "granite-3.3-8b": 160 * KIB,
        "granite-3.3-8b-fp8": 80 * KIB,
        "llama-3.1-8b": 128 * KIB,
        "granite-4.1-30b": 256 * KIB,
        "mistral-small-24b": 160 * KIB,
        "llama-2-13b": 800 * KIB,
    }
    assert kv_model("llama-3.1-8b").bytes_per_token * 131_072 == 16 * KIB**3
    assert kv_model("granite-3.3-8b-fp8").formula().endswith("x 1 byte = 81,920 bytes")
    assert kv_model("unknown") is None
