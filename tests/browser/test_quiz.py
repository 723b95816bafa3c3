"""Predict, then reveal, in a browser: asked on the way forward, answered by the run, counted."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.quiz_stage import Quiz, allocator, mix, wrong
from tests.browser.site import at_rest

pytestmark = pytest.mark.browser

PAGES = {
    "allocator": ("/allocator?preset=preemption", allocator("preemption")),
    "spyre": ("/spyre?part=mix&mix=documents", mix("documents")),
}


@pytest.mark.parametrize(("name", "register"), [("allocator", "room"), ("spyre", "engine")])
def test_a_wrong_answer_then_a_right_one(name, register, open_page):
    path, questions = PAGES[name]
    first, second = questions[:2]
    page = open_page(f"{path}&quiz=1&step={first.step - 1}&words={register}")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.expect_asked(first, register)
    place = wrong(first)
    quiz.press(str(place + 1))
    quiz.expect_told(first, place, register)
    expect(quiz.card.locator(".qopt.wrong em")).to_have_text("✕")
    expect(quiz.score).to_have_text("0 of 1 right so far")
    for _ in range(second.step - first.step - 1):
        quiz.press("ArrowRight")
    quiz.expect_step(second.step - 1)
    quiz.expect_quiet()
    quiz.press("ArrowRight")
    quiz.expect_asked(second, register)
    quiz.press("e")
    other = {"room": "engine", "engine": "room"}[register]
    quiz.expect_asked(second, other)
    at_rest(page)
    quiz.options.nth(second.right_place).click()
    quiz.expect_told(second, second.right_place, other)
    expect(quiz.score).to_have_text("1 of 2 right so far")


def test_tokens_found_on_the_prefix_page(open_page):
    page = open_page("/prefix?preset=chunks-3000&step=3&quiz=1&words=engine")
    quiz = Quiz(page)
    quiz.press("PageDown")
    expect(quiz.options.locator("span")).to_have_text(
        ["no token", "2,496 tokens", "2,500 tokens", "2,512 tokens"]
    )
    expect(quiz.root.locator(".pr.todo .lab").first).to_be_hidden()  # equal hashes would tell
    quiz.press("3")
    expect(quiz.caption).to_contain_text("Not so. Right is: 2,496 tokens.")
    expect(quiz.caption).to_contain_text("would count every equal token")
    expect(quiz.root.locator(".pr .lab").last).to_be_visible()
    expect(quiz.root.locator(".pr .sum b").last).to_have_text("2,496")


def test_play_stops_and_the_line_of_time_does_not(open_page):
    first, second = allocator("one-visitor")[:2]
    page = open_page("/allocator?preset=one-visitor&quiz=1&step=0")
    quiz = Quiz(page)
    quiz.press(" ")
    quiz.expect_asked(first)
    expect(quiz.root.get_by_role("button", name="Play", exact=True)).to_be_visible()
    quiz.press(" ")
    quiz.expect_told(first, None)
    scrub = quiz.root.get_by_role("slider", name="Step")
    scrub.fill(str(second.step + 2))
    quiz.expect_step(second.step + 2)
    quiz.expect_quiet()
    quiz.press("End")
    quiz.expect_step(quiz.last())
    quiz.expect_quiet()
    expect(quiz.line).to_contain_text("behind this step")


def test_esc_skips_and_a_step_back_lets_go(open_page):
    question = allocator("three-visitors")[-1]
    page = open_page(f"/allocator?preset=three-visitors&quiz=1&step={question.step - 1}")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.expect_asked(question)
    quiz.press("ArrowLeft")
    quiz.expect_step(question.step - 2)
    quiz.expect_quiet()
    quiz.press("ArrowRight")
    quiz.press("ArrowRight")
    quiz.expect_asked(question)
    quiz.press("Escape")
    quiz.expect_step(question.step)
    quiz.expect_quiet()
    expect(quiz.score).to_have_text("")
    quiz.press("ArrowLeft")
    quiz.press("ArrowRight")
    quiz.expect_asked(question)  # a question that was skipped is asked again


def test_a_link_to_a_step_asks_only_what_comes_after_it(open_page):
    questions = allocator("three-visitors")
    page = open_page(f"/allocator?preset=three-visitors&quiz=1&step={questions[2].step}")
    quiz = Quiz(page)
    quiz.expect_quiet()
    expect(quiz.line).to_have_text(
        f"Question 4 of {len(questions)} comes before step {questions[3].step}."
    )


def test_the_score_goes_along_to_another_page_and_stays_in_the_tab(open_page):
    question = allocator("three-visitors")[0]
    page = open_page(f"/allocator?preset=three-visitors&quiz=1&step={question.step - 1}")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.press(str(question.right_place + 1))
    expect(quiz.score).to_have_text("1 of 1 right so far")
    page.get_by_role("link", name="Prefix sharing").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When do two visitors share?")
    at_rest(page)
    quiz = Quiz(page)
    expect(quiz.card).to_be_hidden()  # a page begins as its link says
    quiz.toggle.click()
    expect(quiz.score).to_have_text("1 of 1 right so far")
    other = open_page("/allocator?quiz=1")
    expect(Quiz(other).score).to_have_text("")


def test_the_picture_does_not_give_it_away(open_page):
    question = next(q for q in allocator("preemption") if q.kind == "evict")
    page = open_page(f"/allocator?preset=preemption&quiz=1&step={question.step - 1}")
    quiz = Quiz(page)
    first = quiz.root.locator(".q .chip").first
    expect(first).to_be_visible()
    expect(quiz.root.locator(".qw h2 small")).to_be_hidden()  # "next one at the left"
    quiz.press("ArrowRight")
    quiz.expect_asked(question)
    expect(first).to_be_hidden()
    expect(quiz.root.locator(".story")).to_be_hidden()
    listed = quiz.root.locator(".log li:visible button > b").all_inner_texts()
    assert max(map(int, listed)) < question.step
    expect(page.get_by_test_id("stPlotlyChart")).to_be_hidden()
    expect(page.locator(".st-key-headline p")).to_be_hidden()
    clip = quiz.root.locator(".tracks svg.ev").evaluate("e => getComputedStyle(e).clipPath")
    assert re.search(r"calc|%", clip)
    assert clip != "inset(0px 0% 0px 0px)"
    quiz.press(str(question.right_place + 1))
    expect(first).to_be_visible()
    quiz.press("q")
    expect(quiz.card).to_be_hidden()
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    whole = quiz.root.locator(".log li:visible button > b").all_inner_texts()
    assert max(map(int, whole)) > question.step


def test_on_and_off_by_button_and_key_in_the_address(open_page):
    page = open_page("/allocator?preset=three-visitors&step=23")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.expect_step(24)
    expect(quiz.card).to_be_hidden()
    quiz.toggle.click()
    expect(quiz.toggle).to_have_attribute("aria-pressed", "true")
    quiz.expect_in_url(quiz=1)
    quiz.press("ArrowLeft")
    quiz.press("ArrowRight")
    expect(quiz.options).not_to_have_count(0)
    quiz.press("q")
    quiz.expect_quiet()
    expect(page).not_to_have_url(re.compile("quiz="))
    quiz.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("questions before some steps, on and off")


def test_words_change_in_the_middle_of_a_question(open_page):
    question = allocator("three-visitors")[0]
    page = open_page(f"/allocator?preset=three-visitors&quiz=1&step={question.step - 1}")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    quiz.expect_asked(question)
    quiz.press("e")
    quiz.expect_asked(question, "engine")
    at_rest(page)
    quiz.expect_asked(question, "engine")
    quiz.press(str(question.right_place + 1))
    quiz.expect_told(question, question.right_place, "engine")
    quiz.press("e")
    quiz.expect_told(question, question.right_place)
    at_rest(page)
    place = wrong(question)  # an option that was not picked tells what it would have meant
    quiz.options.nth(place).click()
    expect(quiz.caption).to_contain_text(question.options[place].means.room)
    expect(quiz.score).to_have_text("1 of 1 right so far")


def test_an_empty_room_says_that_there_is_nothing_to_ask(open_page):
    page = open_page("/allocator?quiz=1")
    page.get_by_role("button", name="Empty room").click()
    quiz = Quiz(page)
    expect(quiz.line).to_contain_text("This run has nothing to ask")
    expect(quiz.toggle).to_have_attribute("aria-pressed", "true")


def test_by_keyboard_alone(open_page):
    page = open_page("/allocator?preset=preemption&step=38&quiz=1")
    quiz = Quiz(page)
    quiz.press("ArrowRight")
    expect(quiz.card).to_be_focused()
    expect(quiz.caption).to_have_attribute("aria-live", "polite")
    expect(quiz.card).to_have_attribute("aria-label", re.compile(r"^Question \d of \d$"))
    quiz.press("Tab")
    expect(quiz.options.first).to_be_focused()
    quiz.press("Enter")
    expect(quiz.card).to_have_attribute("aria-label", re.compile("the answer$"))
    expect(quiz.card).to_be_focused()


def test_with_reduced_motion_the_step_just_changes(open_page):
    question = allocator("three-visitors")[0]
    page = open_page("/allocator?preset=three-visitors&quiz=1&step=0")
    page.emulate_media(reduced_motion="reduce")
    quiz = Quiz(page)
    quiz.press("PageDown")
    quiz.expect_asked(question)
    quiz.press(str(question.right_place + 1))
    quiz.expect_told(question, question.right_place)
    expect(quiz.root.locator(".fly > *")).to_have_count(0)


def test_what_a_link_says_of_it_is_read_with_care(open_page):
    page = open_page("/allocator?quiz=maybe")
    expect(page.get_by_text('quiz: must be one of 0, 1, not "maybe"')).to_be_visible()
    expect(Quiz(page).card).to_be_hidden()
