"""Encoder-only models as a small scene: texts go into batches of a fixed, compiled shape.

One block a text, as long as the longest text allowed; nothing is written, nothing grows, and
nothing is kept. What the picture pays for is the shape, with its empty rows and padding.

Leaves out: the rules (`engine.spyre.pooling`), time.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.spyre.pooling import (
    PoolingScheduler,
    PoolingStep,
    PoolingText,
    PoolingWaiting,
    WarmupShape,
)
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre.errors import ScenarioError

MAX_TEXTS = 64

DEFAULT_SHAPES = (WarmupShape(512, 2), WarmupShape(128, 4))
DEFAULT_TEXTS = (
    PoolingText("A", 100),
    PoolingText("B", 90),
    PoolingText("C", 300),  # too long for what A and B have begun: passed over
    PoolingText("D", 10),
    PoolingText("E", 110),
    PoolingText("F", 500),
    PoolingText("G", 50),
)


@dataclass(frozen=True, slots=True)
class EncoderText:
    """A text in a batch. Sizes in tokens."""

    letter: str
    tokens: int
    padding: int  # in front of it, up to the shape's length


@dataclass(frozen=True, slots=True)
class EncoderWaiting:
    """A text that is not in this batch, and why."""

    letter: str
    tokens: int
    why: Words


@dataclass(frozen=True, slots=True)
class EncoderBatch:
    """One step: a batch from beginning to end."""

    texts: tuple[EncoderText, ...]
    shape: WarmupShape
    empty_rows: int
    paid: int  # tokens that are computed, padding and empty rows included
    carries: int  # of these, tokens of a text
    waiting: tuple[EncoderWaiting, ...]
    caption: Words


@dataclass(frozen=True, slots=True)
class EncoderScene:
    """All batches until no text is left."""

    shapes: tuple[WarmupShape, ...]  # in the order in which they are tried
    longest: int  # tokens of the longest text there may be; also the size of a block
    batches: tuple[EncoderBatch, ...]
    lead: Words


def encoder_scene(
    shapes: tuple[WarmupShape, ...] = DEFAULT_SHAPES,
    texts: tuple[PoolingText, ...] = DEFAULT_TEXTS,
) -> EncoderScene:
    """Run the texts. ConfigError or OperationError name a shape or text that cannot be.

    >>> scene = encoder_scene()
    >>> [("".join(t.letter for t in b.texts), b.shape.prompt_len) for b in scene.batches]
    [('ABDE', 128), ('CF', 512), ('G', 512)]
    >>> scene.batches[0].paid, scene.batches[0].carries
    (512, 310)
    """
    if not texts:
        raise ScenarioError("texts: there are zero; name at least one, such as 90 tokens")
    if len(texts) > MAX_TEXTS:
        raise ScenarioError(
            f"texts: {len(texts):,} are more than can be shown; at most {MAX_TEXTS}"
        )
    server = PoolingScheduler(shapes)
    for text in texts:
        server.add_request(text)
    lengths = {text.request_id: text.prompt_len for text in texts}
    batches = tuple(_batch(step, lengths) for step in server.run())
    longest = server.max_model_len
    return EncoderScene(
        server.shapes,
        longest,
        batches,
        Words(
            f"Who only sorts letters keeps nothing: each has **one shelf of {longest:,} boxes** "
            "and leaves in the same step. The tables are cut beforehand, and a table is paid for "
            "whole.",
            f"An embedding or reranker model has no growing cache: **one block of {longest:,} "
            "tokens a text**, no prefix cache, no decode steps. A batch is padded to a shape "
            "compiled beforehand.",
        ),
    )


def _batch(step: PoolingStep, lengths: dict[str, int]) -> EncoderBatch:
    texts = tuple(
        EncoderText(text.request_id, text.prompt_len, padding)
        for text, padding in zip(step.texts, step.paddings, strict=True)
    )
    waiting = tuple(
        EncoderWaiting(one.request_id, lengths[one.request_id], _why(one)) for one in step.waiting
    )
    return EncoderBatch(
        texts, step.shape, step.empty_rows, step.volume, step.tokens, waiting, _caption(step)
    )


def _why(one: PoolingWaiting) -> Words:
    if one.reason == "no_common_shape":
        return Words(
            "no table is long and wide enough for it together with those before",
            "no shape fits it together with those before it",
        )
    return Words("the table has no row left", "the batch is full")


def _caption(step: PoolingStep) -> Words:
    count = len(step.texts)
    share = 100 * (step.volume - step.tokens) / step.volume
    size = f"{step.shape.batch_size} x {step.shape.prompt_len:,}"
    room = f"**{count} visitors go** to" if count > 1 else f"**{step.texts[0].request_id} goes** to"
    engine = f"**{count} texts** go" if count > 1 else f"**{step.texts[0].request_id}** goes"
    empty_room = empty_engine = ""
    if rows := step.empty_rows:
        empty_room = f" with {rows} empty row{'' if rows == 1 else 's'}"
        empty_engine = f", {rows} row{'' if rows == 1 else 's'} empty"
    wait_room = wait_engine = ""
    if step.waiting:
        one = step.waiting[0]
        why = _why(one)
        wait_room = f" {one.request_id} waits: {why.room}."
        wait_engine = f" {one.request_id} waits: {why.engine}."
    return Words(
        f"{room} the table of {size}{empty_room}: **{share:.0f} %** of it carries nothing."
        f"{wait_room}",
        f"{engine} into the shape {size}{empty_engine}: **{share:.0f} %** of it is padding."
        f"{wait_engine}",
    )
