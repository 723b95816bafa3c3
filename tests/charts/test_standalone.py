"""A chart's own file: what stands in it. That it plays without a network is a browser's test."""

import html
import json
import re

import plotly.graph_objects as go

from pagedviz.charts.standalone import CONFIG, NO_LINK, Provenance, standalone_html

NASTY = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
LINK = "http://127.0.0.1:8501/allocator?v=1&preset=two"


def built(**about):
    given = {"title": "The pool", "alt": "two points", "source": "Worked out here.", "link": LINK}
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], name=NASTY))
    return standalone_html(
        figure, Provenance(when="2026-10-01", **(given | about)), "<table></table>", "pool"
    )


def data_of(page, name):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def test_title_source_date_and_the_way_back():
    page = built()
    assert "<title>The pool</title>" in page
    assert "<h1>The pool</h1>" in page
    assert "Worked out here." in page
    assert "Made with pagedviz on 2026-10-01." in page
    assert f'<a href="{html.escape(LINK)}">' in page
    assert "<table></table>" in page
    assert 'aria-label="two points"' in page


def test_without_a_link_it_says_why():
    page = built(link="")
    assert NO_LINK in page
    assert "<a href" not in page.split("<script")[0]


def test_the_figure_is_all_there_and_ends_no_script():
    page = built(title=NASTY, alt=NASTY, source=NASTY)
    assert data_of(page, "figure")["data"][0]["name"] == NASTY
    assert NASTY not in page
    assert page.count("<script") == page.count("</script>")


def test_nothing_is_sent_and_nothing_asked_for():
    config = data_of(built(), "config")
    assert config["showSendToCloud"] is False
    assert config["displaylogo"] is False
    assert config | CONFIG == config
    page = built()
    assert "MathJaxConfig: 'local'" in page
    frame = page[: page.index("<script>/**") if "<script>/**" in page else None]
    assert not re.search(r"<(link|script|img|iframe)\b[^>]*\b(src|href)=", frame)
