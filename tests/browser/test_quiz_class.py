"""The questions before a class, in a browser: screens, a clicker, hands, talks, class links."""

import re

import pytest
from playwright.sync_api import Page, expect

from pagedviz.talks.training import TRAINING
from tests.browser.axe import violations
from tests.browser.quiz_stage import Quiz, allocator, wrong
from tests.browser.site import at_rest, change, sideways

pytestmark = pytest.mark.browser

THREE = {
    "allocator": "/allocator?preset=preemption&step=38",
    "prefix": "/prefix?preset=time-stamp&step=3",
    "spyre": "/spyre?part=mix&mix=one-long&step=0",
}


# The other words: test_words_change_in_the_middle_of_a_question, and the last line here.
DESK, PHONE, SCREEN = (1440, 900), (390, 844), (1280, 720)


@pytest.mark.parametrize("name", THREE)
def test_card_and_answer_on_a_phone_a_projector_and_a_desk(name, open_page):
    page = open_page(THREE[name] + "&quiz=1")
    quiz = Quiz(page)
    phone_is_wide_enough(page, quiz)
    from_the_start(quiz)
    presenter_view_has_room_for_it(page, quiz)
    from_the_start(quiz)
    card_and_answer_are_accessible(page, quiz)


def from_the_start(quiz: Quiz) -> None:
    """The same question before the same step, as if nobody had answered it."""
    change(quiz.page, "light", DESK)
    quiz.card.get_by_role("button", name="Start again").click()
    expect(quiz.score).to_have_text("")
    quiz.press("ArrowLeft")
    quiz.expect_quiet()


def phone_is_wide_enough(page: Page, quiz: Quiz) -> None:
    change(page, "light", PHONE)
    quiz.root.get_by_role("button", name="Step forward").click()
    expect(quiz.options.first).to_be_in_viewport()
    expect(quiz.caption).to_be_in_viewport(ratio=1)
    assert sideways(page) == []
    controls = quiz.root.locator(".tp").bounding_box()
    assert controls is not None
    for option in quiz.options.all():
        box = option.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= controls["y"]  # not below the controls
    quiz.options.first.click()
    expect(quiz.card.locator(".qopt.right")).to_have_count(1)


def presenter_view_has_room_for_it(page: Page, quiz: Quiz) -> None:
    change(page, "light", SCREEN)
    quiz.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    quiz.press("PageDown")
    expect(quiz.options).not_to_have_count(0)
    expect(quiz.card.locator(".qopt.right")).to_have_count(0)
    for seen in (quiz.caption, *quiz.options.all(), quiz.root.locator(".scrub")):
        expect(seen).to_be_in_viewport(ratio=1)
    size = quiz.options.first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 22
    assert sideways(page) == []
    quiz.press("PageDown")
    expect(quiz.card.locator(".qopt.right")).to_be_in_viewport(ratio=1)
    quiz.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def card_and_answer_are_accessible(page: Page, quiz: Quiz) -> None:
    broken = []

    def look(shown: str) -> None:
        for scheme in ("light", "dark"):
            change(page, scheme, DESK)  # while something flies its contrast means nothing
            broken.extend(f"{shown}, {scheme}: {line}" for line in violations(page))

    quiz.press("ArrowRight")
    expect(quiz.options).not_to_have_count(0)
    expect(quiz.card.locator(".qopt.right")).to_have_count(0)
    quiz.card.get_by_role("button", name="Count hands").click()
    look("the card")
    quiz.press("1")
    expect(quiz.card.locator(".qopt.right")).to_have_count(1)
    look("the answer")
    assert not broken, "\n".join(broken)


def test_a_finger_asks_and_answers(open_page):
    page = open_page(THREE["allocator"] + "&quiz=1", *PHONE, touch=True)
    quiz = Quiz(page)
    quiz.root.get_by_role("button", name="Step forward").tap()
    expect(quiz.options.first).to_be_in_viewport()
    assert sideways(page) == []
    quiz.options.first.tap()
    expect(quiz.card.locator(".qopt.right")).to_have_count(1)


