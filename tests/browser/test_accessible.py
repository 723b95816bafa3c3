"""Every page by axe: both themes, a desk's width and a phone's; each view is opened once.

The views are the page table's own and, of pages in parts, each part. States that come from a
hand (open forms, warnings, definitions) are tried where the hand is tested.
"""

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.story.tale import scenes
from pagedviz.ui.glossary_words import PARTS as GLOSSARY_PARTS
from pagedviz.ui.shell import PAGES
from pagedviz.ui.spyre_state import PARTS as SPYRE_PARTS
from tests.browser.axe import violations
from tests.browser.site import change

pytestmark = pytest.mark.browser

DESK, PHONE = (1440, 900), (390, 844)

WHOLE = [page.url_path for page in PAGES.values() if page.key not in ("start", "spyre", "glossary")]
SCENES = [f"?scene={k}&beat={len(scene.beats)}" for k, scene in enumerate(scenes(), 1)]
PARTS = [
    *(f"spyre?part={part}" for part in SPYRE_PARTS),
    "spyre?part=run&beside=1&scene=promised",
    *(f"glossary?part={part}" for part in GLOSSARY_PARTS),
]


@pytest.mark.parametrize("view", [*SCENES, *WHOLE, *PARTS])
def test_nothing_is_in_the_way_of_anybody(view, open_page):
    page = open_page(f"/{view}")
    broken = []
    for scheme, size in (("light", DESK), ("dark", DESK), ("dark", PHONE), ("light", PHONE)):
        change(page, scheme, size)
        broken += [f"{scheme}, {size[0]} px: {line}" for line in violations(page)]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("key", PAGES)
def test_nor_in_the_presenter_view(key, open_page):
    page = open_page(f"/{PAGES[key].url_path}?present=1", 1280, 720)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    for scheme in ("light", "dark"):
        change(page, scheme, (1280, 720))
        broken = violations(page)
        assert not broken, f"{scheme}:\n" + "\n".join(broken)
