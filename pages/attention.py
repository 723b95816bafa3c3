"""How can scattered memory give the same answer? The kernel, block by block, with its numbers."""

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.ui import attention_controls as controls
from pagedviz.ui import attention_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.attention_heat import heat_section
from pagedviz.ui.attention_state import bench, plain_reading
from pagedviz.ui.attention_words import WORDS
from pagedviz.ui.real_size import real_size_section
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

LAYOUT = (
    ("caption",),
    ("heads",),
    ("slip", "reading", "carried"),
    ("formula",),
    ("row",),
    ("answer",),
    ("transport",),
    ("headtable",),
)

arrival = shell("attention")
link.arrive(arrival)

words = WORDS[register()]
headline(PAGES["attention"].question(register()), words["lead"])
link.problems()

shown = bench()
head, zoom = shown.view
stage(
    payload(
        [shown.packed],
        shown.opening,
        layout=LAYOUT,
        url=link.params(shown.setup),
        known=link.NAMES,
        plain=plain_reading(shown.reading, shown.opening.step, head),
        panels={
            "view": {"head": head, "zoom": zoom},
            "revision": shown.revision,
            **take("attention"),
        },
    ),
    key="stage",
    on_register=remember_register,
    on_edit=controls.take_edit,
)

controls.row(words)
controls.problem()
heat_section(shown.setup, words, register(), link.params(shown.setup))
real_size_section(register())
this_is(
    "Every number on the stage was made by the paged kernel of this program, block by block, "
    "over caches that a block manager laid out; dense attention over the same tokens in one run "
    "is computed beside it. Keys and values come from a small fixed random projection with "
    "rotary positions, not from a trained model: what is attended to means nothing, how it is "
    "computed is the real thing. The kernel follows PagedAttention (Kwon et al., SOSP 2023) "
    "with an online softmax (Milakov and Gimelshein, 2018). Kernels on a GPU share the blocks "
    "of a request out among many processors and put the parts together by the same rule."
)
agreement_line()
