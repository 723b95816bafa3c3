"""Dates, sources, figures and differences: as published, tied to what the engine computes with."""

import ast
import re
import sys

import pytest

from pagedviz.engine.spyre.chunks import BLOCK_SIZE, CHUNK_PLUGIN_2, CHUNK_STACK_1_1
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS
from pagedviz.facts.checks import FactError
from pagedviz.facts.dates import EVENTS, Event, months_since_first
from pagedviz.facts.figures import FIGURES, Figure
from pagedviz.facts.gaps import GAPS
from pagedviz.facts.sources import SOURCES, Source
from pagedviz.facts.terms import TERMS
from pagedviz.paths import ROOT
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.spyre.differences import DIFFERENCES, one_card_products
from pagedviz.timeline.story.outcome import DATES
from pagedviz.ui.shell import PAGES
from pagedviz.workload.published import TOKEN_SHARE
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

ALL = [figure for _, figures in FIGURES for figure in figures]
# As the project's list of facts has them: when, what it must say, confirmed by a second source.
PUBLISHED_DATES = [
    ("20 June 2023", ("vLLM", "under 4 %", "24x", "Hugging Face Transformers"), True),
    ("12 September 2023", ("Woosuk Kwon", "8 co-authors", "SOSP 2023", "2 to 4x"), True),
    ("August 2025", ("131,072", "granite-3.3-8b", "4 cards"), True),
    ("December 2025", ("1.0", "3.3 EA1", "Power 11"), False),
    ("March 2026", ("1.1", "3.4 EA1", "1,024", "prefix caching"), True),
    ("April 2026", ("2.0", "sendnn-inference", "on by default", "512"), True),
    ("Current in IBM's documentation", ("1.3", "3.6 EA1"), False),
]


def figure(start: str) -> Figure:
    (found,) = [one for one in ALL if one.figure.startswith(start)]
    return found


def test_the_room_needs_the_standard_library_only():
    for path in (ROOT / "pagedviz" / "facts").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.startswith("pagedviz.facts") or name.split(".")[0] in (
                    sys.stdlib_module_names
                ), f"{path.name} imports {name}"


def test_dates_are_the_published_ones():
    assert len(EVENTS) == len(PUBLISHED_DATES)
    for event, (when, says, confirmed) in zip(EVENTS, PUBLISHED_DATES, strict=True):
        assert (event.when, event.confirmed) == (when, confirmed)
        for part in says:
            assert part in event.what, f"{when}: {part}"


def test_dates_stand_in_order_and_only_the_last_has_none():
    months = [months_since_first(event) for event in EVENTS]
    assert months[-1] is None
    dated = [m for m in months if m is not None]
    assert dated == sorted(dated)
    assert len(dated) == len(months) - 1


def test_the_month_of_an_event_is_the_one_that_is_written():
    names = "January February March April May June July August September October November December"
    for event in EVENTS:
        if event.month is not None:
            year, month = event.month
            assert event.when.endswith(f"{names.split()[month - 1]} {year}")


def test_the_story_tells_the_same_dates_with_the_same_doubts():
    assert len(DATES) == len(EVENTS)
    for (when, _, confirmed, line), event in zip(DATES, EVENTS, strict=True):
        assert (confirmed, line) == (event.confirmed, event.line)
        if event.month is not None:
            assert when.split()[-1] == str(event.month[0])


def test_figures_are_those_the_engine_computes_with():
    assert figure("131,072").figure == f"{BATCH_TKV_LIMIT:,} tokens"
    assert figure("32,768").figure == f"{MAX_MODEL_LEN:,} tokens"
    assert figure("32 requests").figure == f"{MAX_NUM_SEQS} requests"
    assert figure("64 tokens").figure == f"{BLOCK_SIZE} tokens"
    assert figure("1,024").figure == f"{CHUNK_STACK_1_1:,} and {CHUNK_PLUGIN_2:,} tokens"
    rows = ", ".join(f"{row.requests} x {row.context:,}" for row in PUBLISHED_ROWS)
    assert figure("32 x 4,096").figure == rows
    cards = one_card_products()
    assert figure("3,072").figure == " and ".join(f"{c:,} x {n}" for c, n, _ in cards)
    assert all(f"{product:,}" in figure("3,072").what for _, _, product in cards)


