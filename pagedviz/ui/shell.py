"""What every page has around its picture: title, icon, menu, style, and the moment of arrival.

A page calls `shell(key)` before anything else. Streamlit finds the pages in the `pages`
folder and its own menu is switched off (.streamlit/config.toml): a link straight to a page
on a server that has just started then draws the same frame as any other visit, which it
does not with `st.navigation`, since that lives in app.py and a cold deep link never runs it.

Left out: the inputs of a page and its link, which belong to the page.
"""

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.timeline.captions import Register
from pagedviz.ui import locks, notes, trainer, walk
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.terms import plain_with_terms, with_terms

SIDEBAR_PX: Final = 224
ABOUT: Final = (
    "pagedviz shows how vLLM's PagedAttention hands out an AI model's working memory. Every "
    "picture is drawn from the state of a real block manager, run on this machine."
)
FRAME_PROBLEMS: Final = "shell.problems"  # of the link, in what belongs to no page
STYLES: Final = ("page.css", "widgets.css", "present.css", "terms.css", "chart.css")
SCRIPTS: Final = ("page.js", "present.js", "walk.js", "notes.js", "chart_svg.js")
FOOT: Final = (
    '<div class="pv-foot"><button type="button" data-pv-do="present">'
    'Presenter view <kbd>P</kbd></button><a href="?notes=1" target="_blank" data-pv-do="notes">'
    "Notes in a second window</a></div>"
)


@dataclass(frozen=True)
class Page:
    """One line of the menu, and the question that the page answers in each register."""

    key: str
    file: str  # as Streamlit wants it: relative to app.py
    title: str
    room: str  # the question in the words of the storage room
    engine: str  # the same in the field's own words

    def question(self, register: Register) -> str:
        """The page's question in one register.

        >>> PAGES["allocator"].question("engine")
        'How does the block manager allocate KV blocks?'
        """
        return self.room if register == "room" else self.engine

    @property
    def url_path(self) -> str:
        """The page's address below the app's root.

        >>> PAGES["start"].url_path, PAGES["allocator"].url_path
        ('', 'allocator')
        """
        return "" if self.file == "app.py" else self.file.split("/")[-1].removesuffix(".py")


PAGES: Final[Mapping[str, Page]] = MappingProxyType(
    {
        page.key: page
        for page in (
            Page(
                "start",
                "app.py",
                "Start",
                "Where does an AI model keep what it has read?",
                "What is PagedAttention, and why should I care?",
            ),
            Page(
                "allocator",
                "pages/allocator.py",
                "Allocator",
                "How does it hand out memory?",
                "How does the block manager allocate KV blocks?",
            ),
            Page(
                "reservation",
                "pages/reservation.py",
                "Reservation",
                "What did it replace?",
                "What did PagedAttention replace?",
            ),
            Page(
                "prefix",
                "pages/prefix.py",
                "Prefix sharing",
                "When do two visitors share?",
                "When do two requests share a prefix?",
            ),
            Page(
                "attention",
                "pages/attention.py",
                "Attention",
                "How can scattered memory give the same answer?",
                "How can attention over scattered blocks be exact?",
            ),
            Page(
                "spyre",
                "pages/spyre.py",
                "Spyre",
                "How many at once on the card?",
                "How many requests at once on IBM Spyre?",
            ),
            Page(
                "sizing",
                "pages/sizing.py",
                "Sizing",
                "How much memory does my model need?",
                "How much KV cache does my model need?",
            ),
            Page(
                "workload",
                "pages/workload.py",
                "Workload",
                "What happens with my traffic?",
                "What happens with my traffic?",
            ),
            Page(
                "talks",
                "pages/talks.py",
                "Talks",
                "How do I show this to others?",
                "How do I show this to others?",
            ),
            Page(
                "glossary",
                "pages/glossary.py",
                "Glossary",
                "What does that word mean, who said so?",
                "What does that term mean, who said so?",
            ),
        )
    }
)
SOURCES_LINK: Final = "Every published figure, with its source and date"
# Files by the page's part of an address, for links that talks and files hold.
FILES: Final[Mapping[str, str]] = MappingProxyType(
    {page.url_path: page.file for page in PAGES.values()}
)


@dataclass(frozen=True)
class Arrival:
    """A viewer's coming to a page: by a link, by reload, or from another page.

    `number` counts the arrivals of this session; a page that keeps it knows for sure which
    link it has read, even if Streamlit broke off the run in which the viewer arrived.
    """

    page: Page
    number: int
    first: bool  # this run is the first since the viewer came
    params: Mapping[str, str]  # the link's parameters as they were then


