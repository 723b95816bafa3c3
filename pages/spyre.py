"""How many at once on the card? Batch against context, and the scheduler at work."""

from pagedviz.ui import spyre_controls as controls
from pagedviz.ui import spyre_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.spyre_cards import cards_section
from pagedviz.ui.spyre_limit import limit_part
from pagedviz.ui.spyre_more import differ_part, encoder_part
from pagedviz.ui.spyre_runs import mix_part, run_part
from pagedviz.ui.spyre_state import desk
from pagedviz.ui.spyre_words import WORDS
from pagedviz.ui.words import register, words_switch

arrival = shell("spyre")
link.arrive(arrival)
words = WORDS[register()]
inputs = desk().inputs
headline(PAGES["spyre"].question(register()), words["lead"])
controls.parts(words)
if inputs.part in ("cards", "differ"):
    words_switch()
link.problems()
if inputs.part == "limit":
    limit_part(desk().opening, link.params(inputs), link.NAMES)
elif inputs.part == "mix":
    mix_part(words)
elif inputs.part == "run":
    run_part(words)
elif inputs.part == "cards":
    link.keep(inputs)
    cards_section(register())
elif inputs.part == "encoder":
    encoder_part(words)
else:
    link.keep(inputs)
    differ_part()
this_is(
    "IBM's figures are shown as IBM publishes them. What the plugin decides is computed here by "
    "rules that agree with recordings of its own scheduler, for the release named beside it. Rows, "
    "blocks and steps are exact; a step is a step of the engine, not a time, and nothing here "
    "measures speed. pagedviz is no product of IBM."
)
agreement_line(spyre=True)