def test_a_clicker_asks_and_reveals(open_page):
    question = next(q for q in allocator("preemption") if q.kind == "preempt")
    page = open_page(f"/allocator?preset=preemption&quiz=1&step={question.step - 2}")
    quiz = Quiz(page)
    quiz.press("PageDown")  # to the refusal before it, or to the question itself
    if quiz.options.count() == 0:
        quiz.press("PageDown")
    quiz.expect_asked(question)
    quiz.press("PageDown")
    quiz.expect_told(question, None)
    expect(quiz.score).to_have_text("")
    quiz.press("PageDown")
    expect(quiz.root.locator(".count b")).not_to_have_text(str(question.step))


def test_hands_are_counted_and_survive_a_reload_but_not_a_reset(open_page):
    question = allocator("three-visitors")[0]
    page = open_page(f"/allocator?preset=three-visitors&quiz=1&step={question.step - 1}")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.expect_asked(question)
    quiz.card.get_by_role("button", name="Count hands").click()
    answer = question.options[question.right_place].text.room
    other = question.options[wrong(question)].text.room
    quiz.card.get_by_role("spinbutton", name=f"hands for {answer}").fill("41")
    quiz.card.get_by_role("spinbutton", name=f"hands for {other}").fill("18")
    quiz.card.get_by_role("button", name=f"one hand more for {other}").click()
    quiz.card.get_by_role("button", name="Show the answer").click()
    expect(quiz.caption).to_contain_text(f"Right is: {answer}, as 41 of 60 hands said.")
    expect(quiz.score).to_have_text("41 of 60 hands")
    expect(page).to_have_url(re.compile(rf"step={question.step}(&|$)"))
    page.reload()
    at_rest(page)
    quiz = Quiz(page)
    expect(quiz.score).to_have_text("41 of 60 hands")
    quiz.press("ArrowLeft")
    quiz.press("ArrowRight")
    quiz.expect_step(question.step)  # what was answered is not asked again
    quiz.expect_quiet()
    quiz.card.get_by_role("button", name="Start again").click()
    expect(quiz.score).to_have_text("")
    quiz.press("ArrowLeft")
    quiz.press("ArrowRight")
    quiz.expect_asked(question)


@pytest.mark.parametrize("how", ["lock", "hide"])
def test_a_class_link_holds_it(how, open_page):
    page = open_page(f"/allocator?preset=three-visitors&step=23&quiz=1&{how}=quiz")
    quiz = Quiz(page)
    quiz.press("q")
    quiz.press("ArrowRight")
    expect(quiz.options).not_to_have_count(0)
    if how == "lock":
        expect(quiz.toggle).to_be_disabled()
    else:
        expect(quiz.toggle).to_be_hidden()


def test_in_a_talk_a_press_shows_the_answer_before_the_view_is_left(open_page):
    stop = next(k for k, each in enumerate(TRAINING.stops) if "step=23&quiz=1" in each.link)
    page = open_page(f"{TRAINING.stops[stop].link}&talk=training&at={stop + 1}")
    bar = page.locator(".pv-walk b")
    quiz = Quiz(page)
    expect(bar).to_have_text(f"{stop + 1} of {len(TRAINING.stops)}")
    quiz.press("PageDown")
    expect(quiz.options).not_to_have_count(0)
    quiz.press("PageDown")
    expect(quiz.card.locator(".qopt.right")).to_have_count(1)
    expect(bar).to_have_text(f"{stop + 1} of {len(TRAINING.stops)}")
    quiz.press("PageDown")
    expect(bar).to_have_text(f"{stop + 2} of {len(TRAINING.stops)}")


def test_the_next_view_of_a_talk_has_its_own_wish(open_page):
    stop = next(k for k, each in enumerate(TRAINING.stops) if "step=23&quiz=1" in each.link)
    before = TRAINING.stops[stop - 1].link
    assert "quiz" not in before
    page = open_page(f"{before}&talk=training&at={stop}")
    quiz = Quiz(page)
    expect(quiz.card).to_be_hidden()
    page.locator(".st-key-walk-on a").click()
    expect(page.locator(".pv-walk b")).to_have_text(f"{stop + 1} of {len(TRAINING.stops)}")
    expect(quiz.card).to_be_visible()
    quiz.expect_step(23)
