"""Talks without a browser: their data, their file, their bar, and the page that lists them."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.talks.address import MAX_LINK, pasted_view, view_of
from pagedviz.talks.files import MAX_BYTES, OWN, from_json, to_json
from pagedviz.talks.notes import NOTES, notes_of
from pagedviz.talks.shipped import SHIPPED
from pagedviz.talks.talk import MAX_STOPS, Stop, Talk, TalkError
from pagedviz.timeline.story.tale import scenes
from pagedviz.ui.shell import FILES, PAGES
from pagedviz.ui.spyre_state import PARTS
from pagedviz.ui.walk import MINE, PLACE, place_of
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

PAGE_NAMES = list(FILES)
STOPS = [
    pytest.param(talk.id, number, id=f"{talk.id}-{number}")
    for talk in SHIPPED.values()
    for number in range(1, len(talk.stops) + 1)
]
GOOD = {
    "format": "pagedviz talk",
    "version": 1,
    "title": "Mine",
    "minutes": 5,
    "about": "",
    "stops": [
        {"link": "/spyre?part=mix", "title": "A mix", "note": "Say this", "presses": 2},
        {"link": "/", "title": "Start"},
    ],
}


def opened(file: str = "app.py", **link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if file != "app.py":
        page.switch_page(file)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning).replace("\\", "")


def html_of(page: AppTest) -> str:
    return " ".join(block.proto.body for block in page.get("html"))


def bar(page: AppTest) -> str | None:
    """Number and title in the bar, None if there is no bar."""
    found = re.search(r'<p class="pv-walk"[^>]*>(.*?)</p>', html_of(page))
    return unescape(re.sub("<.*?>", "", found.group(1))) if found else None


def changed(**fields: object) -> bytes:
    return json.dumps(GOOD | fields).encode()


def with_stop(**fields: object) -> bytes:
    return changed(stops=[GOOD["stops"][1], GOOD["stops"][0] | fields])


# The talks that come with the app


def test_three_talks_are_shipped_and_their_minutes_are_those_of_their_notes():
    assert [talk.minutes for talk in SHIPPED.values()] == [3, 30, 15]
    for talk in SHIPPED.values():
        notes = " ".join(stop.note for stop in talk.stops)
        minutes = sum(map(int, re.findall(r"(\d+) minutes?\.", notes)))
        seconds = sum(map(int, re.findall(r"(\d+) seconds\.", notes)))
        assert round(minutes + seconds / 60) == talk.minutes


@pytest.mark.parametrize(("talk_id", "number"), STOPS)
def test_every_view_of_a_shipped_talk_opens_as_it_says(talk_id, number):
    talk = SHIPPED[talk_id]
    view = view_of(talk.stops[number - 1].link, PAGE_NAMES)
    page = opened(FILES[view.page], **dict(view.params), talk=talk_id, at=str(number))
    assert said(page) == ""
    assert bar(page) == f"{number} of {len(talk.stops)} {talk.stops[number - 1].title}"


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s", text)


def test_notes_never_mix_the_registers_in_a_sentence():
    texts = [note.say for note in NOTES.values()]
    texts += [text for note in NOTES.values() for pair in note.asked for text in pair]
    texts += [stop.note for talk in SHIPPED.values() for stop in talk.stops]
    for text in texts:
        for sentence in sentences(text):
            words = re.sub(r"cache salt|max_tokens|time stamp", "", sentence)
            both = re.search(ENGINE_ONLY, words) and re.search(ROOM_ONLY, words)
            assert not both, sentence


def test_there_are_notes_for_every_page_scene_and_part():
    for page in PAGES.values():
        assert notes_of(page.url_path), page.key
    assert list(notes_of("")) == [f":{number}" for number in range(1, len(scenes()) + 1)]
    assert set(notes_of("spyre")) == {f"spyre:{part}" for part in PARTS}
    assert {key.split(":")[0] for key in NOTES} <= {page.url_path for page in PAGES.values()}


# The file


def test_a_talk_comes_back_from_its_file():
    talk = from_json(changed(), "mine.json", PAGE_NAMES)
    assert talk.stops == (Stop("/spyre?part=mix", "A mix", "Say this", 2), Stop("/", "Start"))
    assert from_json(to_json(talk).encode(), "again.json", PAGE_NAMES) == talk


@given(
    some.lists(
        some.builds(
            Stop,
            some.just("/allocator?step=3"),
            some.text(min_size=1, max_size=40).filter(lambda t: t.strip() and t.isprintable()),
            some.text(some.characters(exclude_categories=["Cs"]), max_size=80),
            some.integers(0, 200),
        ),
        max_size=6,
    )
)
def test_any_talk_comes_back_from_its_file(stops):
    talk = Talk(OWN, "x", tuple(stops))
    assert from_json(to_json(talk).encode(), "x.json", PAGE_NAMES) == talk


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is no JSON text, line 1"),
        (b"\xff\xfe", "is no JSON text"),
        (b"[" * 100_000, "is no JSON text"),
        (b"9" * 6_000, "is no JSON text"),
        (b"[1]", 'is no talk; a talk has "format": "pagedviz talk"'),
        (changed(format="run"), "is no talk"),
        (changed(version=2), "version 2 was made by a newer release of pagedviz; this one reads 1"),
        (changed(version=True), "version: must be 1, not true"),
        (changed(version=None), "version: must be 1, not null"),
        (changed(title=""), "title: is empty"),
        (changed(title="x" * 121), "title: has 121 characters; at most 120 fit"),
        (changed(minutes=-1), "minutes: must be a whole number from 0 to 480, not -1"),
        (changed(minutes="3"), 'minutes: must be a whole number, not "3"'),
        (changed(stops={}), "stops: must be a list of views"),
        (changed(stops=[GOOD["stops"][1]] * 61), "stops: 61 are too many; at most 60"),
        (changed(stops=[7]), "entry 1: must be an object with link and title, not 7"),
        (with_stop(link=None), "entry 2: link: is missing"),
        (with_stop(title=4), "entry 2: title: must be text, not 4"),
        (with_stop(presses=201), "entry 2: presses: must be a whole number from 0 to 200"),
        (with_stop(presses=1.5), "entry 2: presses: must be a whole number, not 1.5"),
        (with_stop(note="x" * 2_001), "entry 2: note: has 2,001 characters; at most 2,000 fit"),
        (with_stop(link="https://example.org/spyre"), 'entry 2: link: must begin with "/"'),
        (with_stop(link="//example.org/spyre"), 'entry 2: link: must begin with "/"'),
        (with_stop(link="/\\example.org"), 'entry 2: link: must begin with "/"'),
        (with_stop(link="javascript:alert(1)"), 'entry 2: link: must begin with "/"'),
        (with_stop(link="/spire"), 'entry 2: link: there is no page "spire"; the pages are /, '),
        (with_stop(link="/" + "x" * MAX_LINK), "entry 2: link: has 4,001 characters"),
        (b" " * (MAX_BYTES + 1), "has 400,001 bytes; at most 400,000 are read"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_file_entry_and_field(data, words):
    with pytest.raises(TalkError, match=re.escape(words)) as caught:
        from_json(data, "mine.json", PAGE_NAMES)
    assert str(caught.value).startswith("mine.json: ")


def test_half_a_character_is_refused():
    with pytest.raises(TalkError, match="entry 2: title: holds half of a character"):
        from_json(with_stop(title="\ud83d"), "mine.json", PAGE_NAMES)


def test_a_view_keeps_nothing_of_the_one_who_shows_it():
    view = view_of("/prefix?preset=twice&present=1&talk=training&at=3&lock=size", PAGE_NAMES)
    assert view.link == "/prefix?preset=twice"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("http://127.0.0.1:8501/", "/"),
        ("http://127.0.0.1:8501/?scene=3&beat=2", "/?scene=3&beat=2"),
        ("https://tools.example.org/app/spyre?part=mix", "/spyre?part=mix"),
        ("/allocator?step=3", "/allocator?step=3"),
        ("  spyre?part=mix ", "/spyre?part=mix"),
    ],
)
def test_a_pasted_address_becomes_a_view(address, link):
    assert pasted_view(address, PAGE_NAMES).link == link


@pytest.mark.parametrize("address", ["", "javascript:1", "http://[", "https://example.org/news"])
def test_what_is_no_address_of_this_app_is_not_added(address):
    with pytest.raises(ValueError, match=r"is empty|is no address|there is no page"):
        pasted_view(address, PAGE_NAMES)


# The place in a talk


@pytest.mark.parametrize(
    ("at", "shown"), [("0", 1), ("99", 8), ("x", 1), ("-1", 1), ("²", 1), ("9" * 5_000, 1)]
)
def test_a_view_that_does_not_exist_is_said_and_the_nearest_is_shown(at, shown):
    found, problems = place_of({"talk": "spyre-sizing", "at": at})
    assert found is not None
    assert found.at == shown
    assert problems == (
        f'at: must be a whole number from 1 to 8, not "{at[:20]}"; view {shown} is shown',
    )


def test_a_talk_that_does_not_exist_is_said():
    page = opened("pages/spyre.py", talk="nothing", at="2")
    assert 'there is no talk "nothing"; there are three-minutes, training' in said(page)
    assert bar(page) is None
    assert "your own talk is not in this window" in said(opened(talk="own"))


def test_another_view_of_the_same_page_is_an_arrival():
    page = opened("app.py", talk="three-minutes", at="1", scene="1", beat="1")
    assert bar(page) == "1 of 7 Memory grows with every word"
    page.query_params["at"] = "2"
    page.query_params["scene"] = "2"
    page.run()
    assert not page.exception
    assert bar(page) == "2 of 7 The old way locks an aisle for everybody"
    assert page.session_state["story.opening"].step == 6


def test_the_place_is_kept_while_one_looks_elsewhere_and_left_on_the_page_of_talks():
    page = opened("app.py", talk="three-minutes", at="3", scene="3", beat="1")
    for name in ("talk", "at", "scene", "beat"):
        del page.query_params[name]
    page.switch_page("pages/glossary.py").run()
    assert bar(page) == "3 of 7 One shelf at a time"
    assert PLACE in page.session_state
    page.switch_page("pages/talks.py")
    page.query_params["leave"] = "1"
    page.run()
    assert PLACE not in page.session_state
    assert bar(page) is None


# The page of talks


def own(page: AppTest) -> tuple[str, ...]:
    return tuple(stop.title for stop in page.session_state[MINE].stops)


def key(page: AppTest, name: str) -> str:
    count = page.session_state.get("talks.count", 0)
    return f"talks.{name}.{count}"


def add(page: AppTest, address: str, name: str = "") -> None:
    page.text_input(key=key(page, "address")).set_value(address)
    page.text_input(key=key(page, "name")).set_value(name)
    page.button(key="talks.add").click().run()
    assert not page.exception


def test_an_own_talk_is_put_together_ordered_and_thinned_out():
    page = opened("pages/talks.py")
    add(page, "http://127.0.0.1:8501/spyre?part=mix")
    add(page, "/allocator?step=3", "Step three")
    add(page, "/", "<b>bold</b> [link](x)")
    assert own(page) == ("Spyre", "Step three", "<b>bold</b> [link](x)")
    shown = " ".join(line.value for line in page.markdown)
    assert "**\\<b\\>bold\\</b\\> \\[link\\](x)** (Start)" in shown
    page.button(key=key(page, "up.2")).click().run()
    page.button(key=key(page, "down.0")).click().run()
    assert own(page) == ("<b>bold</b> [link](x)", "Spyre", "Step three")
    assert page.button(key=key(page, "up.0")).disabled
    page.button(key=key(page, "out.0")).click().run()
    assert own(page) == ("Spyre", "Step three")


def test_an_address_from_elsewhere_is_refused_and_stays_to_be_mended():
    page = opened("pages/talks.py")
    add(page, "https://example.org/news")
    assert 'there is no page "news"' in said(page)
    assert MINE not in page.session_state
    assert page.text_input(key=key(page, "address")).value == "https://example.org/news"


def test_a_shipped_talk_can_be_copied_and_renamed():
    page = opened("pages/talks.py")
    page.button(key="talks.copy.training").click().run()
    talk = page.session_state[MINE]
    assert (talk.id, talk.stops) == (OWN, SHIPPED["training"].stops)
    page.text_input(key=key(page, "title")).set_value("My class").run()
    assert page.session_state[MINE].title == "My class"
    page.text_input(key=key(page, "title")).set_value(" ").run()
    assert "title: is empty; give the talk a name" in said(page)
    assert page.session_state[MINE].title == "My class"


def test_a_talk_has_room_for_so_many_views():
    page = opened("pages/talks.py")
    page.session_state[MINE] = Talk(OWN, "x", (Stop("/", "Start"),) * MAX_STOPS)
    page.run()
    add(page, "/spyre")
    assert "61 are too many; at most 60" in said(page)
    assert len(page.session_state[MINE].stops) == MAX_STOPS