@pytest.mark.parametrize("start", ["20.4", "about 26.8", "38.2", "about 96.3"])
def test_shares_of_the_papers_figure_2_are_those_of_the_workload_page(start):
    shares = [f"{100 * share:.1f} %" for share in TOKEN_SHARE.values()]
    assert figure(start).figure.removeprefix("about ") in shares
    assert (figure(start).state == "recalled") == start.startswith("about")


def test_a_llama_13b_sequence_is_the_arithmetic_it_says():
    each = 2 * 40 * 40 * 128 * 2
    said = figure("1.7 GB").what
    assert f"{each:,} bytes" in said
    assert f"{each * 2048 / 1e9:.3f} GB" in said
    assert f"{each * 2048 / 2**30:.4f} GiB" in said


@pytest.mark.parametrize("one", ALL, ids=[one.figure for one in ALL])
def test_a_figure_names_pages_and_sources_that_exist(one):
    assert set(one.used) <= set(PAGES)
    assert set(one.sources) <= set(SOURCES)
    second_hand = all(SOURCES[source].second_hand for source in one.sources)
    assert second_hand == (one.state == "according"), "second-hand means according to"


def test_every_source_supports_something_in_the_app():
    used = {source for one in ALL for source in one.sources}
    used |= {term.source for term in TERMS.values()} | {event.source for event in EVENTS}
    said = " ".join(gap.published_by + gap.actual_by for gap in GAPS)
    said += " ".join(one.published_by + one.actual_by for one in DIFFERENCES)
    for key, source in SOURCES.items():
        names = (source.name, source.name.partition(",")[0])
        assert key in used or any(name in said for name in names), key


def test_the_plugins_releases_are_the_ones_that_run_here():
    names = {release.name for release in RELEASES.values()}
    days = {release.date for release in RELEASES.values()}
    assert any(SOURCES["plugin"].name in name for name in names)
    assert any(SOURCES["plugin-1"].name in name for name in names)
    assert {"2026-10-01", "2026-03-26"} <= days
    assert SOURCES["plugin"].date == "files of 1 October 2026"
    assert SOURCES["plugin-1"].date == "files of 26 March 2026"


@pytest.mark.parametrize("gap", GAPS, ids=[gap.id for gap in GAPS])
def test_a_difference_is_told_in_both_registers_without_mixing_them(gap):
    for side in (gap.published, gap.actual):
        assert not re.search(ROOM_ONLY, side.engine)
        assert not re.search(ENGINE_ONLY, side.room)
    assert gap.published != gap.actual


def test_the_two_queues_are_those_of_the_preset_that_shows_them():
    (gap,) = [gap for gap in GAPS if gap.id == "queue"]
    (note,) = [preset.note for preset in PRESETS if preset.id == "design-page"]
    queue = re.compile(r"\d+(?:, \d+){9}")
    page, code = queue.findall(note.engine)
    assert queue.findall(gap.published.engine) == queue.findall(gap.published.room) == [page]
    assert queue.findall(gap.actual.engine) == queue.findall(gap.actual.room) == [code]


def test_wrong_entries_are_refused_with_their_field():
    with pytest.raises(FactError, match="source"):
        Event("June 2023", (2023, 6), "vllm", "Something.", "nobody")
    with pytest.raises(FactError, match="month"):
        Event("June 2023", (2023, 13), "vllm", "Something.", "paper")
    with pytest.raises(FactError, match="page"):
        Figure("1 %", "Something.", ("paper",), ())
    with pytest.raises(FactError, match="address"):
        Source("x", "X", "X", "2023", "Something.", "ftp://x")
