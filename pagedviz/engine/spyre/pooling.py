"""Encoder-only models on Spyre: embeddings and rerankers, in batches of fixed shape.

Nothing is written, so nothing grows. A text is computed in one go, has one block as long as the
longest text allowed, and leaves. For a few shapes (so many texts of such a length) the program
is compiled beforehand; a batch is whatever of the queue fits one of them together, padded to
it. Nothing joins a batch that runs, and there is no prefix cache.

Leaves out: what the model computes, and time.

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (PoolingSpyreScheduler), platform.py
(get_warmup_shapes, check_and_update_config), v1/worker/spyre_model_runner.py
(_get_padded_batch_size); envs.py for the default shape.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pagedviz.engine.errors import ConfigError, OperationError, check_int, check_text
from pagedviz.engine.spyre.chunks import BLOCK_SIZE


@dataclass(frozen=True, slots=True)
class WarmupShape:
    """A compiled shape: `batch_size` texts of `prompt_len` tokens, a multiple of 64."""

    prompt_len: int
    batch_size: int

    def __post_init__(self) -> None:
        check_int("warm-up prompt_len", self.prompt_len, 1, ConfigError)
        check_int("warm-up batch_size", self.batch_size, 1, ConfigError)
        whole, rest = divmod(self.prompt_len, BLOCK_SIZE)
        if rest:
            near = f"{whole * BLOCK_SIZE:,} or " if whole else ""
            raise ConfigError(
                f"warm-up prompt_len {self.prompt_len:,} is no multiple of {BLOCK_SIZE}; "
                f"try {near}{(whole + 1) * BLOCK_SIZE:,}"
            )


DEFAULT_SHAPES = (WarmupShape(512, 8),)


@dataclass(frozen=True, slots=True)
class PoolingText:
    """A text to be embedded or ranked, of `prompt_len` tokens."""

    request_id: str
    prompt_len: int
    arrival_step: int = 0

    def __post_init__(self) -> None:
        check_text("request_id", self.request_id, OperationError)
        check_int("prompt_len", self.prompt_len, 1, OperationError)
        check_int("arrival_step", self.arrival_step, 0, OperationError)


@dataclass(frozen=True, slots=True)
class PoolingWaiting:
    """A text that is not in the batch, and why."""

    request_id: str
    reason: Literal["no_common_shape", "batch_full"]


@dataclass(frozen=True, slots=True)
class PoolingStep:
    """One batch, from beginning to end. Sizes in tokens."""

    step: int
    arrived: tuple[str, ...]
    texts: tuple[PoolingText, ...]
    shape: WarmupShape  # what the batch is padded to
    waiting: tuple[PoolingWaiting, ...]

    @property
    def empty_rows(self) -> int:
        """Rows of the shape without a text."""
        return self.shape.batch_size - len(self.texts)

    @property
    def paddings(self) -> tuple[int, ...]:
        """Padding in front of each text."""
        return tuple(self.shape.prompt_len - text.prompt_len for text in self.texts)

    @property
    def volume(self) -> int:
        """What is computed, padding and empty rows included."""
        return self.shape.prompt_len * self.shape.batch_size

    @property
    def tokens(self) -> int:
        """What of it belongs to a text."""
        return sum(text.prompt_len for text in self.texts)


class PoolingScheduler:
    """A server for texts. max_num_seqs and max_model_len follow from the shapes.

    >>> server = PoolingScheduler([WarmupShape(512, 2), WarmupShape(128, 4)])
    >>> server.shapes[0], server.max_model_len, server.max_num_seqs
    (WarmupShape(prompt_len=512, batch_size=2), 512, 4)
    >>> for name, tokens in (("A", 100), ("B", 90), ("C", 300), ("D", 10)):
    ...     server.add_request(PoolingText(name, tokens))
    >>> for step in server.run():
    ...     [text.request_id for text in step.texts], step.shape.prompt_len, step.empty_rows
    (['A', 'B', 'D'], 128, 1)
    (['C'], 512, 1)
    """

    def __init__(self, shapes: Iterable[WarmupShape] = DEFAULT_SHAPES) -> None:
        # "by speed", as the plugin says: the first that fits is taken
        self.shapes = tuple(sorted(shapes, key=lambda one: (one.batch_size, one.prompt_len)))
        if not self.shapes:
            raise ConfigError("shapes must name at least one warm-up shape, such as 512 x 8")
        self.max_model_len = max(shape.prompt_len for shape in self.shapes)  # and the block size
        self.max_num_seqs = max(shape.batch_size for shape in self.shapes)
        self.clock = 0
        self._texts: list[PoolingText] = []  # all that have not been computed, in their order
        self._names: set[str] = set()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of texts that have arrived and were not computed yet."""
        return tuple(text.request_id for text in self._here())

    def add_request(self, text: PoolingText) -> None:
        """Let a text in, or raise OperationError and change nothing."""
        name = text.request_id
        if name in self._names:
            raise OperationError(f"request {name!r} has been here already; give it another id")
        if text.arrival_step < self.clock:
            raise OperationError(
                f"request {name!r}: arrival_step {text.arrival_step} has passed; try {self.clock}"
            )
        if text.prompt_len > self.max_model_len:
            raise OperationError(
                f"request {name!r} has {text.prompt_len:,} tokens, and the longest shape is for "
                f"{self.max_model_len:,}; try {self.max_model_len:,} or fewer"
            )
        self._names.add(name)
        self._texts.append(text)
        self._texts.sort(key=lambda one: one.arrival_step)  # stable: then as they were added

    def run(self) -> Iterator[PoolingStep]:
        """Step until there is nothing left."""
        while (result := self.step()) is not None:
            yield result

    def step(self) -> PoolingStep | None:
        """Compute the next batch; None if there is nothing left."""
        if not self._texts:
            return None
        before = self.clock
        self.clock = max(self.clock, self._texts[0].arrival_step)
        here = self._here()
        batch, skipped = common_batch(here, self.shapes)
        chosen = {text.request_id for text in batch}
        result = PoolingStep(
            self.clock,
            tuple(text.request_id for text in here if text.arrival_step >= before),
            tuple(batch),
            padded_shape(batch, self.shapes),
            tuple(
                PoolingWaiting(
                    text.request_id, "no_common_shape" if text in skipped else "batch_full"
                )
                for text in here
                if text.request_id not in chosen
            ),
        )
        self._texts = [text for text in self._texts if text.request_id not in chosen]
        self.clock += 1
        return result

    def _here(self) -> list[PoolingText]:
        return [text for text in self._texts if text.arrival_step <= self.clock]


def common_batch(
    waiting: Sequence[PoolingText], shapes: Sequence[WarmupShape]
) -> tuple[list[PoolingText], list[PoolingText]]:
    """Who goes together, in the order of the queue, and who was passed over.

    Each text narrows the shapes to those it fits; one that would leave none is passed over as
    long as the batch might still grow.
    """
    batch: list[PoolingText] = []
    skipped: list[PoolingText] = []
    possible = list(shapes)
    for text in waiting:
        fitting = [
            shape
            for shape in possible
            if text.prompt_len <= shape.prompt_len and len(batch) < shape.batch_size
        ]
        if fitting:
            batch.append(text)
            possible = fitting
        elif len(batch) < max(shape.batch_size for shape in possible):
            skipped.append(text)
        else:
            break
    return batch, skipped


def padded_shape(batch: Sequence[PoolingText], shapes: Sequence[WarmupShape]) -> WarmupShape:
    """The first shape, in the order given, that holds all of `batch`."""
    longest = max(text.prompt_len for text in batch)
    return next(
        shape for shape in shapes if shape.batch_size >= len(batch) and shape.prompt_len >= longest
    )
