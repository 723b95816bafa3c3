"""The glossary page without a browser: links, search, parts, and the dotted words of every page."""

import html as escapes
import re

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.facts.dates import EVENTS
from pagedviz.facts.figures import FIGURES
from pagedviz.facts.gaps import GAPS
from pagedviz.facts.sources import SOURCES
from pagedviz.facts.terms import TERMS, search
from pagedviz.paths import ROOT
from pagedviz.timeline.spyre.differences import DIFFERENCES
from pagedviz.ui.glossary_link import DESK, MOST_FIND, NAMES, TABLE, Desk, opened, params
from pagedviz.ui.glossary_words import GROUPS, PARTS
from pagedviz.ui.params import read_link
from pagedviz.ui.shell import PAGES
from pagedviz.ui.terms import MOST, plain_with_terms, with_terms

NAME_LINK = re.compile(r'<dt><a href="glossary\?term=([a-z0-9-]+)[^"]*">')


def page(**link: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    at.switch_page(PAGES["glossary"].file)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def html(at: AppTest) -> str:
    return " ".join(block.proto.body for block in at.get("html"))


def text(at: AppTest) -> str:
    """What stands in the page's tables and lists, without markup."""
    return escapes.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", html(at), flags=re.S))


def listed(at: AppTest) -> list[str]:
    return NAME_LINK.findall(html(at))


def said(at: AppTest) -> str:
    return " ".join(box.value for box in (*at.warning, *at.info))


def card(at: AppTest) -> list[str]:
    """The names of the terms that stand by themselves above the list."""
    return re.findall(r'<h2>([^<]+)</h2><p class="pv-says">', html(at))


def find(at: AppTest, words: str) -> AppTest:
    at.text_input[0].set_value(words).run()
    assert not at.exception
    return at


def test_all_terms_are_there_by_their_letters():
    at = page()
    assert listed(at) == list(TERMS)
    letters = re.findall(r'<h2 id="pv-letter-(.)">', html(at))
    assert letters == sorted({term.name[0].upper() for term in TERMS.values()})
    assert re.findall(r'href="#pv-letter-(.)"', html(at)) == letters


@pytest.mark.parametrize("term", TERMS.values(), ids=list(TERMS))
def test_the_link_of_a_term_opens_it(term):
    desk = opened(read_link({"term": term.id}, TABLE).values, [])
    assert desk == Desk(term=term.id)
    assert opened(read_link(params(desk), TABLE).values, []) == desk


def test_a_linked_term_stands_above_the_list_and_leads_on():
    at = page(term="block-table")
    assert card(at) == ["Block table"]
    assert not said(at)
    (other,) = [button for button in at.button if button.label == "Logical block"]
    other.click().run()
    assert card(at) == ["Logical block"]
    assert at.session_state[DESK].term == "logical-block"


@pytest.mark.parametrize(
    ("link", "warned", "shown"),
    [
        ({"term": "blok-tabel"}, 'term: "blok-tabel" is not in the glossary', ["Block table"]),
        ({"term": "xyzzy"}, "all terms are shown", []),
        ({"term": ""}, "all terms are shown", []),
        ({"part": "kitchen"}, "part: must be one of terms, timeline", []),
        ({"group": "zoo"}, "group: must be one of model", []),
        ({"find": "a" * (MOST_FIND + 1)}, f"find: can have {MOST_FIND} characters", []),
        ({"v": "99", "term": "block"}, "newer release", ["Block"]),
        ({"term": "<b>![x](http://a.io/x.png)"}, "is not in the glossary", []),
    ],
)
def test_what_is_wrong_in_a_link_is_said_and_the_rest_is_shown(link, warned, shown):
    at = page(**link)
    assert warned in re.sub(r"\\(.)", r"\1", said(at))
    assert card(at) == shown
    assert listed(at) == list(TERMS)


def test_a_term_in_a_link_wins_over_a_part():
    assert page(term="stick", part="timeline").session_state[DESK].part == "terms"


def test_search_shows_what_it_finds_best_first():
    at = find(page(), "block table")
    assert listed(at) == [term.id for term in search("block table")]
    assert listed(at)[0] == "block-table"
    assert at.session_state[DESK].find == "block table"
    assert listed(find(at, "")) == list(TERMS)


def test_search_without_a_find_names_the_nearest_and_shows_all():
    at = find(page(), "evicton")
    assert "nearest one is Eviction" in said(at)
    assert card(at) == ["Eviction"]
    assert listed(at) == list(TERMS)
    assert "Nothing is spelled like it" in said(find(at, "zzzzqqq"))


def test_search_in_the_wrong_subject_says_that_others_have_it():
    at = page(find="sharegpt", group="memory")
    assert "Other subjects have" in said(at)


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", "![x](http://a.io/x.png)"])
def test_a_search_is_never_markup(words):
    at = page(find=words)
    assert "<script>alert" not in html(at)
    assert words not in said(at)
    shown = said(at).replace("\u2060", "")  # keeps an address from becoming a link
    assert words in re.sub(r"\\(.)", r"\1", shown)


@pytest.mark.parametrize("group", GROUPS)
def test_a_subject_shows_its_terms_alone(group):
    assert listed(page(group=group)) == [t.id for t in TERMS.values() if t.group == group]


def test_the_timeline_tells_every_date_and_marks_what_one_source_alone_tells():
    at = page(part="timeline")
    shown = text(at)
    for event in EVENTS:
        assert event.when in shown
        told = f"According to {event.according_to}: " if event.according_to else ""
        assert told + event.what in shown
    doubted = html(at).count('pv-unsure"')  # once on the line, once in the list
    assert doubted == 2 * sum(not event.confirmed for event in EVENTS)


def test_every_figure_has_its_source_and_date_and_the_pages_that_show_it():
    at = page(part="figures")
    rows = [escapes.unescape(row) for row in re.findall(r"<tr>.*?</tr>", html(at)) if "<td>" in row]
    for figure in (one for _, figures in FIGURES for one in figures):
        (row,) = [row for row in rows if f">{figure.figure}<" in row]
        assert all(SOURCES[key].cited in row for key in figure.sources)
        assert all(f">{PAGES[key].title}<" in row for key in figure.used)
        assert ("according to" in row) == (figure.state == "according")
    for source in SOURCES.values():
        assert f'id="pv-source-{source.id}"' in html(at)
        assert source.supports in text(at)


@pytest.mark.parametrize("words", ["room", "engine"])
def test_published_and_actual_stand_side_by_side(words):
    at = page(part="differ", words=words)
    shown = text(at)
    for one in GAPS:
        assert getattr(one.published, words) in shown
        assert getattr(one.actual, words) in shown
        assert one.published_by in shown
        assert one.actual_by in shown
    for other in DIFFERENCES:
        assert getattr(other.actual, words).replace("**", "") in shown


def test_parts_are_chosen_and_kept_in_the_link():
    at = page()
    for part in PARTS:
        at.button_group[0].set_value(part).run()
        assert at.session_state[DESK].part == part
        assert params(at.session_state[DESK]).get("part", "terms") == part
    assert set(params(Desk("terms", "block", "x", "units"))) <= set(NAMES)


def test_links_keep_the_words_in_use():
    at = page(words="engine")
    assert 'href="allocator?preset=kept&amp;words=engine"' in html(at)
    assert "words=" not in html(page())


@pytest.mark.parametrize("key", PAGES)
def test_on_every_page_the_sources_are_one_click_away(key):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if key != "start":
        at.switch_page(PAGES[key].file)
    at.run()
    links = [link.proto for link in at.get("page_link")]
    to_sources = [link for link in links if "part=figures" in link.query_string]
    assert bool(to_sources) == (key != "glossary")
    assert "What this is, and is not" in " ".join(block.value for block in at.markdown)


def test_dotted_words_open_the_definition_they_name():
    marked = with_terms("A block table lists blocks in the **KV cache**.", "here")
    targets = re.findall(r'popovertarget="([^"]+)"', marked.text)
    assert targets == re.findall(r'<div popover id="([^"]+)"', marked.definitions)
    assert targets == ["pv-here-block-table", "pv-here-block", "pv-here-kv-cache"]
    assert TERMS["block-table"].says in escapes.unescape(marked.definitions)


def test_a_text_reads_as_before_once_its_buttons_are_taken_out():
    lead = "The slip says which shelf comes next & shelves <wait>, with PagedAttention."
    marked = plain_with_terms(lead, "lead")
    assert escapes.unescape(re.sub("</?button[^>]*>", "", marked.text)) == lead
    assert marked.definitions.count("The engine calls it: ") == 2


def test_at_most_a_few_words_are_dotted():
    marked = with_terms("prefill decode eviction pausing stick reservation", "here")
    assert marked.text.count("<button") == MOST


@pytest.mark.parametrize(
    "name",
    ["<img src=x onerror=alert(1)>", "\\<img src=x>", "\\\\<img src=x>", "\\\\\\<img src=x>"],
)
def test_names_from_elsewhere_are_never_markup(name):
    marked = with_terms(f"Cut by {name}, block by block.", "this").text
    # Markdown shows "<" as it is after an odd number of backslashes, and as "&lt;".
    bare = re.findall(r"(\\*)<(?!/?button)", marked)
    assert all(len(slashes) % 2 for slashes in bare)
