"""What a Spyre server refuses, and that a refusal changes nothing."""

import pytest

from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.scheduler import SpyreScheduler
from tests.engine.spyre.serving import small


def test_the_door_of_the_server_changes_nothing():
    server = SpyreScheduler(small())
    server.add_request(SpyreRequest("A", 100, 10))
    for request, said in [
        (SpyreRequest("A", 100, 10), "has been here already"),
        (SpyreRequest("B", 300, 200), "try max_tokens 192 or a prompt of 256"),
        (SpyreRequest("B", 449, 1), "try a prompt of 448 tokens"),
    ]:
        with pytest.raises(OperationError, match=said):
            server.add_request(request)
    steps = list(server.run())
    assert {name for s in steps for name in s.requests} == {"A"}
    with pytest.raises(OperationError, match="has been here already"):
        server.add_request(SpyreRequest("A", 100, 10, arrival_step=99))


def test_past_the_front_end_an_answer_ends_with_the_context():
    server = SpyreScheduler(small())
    server.add_request(SpyreRequest("A", 300, 250), validate=False)
    *_, last = server.run()
    assert last.finished[0].generated == 212
    with pytest.raises(OperationError, match="there are 35 and 512"):
        server.add_request(SpyreRequest("B", 300, 9_000, arrival_step=server.clock), validate=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"limits": None}, "limits must be SpyreLimits"),
        ({"release": "2.6"}, "release must be one of"),
        ({"prefix_caching": "yes"}, "prefix_caching"),
        ({"interleave": 1}, "interleave"),
        ({"long_output_priority": None}, "long_output_priority"),
    ],
)
def test_settings_that_make_no_sense_are_refused(arguments, said):
    with pytest.raises(ConfigError, match=said):
        SpyreScheduler(**{"limits": small(), **arguments})


def test_a_run_can_be_cut_short_and_goes_on():
    server = SpyreScheduler(small())
    server.add_request(SpyreRequest("A", 40, 5))
    assert [s.step for s in server.run(max_steps=2)] == [0, 1]
    assert list(server.run(max_steps=0)) == []
    assert [s.step for s in server.run()] == [2, 3, 4]
    with pytest.raises(OperationError, match="max_steps"):
        list(server.run(max_steps=-1))


def test_what_is_asked_of_a_server_between_steps():
    server = SpyreScheduler(small())
    for name in "AB":
        server.add_request(SpyreRequest(name, 150, 9))
    server.step()
    assert (server.prefilling, server.waiting, server.decoding) == ("A", ("B",), ())
    server.step()
    assert (server.prefilling, server.decoding, server.paused) == (None, ("A",), ())
    assert server.block_table("A") == (1, 2, 3)
    assert server.block_table("B") == ()
    assert (server.blocks.usable, server.blocks.available) == (35, 32)
