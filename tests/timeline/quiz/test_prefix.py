"""Questions about prompts: the tokens found are those of the blocks that the table took over."""

import pytest
from hypothesis import given

from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import prompts_run
from pagedviz.timeline.quiz.prefix import questions
from pagedviz.timeline.quiz.wire import prefix_quiz
from pagedviz.timeline.sharing import explain
from tests.timeline.prompt_lists import CASES, of, setups, unhurried
from tests.timeline.quiz.checks import check_question


def asked_of(prompts, **config):
    run = prompts_run(prompts, **config)
    timeline = play(run)
    views = explain(prompts, run, timeline)
    return timeline, views, questions(timeline, views)


@unhurried
@given(setups())
def test_the_right_option_is_what_the_table_took_over(setup):
    prompts, config = setup
    timeline, _, asked = asked_of(prompts, **config)
    steps = [question.step for question in asked]
    assert len(set(steps)) == len(steps)
    for question in asked:
        check_question(question)
        if question.kind != "reuse":
            continue
        before, after = (timeline.state(i) for i in (question.step - 1, question.step))
        number = timeline.steps[question.step].request.number
        table = after.tables[number]
        same = [b for b in table if before.hashes[b] >= 0 and before.hashes[b] == after.hashes[b]]
        # a block that was popped and hashed anew has another class, or is a copy of a kept one
        held = [b for b in same if b not in timeline.steps[question.step].effects.new]
        assert question.right == len(held) * config["block_size"]


@unhurried
@given(setups())
def test_what_people_believe_is_computed_and_never_right(setup):
    prompts, config = setup
    _, views, asked = asked_of(prompts, **config)
    by_step = {view.admission: view for view in views}
    for question in asked:
        if question.kind == "reuse":
            view, values = by_step[question.step], [o.value for o in question.options]
            assert max(values) <= view.prompt.num_tokens
            assert min(values) >= 0
            if 0 < view.same_beginning != view.hit_tokens:
                assert view.same_beginning in values


@pytest.mark.parametrize("kind", ["token_differs", "last_token", "evicted", "salt_differs"])
def test_each_reason_ends_up_in_the_answer(kind):
    texts, config, found = CASES[kind]
    prompts = [each if hasattr(each, "text_tokens") else of(each) for each in texts]
    _, views, asked = asked_of(prompts, **({"num_blocks": 40, "block_size": 4} | config))
    last = [question for question in asked if question.kind == "reuse"][-1]
    assert last.right == found
    assert views[-1].reason.kind == kind


def test_without_a_cache_nothing_is_asked_about_it():
    prompts = [of("abcdefghi"), of("abcdefghi")]
    _, _, asked = asked_of(prompts, num_blocks=40, block_size=4, caching=False)
    assert asked
    assert "reuse" not in {question.kind for question in asked}


def test_a_prompt_that_cannot_come_in_leaves_nothing_to_ask_but_that():
    prompts = [of("a" * 60)]
    run = prompts_run(prompts, num_blocks=5, block_size=4)
    timeline = play(run)
    found = prefix_quiz(timeline, explain(prompts, run, timeline))
    assert {one["kind"] for one in found["list"]} <= {"admit"}
