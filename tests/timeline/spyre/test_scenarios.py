"""Scenarios played on the engine: whatever they are, each step agrees with itself and the run."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest, check_request
from pagedviz.timeline.spyre.errors import MixError, ScenarioError
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.scenario import MAX_REQUESTS, MAX_STEPS, Scenario
from pagedviz.timeline.spyre.wire import encode
from tests.timeline.spyre.checks import check_wire
from tests.timeline.spyre.scenarios import scenarios

SMALL = SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=36)
slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@slow
@given(scenarios())
def test_steps_agree_with_themselves(scenario):
    wire = encode(play(scenario))
    check_wire(wire)
    chooses = RELEASES[scenario.release].chooses_decode_set
    for step in wire["steps"]:
        if step["k"] == "decode" and chooses:
            assert step["vol"] <= wire["limit"]
        assert len(step.get("run", ())) - len(step.get("pa", ())) <= wire["max_seqs"]


@slow
@given(scenarios())
def test_everybody_let_in_writes_all_and_leaves_once(scenario):
    wire = encode(play(scenario))
    left = [number for step in wire["steps"] for number in step.get("fin", ())]
    refused = [number for step in wire["steps"] for number in step.get("no", ())]
    assert sorted(left + refused) == list(range(len(scenario.requests)))
    skips = {}
    for step in wire["steps"]:
        if "pre" in step:
            skips.setdefault(step["pre"]["r"], step["pre"])
    for number, (request, turns) in enumerate(zip(wire["requests"], wire["turns"], strict=True)):
        if number in refused:
            assert not turns.strip()
            continue
        assert turns.count("d") == request["out"] - 1  # the prefill makes the first token
        pre = skips[number]
        idle = 0 if RELEASES[scenario.release].promises_blocks else min(1, pre["skipped"])
        assert turns.count("p") == pre["of"] - pre["skipped"] + idle
        stripped = turns.strip()
        assert " " not in stripped  # nobody is away in between
        assert stripped.lstrip(".")[0] == "p"


@slow
@given(scenarios())
def test_what_is_said_to_fit_fits(scenario):
    for request in encode(play(scenario))["requests"]:
        context = scenario.limits.max_model_len
        check = check_request(request["prompt"], request["max"], max_model_len=context)
        assert check.legal == ("refused" not in request)
        if "refused" in request:
            most, prompt = request["refused"]["max"], request["refused"]["prompt"]
            for tokens, legal in ((most, True), (most + 1, False)):
                if tokens:
                    found = check_request(request["prompt"], tokens, max_model_len=context)
                    assert found.legal == legal
            if prompt:
                assert check_request(prompt, request["max"], max_model_len=context).legal


@slow
@given(scenarios())
def test_blocks_of_those_inside_are_the_blocks_in_use(scenario):
    wire = encode(play(replace(scenario, prefix_caching=False)))
    for step in wire["steps"]:
        run = step.get("run", ())
        assert sum(entry[3] for entry in run) == step["m"][0]
        assert sum(entry[4] for entry in run) == step["m"][1]
        if RELEASES[scenario.release].promises_blocks:
            for number, _, _, held, promised in run:
                request = wire["requests"][number]
                assert held + promised == cdiv(request["prompt"] + request["max"], 64)


def test_marks_say_what_is_new():
    requests = tuple(SpyreRequest(name, 250, 30) for name in "ABCDE")
    steps = encode(play(Scenario(SMALL, requests)))["steps"]
    kinds = [kind for step in steps for kind in step.get("kinds", ())]
    assert kinds.count("arrive") == 1
    assert kinds.count("chunk") == 5  # one a prompt, not one a chunk
    assert kinds.count("full") == 1
    paused = {number for step in steps for number in step.get("np", ())}
    assert 1 <= kinds.count("pause") <= len(paused)
    pauses = [i for i, step in enumerate(steps) if "pause" in step.get("kinds", ())]
    assert pauses[0] == next(i for i, step in enumerate(steps) if step.get("pa"))


@slow
@given(scenarios())
def test_few_requests_have_hues_of_their_own_in_their_order(scenario):
    hues = [request["hue"] for request in encode(play(scenario))["requests"]]
    assert hues == list(range(len(scenario.requests)))


def test_more_requests_than_hues_share_them_as_they_come_in():
    requests = (SpyreRequest("Z", 500, 20), *(SpyreRequest(n, 60, 5) for n in "ABCDEFGH"))
    hues = [r["hue"] for r in encode(play(Scenario(SMALL, requests)))["requests"]]
    assert hues[0] == -1  # never inside
    assert all(0 <= hue <= 6 for hue in hues[1:])
    assert hues[1:5] == [0, 1, 2, 3]  # the four that are inside together


def test_who_must_wait_is_told_of_when_it_comes():
    requests = (SpyreRequest("A", 100, 300), SpyreRequest("B", 100, 300, arrival_step=3))
    limits = replace(SMALL, max_num_seqs=1)
    marked = [
        step
        for step in encode(play(Scenario(limits, requests)))["steps"]
        if "refuse" in step.get("kinds", ())
    ]
    assert [step["t"] for step in marked] == [3]
    assert "**B arrives and must wait**: no free slot, max_num_seqs is 1." in marked[0]["c"][1]
    assert "**B comes and must wait**: no free seat, there is 1." in marked[0]["c"][0]


def test_who_is_turned_away_is_told_of_when_it_comes():
    requests = (
        SpyreRequest("A", 100, 20),
        SpyreRequest("B", 500, 20, arrival_step=7),
        SpyreRequest("C", 513, 1, arrival_step=900),
    )
    wire = encode(play(Scenario(SMALL, requests)))
    told = {n: s for s in wire["steps"] for n in s.get("no", ())}
    assert told[1]["t"] == 7
    assert "B is rejected**: prompt 500, padded to 512, + max_tokens 20 >" in told[1]["c"][1]
    assert "a prompt of 448 would fit" in told[1]["c"][1]
    assert told[2] is wire["steps"][-1]
    only = encode(play(Scenario(SMALL, requests[1:2])))
    assert only["last"] == 0
    assert only["steps"][0]["no"] == [0]
    assert only["steps"][0]["kinds"] == ["refuse"]


def test_the_prompt_that_waits_is_not_in_the_queue():
    requests = (SpyreRequest("A", 60, 40), SpyreRequest("B", 400, 20))
    steps = encode(play(Scenario(SMALL, requests)))["steps"]
    waits = [step for step in steps if "pw" in step]
    assert {step["pw"][0] for step in waits} == {1}
    assert waits[0]["pw"][2] == "a decode step comes between chunks"
    assert all(1 in [entry[0] for entry in step["run"]] for step in waits)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"requests": ()}, "there are zero"),
        (
            {"requests": tuple(SpyreRequest(str(i), 9, 2) for i in range(MAX_REQUESTS + 1))},
            "requests: 65 are more than can be shown; at most 64, so leave out 1",
        ),
        (
            {"requests": (SpyreRequest("A", 9, 2), SpyreRequest("A", 9, 2))},
            "request 2: the id 'A' is taken by request 1",
        ),
        (
            {"requests": (SpyreRequest("A", 9, 2, arrival_step=100_001),)},
            r"request 1 \('A'\): arrival_step 100,001 is too late; at most 100,000",
        ),
        (
            {"requests": tuple(SpyreRequest(str(i), 40_000, 2) for i in range(11))},
            "their prompts have 440,000 tokens, more than the 400,000",
        ),
        ({"stop_after": 0}, "stop_after must be from 1 to 2,000, not 0"),
        ({"release": "vllm_spyre_2"}, "release must be one of"),
        ({"limits": None}, "limits must be SpyreLimits"),
    ],
)
def test_what_cannot_be_shown(change, message):
    good = {"limits": SMALL, "requests": (SpyreRequest("A", 100, 20),)}
    with pytest.raises(ValueError, match=message):
        Scenario(**(good | change))


def test_too_many_steps_are_seen_before_and_after():
    big = SpyreLimits(2, 32_768, 65_536)
    with pytest.raises(ScenarioError, match="at least 2,500 steps, more than the 2,000"):
        Scenario(big, (SpyreRequest("A", 100, 2_500),))
    alone = Scenario(big, tuple(SpyreRequest(n, 100, 1_000) for n in "ABC"))
    assert alone.least_steps() < MAX_STEPS
    three = replace(alone, limits=SpyreLimits(1, 32_768, 65_536))
    with pytest.raises(ScenarioError, match="more than the 2,000 steps"):
        play(three)
    assert len(play(replace(three, stop_after=50)).moments) == 51


def test_scenarios_are_values():
    scenario = Scenario(SMALL, (SpyreRequest("A", 100, 20),))
    assert scenario == replace(scenario)
    assert hash(scenario) == hash(replace(scenario))
    error = pickle.loads(pickle.dumps(MixError("is junk", line=4)))
    assert (str(error), error.line) == ("line 4 is junk", 4)
