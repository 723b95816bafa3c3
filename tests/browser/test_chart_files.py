"""Under every chart, in a real browser: its numbers, and files that need no network."""

import csv
import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.site import at_rest, change, sideways, wait_until
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
# A page, its chart, the title of the chart and a word that stands in the picture.
CHARTS = [
    ("/allocator?words=engine", "allocator-chart", "The pool over time", "free, cached"),
    ("/reservation?words=engine", "reservation-sizes", "Block size: wasted tail", "block_size"),
    ("/prefix?words=engine", "prefix-stairs", "Tokens reused against", "vLLM, blocks of 16"),
    ("/attention?words=engine", "attention-weights", "Attention weights", "token position"),
    ("/spyre?part=cards&words=engine", "spyre-server-chart", "What fits on", "full length"),
    ("/sizing?words=engine", "sizing-chart", "Concurrency against", "tokens per request"),
    ("/workload?n=40&words=engine", "workload-memory", "KV memory over time", "holds a token"),
]


def fold(page: Page, key: str):
    return page.locator(f".st-key-chart-files-{key}")


def unfold(page: Page, key: str):
    found = fold(page, key)
    found.get_by_text("Numbers and files").click()
    expect(found.get_by_role("button", name="Chart, SVG")).to_be_visible()
    at_rest(page)
    return found


def saved(page: Page, press, folder):
    with page.expect_download() as download:
        press()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def without_network(browser: Browser, path, faults: list[str], **how) -> Page:
    """A file in a window that has no network; what it asks for or reports is a fault."""
    page = browser.new_context(offline=True, **how).new_page()
    page.on("console", lambda said: faults.append(f"console: {said.text}"))
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith(("data:", path.as_uri())) else faults.append(asked.url)
        ),
    )
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize(("path", "key", "title", "word"), CHARTS, ids=lambda one: one)
def test_the_files_of_a_chart(path, key, title, word, open_page, browser, tmp_path):
    page = open_page(path)
    found = unfold(page, key)
    head = found.locator("thead").inner_text()
    file = saved(page, found.get_by_role("button", name="Chart, HTML file").click, tmp_path)
    assert re.fullmatch(rf"pagedviz-{key}-\d{{4}}-\d\d-\d\d\.html", file.name)
    faults: list[str] = []
    alone = without_network(browser, file, faults)
    plays_alone(alone, title, word)
    assert alone.get_by_role("link").get_attribute("href").startswith(page.url.split("?")[0])
    alone.locator("summary").click()
    assert alone.locator("thead").inner_text() == head
    alone.context.close()
    button = found.get_by_role("button", name="Chart, SVG")
    button.focus()
    file = saved(page, lambda: page.keyboard.press("Enter"), tmp_path)
    assert re.fullmatch(rf"pagedviz-{key}-\d{{4}}-\d\d-\d\d\.svg", file.name)
    is_one_picture(ET.parse(file).getroot(), page, key, title, word)
    without_network(browser, file, faults).context.close()
    assert not faults, faults


def plays_alone(page: Page, title: str, word: str) -> None:
    """The file has all of it, and nothing that leads away but the one link back."""
    expect(page.locator("h1")).to_contain_text(title)
    picture = page.get_by_role("figure")
    expect(picture.locator(".main-svg").first).to_be_visible()
    expect(picture).to_contain_text(word)
    buttons = page.locator(".modebar-btn").evaluate_all(
        "all => all.map((one) => one.dataset.title ?? one.getAttribute('aria-label') ?? '')"
    )
    assert not [name for name in buttons if re.search("cloud|share|studio|edit|plotly", name, re.I)]
    assert page.locator("a[href]").count() == 1
    expect(page.locator("footer")).to_contain_text("Made with pagedviz on")
    box = picture.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)  # whatever it would ask for late
    page.emulate_media(color_scheme="dark")
    letters = picture.locator("[class$=tick] text").first
    expect(letters).to_have_css("fill", "rgb(241, 241, 241)")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(letters).to_have_css("fill", "rgb(27, 27, 27)")  # on paper
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(letters).to_have_css("fill", "rgb(241, 241, 241)")


