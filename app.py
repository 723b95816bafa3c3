"""The start page: the question, a live stage, and the way to the allocator page."""

import streamlit as st

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.stage.plain import plain_step
from pagedviz.ui import start_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.words import register, remember_register

LAYOUT = (("caption",), ("visitors", "room"), ("queue",), ("meter",), ("transport",))
LEAD = {
    "room": "A model remembers every word it has read: one box each. PagedAttention keeps the "
    "boxes on small shelves, handed out one at a time, instead of a long aisle for every visitor.",
    "engine": "A model keeps the keys and values of every token it has read. PagedAttention, the "
    "KV-cache manager inside vLLM, stores them in fixed blocks, allocated on demand.",
}
DOOR = {
    "room": "Build a room of your own: the allocator page",
    "engine": "Build your own run: the allocator page",
}

arrival = shell("start")
opening, shown = link.arrive(arrival)
headline(PAGES["start"].question(register()), LEAD[register()])
stage(
    payload(
        [shown.packed],
        opening,
        layout=LAYOUT,
        plain=plain_step(shown.timeline, opening.step),
    ),
    key="stage",
    on_register=remember_register,
)
st.page_link(PAGES["allocator"].file, label=DOOR[register()], icon=":material/arrow_forward:")
this_is(
    "Nothing on the stage is scripted. A block manager that follows vLLM's rules runs here, "
    "in Python; the picture shows its state after each operation."
)
agreement_line()
