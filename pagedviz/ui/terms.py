"""Dotted words: terms in a text that open their definition in place, by click, tap or Enter.

The browser does it alone, with a popover; there is no script. The definitions come as a second
piece of HTML, apart from the text, so that the text itself reads and copies as it is.

Leaves out: texts inside the stage, which has its own way of drawing.
"""

import html
import re
from typing import Final, NamedTuple
from urllib.parse import urlencode

from pagedviz.facts.term import Term
from pagedviz.facts.terms import ROOM_WORDS, in_text
from pagedviz.ui.words import in_register

MOST: Final = 4  # dotted words in one text: more of them make it hard to read
# What must stay as it is in Markdown: code, and links with their text.
_WHOLE = re.compile(r"`[^`]*`|!?\[[^\]]*\]\([^)]*\)")
_OPENING = re.compile(r"(\\*)<")


class Marked(NamedTuple):
    """A text with its terms as buttons, and the definitions that they open, both HTML."""

    text: str
    definitions: str


def _no_markup(markdown: str) -> str:
    r"""Markdown in which every "<" is shown as it is, whether somebody has escaped it or not.

    >>> _no_markup("a <b> c"), _no_markup(r"a \<b"), _no_markup(r"\\<img>")
    ('a &lt;b> c', 'a \\<b', '\\\\&lt;img>')
    """
    return _OPENING.sub(
        lambda m: m.group(1) + ("<" if len(m.group(1)) % 2 else "&lt;"),
        markdown,
    )


def _id(place: str, term: Term) -> str:
    return f"pv-{place}-{term.id}"


def _definition(term: Term, word: str, place: str) -> str:
    # A window of its own: what the viewer has set up on this page stays.
    link = html.escape("glossary?" + urlencode({"term": term.id} | in_register()))
    stands_for = ""
    title = term.name
    if word.casefold() in ROOM_WORDS:
        title = word[:1].upper() + word[1:]
        stands_for = f"<i>The engine calls it: {html.escape(term.name.lower())}.</i> "
    return (
        f'<div popover id="{_id(place, term)}" class="pv-definition"><b>{html.escape(title)}</b>'
        f"<span>{stands_for}{html.escape(term.says)}</span>"
        f'<a href="{link}" target="_blank">{html.escape(term.name)} in the glossary</a></div>'
    )


def _button(term: Term, word: str, place: str) -> str:
    return (
        f'<button type="button" class="pv-term" popovertarget="{_id(place, term)}">'
        f"{html.escape(word)}</button>"
    )


def _marked(text: str, place: str, whole: tuple[range, ...], markdown: bool) -> Marked:
    shown = _no_markup if markdown else html.escape
    out, definitions, at = [], [], 0
    for start, end, term in in_text(text, MOST):
        if any(start in span for span in whole):
            continue
        word = text[start:end]
        out += [shown(text[at:start]), _button(term, word, place)]
        definitions.append(_definition(term, word, place))
        at = end
    return Marked("".join([*out, shown(text[at:])]), "".join(definitions))


def with_terms(markdown: str, place: str) -> Marked:
    """Markdown whose terms are dotted words; `place` is a name of its own for each text of a page.

    The text may hold names from elsewhere: no "<" of it becomes markup.

    >>> found = with_terms("Blocks are **free**, says <vLLM>.", "lead")
    >>> 'popovertarget="pv-lead-block">Blocks</button>' in found.text
    True
    >>> found.text.endswith('</button>>.'), found.definitions.count("popover ")
    (True, 2)
    >>> with_terms("`blocks` stay", "lead").text
    '`blocks` stay'
    """
    whole = tuple(range(*match.span()) for match in _WHOLE.finditer(markdown))
    return _marked(markdown, place, whole, markdown=True)


def plain_with_terms(text: str, place: str) -> Marked:
    """The same for a plain text, as HTML.

    >>> plain_with_terms("a < b", "lead")
    Marked(text='a &lt; b', definitions='')
    """
    return _marked(text, place, (), markdown=False)
