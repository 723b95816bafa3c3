"""A request of a load: the engine's Request with the number of its tokens instead of the tokens.

What it does: answers the block manager's questions (how many tokens, how many computed, keys of
the full blocks) from counts, so that a prompt of 100,000 tokens is two numbers. While it writes,
one token per step, nothing is counted: `computed_before` tells how far it is from the step.

What it leaves out: tokens. Whatever asks for `all_token_ids` (events) cannot be used with it.
"""

from __future__ import annotations

from pagedviz.engine.request import Request, RequestStatus
from pagedviz.workload.content import Segment


class LoadRequest(Request):
    """One row of a trace, while it is simulated. Times are in nanoseconds, -1: not yet."""

    __slots__ = (
        "admitted_ns",
        "anchor_computed",
        "anchor_step",
        "arrival_ns",
        "count",
        "finished_ns",
        "hit_tokens",
        "index",
        "num_output",
        "refusal",
        "segments",
        "seq",
        "shares_answer",
    )

    def __init__(
        self,
        index: int,
        arrival_ns: int,
        num_prompt: int,
        num_output: int,
        segments: list[Segment],
        shares_answer: bool = False,
    ) -> None:
        # Not Request.__init__, which wants the tokens.
        self.request_id = str(index)
        self.num_prompt_tokens = num_prompt
        self.max_tokens = num_output
        self.skip_reading_prefix_cache = False
        self.status = RequestStatus.WAITING
        self.num_computed_tokens = 0
        self.num_preemptions = 0
        self.block_hashes = []
        self.index = index  # position in the trace's usable rows
        self.arrival_ns = arrival_ns
        self.num_output = num_output
        self.segments = segments  # of prompt and answer
        self.shares_answer = shares_answer  # a later prompt quotes the answer
        self.count = num_prompt  # tokens known: the prompt, and what was written
        self.seq = -1  # place in the order of admissions; -1: does not run
        self.anchor_step = -1  # the step that computed the last token of the prompt
        self.anchor_computed = 0  # tokens computed after that step
        self.admitted_ns = self.finished_ns = -1
        self.hit_tokens = 0  # found in the cache when first admitted
        self.refusal = ""

    @property
    def num_tokens(self) -> int:
        """Prompt and written tokens together."""
        return self.count

    @property
    def num_output_tokens(self) -> int:
        """Tokens the model has written."""
        return self.count - self.num_prompt_tokens

    @property
    def last_computed(self) -> int:
        """Tokens that will have a slot in the end: the last one of the answer has none."""
        return self.num_prompt_tokens + self.num_output - 1

    def bring_up_to(self, step: int) -> None:
        """Set the counts as they are before `step`, one token a step since the anchor."""
        self.num_computed_tokens = self.anchor_computed + (step - 1 - self.anchor_step)
        self.count = self.num_computed_tokens + 1
