"""The recorded runs of the plugin, as scenarios: the wire has every recorded step."""

import gzip
import json

import pytest

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.paths import GOLDEN
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.spyre.wire import encode
from tests.timeline.spyre.checks import check_wire

RELEASE = {True: "sendnn_2_6_3_default_pausing", False: "sendnn_2_6_3_pausing_off"}


def traces():
    data = gzip.decompress((GOLDEN / "spyre" / "step_traces.json.gz").read_bytes())
    found = json.loads(data)
    return found if isinstance(found, list) else found["traces"]


def scenario(trace):
    rig = trace["rig"]
    limits = SpyreLimits(
        rig["max_num_seqs"], rig["max_model_len"], rig["tkv_limit"], rig["chunk"], rig["num_blocks"]
    )
    requests = tuple(
        SpyreRequest(r["id"], r["prompt_len"], r["max_tokens"], arrival_step=r["add_step"])
        for r in trace["requests"]
    )
    return Scenario(limits, requests, RELEASE[rig["pausing"]], door=False)


@pytest.mark.parametrize("trace", traces(), ids=lambda t: t["name"])
def test_every_recorded_step(trace):
    wire = encode(play(scenario(trace)))
    check_wire(wire)
    names = [request["id"] for request in wire["requests"]]
    steps = wire["steps"][1:]
    assert len(steps) == len(trace["steps"])
    for step, recorded in zip(steps, trace["steps"], strict=True):
        assert step["k"] == recorded["kind"]
        assert step["t"] == recorded["step"]
        if step["k"] == "decode":
            rows = step["rows"]
            assert [names[row[0]] for row in rows] == recorded["reqs"]
            assert {names[r]: left * 64 for r, left, *_ in rows} == recorded["left_padding"]
            assert (step["tkv"], step["vol"]) == (recorded["tkv"], recorded["volume"])
        else:
            pre = step["pre"]
            assert [names[pre["r"]]] == recorded["reqs"]
            assert pre["len"] == recorded["tkv"]
            assert [pre["to"] - pre["from"]] == recorded["scheduled_tokens"]
            assert {names[pre["r"]]: pre["left"]} == recorded["left_padding"]
        assert [names[r] for r in step.get("pa", ())] == recorded["paused"]
        assert [names[w[0]] for w in step.get("wait", ())] == recorded["waiting"]
        held, promised, unpromised = step["m"]
        assert promised + unpromised == recorded["free_blocks"]
        assert promised == recorded["reserved_blocks"]
        assert held + recorded["free_blocks"] == wire["usable"]
