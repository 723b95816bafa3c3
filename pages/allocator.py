"""How does it hand out memory? Build a run and step the real block manager through it."""

from pagedviz.ui.shell import PAGES, headline, shell, this_is

arrival = shell("allocator")
headline(
    PAGES["allocator"].room,
    "Visitors come and go. Watch who gets which shelf, when two share one, and what is "
    "thrown out.",
)
this_is("Every state comes from a block manager that follows vLLM's rules step by step.")
