"""The engine against traces recorded from vLLM: every field of every step.

That a difference would be found is shown in `test_recorded_differences.py`.
"""

import copy
import json

import pytest

from pagedviz.conformance import CacheSession, recorded_agreement, schedule
from pagedviz.conformance.files import read_json
from pagedviz.conformance.replay import Tally, replay
from pagedviz.paths import GOLDEN
from tests.engine.recorded import TRACES, load


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.split(".")[0])
def test_engine_agrees_with_vllm_at_every_step(path):
    trace = read_json(path)
    outcome = replay(trace)
    assert outcome.difference is None
    assert outcome.steps == len(trace["steps"]) > 0


def test_all_traces_are_here():
    assert len(list(GOLDEN.glob("allocator/*.json.gz"))) == 37
    assert len(list(GOLDEN.glob("scheduler/*.json.gz"))) == 7


def test_recorded_agreement_counts_files_and_steps():
    agreement = recorded_agreement()
    assert agreement.agree
    assert agreement.vllm.files == len(TRACES)
    assert agreement.vllm.agreeing == sum(len(read_json(path)["steps"]) for path in TRACES)
    assert agreement.vllm.differing == ()
    assert agreement.spyre == Tally(3, 64 + 64 + 11, ())
    assert agreement.spyre_runs == Tally(1, 1352, ())


def test_recorded_agreement_names_what_differs(tmp_path):
    trace = load("s1")
    trace["steps"][4]["new"] = ["r0"]
    (tmp_path / "s1_changed.json").write_text(json.dumps(trace))
    agreement = recorded_agreement(tmp_path)
    assert agreement.vllm == Tally(1, 4, ("s1_changed",))
    assert agreement.spyre == agreement.spyre_runs == Tally()
    assert not agreement.agree


def test_no_traces_is_no_agreement(tmp_path):
    assert not recorded_agreement(tmp_path).agree


def test_schedule_reads_only_config_requests_and_sampled():
    trace = load("s8")
    bare = {
        "config": trace["config"],
        "requests": trace["requests"],
        "steps": [{"sampled": step["sampled"]} for step in trace["steps"]],
    }
    before = copy.deepcopy(bare)
    assert schedule(bare) == schedule(trace)
    assert bare == before


def test_conformance_offers_the_session():
    assert CacheSession({"num_blocks": 2}).state()["free_queue"] == [1]