def shell(key: str) -> Arrival:
    """Draw the frame of page `key` and tell whether the viewer has just come to it.

    Must be the first call of a page. Raises KeyError for a page that is not in PAGES.
    """
    page = PAGES[key]
    st.set_page_config(
        page_title=page.title + " - pagedviz",
        page_icon=ASSETS / "logo.svg",
        layout="wide",
        initial_sidebar_state=SIDEBAR_PX,
        # With one entry Streamlit shows its menu, and in it the choice of light or dark,
        # which a projector may need whatever the laptop is set to.
        menu_items={"About": ABOUT},
    )
    st.html(f"<style>{_style()}</style>")
    if notes.asked_for():
        notes.window()
        st.stop()
    with st.sidebar:
        with st.container(key="brand"):
            st.markdown(_logo() + "<span>pagedviz</span>", unsafe_allow_html=True)
        with st.container(key="pages", gap=None):
            for other in PAGES.values():
                if other is page:
                    # Streamlit marks its own link to the current page by colour alone.
                    st.html(f'<span aria-current="page">{page.title}</span>')
                else:
                    st.page_link(other.file, label=other.title, width="stretch")
        st.html(FOOT)
        trainer.panel(key, {other.url_path: other.title for other in PAGES.values()})
        # The key makes it another script on each page, so that it runs once on each.
        script = f"<script>/* {key} */ " + "".join(map(_asset, SCRIPTS))
        st.html(script + "</script>", unsafe_allow_javascript=True)
    arrival = _arrive(page)
    locks.on(key)
    walk.bar(FILES, PAGES["talks"].file, page.url_path)
    return arrival


def this_is(text: str) -> None:
    """The box "What this is, and is not" at the end of a page; `text` is Markdown.

    Its terms open their definitions, and below it is the way to the sources.
    """
    said = with_terms(text, "this")
    with st.container(key="this-is"):
        body = f"**What this is, and is not.** {said.text}"
        st.markdown(body, unsafe_allow_html=True)  # our buttons; every other "<" is escaped
        glossary, here = PAGES["glossary"], st.session_state.get("shell.arrival")
        if here is None or here.page is not glossary:
            way = {"part": "figures"}
            st.page_link(glossary.file, label=SOURCES_LINK, query_params=way)
        if said.definitions:
            st.html(said.definitions)
    if here is not None:
        notes.below(here.page.url_path)


def headline(question: str, lead: str = "") -> None:
    """The page's question as its title and, below it, a muted sentence that leads in."""
    body = f"<h1>{html.escape(question)}</h1>"
    if lead:
        said = plain_with_terms(lead, "lead")
        body += f"<p>{said.text}</p>{said.definitions}"
    with st.container(key="headline"):
        st.html(body)
    link_problems(st.session_state.get(FRAME_PROBLEMS, ()))


def _arrive(page: Page) -> Arrival:
    """The arrival that this run belongs to; a new one if the page is not the last one seen."""
    last: Arrival | None = st.session_state.get("shell.arrival")
    params = MappingProxyType(dict(st.query_params))
    # A step of a talk may lead to another view of the same page.
    spot = (params["talk"], params.get("at")) if "talk" in params else None
    stays = spot is None or spot == st.session_state.get("shell.spot")
    if last is not None and last.page.key == page.key and stays:
        return Arrival(page, last.number, False, last.params)
    if last is not None and last.page.key == page.key:
        st.query_params.from_dict(params)  # Streamlit changes the address with the page only
    st.session_state["shell.spot"] = spot or st.session_state.get("shell.spot")
    problems = (*walk.arrive(params), *locks.arrive(page.key, params))
    st.session_state[FRAME_PROBLEMS] = problems
    arrival = Arrival(page, last.number + 1 if last else 1, True, params)
    st.session_state["shell.arrival"] = arrival
    return arrival


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _style() -> str:
    """The style sheets of a page, and the logo as a mask for the bar that a phone shows."""
    logo = base64.b64encode((ASSETS / "logo.svg").read_bytes()).decode("ascii")
    mask = f':root {{ --pv-logo: url("data:image/svg+xml;base64,{logo}") }}'
    return "".join(map(_asset, STYLES)) + mask


def _logo() -> str:
    """The logo as part of the page, so that it takes the colour of the text around it."""
    lines = _asset("logo.svg").splitlines()
    kept = [line.strip() for line in lines if "<style>" not in line]
    return "".join(kept).replace("<svg", '<svg aria-hidden="true"', 1)
