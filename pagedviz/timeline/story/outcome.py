"""Scene 7: what was published and measured, the way to Power, and where to go on.

Published figures as published, each with its source; two of them are as recalled. Leaves out:
anything computed here, and the links themselves (`pagedviz.ui.story_links`).
"""

from __future__ import annotations

from typing import Final

from pagedviz.engine.spyre.chunks import CHUNK_STACK_1_1
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT
from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit

TITLE: Final = "Efficient Memory Management for Large Language Model Serving with PagedAttention"
# share of KV memory that holds tokens, percent: figure 2 of the paper; the last flag: as recalled
SHARES: Final = (
    ("Orca, longest possible", 20.4, False),
    ("Orca, next power of 2", 26.8, True),
    ("Orca, length known", 38.2, False),
    ("vLLM", 96.3, True),
)
TIMES: Final = 24  # of Hugging Face Transformers, at most
SLOWER: Final = (20, 26)  # percent
# date, event, confirmed by a second source, whose (of vLLM or of Spyre)
DATES: Final = (
    ("20 June 2023", "vLLM announces PagedAttention", True, "vllm"),
    ("12 Sept 2023", "the paper, by Woosuk Kwon and 8 co-authors", True, "vllm"),
    ("Aug 2025", f"the limit of {BATCH_TKV_LIMIT:,} enters the Spyre plugin", True, "spyre"),
    ("Dec 2025", "Stack 1.0: vLLM and Spyre on Power 11", False, "spyre"),
    ("Mar 2026", f"Stack 1.1: chunks of {CHUNK_STACK_1_1:,}, prefix caching", True, "spyre"),
    ("Apr 2026", "plugin 2.0: prefix caching on by default", True, "spyre"),
    ("now", "Stack 1.3 in IBM's documentation", False, "spyre"),
)


def outcome() -> Scene:
    """The seventh scene."""
    low, high = SLOWER
    beats = (
        Beat(
            Words("announced", "announced"),
            both(
                "In June 2023 the vLLM project published it: "
                f"{lit('waste', 'under 4 % waste')}, "
                f"{lit('times', f'up to {TIMES} times')} the answers a second."
            ),
            source=both(
                "vLLM announcement, 20 June 2023. Answers a second: throughput, against Hugging "
                "Face Transformers, a common library that runs models."
            ),
            line=f"throughput: up to {TIMES} × Hugging Face Transformers",
            shows={"announced": True},
        ),
        Beat(
            Words("the paper", "the paper"),
            both(
                f"The paper measured {lit('paper', '2 to 4 times')} the answers of "
                f"{lit('orca', 'FasterTransformer and Orca')} at the same latency."
            ),
            source=both(
                f"“{TITLE}”, Kwon et al., SOSP 2023: abstract; shares from figure 2, 26.8 and "
                "96.3 as recalled. Latency: waiting time. FasterTransformer and Orca: serving "
                "systems of that time."
            ),
            line="2-4 × throughput at the same latency",
            shows={"shares": True},
        ),
        Beat(
            Words("the price", "the price"),
            Words(
                f"Reading scattered shelves has {lit('price', 'a price')}: that step alone ran "
                f"{low} to {high} % slower.",
                f"Paging has {lit('price', 'a price')}: the attention kernel alone ran "
                f"{low} to {high} % slower.",
            ),
            source=both(
                "Measured in 2023 against FasterTransformer's kernel: Kwon et al., SOSP 2023, "
                "section 7."
            ),
            line=f"attention kernel: {low}-{high} % slower than FasterTransformer's",
            shows={"price": True},
        ),
        Beat(
            Words("on Power", "on Power"),
            both(f"Since 2025 it has come to {lit('spyre', 'Spyre in Power 11')}, step by step."),
            source=both(
                "IBM documentation of the Spyre Enablement Stack (1.0 with Red Hat AI Inference "
                "Server 3.3 EA1, 1.1 with 3.4 EA1, 1.3 with 3.6 EA1); plugin releases."
            ),
            line="vllm-spyre 1.x -> sendnn-inference 2.x",
            shows={"dates": True},
        ),
        Beat(
            Words("look inside", "look inside"),
            both(
                f"{lit('door', 'The pages behind this one')} compute what they show: "
                "pick a question."
            ),
            line="every step checked against recordings of the real systems",
            shows={"doors": True},
        ),
    )
    return Scene(
        both("What came of it"),
        both("What came of it"),
        "outcome",
        beats,
        shows={
            "shares": [[share, recalled] for _, share, recalled in SHARES],
            "times": TIMES,
            "slower": list(SLOWER),
            "dates": [[confirmed, whose] for *_, confirmed, whose in DATES],
        },
        labels={
            "waste": both("memory that holds nothing"),
            "old": both("older systems: **60 to 80 %**"),
            "new": both("PagedAttention: **under 4 %**"),
            "rate": both("answers a second, at best"),
            "hf": both("Hugging Face Transformers: **1**"),
            "vllm": both(f"vLLM: **up to {TIMES}**"),
            "shares": both("share of the memory that holds something"),
            **{
                f"share{k}": both(f"{name}: **{'about ' if recalled else ''}{share} %**")
                for k, (name, share, recalled) in enumerate(SHARES)
            },
            "paper": both("2 to 4 times the answers at the same latency"),
            "kernel": Words(
                "time for this step, FasterTransformer = 100",
                "time in the attention kernel, FasterTransformer = 100",
            ),
            "one_piece": both("memory in one piece: **100**"),
            "paged": both(f"paged memory: **{100 + low} to {100 + high}**"),
            "even_so": both("Even so it serves more, because more fit."),
            **{f"date{k}": both(date) for k, (date, *_) in enumerate(DATES)},
            **{
                f"event{k}": both(text if confirmed else f"{text} (according to IBM)")
                for k, (_, text, confirmed, _) in enumerate(DATES)
            },
            "where": both("Where next?"),
        },
    )
