"""What does that word mean, who said so? Terms, dates, figures, sources, differences."""

from pagedviz.ui import glossary_link as link
from pagedviz.ui.glossary_differ import differ_part
from pagedviz.ui.glossary_figures import figures_part
from pagedviz.ui.glossary_terms import terms_part
from pagedviz.ui.glossary_timeline import timeline_part
from pagedviz.ui.glossary_top import parts, style
from pagedviz.ui.glossary_words import LEAD
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.words import register

arrival = shell("glossary")
link.arrive(arrival)
style()
headline(PAGES["glossary"].question(register()), LEAD[register()])
parts()
link.problems()
if link.desk().part == "terms":
    terms_part()
elif link.desk().part == "timeline":
    timeline_part()
elif link.desk().part == "figures":
    figures_part()
else:
    differ_part()
this_is(
    "pagedviz explains how PagedAttention hands out memory, in vLLM and on IBM Spyre. It is no "
    "product of IBM or of the vLLM project, and speaks for neither. Computed in it: every block, "
    "hash, hit, step and byte, by rules that agree with recordings of the real systems. Modelled: "
    "the systems before vLLM, the made-up loads, the small rooms. Cited: whatever stands in the "
    "list of figures here. Not in it: a measurement of speed, a price, or a promise of "
    "what a release will do. Definitions are ours, not quotations."
)
link.keep()
