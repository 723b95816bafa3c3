"""From Spyre cards to requests: limits, blocks, bytes per card, and who decodes together.

Memory does not decide here: the pool follows from the limits. How many decode in one step is
bounded by requests x longest padded request, how many are let in by the blocks they promise, and
both by the number of requests. Those let in beyond what decodes together pause and take turns.

Leaves out: the order of events (`pagedviz.engine.spyre`), and prefix caching.

Source: sendnn-inference 2.6.3 (platform.py, v1/core/scheduler.py) through
`pagedviz.engine.spyre`; IBM product documentation for the published rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pagedviz.engine.errors import check_int
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.decode_set import Turn, choose_decode_set
from pagedviz.engine.spyre.known_configs import KNOWN_SHAPES, KnownConfig, KnownShape, configs_of
from pagedviz.engine.spyre.requests import check_request
from pagedviz.engine.spyre.resolve import Resolved, resolve
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.per_card import PerCard
from pagedviz.sizing.spyre_inputs import CARD_MEMORY, SpyreInputs

Bound = Literal["requests", "product", "blocks", "context"]


@dataclass(frozen=True, slots=True)
class Together:
    """How many requests of one kind: let in at a time, and decoding in one step."""

    tokens: int  # of the longest, at its end
    admitted: int  # blocks are promised to so many
    decoding: int
    bound: Bound  # what keeps `decoding` from being larger


@dataclass(frozen=True, slots=True)
class SpyrePlan:
    """The limits a server comes up with, and what follows for the user's lengths."""

    inputs: SpyreInputs
    resolved: Resolved
    share: PerCard
    bytes_per_block: int  # on one card
    pool_bytes: int  # on one card, block 0 included
    product_bytes: int  # on one card: the tokens of the product limit
    real: Together  # the user's lengths, the longest of those that decode together counting
    low: int  # decoding if each is two spreads longer than the mean
    high: int  # decoding if all are as long as the mean
    rows: tuple[KnownConfig, ...]  # of the plugin's table, for this model
    problems: tuple[tuple[str, str], ...]  # what is wrong, and what to set

    @property
    def at_once(self) -> tuple[int, int, int]:
        """Decoding together: surely, about, at best."""
        return min(self.low, self.real.decoding), self.real.decoding, self.high

    @property
    def limit(self) -> Bound:
        """Which limit binds for the user's lengths."""
        return self.real.bound

    def of_length(self, tokens: int, prompt: int | None = None) -> Together:
        """Requests of `tokens` at their end, all alike. prompt: of these; half if left out."""
        check_int("tokens", tokens, 1, ConfigError)
        asked = max(1, tokens // 2 if prompt is None else min(prompt, tokens))
        return _together(self.resolved, asked, tokens)


def spyre_plan(inputs: SpyreInputs) -> SpyrePlan:
    """The plan. Raises ConfigError if the server would not start.

    >>> from pagedviz.sizing import manual_geometry
    >>> from pagedviz.sizing.lengths import Lengths
    >>> shape = manual_geometry(40, 8, 128, attention_heads=32, engine="spyre")
    >>> plan = spyre_plan(SpyreInputs(shape, "ibm-granite/granite-3.3-8b-instruct",
    ...                               Lengths(7_000, 1_192)))
    >>> plan.resolved.limits.num_blocks, plan.bytes_per_block, plan.pool_bytes == 20 * 2**30
    (8192, 2621440, True)
    >>> plan.of_length(8_192).decoding, plan.of_length(8_193).decoding, plan.limit
    (16, 15, 'product')
    """
    geometry, lengths = inputs.geometry, inputs.lengths
    if geometry.encoder_only:
        raise ConfigError(
            "an encoder-only model keeps no cache, so there is nothing to plan; it is sized by its "
            "warm-up shapes (encoder_shapes)"
        )
    resolved = resolve(
        inputs.model,
        inputs.cards,
        inputs.context,
        inputs.requests,
        limit=inputs.limit,
        override_blocks=inputs.override_blocks,
    )
    limits = resolved.limits
    share = geometry.per_card(inputs.cards)
    each = share.bytes_per_token(inputs.dtype)
    pool = limits.num_blocks * BLOCK_SIZE * each
    longest = limits.max_model_len
    prompt = max(1, math.ceil(lengths.prompt))
    alike = _together(resolved, prompt, _whole(lengths.mean, longest))
    long = _together(resolved, prompt, _whole(lengths.mean + 2 * lengths.spread, longest))
    return SpyrePlan(
        inputs=inputs,
        resolved=resolved,
        share=share,
        bytes_per_block=each * BLOCK_SIZE,
        pool_bytes=pool,
        product_bytes=limits.batch_tkv_limit * each,
        real=_real(resolved, inputs),
        low=long.decoding,
        high=alike.decoding,
        rows=configs_of(inputs.model),
        problems=_problems(inputs, resolved, pool),
    )


def _whole(tokens: float, longest: int) -> int:
    return max(1, min(math.ceil(tokens), longest))


def _together(resolved: Resolved, prompt: int, tokens: int) -> Together:
    """As many alike as the limits allow: `tokens` at the end, `prompt` of them asked."""
    limits = resolved.limits
    promised = -(-tokens // BLOCK_SIZE)
    admitted = min(limits.max_num_seqs, limits.usable_blocks // promised)
    asked = min(prompt, tokens)
    # the step that writes the last token: all but it are stored
    turns = [Turn(f"r{one}", tokens - 1, tokens - asked) for one in range(admitted)]
    found = choose_decode_set(turns, (), limits.batch_tkv_limit)
    decoding = len(found.decoding)
    bound: Bound = "product"
    if decoding == limits.max_num_seqs:
        bound = "requests"
    elif decoding == admitted:
        bound = "blocks"
    return Together(tokens, admitted, decoding, bound)


def _real(resolved: Resolved, inputs: SpyreInputs) -> Together:
    """The most requests whose expected longest still fits so many times."""
    longest = resolved.limits.max_model_len
    prompt = max(1, math.ceil(inputs.lengths.prompt))
    best: Together | None = None
    for number in range(1, resolved.limits.max_num_seqs + 1):
        found = _together(resolved, prompt, _whole(inputs.lengths.longest_of(number), longest))
        if found.decoding >= number:
            best = Together(found.tokens, found.admitted, number, found.bound)
        else:
            best = best or found
            return Together(best.tokens, best.admitted, best.decoding, found.bound)
    assert best is not None
    return Together(best.tokens, best.admitted, best.decoding, "requests")


def _problems(inputs: SpyreInputs, resolved: Resolved, pool: int) -> tuple[tuple[str, str], ...]:
    found = []
    limits = resolved.limits
    prompt, answer = math.ceil(inputs.lengths.prompt), max(1, math.ceil(inputs.lengths.answer))
    check = check_request(prompt, answer, max_model_len=limits.max_model_len)
    if not check.legal:
        needed = check.padded_prompt_len + answer
        fix = f"Set the context to {-(-needed // BLOCK_SIZE) * BLOCK_SIZE:,} or more."
        if check.max_tokens_that_fit > 0:
            fix = f"Ask for at most {check.max_tokens_that_fit:,} tokens of answer, or: {fix}"
        found.append((f"Refused at the door: {check.why_not()}.", fix))
    per_card = pool + -(-inputs.weights // inputs.cards)
    if per_card > CARD_MEMORY:
        found.append(
            (
                f"The pool and the weights take {per_card / 10**9:,.1f} GB on each card, which "
                f"has {CARD_MEMORY // 10**9} GB. The plugin does not measure this.",
                "Use more cards, or a smaller context or number of requests.",
            )
        )
    if resolved.row is None:
        rows = configs_of(inputs.model)
        listed = "; ".join(
            f"{row.context:,} x {row.requests} on {row.cards} "
            f"{'card' if row.cards == 1 else 'cards'}"
            for row in rows
        )
        known = f"Known for this model: {listed}." if rows else "The table has no such model."
        found.append(
            (
                "The plugin's table has no row with exactly these cards, context and requests: it "
                "starts with defaults that nobody has verified.",
                known,
            )
        )
    return tuple(found)


def encoder_shapes(model: str, tokens: int) -> tuple[tuple[KnownShape, ...], str | None]:
    """The warm-up shapes known for an encoder-only model, and why a text would be refused.

    >>> shapes, why = encoder_shapes("ibm-granite/granite-embedding-125m-english", 513)
    >>> [(one.prompt_len, one.batch_size) for one in shapes]
    [(512, 64)]
    >>> why
    'a text of 513 tokens is refused: the longest warm-up shape holds 512; try 512 or fewer'
    """
    check_int("tokens", tokens, 1, ConfigError)
    shapes = tuple(one for one in KNOWN_SHAPES if one.model == model)
    longest = max((one.prompt_len for one in shapes), default=0)
    if not shapes or tokens <= longest:
        return shapes, None
    return shapes, (
        f"a text of {tokens:,} tokens is refused: the longest warm-up shape holds {longest:,}; "
        f"try {longest:,} or fewer"
    )
