"""Accessibility of a page as it is shown, by axe-core, all rules; shadow roots are looked into.

The script comes with the package axe-playwright-python; nothing is fetched. What Streamlit
itself gets wrong and a page cannot mend is listed in STREAMLITS_OWN, one by one.
"""

from typing import NamedTuple

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page


class Excuse(NamedTuple):
    """A violation that is not ours: rule, the piece of the selector, and why it stays."""

    rule: str
    selector: str
    reason: str


STREAMLITS_OWN: tuple[Excuse, ...] = ()


def _selector(target: list[str | list[str]]) -> str:
    """One line from axe's target; a list inside it is a path through shadow roots."""
    return " ".join(" >>> ".join(part) if isinstance(part, list) else part for part in target)


def violations(page: Page) -> list[str]:
    """One readable line for each element that breaks a rule.

    >>> _selector([["#host", "button"]])
    '#host >>> button'
    """
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    lines = []
    for violation in result["violations"]:
        for node in violation["nodes"]:
            selector = _selector(node["target"])
            excused = any(
                excuse.rule == violation["id"] and excuse.selector in selector
                for excuse in STREAMLITS_OWN
            )
            if not excused:
                summary = " ".join(node["failureSummary"].split())
                lines.append(
                    f"{violation['id']} ({violation['impact']}): {selector}\n"
                    f"    {node['html'][:200]}\n    {summary}"
                )
    return lines
