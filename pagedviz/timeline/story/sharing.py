"""Scene 5: two prompts that begin alike share the full blocks of their beginning.

Real tokens, real hashes, the real block manager; the run is one that the prefix page can open.

Leaves out: why a prompt does not find more (the prefix page explains each miss).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from pagedviz.timeline.likeness import common_prefix
from pagedviz.timeline.play import Timeline, play
from pagedviz.timeline.presets import Words
from pagedviz.timeline.prompts import Prompt, prompts_run
from pagedviz.timeline.sharing import PromptView, explain
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import BLOCK_SIZE
from pagedviz.timeline.story.room_run import listed, marks_of, room_state, table_of
from pagedviz.timeline.story.shelves import ROOM_LABELS
from pagedviz.tokens import default_tokenizer

BLOCKS: Final = 12
INSTRUCTIONS: Final = (
    "You are the clerk of a small library. Answer in one sentence, and name the author. "
    "If you are not sure, say so. Never invent a title."
)
# text, and after how many others had their turn its visitor leaves
TEXTS: Final = (
    (INSTRUCTIONS + " Where are the books on trains?", 1),
    (INSTRUCTIONS + " Do you have maps of the Alps from 1950?", 0),
)
# Steps of the run: 0 empty, then A arrives, is admitted, B arrives, is admitted, A and B leave.
EMPTY, A_IN, B_IN, A_LEFT, B_LEFT = 0, 2, 4, 5, 6


@cache
def sharing_run() -> tuple[Timeline, tuple[PromptView, ...]]:
    """The run, played, and what became of each prompt.

    >>> timeline, (a, b) = sharing_run()
    >>> [step.name for step in timeline.steps[1:]]
    ['add_request', 'admit', 'add_request', 'admit', 'free', 'free']
    >>> a.hits, b.hits
    (0, 2)
    """
    tokenizer = default_tokenizer()
    prompts = []
    for text, leaves in TEXTS:
        pieces = tokenizer.pieces(text)
        ids, shown = tuple(p.id for p in pieces), tuple(p.text for p in pieces)
        prompts.append(Prompt(ids, shown, leaves=leaves))
    run = prompts_run(prompts, num_blocks=BLOCKS + 1, block_size=BLOCK_SIZE, title="The story")
    timeline = play(run)
    return timeline, explain(prompts, run, timeline)


def _prompt(view: PromptView) -> dict[str, object]:
    """A prompt cut into blocks: [text, tokens, first digits of the hash or None]."""
    pieces = view.prompt.pieces
    return {
        "letter": view.letter,
        "blocks": [
            ["".join(pieces[block.start : block.end]), block.end - block.start, block.short_hash]
            for block in view.blocks
        ],
    }


def sharing() -> Scene:
    """The fifth scene."""
    timeline, views = sharing_run()
    a, b = views
    alike = common_prefix(a.prompt.text_tokens, b.prompt.text_tokens)
    table_a, table_b = table_of(timeline, A_IN, "A"), table_of(timeline, B_IN, "B")
    hits = table_b[: b.hits]
    len_a, len_b, spared = a.prompt.num_tokens, b.prompt.num_tokens, b.hits * BLOCK_SIZE
    separate, together = len(table_a) + len(table_b), len({*table_a, *table_b})
    end = timeline.state(B_LEFT).queue
    counts = [len(timeline.state(A_LEFT).owners[block]) for block in hits]

    def shows(step: int, **more: object) -> dict[str, object]:
        return {**room_state(timeline, step), "two": list(hits), **more}

    beats = (
        Beat(
            Words("same start", "same prefix"),
            Words(
                f"A and B put their own questions after {lit('same', 'the same instructions')}.",
                f"A and B begin with {lit('same', f'the same {alike} tokens')}.",
            ),
            calc=Words(
                f"A {len_a} pieces, B {len_b}, the first {alike} alike",
                f"A {len_a} tokens, B {len_b}, the first {alike} alike",
            ),
            source=both(f"Cut by {default_tokenizer().name}."),
            line=f"common prefix {alike} tokens = {alike // BLOCK_SIZE} full blocks "
            f"+ {alike % BLOCK_SIZE}",
            shows=shows(EMPTY),
        ),
        Beat(
            Words("A is in", "A runs"),
            Words(
                f"{lit('vA', 'A')} comes first and fills {len(table_a)} shelves.",
                f"{lit('vA', 'A')} runs first, in {len(table_a)} blocks.",
            ),
            line=f"allocate_slots(A, {len_a}) -> {list(table_a)}",
            shows=shows(A_IN, now=list(table_a)),
        ),
        Beat(
            Words("a label", "a hash"),
            Words(
                f"Each full shelf gets {lit('mark', 'a label')}, made from its words "
                "and the label before it.",
                f"Each full block gets {lit('mark', 'a hash')} of its tokens "
                "and the hash before it.",
            ),
            source=Words(
                "So equal labels mean equal text from the first word on. Shown: 4 of 64 digits.",
                "So equal hashes mean an equal prefix. Shown: 4 of SHA-256's 64 digits.",
            ),
            line="hash(block i) = SHA-256(hash(block i-1), its 16 tokens)",
            shows=shows(A_IN, marks=True),
        ),
        Beat(
            Words("B finds them", "B hits"),
            Words(
                f"B's first {len(hits)} labels are known: {lit('two', 'those shelves')} serve "
                f"both, and only {lit('ownB', 'the rest')} needs another.",
                f"B's first {len(hits)} hashes hit: {lit('two', 'those blocks')} serve both, "
                f"and only {lit('ownB', 'the rest')} is new.",
            ),
            line=f"get_computed_blocks(B) -> {list(hits)}, {spared} tokens; "
            f"allocate_slots -> {list(table_b[b.hits :])}",
            shows=shows(B_IN, marks=True, now=list(table_b)),
        ),
        Beat(
            Words("what it saves", "what it saves"),
            Words(
                f"{together} shelves do the work of {separate}, and the model skips {spared} of "
                f"B's {len_b} pieces: {lit('two', 'they stand there')} already.",
                f"{together} blocks instead of {separate}, and prefill skips {spared} of B's "
                f"{len_b} tokens: {lit('two', 'they are cached')}.",
            ),
            calc=both(
                f"{len(table_a)} + {len(table_b)} − {len(hits)} = {together}; "
                f"{len(hits)} × {BLOCK_SIZE} = {spared}"
            ),
            source=Words(
                "The 2023 paper shared half-full ones too, until somebody wrote on them; vLLM "
                "0.33 shares full ones only.",
                "The 2023 paper also shared half-full blocks, by copy-on-write; vLLM 0.33 shares "
                "full blocks only.",
            ),
            line="ref_cnt: " + ", ".join(f"block {block} = 2" for block in hits),
            shows=shows(B_IN, marks=True, saved=True),
        ),
        Beat(
            Words("its name", "its name"),
            both(
                f"This is called {lit('name', 'prefix caching')}; "
                "in vLLM it is on unless switched off."
            ),
            source=both("vLLM 0.33, on by default."),
            line="enable_prefix_caching = True",
            shows=shows(B_IN, marks=True, saved=True, named=True),
        ),
        Beat(
            Words("A leaves", "A finishes"),
            Words(
                f"A leaves; {lit('two', 'the common shelves')} stay, since B still uses them.",
                f"A finishes; {lit('two', 'the shared blocks')} stay, since B still uses them.",
            ),
            line="free(A) -> ref_cnt: "
            + ", ".join(f"block {block} = {n}" for block, n in zip(hits, counts, strict=True)),
            shows=shows(A_LEFT, marks=True, named=True),
        ),
        Beat(
            Words("kept", "cached"),
            Words(
                f"B leaves too; {lit('kept', 'labelled shelves')} keep their boxes "
                f"at the end of {lit('queue', 'the queue')}, for whoever brings the same words.",
                f"B finishes too; {lit('kept', 'hashed blocks')} stay cached "
                f"at the tail of {lit('queue', 'the free queue')}.",
            ),
            line=f"free(B) -> free queue {', '.join(map(str, end[:3]))}, ..., "
            f"{', '.join(map(str, end[-len(hits) :]))}",
            shows=shows(B_LEFT, marks=True, named=True),
        ),
    )
    return Scene(
        Words("Same words, same shelf", "Same prefix, same blocks"),
        Words("Sharing", "Sharing"),
        "sharing",
        beats,
        shows={
            "visitors": [view.letter for view in views],
            "size": BLOCK_SIZE,
            "prompts": [_prompt(view) for view in views],
            "alike": alike,
            "marks": marks_of(timeline),
        },
        labels={
            **ROOM_LABELS,
            "no_mark": Words("not full: no label", "not full: no hash"),
            "from_text": both("from the text"),
            "named": both("prefix caching: on"),
            "saved": Words(
                f"{listed(hits)}: one copy for both",
                f"{listed(hits)}: ref_cnt 2",
            ),
        },
    )
