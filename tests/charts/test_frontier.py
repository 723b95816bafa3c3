"""Batch against context: what is drawn is what fits, and what is said is what binds."""

import subprocess
import sys

import pytest

from pagedviz.charts.frontier import ACCENT, frontier_figure
from pagedviz.charts.frontier_text import (
    PUBLISHED,
    WORDS,
    Ceilings,
    frontier_alt,
    frontier_rows,
    what_binds,
)
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.engine.spyre.trade_off import (
    PUBLISHED_ROWS,
    PublishedRow,
    batch_that_fits,
    binding_ceilings,
    context_that_fits,
)

ONE_CARD = Ceilings(16, 3_072, 49_152)
TWO_CARDS = Ceilings(16, 16_384, 131_072)  # a product line, and neither published ceiling
SMALL = Ceilings(4, 64, 200)
EVERY = (PUBLISHED, ONE_CARD, TWO_CARDS, SMALL)


def traces(*about, **more):
    return {trace.name: trace for trace in frontier_figure(*about, **more).data}


@pytest.mark.parametrize("context", [1, 64, 256, 1024, 4096, 4097, 8192, 8193, 26_214, 32_768])
def test_published_ceilings_bind_as_the_engine_says(context):
    for batch in range(1, 33):
        if batch <= batch_that_fits(context):
            assert PUBLISHED.fits(batch, context)
            assert PUBLISHED.binding(batch, context) == binding_ceilings(batch, context)
        else:
            assert PUBLISHED.binding(batch, context) == ("product",)


def test_ceilings_that_could_not_be_are_refused():
    with pytest.raises(ValueError, match="product must be a whole number of at least 4096"):
        Ceilings(4, 4096, 4095)
    with pytest.raises(ValueError, match="requests must be a whole number of at least 1, not 0"):
        Ceilings(0, 4096, 8192)


@pytest.mark.parametrize("ceilings", EVERY)
def test_edges_are_the_last_points_that_fit(ceilings):
    drawn = traces(64, 1, ceilings=ceilings)
    for name in ("requests", "context", "product"):
        if name not in drawn:
            continue
        for x, y in zip(drawn[name].x, drawn[name].y, strict=True):
            inside = ceilings.fits(int(y), int(x))
            outside = ceilings.fits(int(y) + 1, int(x) + 1)
            assert inside
            assert not outside
    assert ("product" in drawn) == (ceilings.requests * ceilings.context > ceilings.product)


def test_the_product_line_runs_through_what_fits_at_each_batch():
    product = traces(6144, 21)["product"]
    for x, y, said in zip(product.x, product.y, product.customdata, strict=True):
        assert int(x) == context_that_fits(int(y))
        assert f"{int(y)} x {int(x):,} " in said
    assert (product.x[0], product.x[-1]) == (4096, 32_768)


@pytest.mark.parametrize("ceilings", EVERY)
def test_the_region_is_bounded_by_the_edges(ceilings):
    drawn = traces(64, 1, ceilings=ceilings)
    corners = set(zip(drawn["fits"].x, drawn["fits"].y, strict=True))
    left = min(drawn["fits"].x)
    assert (left, ceilings.requests) in corners
    assert (ceilings.context, 1) in corners
    assert (left, 1) in corners
    assert drawn["fits"].fill == "toself"
    for x, y in corners:
        assert ceilings.fits(int(y), int(x))


@pytest.mark.parametrize(
    ("context", "batch"), [(6144, 21), (1024, 32), (32_768, 1), (4096, 32), (1024, 3), (8192, 17)]
)
def test_what_binds_is_thicker_and_in_the_accent_and_bold(context, batch):
    figure = frontier_figure(context, batch, "engine")
    binding = PUBLISHED.binding(batch, context)
    bold = " ".join(note.text for note in figure.layout.annotations if "<b>" in note.text)
    for trace in figure.data:
        if trace.name in WORDS["engine"] and trace.mode == "lines":
            binds = trace.name in binding
            assert (trace.line.width > 4) == (trace.line.color == ACCENT) == binds
    for name, label in (
        ("requests", "32 requests"),
        ("context", "32,768"),
        ("product", "131,072"),
    ):
        assert (label in bold) == (name in binding)


def test_rows_and_point_are_drawn_where_they_are():
    own = (PublishedRow(8, 16_384),)
    drawn = traces(6144, 21, "engine", own_rows=own)
    ibm, yours, you = drawn["IBM's rows"], drawn["Rows of your own"], drawn["you"]
    assert list(zip(ibm.y, ibm.x, strict=True)) == [
        (row.requests, row.context) for row in PUBLISHED_ROWS
    ]
    assert (yours.x, yours.y) == ((16_384,), (8,))
    assert (you.x, you.y, you.text) == ((6144,), (21,), ("<b>you</b>",))
    assert you.customdata == ("21 x 6,144 tokens = 129,024",)
    assert len({ibm.marker.symbol, yours.marker.symbol, you.marker.symbol}) == 3
    assert "IBM's rows" not in traces(3072, 16, "engine", ONE_CARD, rows=())


