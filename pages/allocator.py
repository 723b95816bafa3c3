"""How does it hand out memory? Build a run and step the real block manager through it."""

from functools import partial

import streamlit as st

from pagedviz.charts.table import steps_table
from pagedviz.charts.usage import usage_alt
from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.stage.plain import plain_step
from pagedviz.ui import allocator_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.allocator_state import problem, shop
from pagedviz.ui.builder import controls, tools
from pagedviz.ui.builder_words import WORDS
from pagedviz.ui.chart import Chart, chart
from pagedviz.ui.quiz import ahead, quiz_wish
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.take import take
from pagedviz.ui.words import counted, register, remember_register

arrival = shell("allocator")
link.arrive(arrival)
words, run = WORDS[register()], shop().run
preset = shop().shown.preset
room = {
    "shelves": counted(run.num_blocks - 1, "shelves"),
    "boxes": counted(run.block_size, "boxes"),
}
headline(
    PAGES["allocator"].question(register()),
    getattr(preset.lead, register()) if preset else words["lead"].format(**room),
)
controls(register())
tools(register())
link.problems()
problem()
if preset and preset.note:
    st.caption(getattr(preset.note, register()))

stage(
    payload(
        [shop().played.packed],
        shop().opening,
        url=link.params(shop()),
        known=link.NAMES,
        plain=plain_step(shop().timeline, shop().opening.step),
        panels={**quiz_wish(), **take("allocator")},
    ),
    key="stage",
    on_register=remember_register,
)

with ahead():
    st.header(words["chart"])
    chart(
        Chart(
            "allocator.chart",
            shop().played.figures[register()],
            usage_alt(shop().timeline, register()),
            words["chart"],
            partial(steps_table, shop().timeline, register()),
            link.params(shop()) if link.whole_run(shop()) else None,
            words["chart_source"],
            words["source"],
        )
    )

this_is(
    "Every state comes from a block manager that runs here, in Python, and follows vLLM 0.33.0's "
    "rules: one full-attention group, no connector to other memory. Letters, hues and words are "
    "ours. "
    "The tokens carry no text, or words and marks in place of a model's tokens. No time is "
    "modelled: a step is one operation, not a millisecond."
)
agreement_line()
