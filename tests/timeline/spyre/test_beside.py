"""The same requests on stock vLLM: everybody's tokens are accounted for."""

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.spyre.beside import beside
from pagedviz.timeline.spyre.errors import ScenarioError
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.presets import PRESETS
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.spyre.wire import encode
from pagedviz.timeline.wire import pack
from tests.timeline.spyre.checks import check_words
from tests.timeline.spyre.scenarios import scenarios

slow = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def marks(wire, step):
    found = [" "] * len(wire["requests"])
    for entry in step.get("run", ()):
        found[entry[0]] = "~"
    for number, *_ in step.get("wait", ()):
        found[number] = "."
    for number, _ in step.get("n", ()):
        found[number] = "n"
    for number in step.get("pre", ()):
        found[number] = "x"
    return found


def check(wire):
    json.dumps(wire, allow_nan=False)
    assert wire["last"] == len(wire["steps"]) - 1
    for index, step in enumerate(wire["steps"]):
        check_words(step["c"])
        assert sum(step["m"]) == wire["usable"]
        turns = [turn[index] for turn in wire["turns"]]
        assert ["n" if mark in "Pd" else mark for mark in turns] == marks(wire, step)
        assert sum(tokens for _, tokens in step.get("n", ())) <= wire["chunk"]
        assert len(step.get("run", ())) <= wire["max_seqs"]
        for _, _, reason in step.get("wait", ()):
            if found := re.fullmatch(r"needs ([0-9]+) blocks?, ([0-9]+) free", reason):
                assert int(found[1]) > int(found[2])
        for number, tokens in step.get("n", ()):
            assert turns[number] == "P" or tokens == 1


@slow
@given(scenarios())
def test_steps_agree_with_themselves(scenario):
    wire = beside(scenario)
    check(wire)
    left = sorted(number for step in wire["steps"] for number in step.get("fin", ()))
    refused = [n for n, request in enumerate(wire["requests"]) if "refused" in request]
    assert sorted(left + refused) == list(range(len(wire["requests"])))
    assert wire["usable"] == scenario.limits.usable_blocks * 4


@slow
@given(scenarios())
def test_every_token_is_computed_once_unless_found_or_lost(scenario):
    wire = beside(Scenario(scenario.limits, scenario.requests, prefix_caching=False))
    lost = {number for step in wire["steps"] for number in step.get("pre", ())}
    for number, request in enumerate(wire["requests"]):
        if "refused" in request:
            continue
        computed = sum(t for s in wire["steps"] for n, t in s.get("n", ()) if n == number)
        whole = request["prompt"] + request["out"] - 1
        assert computed > whole if number in lost else computed == whole
        if number not in lost:
            assert wire["turns"][number].count("d") <= request["out"] - 1


@slow
@given(scenarios())
def test_letters_and_hues_are_those_of_the_other_side(scenario):
    here, there = beside(scenario), encode(play(scenario))
    for key in ("id", "letter", "hue", "prompt", "arrive"):
        assert [r[key] for r in here["requests"]] == [r[key] for r in there["requests"]]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
def test_presets(preset):
    wire = beside(preset.make())
    check(wire)
    assert len(pack(wire)) < 200_000
    assert wire["limit"] is None


def test_nobody_is_admitted_beyond_the_pool_and_preemption_returns():
    limits = SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=20)
    wire = beside(Scenario(limits, tuple(SpyreRequest(n, 200, 120) for n in "ABCD")))
    steps = wire["steps"]
    lost = next(step for step in steps if step.get("pre"))
    assert lost["pre"] == [3]
    assert "D is preempted**: no block was left, its 19 are freed" in lost["c"][1]
    reasons = {engine for step in steps for _, _, engine in step.get("wait", ())}
    assert "none is admitted in a step that preempted" in reasons
    assert any(reason.startswith("needs") for reason in reasons)
    assert wire["turns"][3].strip().count("x") == 1


def test_too_long_for_vllm_too():
    limits = SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=20)
    requests = (SpyreRequest("A", 300, 212), SpyreRequest("B", 300, 213), SpyreRequest("C", 600, 1))
    wire = beside(Scenario(limits, requests))
    # 300 + 212 fits a context of 512 here, where prompts are not rounded up to 320
    assert [r.get("refused") for r in wire["requests"]] == [None, {"max": 212}, {"max": 0}]
    assert "refused" in encode(play(Scenario(limits, requests)))["requests"][0]


def test_too_many_steps():
    one_seat = SpyreLimits(1, 32_768, 65_536, chunk_size=64)
    short = tuple(SpyreRequest(n, 64, 900, output_len=900) for n in "ABC")
    with pytest.raises(ScenarioError, match="more than the 2,000 steps"):
        beside(Scenario(one_seat, short))
