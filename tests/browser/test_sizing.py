"""The sizing page in a real browser: dropping, typing, links, the sheet in print, both themes."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.site import at_rest, change

pytestmark = pytest.mark.browser

CONFIG = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "vocab_size": 128_256,
    "max_position_embeddings": 8_192,
}
PAGES_IN_PDF = re.compile(rb"/Type\s*/Page[^s]")


def line(page: Page):
    return page.locator(".pv-answer")


def fill(page: Page, label: str, text: str) -> None:
    field = page.get_by_role("spinbutton", name=label, exact=True)
    field.fill(text)
    field.press("Enter")
    at_rest(page)


def drop(page: Page, data: bytes, name: str = "config.json") -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": data}
    )
    at_rest(page)


def test_typing_changes_the_line_and_the_address(open_page):
    page = open_page("/sizing?embed=true")
    expect(line(page)).to_contain_text("About 280 at once")
    assert line(page).evaluate("e => getComputedStyle(e).fontSize") == "23px"
    fill(page, "Boxes brought", "2000")
    expect(line(page)).not_to_contain_text("About 280")
    expect(page).to_have_url(re.compile("prompt=2000"))
    assert "embed=true" in page.url  # of others
    before = line(page).inner_text()
    page.reload()
    at_rest(page)
    expect(line(page)).to_have_text(before)


def test_an_emptied_number_is_asked_for_and_an_open_one_gets_its_own_value_back(open_page):
    page = open_page("/sizing?share=0.5")
    fill(page, "Boxes brought", "")
    expect(page.get_by_test_id("stAlert")).to_contain_text("must be a number")
    expect(line(page)).to_contain_text("About ")
    page.get_by_text("Everything else, and where").click()
    fill(page, "Share of the card in use", "")
    expect(line(page)).to_contain_text("About 280 at once")
    expect(page).not_to_have_url(re.compile("share="))


def test_a_dropped_config_goes_through_the_link_to_a_cold_server(cold_server, open_page):
    page = open_page("/sizing")
    drop(page, json.dumps(CONFIG).encode())
    expect(page.get_by_text("131,072 bytes a box")).to_be_visible()
    before = line(page).inner_text()
    address = page.url[page.url.index("/sizing") :]
    other = open_page(address, server=cold_server())
    expect(line(other)).to_have_text(before)
    expect(other.get_by_role("combobox", name="Model")).to_have_value(re.compile("Dropped"))


def test_a_bad_config_keeps_the_model_and_a_good_one_follows(open_page):
    page = open_page("/sizing")
    before = line(page).inner_text()
    drop(page, b'{"model_type": "llama", "num')
    expect(page.get_by_test_id("stAlert")).to_contain_text("ends early")
    drop(page, b"")
    expect(page.get_by_test_id("stAlert")).to_contain_text("is empty")
    expect(line(page)).to_have_text(before)
    name = "<img src=x onerror=document.title='run'>.json"
    drop(page, json.dumps(CONFIG | {"_name_or_path": name}).encode())
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    expect(page.get_by_text("131,072 bytes a box")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("link", ["", "?where=spyre&words=engine", "?model=jamba-1.5-mini&cards=2"])
def test_the_sheet_opens_by_itself_and_prints_on_one_page(link, open_page, browser, tmp_path):
    page = open_page(f"/sizing{link}")
    with page.expect_download() as caught:
        page.get_by_role("button", name=re.compile("Sheet")).click()
    file = tmp_path / "sheet.html"
    caught.value.save_as(file)
    context = browser.new_context(offline=True)
    sheet = context.new_page()
    asked: list[str] = []
    sheet.on("request", lambda request: asked.append(request.url))
    sheet.goto(file.as_uri())
    assert asked == [file.as_uri()]
    expect(sheet.locator(".line")).to_have_text(line(page).inner_text())
    again = sheet.get_by_role("link").get_attribute("href")
    assert again is not None
    assert again.startswith(page.url.split("?")[0])
    for size in ("A4", "Letter"):
        assert len(PAGES_IN_PDF.findall(sheet.pdf(format=size))) == 1, size
    assert not violations(sheet)
    context.close()


def test_the_table_is_a_csv_and_the_bar_tells_its_bytes(open_page, tmp_path):
    page = open_page("/sizing?words=engine")
    with page.expect_download() as caught:
        page.get_by_role("button", name=re.compile("CSV")).click()
    file = tmp_path / "figures.csv"
    caught.value.save_as(file)
    text = file.read_text(encoding="utf-8-sig")
    assert text.startswith("part,what,value,unit,where from")
    assert "figure,KV blocks,22960" in text
    part = page.locator(".pv-bar .pv-kv")
    expect(part).to_have_attribute("title", re.compile("KV cache: 56.1 GiB .*bytes"))
    expect(page.locator(".pv-cut i").first).to_have_attribute("title", re.compile("request"))
    expect(page.get_by_role("img", name=re.compile("The card's memory"))).to_be_visible()


@pytest.mark.parametrize("link", ["?where=spyre", "?model=deepseek-v3&words=engine"])
def test_other_states_are_accessible(link, open_page):
    page = open_page(f"/sizing{link}")
    page.get_by_text("Everything else, and where").click()
    page.get_by_text("Your own model:").click()
    for scheme in ("light", "dark"):
        change(page, scheme, (1440, 900))
        # Streamlit's own: its drop zone has a role that its label contradicts.
        broken = [one for one in violations(page) if "stFileUploaderDropzone" not in one]
        assert not broken, f"{scheme}:\n" + "\n".join(broken)


def test_phone_shows_the_answer_and_the_levers_without_sideways_scroll(open_page):
    page = open_page("/sizing", width=390, height=844, touch=True)
    expect(line(page)).to_be_in_viewport()
    expect(page.get_by_role("combobox", name="Model")).to_be_in_viewport()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
