"""Which questions are asked: few, apart from each other, of many kinds; and what a fair one is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.choose import MOST, SPACE, Spot, choose
from pagedviz.timeline.quiz.question import Option, Question, QuestionError, fair

spots = st.lists(
    st.builds(Spot, st.integers(1, 200), st.sampled_from("abcde"), st.integers(0, 3)), max_size=60
)


def option(value):
    return Option(value, Words(f"{value} shelves", f"{value} blocks"))


def made(spot):
    """Spots at every fifth step turn out to have nothing to ask."""
    if spot.step % 5 == 0:
        return None
    ask = Words(f"{spot.step}?", f"{spot.step}?")
    return Question(spot.step, spot.kind, ask, (option(1), option(2)), 1, Words(".", "."))


@given(spots, st.integers(0, 3))
def test_few_well_spread_and_of_different_kinds(some, twice):
    asked = choose(some, made, 200)
    steps = [question.step for question in asked]
    assert len(asked) <= MOST
    assert steps == sorted(steps)
    assert all(b - a >= SPACE for a, b in pairwise(steps))
    kinds = [question.kind for question in asked]
    assert max((kinds.count(kind) for kind in kinds), default=0) <= 3
    usable = {spot.kind for spot in some if spot.step % 5}
    if len(usable) > 3:
        assert max((kinds.count(kind) for kind in kinds), default=0) <= 2
    assert bool(asked) == bool(usable)


def test_of_many_spots_the_one_people_get_wrong_is_asked():
    some = [Spot(step, "a", 3 if step == 31 else 0) for step in range(1, 60)]
    assert 31 in [question.step for question in choose(some, made, 60)]


def test_the_same_question_is_not_asked_again():
    def same(spot):
        words = Words("again?", "again?")
        return Question(spot.step, spot.kind, words, (option(1), option(2)), 1, Words(".", "."))

    some = [Spot(step, "a") for step in range(1, 60)]
    assert len(choose(some, same, 60)) == 1


@pytest.mark.parametrize(
    ("options", "right", "says"),
    [
        ((option(1),), 1, "1 options"),
        (tuple(map(option, range(5))), 1, "5 options"),
        ((option(1), option(1)), 1, "equal"),
        ((option(1), Option(2, Words("1 shelves", "2 blocks"))), 1, "equal"),
        ((option(1), option(2)), 3, "not among the options"),
    ],
)
def test_an_unfair_question_is_not_made(options, right, says):
    words = Words("?", "?")
    with pytest.raises(QuestionError, match=says):
        Question(4, "next", words, options, right, words)


@given(st.lists(st.integers(0, 9), max_size=9), st.integers(0, 9), st.sets(st.integers(0, 9)))
def test_wrong_options_differ_and_none_is_right_as_well(wrong, right, also):
    words = Words("?", "?")
    found = fair(
        1, "count", words, option(right), map(option, wrong), words, also_right=tuple(also)
    )
    usable = set(wrong) - {right} - also
    if found is None:
        assert len(usable) < 2
        return
    values = [each.value for each in found.options]
    assert values == sorted(set(values))
    assert set(values) - {right} <= usable
    assert len(values) == min(4, len(usable) + 1)