def is_one_picture(root: ET.Element, page: Page, key: str, title: str, word: str) -> None:
    """The SVG has the chart's letters and traces, and refers to nothing outside of itself."""
    texts = [" ".join("".join(node.itertext()).split()) for node in root.iter(f"{SVG}text")]
    heading, alt = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert heading is not None
    assert heading.text.startswith(title)
    assert alt is not None
    figure = page.locator(f".st-key-{key}").get_by_role("figure")
    assert alt.text == figure.get_attribute("aria-label")
    assert any(word in text for text in texts)
    ticks = [n for n in root.iter(f"{SVG}g") if n.get("class", "").endswith("tick")]
    letters = [n for tick in ticks for n in tick.iter(f"{SVG}text")]
    assert any(n.get("textLength") for n in letters)  # those that are to be seen keep their width
    assert any(re.match(r"Made with pagedviz on \d{4}-\d\d-\d\d\.", text) for text in texts)
    (way,) = [one for one in root.iter(f"{SVG}a") if "127.0.0.1" in one.get("href", "")]
    assert way.get("href").startswith(page.url.split("?")[0])
    known = {node.get("id") for node in root.iter()}
    for node in root.iter():
        for name, value in node.attrib.items():
            assert not name.startswith("on")
            for address in re.findall(r"url\(([^)]*)\)", value):
                assert address.strip("\"'").removeprefix("#") in known, value
            if name.endswith("href") and node is not way:
                assert value.startswith(("data:", "#"))
    traces = [node for node in root.iter() if "trace" in node.get("class", "").split()]
    drawn = page.locator(f".st-key-{key} .main-svg .trace")
    assert len(traces) == drawn.count()


def test_numbers_are_saved_as_csv(open_page, tmp_path):
    page = open_page("/workload?n=40&words=engine")
    found = unfold(page, "workload-running")
    file = saved(page, found.get_by_role("button", name="Numbers, CSV").click, tmp_path)
    rows = list(csv.reader(file.read_text("utf-8-sig").splitlines()))
    assert rows[0] == found.locator("thead th").all_inner_texts()
    assert len(rows) - 1 == found.locator("tbody tr").count() == 12
    assert all(float(cell) >= 0 for row in rows[1:] for cell in row)


def test_looking_at_the_numbers_moves_nothing(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    for _ in range(3):
        stage.press("ArrowRight")
    stage.expect_in_url(step=stage.step())
    before, marked = page.url, "window.kept = document.querySelector('.st-key-stage')"
    page.evaluate(marked)
    summary = fold(page, "allocator-chart").locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    table = page.get_by_role("region", name="The room over time: numbers")
    expect(table).to_be_visible()
    assert page.evaluate("window.kept === document.querySelector('.st-key-stage')")
    table.focus()
    for key in ("ArrowDown", "ArrowDown", "PageDown", "ArrowRight"):
        page.keyboard.press(key)
    wait_until(page, "document.querySelector('.pv-numbers').scrollTop > 100")
    assert page.url == before  # the keys were the table's
    summary.focus()
    page.keyboard.press("Enter")
    expect(table).to_have_count(0)
    assert page.url == before


def test_the_presenter_view_has_none_of_it(open_page):
    page = open_page("/workload?n=40&present=1")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(3)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    assert page.get_by_text("Numbers and files").count() == 3
    assert not [one for one in page.get_by_text("Numbers and files").all() if one.is_visible()]


PHONE_CHARTS = {
    "/sizing": "sizing-chart",
    "/allocator": "allocator-chart",
    "/workload?n=40": "workload-memory",
    "/attention": "attention-triangle",
    "/spyre?part=cards": "spyre-server-chart",
}


@pytest.mark.parametrize("path", PHONE_CHARTS)
def test_a_phone_scrolls_on_a_chart_and_has_its_numbers(path, open_page):
    page = open_page(path, width=390, height=844, touch=True)
    plot = page.locator(".js-plotly-plot").first
    expect(plot.locator(".nsewdrag").first).to_be_attached()
    plot.evaluate("(it) => it.scrollIntoView({ block: 'center' })")
    place = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(place)
    box = plot.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = page.context.new_cdp_session(page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(1, 11):
        points = [{"x": x, "y": y - 15 * moved}]
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        page.wait_for_timeout(16)
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_until(page, f"{place} > {before} + 60")
    unfold(page, PHONE_CHARTS[path])
    for scheme in ("light", "dark"):
        change(page, scheme, (390, 844))
        assert sideways(page) == []
        mine = [line for line in violations(page) if re.search("pv-numbers|pv-file|chart-", line)]
        assert not mine, mine
