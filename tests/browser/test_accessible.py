"""Every page by axe in both themes, at a desk's width and a phone's, and at no width wider than
the window; each view is opened once.

The views are the page table's own and, of pages in parts, each part. States that come from a
hand (open forms, warnings, definitions) are tried where the hand is tested; the presenter view
in test_present_view.
"""

import pytest

from pagedviz.timeline.story.tale import scenes
from pagedviz.ui.glossary_words import PARTS as GLOSSARY_PARTS
from pagedviz.ui.shell import PAGES
from pagedviz.ui.spyre_state import PARTS as SPYRE_PARTS
from tests.browser.axe import violations
from tests.browser.site import change, sideways, still

pytestmark = pytest.mark.browser

DESK, PHONE = (1440, 900), (390, 844)
WIDTHS = (360, 390, 720, 820, 1100, 1280, 1920, 2560)

WHOLE = [page.url_path for page in PAGES.values() if page.key not in ("start", "spyre", "glossary")]
SCENES = [f"?scene={k}&beat={len(scene.beats)}" for k, scene in enumerate(scenes(), 1)]
PARTS = [
    *(f"spyre?part={part}" for part in SPYRE_PARTS),
    "spyre?part=run&beside=1&scene=promised",
    *(f"glossary?part={part}" for part in GLOSSARY_PARTS),
    "glossary?term=tkv",
]


@pytest.mark.parametrize("view", [*SCENES, *WHOLE, *PARTS])
def test_nothing_is_in_the_way_of_anybody(view, open_page):
    page = open_page(f"/{view}")
    broken = []
    for scheme, size in (("light", DESK), ("dark", DESK), ("dark", PHONE), ("light", PHONE)):
        change(page, scheme, size)
        broken += [f"{scheme}, {size[0]} px: {line}" for line in violations(page)]
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        still(page)  # the sidebar folds with a transition
        broken += [f"{width} px wide: scrolls sideways by {px}" for px in sideways(page)]
    assert not broken, "\n".join(broken)
