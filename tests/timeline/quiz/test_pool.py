"""Questions about random runs: the right option is what the engine does next, and the only one."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.timeline.drive import DriveConfig, drive
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.quiz import pool
from pagedviz.timeline.quiz.wire import pool_quiz
from pagedviz.timeline.run import Run
from tests.timeline.quiz.checks import check_question
from tests.timeline.random_runs import carry_out, configs, intents

slow = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
CERTAIN = {"next", "evict", "count", "return", "grow", "admit", "preempt"}


def new_blocks(before, after, req):
    """Blocks that came onto a table and were not found there by their hash, in queue order."""
    held = before["tables"].get(req, [])
    labels = dict(before["cached"])
    still = dict(after["cached"])
    queue = before["free_queue"]
    added = after["tables"].get(req, [])[len(held) :]
    found = [b for b in added if b in labels and (b not in queue or labels[b] == still.get(b))]
    fresh = [b for b in added if b not in found]
    return sorted(fresh, key=queue.index), found


def truth(question, op, before, after, config):
    """The right answer, from the states that the session itself gives before and after."""
    req = op.get("req")
    fresh, _ = new_blocks(before, after, req)
    back = len(after["free_queue"]) - len(before["free_queue"])
    labels = dict(map(tuple, before["cached"]))
    still = dict(map(tuple, after["cached"]))
    if question.kind == "next":
        return fresh[0]
    if question.kind == "count":
        return len(fresh)
    if question.kind == "grow":
        return "yes" if fresh else "no"
    if question.kind == "return":
        return back
    if question.kind == "evict":
        lost = [b for b in fresh if b in labels and labels[b] != still.get(b)]
        return min(lost, key=before["free_queue"].index)
    assert question.kind == "admit"
    if after["tables"].get(req):
        return "in"
    assert after == before
    whole = min(before["num_tokens"][req], config["max_model_len"])
    return "never" if -(-whole // config["block_size"]) > config["num_blocks"] - 1 else "wait"


@slow
@given(configs, intents)
def test_the_right_option_is_what_the_session_does_next(config, wishes):
    ops, states = carry_out(config, wishes)
    timeline = play(Run("random", config, ops))
    for spot in pool.spots(timeline):
        question = pool.make(timeline, spot)
        if question is None:
            continue
        check_question(question)
        i = question.step
        expected = truth(question, ops[i - 1], states[i - 1], states[i], config)
        assert question.right == expected, (question.kind, ops[i - 1])


drives = st.builds(
    DriveConfig,
    num_blocks=st.integers(13, 24),
    block_size=st.just(4),
    visitors=st.integers(2, 8),
    arrivals=st.sampled_from([0.3, 1.0]),
    prompt=st.just((4, 24)),
    answer=st.just((4, 24)),
    policy=st.sampled_from(["fcfs", "priority"]),
    token_budget=st.sampled_from([32, 64]),
    seed=st.integers(0, 10_000),
)


@slow
@given(drives)
def test_who_is_preempted_loses_the_table(config):
    timeline = play(drive(config))
    for spot in pool.spots(timeline):
        question = pool.make(timeline, spot)
        if question is None or question.kind != "preempt":
            continue
        check_question(question)
        before, after = (timeline.state(i).tables for i in (question.step - 1, question.step))
        gone = [timeline.requests[r].letter for r in before if r not in after]
        assert [question.right] == gone
        running = {timeline.requests[r].letter for r in before}
        assert {option.value for option in question.options} <= running


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_preset_has_questions_of_several_kinds(preset):
    timeline = play(preset.run)
    asked = pool.questions(timeline)
    assert 3 <= len(asked) <= 8
    assert len({question.kind for question in asked}) >= 3
    for question in asked:
        check_question(question)
    assert len(json.dumps(pool_quiz(timeline))) < 16_000


def test_the_presets_meet_every_kind():
    kinds = {q.kind for preset in PRESETS for q in pool.questions(play(preset.run))}
    assert kinds == CERTAIN


def test_a_longer_run_keeps_the_keys_of_what_was_there_before():
    run = PRESETS[0].run
    short = Run("the beginning", run.config, run.ops[:24])
    keys = {(one["i"], one["key"]) for one in pool_quiz(play(short))["list"]}
    whole = {(one["i"], one["key"]) for one in pool_quiz(play(run))["list"]}
    both = {i for i, _ in keys} & {i for i, _ in whole}
    assert both
    kinds = {i: key.split("-")[1] for i, key in keys}
    for i, key in whole:
        if i in both and kinds[i] == key.split("-")[1]:
            assert (i, key) in keys


def test_another_pool_has_other_keys():
    run = PRESETS[0].run
    other = Run("wider", {**run.config, "num_blocks": 40}, run.ops[:24])
    short = Run("as it was", run.config, run.ops[:24])
    keys = [{one["key"] for one in pool_quiz(play(each))["list"]} for each in (short, other)]
    assert not keys[0] & keys[1]


def test_an_empty_run_says_that_it_has_nothing_to_ask():
    found = pool_quiz(play(Run("nobody", {"num_blocks": 4, "block_size": 2}, [])))
    assert found["list"] == []
    room, engine = found["none"]
    assert "nothing to ask" in room
    assert "nothing to ask" in engine
