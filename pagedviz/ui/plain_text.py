"""Words from links, files and forms on a page: shown as they are, and never read as markup.

Left out: the sentences of the app itself, which are Markdown where they want to be.
"""

import re
from collections.abc import Sequence
from typing import Final

import streamlit as st

JOINER: Final = "\u2060"  # no width, no break: Markdown does not see through it


def plain(text: str) -> str:
    r"""Text from a link or a file as Markdown that shows it as it is: no picture, link or markup.

    It stays on one line, and nothing in it becomes a heading, an icon or a link: marks that
    Markdown or Streamlit would read are escaped, or have an invisible word joiner put in.

    >>> plain("![x](http://a.io/x.png) <b> $1$").replace("\u2060", "^")
    '!\\[x\\](http:^//a.io/x.png) \\<b\\> \\$1\\$'
    >>> plain("a\n\n# B www.a.io :smile: &lt;").replace("\u2060", "^")
    'a # B www^.a.io :^smile: &amp;lt;'
    """
    folded = re.sub(r"[\s\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]+", " ", text).strip()
    escaped = re.sub(r"([\\\[\]<>*_`$~|])", r"\\\1", folded.replace("&", "&amp;"))
    if re.match(r"(#|[-+] |\d+[.)] )", escaped):
        escaped = JOINER + escaped
    return re.sub(r"(?i)(:)(?=\S)|(www)(?=\.)|(@)", rf"\g<0>{JOINER}", escaped)


def warning(text: str) -> None:
    """Something went wrong, in one sentence; what came from outside is shown as it is."""
    st.warning(plain(text), icon=":material/error:")


def link_problems(problems: Sequence[str]) -> None:
    """What could not be used of the link a viewer came by, one line each."""
    if problems:
        lines = "\n".join(f"- {plain(line)}" for line in problems)
        st.warning("Not all of this link could be used.\n\n" + lines)
