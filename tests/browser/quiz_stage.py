"""What tests ask of the questions on the stage, as a viewer sees them, and their answers."""

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from pagedviz.timeline.play import play
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.quiz import pool, spyre
from pagedviz.timeline.quiz.question import Question
from pagedviz.timeline.spyre.mix import Mix, mix_preset
from pagedviz.timeline.spyre.mix_play import play_mix
from tests.browser.stage import Stage


class Quiz(Stage):
    """The stage with its card."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.card = self.root.locator(".quiz")
        self.options = self.card.locator(".qopt:visible")
        self.score = self.card.locator(".qscore")
        self.line = self.card.locator(".qline")
        self.toggle = self.root.get_by_role("button", name="Quiz")

    def expect_asked(self, question: Question, register: str = "room") -> None:
        """The card asks this, with these options, and the step before it stands."""
        expect(self.caption).to_have_text(getattr(question.ask, register).replace("**", ""))
        texts = [getattr(option.text, register) for option in question.options]
        expect(self.options.locator("span")).to_have_text(texts)
        self.expect_step(question.step - 1)

    def expect_told(self, question: Question, pick: int | None, register: str = "room") -> None:
        """The step has been played, and the card says what was right and why."""
        self.expect_step(question.step)
        answer = getattr(question.options[question.right_place].text, register)
        why = getattr(question.why, register).replace("**", "")
        verdict = f"Right is: {answer}."
        if pick is not None:
            right = pick == question.right_place
            verdict = f"Right: {answer}." if right else f"Not so. Right is: {answer}."
        means = "" if pick is None else getattr(question.options[pick].means, register)
        expect(self.caption).to_have_text(f"{verdict} {why} {means}".strip())
        expect(self.card.locator(".qopt.right span")).to_have_text([answer])

    def expect_quiet(self) -> None:
        """Nothing is asked and nothing is told."""
        expect(self.options).to_have_count(0)


def allocator(preset: str) -> Sequence[Question]:
    """The questions of a run of the allocator page."""
    return pool.questions(play(next(each for each in PRESETS if each.id == preset).run))


def mix(preset: str) -> Sequence[Question]:
    """The questions of a mix of the Spyre page."""
    found = mix_preset(preset)
    assert found is not None
    return spyre.questions(play_mix(Mix(found.groups)))


def wrong(question: Question) -> int:
    """The place of an option that is not right."""
    return (question.right_place + 1) % len(question.options)
