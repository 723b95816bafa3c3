"""When do two requests share? Type prompts, and see tokens, hashes, hits and what ends them."""

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.stage.plain import plain_step
from pagedviz.tokens import MAX_CHARACTERS
from pagedviz.ui import prefix_card as card
from pagedviz.ui import prefix_controls as controls
from pagedviz.ui import prefix_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.prefix_state import MOST_PROMPTS, desk, revision, tokenizer
from pagedviz.ui.prefix_words import WORDS
from pagedviz.ui.quiz import ahead, quiz_wish
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

LAYOUT = (
    ("caption",),
    ("quiz",),
    ("prompts",),
    ("room",),
    ("queue",),
    ("meter",),
    ("transport",),
    ("chunks",),
    ("story",),
    ("log",),
)

arrival = shell("prefix")
link.arrive(arrival)

words = WORDS[register()]
preset = controls.preset()
headline(
    PAGES["prefix"].question(register()),
    getattr(preset.lead, register()) if preset else words["lead"],
)
controls.row(words, register())
link.problems()
controls.problem()

shown = desk().played
stage(
    payload(
        [shown.packed],
        desk().opening,
        layout=LAYOUT,
        url=link.params(shown.setup),
        known=link.NAMES,
        plain=plain_step(shown.timeline, desk().opening.step),
        panels={
            "prompts": {
                "list": shown.rows,
                "most": MOST_PROMPTS,
                "revision": revision(),
                "answers": controls.answered(),
            },
            "labels": shown.labels,
            **quiz_wish(),
            **take("prefix"),
        },
    ),
    key="stage",
    on_register=remember_register,
    on_edit=controls.take_edit,
)

with ahead():
    controls.numbers(words)
card.chunk_card(words, register(), link.of_card(shown.setup))
this_is(
    "Blocks, hashes and hits come from a block manager that runs here and follows vLLM 0.33.0: "
    "full blocks only, read-only, found by a chained SHA-256. There is no copy-on-write in this "
    "kind of sharing: the 2023 paper had it for parallel samples, vLLM today does not. The chunk "
    "rule is that of IBM's Spyre plugin (sendnn-inference 2.6.3; the same in vllm-spyre 1.10.0). "
    f"The text, up to {MAX_CHARACTERS:,} characters each, is cut as typed, by {tokenizer().name}: "
    "another model would cut it in another way, and a server's chat template would put more "
    "tokens around it."
)
agreement_line(spyre=True)
