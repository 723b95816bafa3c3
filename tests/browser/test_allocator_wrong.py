"""Bad links and bad files on the allocator page: said, named, and nothing is lost."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.site import at_rest
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser


def click(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    at_rest(page)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (
            "step=999&pin=400&words=latin",
            (
                "step: this run ends at step 56, not 999",
                "pin: this room's last shelf is 29",
                "words: must be one of room, engine",
            ),
        ),
        ("step=-1&preset=nonsense", ("step: must be a whole number from 0", "preset: must be one")),
        ("run=1.notarun", ("run: ",)),
        ("v=99", ("newer release",)),
    ],
)
def test_bad_link_is_said_and_the_rest_of_it_counts(link, said, open_page):
    page = open_page(f"/allocator?{link}")
    for each in said:
        expect(page.get_by_role("alert")).to_contain_text(each)
    assert Stage(page).last() == 56


BAD_FILES = {
    "cut.json": (b'{"format": "kv-block-trace/1", "con', "cut.json"),
    "page.json": (b"<!doctype html><html></html>", "web page"),
    "next.json": (b'{"format": "kv-block-trace/2"}', "newer release"),
    "list.json": (b"[1, 2]", "holds a list"),
    "empty.json": (b" ", "is empty"),
    "size.json": (
        b'{"format": "kv-block-trace/1", "config": {"num_blocks": 0}, "steps": []}',
        "num_blocks",
    ),
    "twice.json": (
        json.dumps(
            {
                "format": "kv-block-trace/1",
                "config": {"num_blocks": 9, "block_size": 4},
                "steps": [
                    {"op": {"op": "add_request", "req": "A", "tokens": [1]}},
                    {"op": {"op": "admit", "req": "A"}},
                    {"op": {"op": "admit", "req": "A"}},
                ],
            }
        ).encode(),
        "step 3",
    ),
}


def test_bad_files_are_named_and_the_picture_stays(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    click(page, "Save, open, share")
    for name, (content, said) in BAD_FILES.items():
        page.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "application/json", "buffer": content}
        )
        alert = page.get_by_role("alert").filter(has_text=said)
        expect(alert).to_be_visible()
        assert stage.last() == 56, name
