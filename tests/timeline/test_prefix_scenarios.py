"""Right answers about prefix sharing: what vLLM 0.33.0 did, and what people reported.

Where the recorded scenarios lie beside the project (../shared/cases/prefix), their figures are
compared as well.
"""

import json

import pytest

from pagedviz.engine.cache_session import CacheSession
from pagedviz.paths import ROOT
from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import prompts_run
from tests.timeline.prefix_scenarios import SCENARIOS
from tests.timeline.prompt_lists import of, seen

RECORDED = ROOT.parent / "shared" / "cases" / "prefix" / "vllm_0.33.0.json"


def happened(block_size, num_blocks, steps):
    """What our block manager makes of the steps, in the form of the facts."""
    session = CacheSession(
        {"num_blocks": num_blocks, "block_size": block_size, "enable_kv_cache_events": True}
    )
    pool = session.manager.block_pool
    for step in steps:
        found = {}
        if step.op == "come":
            session.add_request(step.req, list(step.tokens))
            result = session.admit(step.req)
            found = {"hit_tokens": result["hit_tokens"], "admitted": result["ok"]}
        elif step.op == "write":
            session.append(step.req, list(step.tokens))
            found = {"ok": session.allocate(step.req, len(step.tokens))["ok"]}
        else:
            session.free(step.req)
        found["block_ids"] = session.manager.get_block_ids(step.req)
        found["usage"] = pytest.approx(pool.get_usage())
        found["free_blocks"] = pool.get_num_free_blocks()
        found["events"] = [
            f"{event['type']}:{len(event['block_hashes'])}" for event in session.take_events()
        ]
        found["prompt_tokens"] = len(step.tokens)
        yield found


@pytest.mark.parametrize("name", SCENARIOS)
def test_does_as_vllm_did(name):
    block_size, num_blocks, steps = SCENARIOS[name]
    for step, found in zip(steps, happened(block_size, num_blocks, steps), strict=True):
        assert {key: found[key] for key in step.facts} == step.facts


def test_does_as_the_recorded_file_says():
    if not RECORDED.is_file():
        pytest.skip("no ../shared/cases/prefix beside the project; its facts are in this test")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))["scenarios"]
    assert {scenario["name"] for scenario in recorded} == SCENARIOS.keys()
    for scenario in recorded:
        block_size, num_blocks, steps = SCENARIOS[scenario["name"]]
        assert scenario["params"] == {"block_size": block_size, "num_blocks": num_blocks}
        told = happened(block_size, num_blocks, steps)
        # a leave that was not recorded changes nothing that was
        for fact in scenario["steps"]:
            found = next(told)
            while "hit_tokens" in fact and "hit_tokens" not in found:
                found = next(told)
            keys = fact.keys() - {"step"}
            assert {k: found[k] for k in keys} == {k: fact[k] for k in keys}, scenario["name"]


# ---- reports: what people saw in vLLM, and asked about


def hits(prompts, **config):
    return [view.hit_tokens for view in seen(*prompts, **{"num_blocks": 200} | config)]


def test_full_prompt_computes_its_last_block_again():
    """vllm#11186"""
    assert hits([of(range(64))] * 2, block_size=16) == [0, 48]
    assert hits([of(range(65))] * 2, block_size=16) == [0, 64]


def test_usage_of_zero_is_no_empty_cache():
    """vllm#12077, vllm#5176"""
    prompts = [of(range(64), leaves=0), of(range(64))]
    timeline = play(prompts_run(prompts, num_blocks=21, block_size=16))
    left = next(s for s in timeline.steps if s.name == "free")
    assert (left.counts.used, left.counts.kept) == (0, 4)
    assert timeline.steps[-1].result["hit_tokens"] == 48


@pytest.mark.parametrize(
    ("block_size", "tokens", "found"),
    [
        (528, 552, 528),  # vllm#40696, vllm#53749
        (528, 979, 528),
        (528, 480, 0),
        (784, 240, 0),
        (3584, 2015, 0),
        (3584, 8015, 7168),
        (3584, 32015, 28672),
        (3584, 47074, 46592),
    ],
)
def test_large_blocks_floor_the_hits(block_size, tokens, found):
    session = CacheSession({"num_blocks": 64, "block_size": block_size, "max_model_len": 65536})
    for name in "AB":
        session.add_request(name, range(tokens))
        result = session.admit(name)
    assert result["hit_tokens"] == found


def test_240_shared_tokens_with_784_token_blocks_hit_nothing():
    a, b = of(range(900)), of((*range(240), *range(5000, 5700)))
    assert hits([a, b], block_size=784) == [0, 0]
    assert seen(a, b, block_size=784)[1].reason.token == 240


@pytest.mark.parametrize(("tokens", "found"), [(15, 0), (16, 0), (40, 32)])
def test_short_chats_repeated(tokens, found):
    """vllm#17954, vllm#31920"""
    assert hits([of(range(tokens))] * 10, block_size=16) == [0] + [found] * 9


def test_generated_tokens_are_cached():
    """vllm: the answer of one turn is part of the next turn's prefix."""
    turn = "a" * 20
    answer = "bcdefghijklmno"  # 34 tokens, the last of them not stored
    assert hits([of(turn, answer=answer, leaves=0), of(turn + answer + "?")], block_size=16) == [
        0,
        32,
    ]


def test_salts_keep_tenants_apart():
    """vllm#17045: no hit under another salt, all of them under the same."""
    prompts = [of(range(65), salt=salt) for salt in ("one", "two", "one", "")]
    assert hits(prompts, block_size=16) == [0, 0, 64, 0]


def test_the_same_words_behind_another_beginning_share_nothing():
    assert hits(["14:05 " + "a" * 32, "14:06 " + "a" * 32], block_size=16) == [0, 0]
