"""What the scheduler refuses to be asked, and that a refusal changes nothing."""

import pytest

from pagedviz.conformance import schedule
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request, RequestStatus
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig
from tests.engine.scheduling import add, names, scheduler


def test_steps_are_scheduled_and_updated_in_turn():
    s = scheduler()
    with pytest.raises(OperationError, match="call schedule first"):
        s.update_from_output({})
    s.schedule()
    with pytest.raises(OperationError, match="call update_from_output"):
        s.schedule()


def test_only_those_whose_prompt_is_computed_may_sample():
    s = scheduler(max_num_batched_tokens=4)
    add(s, "A", range(6))
    add(s, "B", [1])
    s.schedule()
    for sampled, said in [({"A": [1]}, "prompt left"), ({"B": [1]}, "not scheduled")]:
        with pytest.raises(OperationError, match=said):
            s.update_from_output(sampled)
    s.update_from_output({})  # the refusals left the step as it was
    assert s.schedule().num_scheduled_tokens == {"A": 2, "B": 1}


def test_one_bad_token_and_nobody_gets_any():
    s = scheduler()
    for name in "AB":
        add(s, name, [1])
    s.schedule()
    with pytest.raises(OperationError, match="token ids"):
        s.update_from_output({"A": [1], "B": ["x"]})
    assert [request.num_tokens for request in s.running] == [1, 1]
    s.update_from_output({"A": [1], "B": [2]})
    assert [request.num_tokens for request in s.running] == [2, 2]


def test_requests_are_checked_when_they_join():
    s = Scheduler(KVCacheManager(9, 4, max_model_len=8))
    add(s, "A", [1])
    with pytest.raises(OperationError, match="already here"):
        add(s, "A", [1])
    with pytest.raises(OperationError, match="no room for an answer"):
        add(s, "B", range(8))
    done = Request("C", [1])
    done.status = RequestStatus.FINISHED
    with pytest.raises(OperationError, match="does not wait"):
        s.add_request(done)
    assert names(s.waiting) == ["A"]


@pytest.mark.parametrize(
    "limits",
    [
        {"max_num_seqs": 0},
        {"max_num_batched_tokens": -1},
        {"policy": "fcfs"},
        {"enable_chunked_prefill": "no"},
    ],
)
def test_limits_that_make_no_sense_are_refused(limits):
    (name,) = limits
    with pytest.raises(ConfigError, match=name):
        SchedulerConfig(**limits)


@pytest.mark.parametrize(
    ("config", "said"),
    [({"num_blocks": 4, "policy": "lifo"}, "policy"), ({"num_blocks": 4, "x": 1}, "x")],
)
def test_a_recorded_config_that_makes_no_sense_is_refused(config, said):
    with pytest.raises(ConfigError, match=said):
        schedule({"config": config, "requests": [], "steps": []})