def test_a_point_that_does_not_fit_is_a_cross_and_says_so():
    you = traces(8192, 17, "engine")["you"]
    assert you.marker.symbol == "x"
    assert you.text == ("<b>you: too much</b>",)
    assert "This does not fit: it passes the product." in frontier_alt(8192, 17, "engine")


def test_a_point_beyond_the_axes_stands_at_the_edge_with_its_place():
    you = traces(64, 32, "engine")["you"]
    assert (you.x, you.y, you.text) == ((256,), (32,), ("<b>you, 32 x 64</b>",))
    you = traces(40_000, 40, "engine")["you"]
    assert (you.x, you.y) == ((32_768,), (32,))
    assert you.text == ("<b>you: too much, 40 x 40,000</b>",)


@pytest.mark.parametrize(("context", "batch"), [(0, 1), (1, 0), (2.5, 1), ("64", 1)])
def test_numbers_that_are_none_are_refused(context, batch):
    with pytest.raises(ValueError, match="must be a whole number of at least 1"):
        frontier_figure(context, batch)


def test_axes_double():
    layout = frontier_figure(6144, 21).layout
    assert layout.xaxis.type == layout.yaxis.type == "log"
    assert [text for text in layout.yaxis.ticktext if text] == ["1", "2", "4", "8", "16", "32"]
    named = dict(zip(layout.xaxis.tickvals, layout.xaxis.ticktext, strict=True))
    assert named[512] == ""
    assert {tick: text for tick, text in named.items() if text} == {
        256: "256",
        1024: "1 Ki",
        4096: "4 Ki",
        8192: "8 Ki",
        32_768: "32 Ki",
    }


def test_letters_are_large_enough():
    figure = frontier_figure(6144, 21)
    sizes = [
        figure.layout.font.size,
        figure.layout.legend.font.size,
        figure.layout.xaxis.tickfont.size,
        figure.layout.yaxis.tickfont.size,
        figure.layout.xaxis.title.font.size,
        *(note.font.size for note in figure.layout.annotations),
    ]
    assert min(sizes) >= 13
    assert figure.layout.height == 420


def test_alt_tells_ceilings_rows_point_and_what_binds():
    told = frontier_alt(3072, 16, "engine", ONE_CARD, (), (PublishedRow(4, 3072),))
    assert told == (
        "Requests at once against context, both axes doubling by doubling. What fits ends at 16 "
        "requests, at 3,072 tokens each and where requests x context reaches 49,152. Rows of "
        "your own: 4 x 3,072. You: 16 x 3,072 = 49,152. The number of requests, the context and "
        "the product bind."
    )
    assert "Full length: 16 x 3,072" in frontier_alt(3072, 16, label="full length")


def test_rows_name_each_point_once_by_growing_context():
    rows = frontier_rows(6144, 21, "engine", own_rows=(PublishedRow(4, 32_768),))
    assert [row["whose row"] for row in rows] == ["IBM's", "you", "IBM's", "IBM's, yours"]
    assert [row["product"] for row in rows] == [131_072, 129_024, 131_072, 131_072]
    assert [row["what binds"] for row in rows][1] == "product"


def test_both_registers_have_the_same_words_and_never_mix():
    assert WORDS["room"].keys() == WORDS["engine"].keys()
    for about in ((6144, 21), (8192, 17), (1024, 3), (32_768, 4)):
        room, engine = frontier_alt(*about, "room"), frontier_alt(*about, "engine")
        assert not any(word in room for word in ("request", "token", "block", "context"))
        assert not any(word in engine for word in ("visitor", "boxes", "shelf", "places"))
        assert what_binds(*about, "room") in room


def test_a_known_configuration_can_be_drawn():
    limits = resolve("ibm-granite/granite-vision-3.3-2b", 2, 16_384, 16).limits
    ceilings = Ceilings(limits.max_num_seqs, limits.max_model_len, limits.batch_tkv_limit)
    assert ceilings == TWO_CARDS
    product = traces(16_384, 8, ceilings=ceilings)["product"]
    assert (product.x[0], product.y[0], product.x[-1], product.y[-1]) == (8192, 16, 16_384, 8)


def test_the_same_bytes_with_and_without_streamlit():
    code = (
        "import sys; {}\n"
        "from pagedviz.charts.frontier import frontier_figure\n"
        "print(frontier_figure(6144, 21).to_json())"
    )
    plain, streamlit = (
        subprocess.run(
            [sys.executable, "-c", code.format(first)], check=True, capture_output=True, text=True
        ).stdout
        for first in ("", "import streamlit")
    )
    assert plain == streamlit
