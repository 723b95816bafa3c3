"""Operations that make no sense are refused in words, and change nothing."""

import pytest

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.errors import ConfigError, OperationError


@pytest.fixture
def session():
    s = CacheSession({"num_blocks": 9, "block_size": 4, "enable_kv_cache_events": True})
    s.add_request("runs", range(6))
    s.admit("runs")
    s.add_request("waits", range(6))
    s.take_events()
    return s


BAD = [
    ("add_request", ("runs", [1]), "already here"),
    ("add_request", ("new", []), "no tokens"),
    ("add_request", ("new", [-1]), "token ids"),
    ("add_request", ("new", [1], None, {"name": "A"}), "name, id and path"),
    ("add_request", ("new", [1], None, "A"), "name, id and path"),
    ("add_request", ("new", [1], None, None, [{"offset": 1}]), "identifier, offset and"),
    ("add_request", ("new", [1], None, None, [7]), "identifier, offset and"),
    ("add_request", ("new", [1], None, None, 5), "mm must be a list, not 5"),
    ("add_request", (["B"], [1]), "request id"),
    ("add_request", (None, [1]), "request id"),
    ("admit", (["B"],), r"no request \['B'\]"),
    ("admit", ("waits", 4, 0, "no"), "full_sequence_must_fit"),
    ("admit", ("nobody",), "no request 'nobody'; here now: 'runs', 'waits'"),
    ("admit", ("runs",), "already running"),
    ("admit", ("waits", -1), "num_new_tokens"),
    ("admit", ("waits", 0), "at least one new token"),
    ("admit", ("waits", 4, -1), "num_lookahead_tokens"),
    ("admit", ("waits", 1.5), "num_new_tokens"),
    ("allocate", ("nobody", 1), "no request"),
    ("allocate", ("waits", 1), "is waiting, not running"),
    ("allocate", ("runs", 0), "num_new_tokens"),
    ("allocate", ("runs", -1), "num_new_tokens"),
    ("allocate", ("runs", 1, -1), "num_lookahead_tokens"),
    ("allocate", ("runs", None), "num_new_tokens"),
    ("append", ("nobody", [1]), "no request"),
    ("append", ("runs", []), "no tokens"),
    ("append", ("runs", [1, "b"]), "token ids"),
    ("rollback", ("nobody", 1), "no request"),
    ("rollback", ("runs", 7), "6 are computed"),
    ("rollback", ("runs", -1), "num_tokens"),
    ("free", ("nobody",), "no request"),
    ("preempt", ("nobody",), "no request"),
    ("preempt", ("waits",), "is waiting, not running"),
    ("evict_blocks", ([1, 9],), "there is no block 9"),
    ("evict_blocks", ([1, -1],), "block id"),
    ("evict_blocks", (["1"],), "block id"),
    ("evict_blocks", ([[1]],), "block id"),
    ("evict_blocks", (5,), "block_ids must be a list, not 5"),
]


@pytest.mark.parametrize(("operation", "args", "said"), BAD)
def test_a_bad_operation_says_why_and_changes_nothing(session, operation, args, said):
    before = session.state()
    # `waits` shares the first block of `runs`: admitting it with 0 new tokens has a hit
    if said == "at least one new token":
        session.evict_blocks([1])
        session.take_events()
        before = session.state()
    with pytest.raises(OperationError, match=said):
        getattr(session, operation)(*args)
    assert session.state() == before
    assert session.take_events() == []
    assert list(session.requests) == ["runs", "waits"]


def test_with_nobody_here_the_message_says_so():
    with pytest.raises(OperationError, match="here now: nobody"):
        CacheSession({"num_blocks": 2}).free("A")


def test_a_request_that_left_may_come_back_under_its_name(session):
    session.free("runs")
    session.add_request("runs", [1, 2])
    assert session.admit("runs")["ok"]


def test_a_request_that_never_got_in_may_leave(session):
    before = session.state()["free_queue"]
    assert session.free("waits") == {}
    assert session.state()["free_queue"] == before


def test_preempted_requests_keep_their_tokens_and_their_place(session):
    session.append("runs", [6])
    session.preempt("runs")
    state = session.state()
    assert state["num_tokens"]["runs"] == 7
    assert state["num_computed_tokens"]["runs"] == 0
    assert "runs" not in state["tables"]
    with pytest.raises(OperationError, match="is preempted, not running"):
        session.preempt("runs")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, "lacks num_blocks"),
        ({"num_blocks": 4, "colour": 1}, "has no use for 'colour'"),
        ({"num_blocks": "4"}, "num_blocks"),
        ({"num_blocks": 10**5000}, "num_blocks"),
        ({"num_blocks": 4, "enable_caching": "no"}, "enable_caching"),
        ({"num_blocks": 4, "enable_kv_cache_events": 1}, "enable_kv_cache_events"),
        ({"num_blocks": 4, "watermark": True}, "watermark"),
        ({"num_blocks": 4, "watermark": None}, "watermark"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_config_is_checked_at_the_door(config, said):
    with pytest.raises(ConfigError, match=said):
        CacheSession(config)


def test_the_state_is_a_copy(session):
    state = session.state()
    state["tables"]["runs"].append(7)
    state["free_queue"].clear()
    assert session.state()["tables"]["runs"] == [1, 2]
    assert session.state()["free_queue"] != []


def test_the_callers_tokens_are_copied(session):
    tokens = [1, 2, 3]
    session.add_request("new", tokens)
    tokens.append(4)
    assert session.state()["num_tokens"]["new"] == 3
