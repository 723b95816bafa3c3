"""How much memory does my model need? From a config and the lengths to how many at once."""

import streamlit as st

from pagedviz.ui import sizing_below as below
from pagedviz.ui import sizing_controls as controls
from pagedviz.ui import sizing_link as link
from pagedviz.ui import sizing_parts as parts
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.sizing_answer import answer
from pagedviz.ui.sizing_drop import drop
from pagedviz.ui.sizing_more import more
from pagedviz.ui.sizing_spyre import spyre_layers
from pagedviz.ui.sizing_state import desk
from pagedviz.ui.sizing_words import WORDS
from pagedviz.ui.words import register

arrival = shell("sizing")
link.arrive(arrival)
words = WORDS[register()]
sizing = desk().sizing
found = answer(sizing)
parts.style()
headline(PAGES["sizing"].question(register()), words["lead"])
link.problems()
parts.line(found, words)
controls.row(words)
controls.problem()
parts.fixes(found, words)
drop(words)
more(found, words)
spyre_layers(found, words)
left, right = st.columns([1.75, 1], gap="large")
with left:
    parts.memory(found, words)
    parts.helps(found, words)
with right:
    parts.three(found, words)
below.formula(found, words)
below.chart(found, words)
below.old(found, words)
below.take(found, parts.line_of(found, words), words)
link.keep(sizing)
this_is(
    "Bytes, blocks and limits are worked out by the rules of vLLM 0.33.0 and of the Spyre plugin "
    "(sendnn-inference 2.6.3), from the model's own config. Room for activations is measured by "
    "vLLM at start-up and only typical here. How many fit is about memory: it says nothing of "
    "speed, and shared prefixes let in more than is said."
)
agreement_line(spyre=sizing.where == "spyre")
