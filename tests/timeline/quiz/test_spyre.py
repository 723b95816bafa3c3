"""Questions about random runs and mixes on Spyre: right is what the wire of the next step says."""

import pytest
from hypothesis import HealthCheck, given, settings

from pagedviz.timeline.quiz import spyre
from pagedviz.timeline.quiz.wire import spyre_quiz
from pagedviz.timeline.spyre.mix import MIX_PRESETS, Mix, MixGroup
from pagedviz.timeline.spyre.mix_play import play_mix
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.presets import PRESETS
from pagedviz.timeline.spyre.wire import encode
from tests.timeline.quiz.checks import check_question
from tests.timeline.spyre.checks import ENGINE_HERE, ROOM_HERE
from tests.timeline.spyre.scenarios import mixes, scenarios

slow = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def truths(wire, question):
    """The values that are right, by the step as the browser gets it."""
    step = wire["steps"][question.step]
    letters = [request["letter"] for request in wire["requests"]]
    if question.kind == "together":
        return {len(step["rows"])}
    if question.kind == "volume":
        return {step["vol"]}
    if question.kind == "pause":
        return {letters[number] for number in step["pa"]}
    if question.kind == "reject":
        return {"away"} if step["no"] else set()
    run = {entry[0]: entry[3] + entry[4] for entry in step.get("run", ())}
    if question.kind == "promise":
        return {run[step["pre"]["r"]]}
    assert question.kind == "taken"
    who = question.ask.engine.split("**")[1].removeprefix("Request ")
    sign = wire["turns"][letters.index(who)][question.step]
    return {{"p": "in", ".": "wait"}[sign]}


def check(played):
    wire = encode(played)
    for spot in spyre.spots(played):
        question = spyre.make(played, spot)
        if question is None:
            continue
        check_question(question, ENGINE_HERE, ROOM_HERE)
        right = truths(wire, question)
        assert question.right in right
        assert len([option for option in question.options if option.value in right]) == 1


@slow
@given(scenarios())
def test_the_right_option_is_what_the_scheduler_does_next(scenario):
    check(play(scenario))


@slow
@given(mixes())
def test_the_same_of_mixes(mix):
    check(play_mix(mix))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_scene_has_questions(preset):
    asked = spyre.questions(play(preset.make()))
    assert 3 <= len(asked) <= 8
    assert len({question.kind for question in asked}) >= 2


@pytest.mark.parametrize("preset", MIX_PRESETS, ids=lambda preset: preset.id)
def test_the_first_question_of_a_mix_is_how_many_decode_together(preset):
    first = spyre.questions(play_mix(Mix(preset.groups)))[0]
    assert (first.step, first.kind) == (1, "together")


def test_the_presets_meet_every_kind():
    runs = [play(preset.make()) for preset in PRESETS] + [play_mix(Mix(MIX_PRESETS[0].groups))]
    assert {q.kind for run in runs for q in spyre.questions(run)} == set(spyre.MAKERS)


def test_ignoring_the_padding_is_among_the_wrong_ones():
    asked = spyre.questions(play_mix(Mix(MIX_PRESETS[2].groups)))[0]
    values = {option.value for option in asked.options}
    # 8 of 12: tokens alone would let 10 in; the most there may be is 32
    assert (asked.right, values) == (8, {8, 10, 12, 32})


def test_one_request_alone_has_nothing_to_ask():
    found = spyre_quiz(play_mix(Mix((MixGroup(1, 200, 5),))))
    assert found["list"] == []
    assert "nothing to ask" in found["none"][0]
