"""The workload page in a real browser: a file, a bad file, cancelling, downloads, phone, axe."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.site import at_rest, change

pytestmark = pytest.mark.browser

TRACE = "TIMESTAMP,ContextTokens,GeneratedTokens\n" + "".join(
    f"2023-11-16 18:{at // 60:02}:{at % 60:02}.9799600,{200 + 7 * at},{20 + at % 13}\n"
    for at in range(90)
)
# What Streamlit gives its own upload area, which a page cannot mend.
UPLOAD_AREA = "stFileUploaderDropzone"
SLOW = 60_000  # ms; a busy machine starts a process late


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    at_rest(page)


def load(page: Page, data: str | bytes, name: str) -> None:
    body = data.encode() if isinstance(data, str) else data
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": body}
    )


def sentence(page: Page):
    return page.locator("p[style*='23px']")


def broken(page: Page) -> list[str]:
    return [line for line in violations(page) if UPLOAD_AREA not in line]


def test_a_file_is_read_run_and_told(open_page):
    page = open_page("/workload?words=engine")
    expect(sentence(page)).to_contain_text("when paged")
    before = sentence(page).inner_text()
    choose(page, "Load", "A file of your own")
    load(page, TRACE, "mine.csv")
    expect(page.get_by_text("Rows: 90; with an answer: 90")).to_be_visible()
    expect(sentence(page)).not_to_have_text(before, timeout=SLOW)
    expect(page.get_by_text("mine.csv: Azure LLM inference trace; 90 in all")).to_be_visible()
    expect(page.get_by_text("Prefix hits: cannot be known from this load.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"load=file&file=mine\.csv"), timeout=SLOW)


def test_a_bad_file_is_named_and_the_load_stays(open_page):
    page = open_page("/workload?words=engine")
    before = sentence(page).inner_text()
    choose(page, "Load", "A file of your own")
    load(page, b"PK\x03\x04 a zip", "mine.csv")
    expect(page.get_by_text("mine.csv is a ZIP archive")).to_be_visible()
    load(page, TRACE.replace(",200,", ",NaN,"), "mine.csv")
    expect(page.get_by_text("1 of its 90 rows cannot be used.")).to_be_visible()
    expect(page.get_by_text("'NaN' is not a number")).to_be_visible()
    expect(sentence(page)).to_have_text(before)
    assert not broken(page)
    page.get_by_role("button", name="Go on without them: 89 of 90").click()
    expect(page.get_by_text("89 of 90 rows can be used; 1 cannot.")).to_be_visible()
    expect(sentence(page)).not_to_have_text(before, timeout=SLOW)


def test_rows_left_out_download_without_formulas(open_page):
    page = open_page("/workload?words=engine")
    choose(page, "Load", "A file of your own")
    load(page, "arrival_s,prompt_tokens,output_tokens\n0,9,5\n1,-3,5\n", "mine.csv")
    with page.expect_download() as download:
        page.get_by_role("button", name="Rows left out, CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert rows == [{"row": "2", "column": "prompt_tokens", "reason": "'-3' is negative"}]


def test_results_download_as_numbers(open_page):
    page = open_page("/workload?load=alpaca&n=50&words=engine")
    with page.expect_download() as download:
        page.get_by_role("button", name="Results, CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert [row["system"] for row in rows] == ["paged", "max", "pow2", "oracle"]
    for row in rows:
        shares = ("token", "later", "never", "external", "tail", "kept", "free")
        assert sum(float(row[f"{kind}_share"]) for kind in shares) == pytest.approx(1)
        assert row["finished"] == "50"
    with page.expect_download() as download:
        page.get_by_role("button", name="Every row, CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert len(rows) == 4 * 50


def test_a_large_load_is_asked_for_watched_and_cancelled(open_page):
    other = open_page("/workload?load=alpaca&n=20&words=engine")
    page = open_page("/workload?words=engine&n=30000")
    run = page.get_by_role("button", name="Run it")
    run.click()
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text("of 120,000 requests done", timeout=SLOW)
    other.get_by_role("spinbutton", name="Requests").fill("25")  # another viewer is served
    other.keyboard.press("Enter")
    expect(other.get_by_text("25 in all")).to_be_visible(timeout=SLOW)
    expect(bar).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(run).to_be_enabled(timeout=SLOW)
    expect(bar).to_have_count(0)


def test_what_is_set_stands_in_the_address_and_comes_back(open_page):
    page = open_page("/workload?words=engine")
    choose(page, "Load", "Chat, shared system prompt")
    page.get_by_role("spinbutton", name="Requests").fill("120")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"load=chat&n=120"), timeout=SLOW)
    at_rest(page)
    told = sentence(page).inner_text()
    again = open_page("/workload?" + page.url.split("?")[1])
    expect(sentence(again)).to_have_text(told, timeout=SLOW)
    page.get_by_role("radio", name="Storage room").click()
    expect(sentence(page)).to_contain_text("on shelves", timeout=SLOW)
    expect(page).not_to_have_url(re.compile("words="))


def charts_have_words_and_no_button_that_sends_them_anywhere(page: Page) -> None:
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(3)
    for name in ("Memory over time", "Requests running and waiting", "Lengths: prompts"):
        expect(page.get_by_role("figure", name=re.compile(name))).to_have_count(1)
    expect(page.locator(".modebar-btn")).to_have_count(0)


def test_refused_in_the_open_form_and_shown_as_it_was(open_page):
    page = open_page("/workload?words=engine")
    charts_have_words_and_no_button_that_sends_them_anywhere(page)
    page.get_by_role("button", name="Lengths and seed").click()
    field = page.get_by_role("spinbutton", name="Prompt tokens, mean")
    field.fill("5000")
    field.press("Enter")
    expect(page.get_by_text("5000 leaves no room below the ceiling 1,024")).to_be_visible()
    expect(field).to_have_count(1)
    expect(field).to_have_value("161")


def broken_in_a_theme(page: Page) -> list[str]:
    found = []
    for scheme in ("light", "dark"):
        change(page, scheme, (1440, 900))
        found += [f"{scheme}: {line}" for line in broken(page)]
    return found


def test_forms_and_files_are_accessible(open_page):
    page = open_page("/workload?load=agents&n=40&words=engine")
    for name in ("Lengths and seed", "Limits and clock"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        assert not broken_in_a_theme(page)
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        page.keyboard.press("Escape")
    choose(page, "Load", "A file of your own")
    load(page, "when,in,out\n0,100,20\n", "own.csv")
    expect(page.get_by_text("Say which column is which.")).to_be_visible()
    for name in ("Numbers and files", "Why ours may differ"):
        for one in page.get_by_text(name).all():
            one.click()
    assert not broken_in_a_theme(page)


def test_a_phone_has_all_of_it(open_page):
    page = open_page("/workload", width=390, height=844, touch=True)
    expect(sentence(page)).to_be_visible()
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390
    box = sentence(page).bounding_box()
    assert box is not None
    assert box["y"] < 200
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(3)
