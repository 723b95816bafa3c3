"""What happens with my traffic? A load through the paged memory and through what it replaced."""

import streamlit as st

from pagedviz.ui import workload_controls as controls
from pagedviz.ui import workload_file as file
from pagedviz.ui import workload_link as link
from pagedviz.ui import workload_shown as shown
from pagedviz.ui import workload_work as work
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.words import register
from pagedviz.ui.workload_state import desk
from pagedviz.ui.workload_words import WORDS

arrival = shell("workload")
link.arrive(arrival)
words = WORDS[register()]
headline(PAGES["workload"].question(register()), words["lead"])
sentence = st.container()
controls.row(words)
link.problems(words)
controls.problem(words)
file.panel(words)
work.settle(words)
work.run_row(words, file.take_read)
if found := desk().found:
    with sentence:
        shown.top(found, words, register(), stale=desk().found_key != desk().key)
    shown.result(found, words, register(), controls.memory_said(found.simulation.setup, words))
this_is(
    "Each load runs through the block manager that follows vLLM 0.33.0, with its batching, and "
    "through models of the systems the paper compares with (section 2 and figure 2): one run of "
    "slots per request, placed by a buddy allocator. Made-up lengths have published means and an "
    "assumed shape. Step costs are assumed: no speed is measured, and no setting was chosen to "
    "make the figures equal."
)
agreement_line()
link.write()
