"""Building by hand: each action returns a longer run, by the rules at vLLM's door."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline import build
from pagedviz.timeline.captions import caption
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.play import play
from pagedviz.timeline.run import Run


def short(run):
    """Operations as 'admit A', with an exclamation mark where refused."""
    return [
        f"{s.name} {s.request.letter if s.request else ''}".strip() + "!" * s.refused
        for s in play(run).steps[1:]
    ]


def test_a_visitor_walks_in_if_there_is_room():
    run = build.add_visitor(build.new_run(), tokens=40)
    assert short(run) == ["add_request A", "admit A"]
    assert play(run).state(2).tables == {0: (1, 2, 3)}


def test_nobody_overtakes_and_leaving_lets_in_those_who_fit_now():
    run = build.new_run(6, 4)
    for tokens in (12, 12, 4):
        run = build.add_visitor(run, tokens)
    # B does not fit; C would, and waits behind B without asking.
    assert short(run) == ["add_request A", "admit A", "add_request B", "admit B!", "add_request C"]
    run = build.leave(run, "A")
    assert short(run)[5:] == ["free A", "admit B", "admit C"]


def test_leaving_that_is_not_enough_is_told():
    run = build.add_visitor(build.add_visitor(build.new_run(6, 4), 8), 12)
    run = build.add_visitor(run, 20)
    run = build.leave(run, "A")
    assert short(run)[-2:] == ["free A", "admit C!"]


def test_nobody_comes_in_at_the_moment_of_a_preemption_but_with_the_next_action():
    run = build.add_visitor(build.add_visitor(build.new_run(), 10), 10)
    run = build.preempt(run, "B")
    assert short(run)[-1] == "preempt B"
    assert short(build.write(run, "A"))[-3:] == ["append A", "allocate A", "admit B"]
    assert short(build.admit(run))[-1] == "admit B"
    # The preempted one is first in line, before those who came later.
    tight = build.new_run(4, 4)
    for _ in range(3):
        tight = build.add_visitor(tight, 8)
    back = build.preempt(tight, "A")
    assert short(build.admit(back))[-2:] == ["admit A", "admit B!"]


def test_tokens_stay_in_hand_when_there_is_no_place():
    run = build.add_visitor(build.add_visitor(build.new_run(3, 4), 4), 4)
    run = build.write(run, "A")
    assert short(run)[-2:] == ["append A", "allocate A!"]
    # It cannot write on before these are stored.
    run = build.write(run, "A", 2)
    assert short(run)[-1] == "allocate A!"
    run = build.write(build.leave(run, "B"), "A", 2)
    assert short(run)[-3:] == ["allocate A", "append A", "allocate A"]
    view = play(run).steps[-1].view
    assert (view.num_tokens, view.in_hand) == (7, 0)


def test_all_inside_write_in_their_order():
    run = build.add_visitor(build.add_visitor(build.new_run(), 10), 10)
    assert short(build.write(run, n=3))[-4:] == ["append A", "allocate A", "append B", "allocate B"]


def test_who_can_never_come_in_is_told_and_holds_up_nobody():
    run = build.add_visitor(build.new_run(31, 16), 640)
    assert short(run) == ["add_request A", "admit A!"]
    assert "needs 40 shelves, but the whole room has only 30" in caption(
        play(run).steps[-1], "room"
    )
    assert short(build.add_visitor(run, 10))[-1] == "admit B"
    with pytest.raises(RunError, match="Nobody is waiting"):
        build.admit(run)


def test_longer_than_the_model_allows():
    run = build.add_visitor(
        Run("t", {"num_blocks": 9, "block_size": 4, "max_model_len": 8}, []), 12
    )
    assert short(run)[0] == "add_request A"
    assert "would turn A away" in caption(play(run).steps[1], "room")
    with pytest.raises(RunError, match=r"B would be 9 long\. The limit is 8"):
        build.write(build.add_visitor(run, 8), "B")


def test_sharing_and_texts():
    run = build.add_visitor(build.new_run(), text="The quick brown fox. The end!")
    assert len(run.ops[0]["tokens"]) == 8
    assert run.ops[0]["tokens"][0] == run.ops[0]["tokens"][5]
    run = build.write(run, "A", 20)
    run = build.add_visitor(run, tokens=30, share_with="A")
    assert run.ops[4]["tokens"][:28] == run.ops[0]["tokens"] + run.ops[2]["tokens"]
    assert play(run).steps[-1].effects.hit == (1,)
    run = build.add_visitor(build.leave(run, "A"), text="And more", share_with="A", share_tokens=16)
    assert play(run).steps[-1].effects.hit == (1,)
    assert len(run.ops[-2]["tokens"]) == 18


def test_made_up_tokens_never_repeat():
    run = build.new_run(60, 4)
    for _ in range(3):
        run = build.write(build.add_visitor(run, 9), n=2)
    tokens = [t for op in run.ops for t in op.get("tokens", ())]
    assert len(tokens) == len(set(tokens)) > 30


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda r: build.new_run(0), "num_blocks"),
        (lambda r: build.new_run(10, -1), "block_size"),
        (lambda r: build.new_run(10, True), "block_size"),
        (lambda r: build.new_run(9000), "8,192"),
        (lambda r: build.add_visitor(r, 0), "tokens: must be a whole number"),
        (lambda r: build.add_visitor(r, True), "tokens"),
        (lambda r: build.add_visitor(r, 10**9), "131,072"),
        (lambda r: build.add_visitor(r, text="  "), "no words"),
        (lambda r: build.add_visitor(r, share_with="Z"), "Z was never here"),
        (lambda r: build.add_visitor(r, 8, share_with="A", share_tokens=9), "at most 8"),
        (lambda r: build.add_visitor(r, 8, share_with="A", share_tokens=-1), "share_tokens"),
        (lambda r: build.write(r, "C"), "C is still waiting"),
        (lambda r: build.write(r, "Z"), "Z is not here"),
        (lambda r: build.write(r, n=0), "whole number from 1"),
        (lambda r: build.write(build.new_run()), "Nobody is there to write"),
        (lambda r: build.leave(r, "Z"), "Here now: A, B, C"),
        (lambda r: build.preempt(r, "C"), "C is already waiting"),
        (lambda r: build.admit(r, "A"), "A is not waiting"),
        (lambda r: build.admit(build.add_visitor(r, 1), "D"), "D is waiting behind C"),
    ],
)
def test_what_cannot_be_done_is_said_and_the_run_stays(act, says):
    run = build.new_run(6, 4)
    for tokens in (8, 8, 12):
        run = build.add_visitor(run, tokens)
    before = thaw(run.ops)
    with pytest.raises(RunError, match=says):
        act(run)
    assert thaw(run.ops) == before


def test_a_run_that_would_get_too_long_is_refused():
    run = build.add_visitor(build.new_run(), 4)
    ops = [{"op": "append", "req": "A", "tokens": [1]}] * 1998
    with pytest.raises(RunError, match="more than 2,000 steps"):
        build.write(run.extended(ops), "A")


def test_recorded_runs_can_be_continued(trace):
    run = build.reset(build.add_visitor(trace("g05")[1].run, 40))
    last = play(run).steps[-1]
    assert last.name == "reset_prefix_cache"
    assert play(run).requests[-1].letter == run.ops[-3]["req"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 40), st.sampled_from("ABCDE")), max_size=25
    )
)
def test_any_clicks_give_a_run_that_plays_or_a_clear_error(clicks):
    run = build.new_run(8, 4)
    for kind, n, who in clicks:
        actions = (
            (build.add_visitor, n),
            (build.write, None, n),
            (build.write, who, n),
            (build.leave, who),
            (build.preempt, who),
            (build.admit,),
        )
        action, *wish = actions[kind]
        try:
            run = action(run, *wish)
        except RunError:
            continue  # the run stays as it was
    timeline = play(run)
    assert timeline.last == len(run.ops)


def test_writing_goes_on_where_places_for_drafts_run_ahead():
    run = build.add_visitor(build.new_run(9, 4), 6)
    run = run.extended([{"op": "allocate", "req": "A", "num_new_tokens": 4}])
    for n in (3, 2):  # 10 places: 9 tokens fit, then one is missing
        run = build.write(run, "A", n)
    assert [(op["op"], op.get("num_new_tokens")) for op in run.ops[3:]] == [
        ("append", None),
        ("append", None),
        ("allocate", 1),
    ]


def test_half_a_character_counts_as_a_mark_of_its_own():
    assert len(build.word_tokens("a\ud800b")) == 3
    assert len(build.add_visitor(build.new_run(), text="one \udfff").ops[0]["tokens"]) == 2
