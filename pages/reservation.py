"""What did it replace? Aisles beside shelves on one clock, the waste of both counted."""

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.ui import reservation_below as below
from pagedviz.ui import reservation_controls as controls
from pagedviz.ui import reservation_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.reservation_state import desk, played
from pagedviz.ui.reservation_words import WORDS
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

LAYOUT = (("caption",), ("aisles", "paged"), ("parts",), ("transport",))

arrival = shell("reservation")
link.arrive(arrival)
words = WORDS[register()]
preset = next((p for p in RESERVATION_PRESETS if p.id == desk().preset), None)
headline(
    PAGES["reservation"].question(register()),
    getattr(preset.lead, register()) if preset else words["lead"],
)
controls.row(words, register())
link.problems()
controls.problem()

wire, packed = played(desk().setup)
opening = desk().opening
step = wire["steps"][min(opening.step, wire["last"])]
url = link.params(desk().setup, desk().preset, desk().sizes)
stage(
    payload(
        [packed],
        opening,
        layout=LAYOUT,
        url=url,
        known=link.NAMES,
        plain={
            "step": opening.step,
            "last": wire["last"],
            "words": step["c"],
            "rows": [],
            "queue": [],
            "more": 0,
        },
        panels=take("reservation"),
    ),
    key="stage",
    on_register=remember_register,
)
below.totals(wire, words)
below.kinds(wire, words, register())
below.block_sizes(wire, desk().setup, words, register(), url)
this_is(
    "The right side is the block manager and scheduler that follow vLLM 0.33.0, run here. The left "
    "side is a model of the systems the paper compares with (section 2 and figure 2): one run of "
    "slots per request, placed by a buddy allocator, with the same batching, so that only the "
    "memory differs. What is never used is known only in hindsight. Steps are steps of the engine, "
    "not seconds; no speed is measured."
)
agreement_line()
