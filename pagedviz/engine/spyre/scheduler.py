"""Whole lives on a Spyre server, step by step: arrive, wait, prefill, decode, pause, leave.

Every step is either one chunk of one prompt or one token for everybody in the decode set, never
both. Waiting requests are asked in their order. In 2.6.3 the first that finds too few blocks
stops the asking, but one that is refused for another reason may be overtaken; in 1.10.0 nobody
overtakes. A prompt that is under way is continued before anything else if the rules let it.

Leaves out: sampling, images, structured output, requests that are cancelled, time. Chunked
prefill cannot be switched off: 2.x has no such switch, and the older mode of 1.x aligns its
batch token by token, which is another scheduler. `interleave=False` is the plugin's own switch
for letting the others wait through a whole prompt.

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (schedule, update_from_output);
vllm-spyre 1.10.0, the same, and v1/worker/spyre_model_runner.py for the tkv it reports.
"""

from collections.abc import Iterator

from pagedviz.engine.errors import ConfigError, OperationError, check_bool, check_int
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.spyre import prefill
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.decode_set import DecodeSet
from pagedviz.engine.spyre.life import Life, no_block_left
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.padding import Rectangle, decode_rectangle
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, get_release
from pagedviz.engine.spyre.requests import RequestCheck, SpyreRequest, check_request
from pagedviz.engine.spyre.server_state import ServerState
from pagedviz.engine.spyre.step_result import BlockCount, Finished, PrefillStep, StepResult, Waiting


class SpyreScheduler:
    """A server with these limits and the rules of this release.

    prefix_caching: None is the release's default. long_output_priority: among requests that
    have paused equally long, those that have written most come first.

    >>> server = SpyreScheduler(SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=36))
    >>> for name in "AB":
    ...     check = server.add_request(SpyreRequest(name, 150, max_tokens=3))
    >>> for step in server.run():
    ...     step.step, step.kind, step.requests, step.tkv, step.blocks.free, step.blocks.promised
    (0, 'prefill', ('A',), 150, 34, 2)
    (1, 'prefill', ('A',), 150, 32, 0)
    (2, 'decode', ('A',), 151, 32, 0)
    (3, 'prefill', ('B',), 150, 31, 2)
    (4, 'decode', ('A',), 152, 34, 2)
    (5, 'prefill', ('B',), 150, 32, 0)
    (6, 'decode', ('B',), 151, 32, 0)
    (7, 'decode', ('B',), 152, 35, 0)
    """

    def __init__(
        self,
        limits: SpyreLimits,
        release: str = DEFAULT_RELEASE,
        *,
        prefix_caching: bool | None = None,
        interleave: bool = True,
        long_output_priority: bool = False,
    ) -> None:
        if not isinstance(limits, SpyreLimits):
            raise ConfigError("limits must be SpyreLimits")
        self.limits = limits
        self.release = get_release(release)
        if prefix_caching is None:
            prefix_caching = self.release.prefix_caching_default
        self.prefix_caching = check_bool("prefix_caching", prefix_caching, ConfigError)
        check_bool("interleave", interleave, ConfigError)
        self.long_output_priority = check_bool(
            "long_output_priority", long_output_priority, ConfigError
        )
        self.manager = KVCacheManager(
            limits.num_blocks,
            BLOCK_SIZE,
            enable_caching=prefix_caching,
            max_model_len=limits.max_model_len,
        )
        self._state = ServerState(limits, self.release, self.manager, interleave)
        self.clock = 0  # number of the next step
        self._names: set[str] = set()
        self._coming: list[Life] = []  # not arrived yet, in the order of their arrival
        self._arrived: list[str] = []  # since the last step that was told of

    # ---- asking

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of requests that have arrived and have not been taken, in their order."""
        return tuple(life.name for life in self._state.waiting)

    @property
    def decoding(self) -> tuple[str, ...]:
        """Ids of requests whose prompt is done and that do not pause."""
        return tuple(life.name for life in self._state.decoders())

    @property
    def paused(self) -> tuple[str, ...]:
        """Ids of requests that sit out."""
        return tuple(life.name for life in self._state.paused)

    @property
    def prefilling(self) -> str | None:
        """Id of the request whose prompt is under way."""
        return self._state.prefilling.name if self._state.prefilling else None

    @property
    def blocks(self) -> BlockCount:
        """The pool as it stands."""
        return self._state.blocks()

    def block_table(self, request_id: str) -> tuple[int, ...]:
        """Ids of the blocks a request holds, without padding; empty if it holds none."""
        return tuple(self.manager.get_block_ids(request_id))

    # ---- doing

    def add_request(self, request: SpyreRequest, *, validate: bool = True) -> RequestCheck:
        """Let a request in, or raise OperationError at the door and change nothing.

        validate: False puts it past the front end, straight into the queue. Where its answer
        reaches the end of the context it then ends.
        """
        name = request.request_id
        if name in self._names:
            raise OperationError(f"request {name!r} has been here already; give it another id")
        if request.arrival_step < self.clock:
            raise OperationError(
                f"request {name!r}: arrival_step {request.arrival_step} has passed; "
                f"try {self.clock}"
            )
        check = check_request(
            request.prompt_len, request.max_tokens, max_model_len=self.limits.max_model_len
        )
        if validate and not check.legal:
            raise OperationError(f"request {name!r}: {check.why_not()}")
        room = self.limits.max_model_len - request.prompt_len
        if room < 1 or check.blocks_promised > self.limits.usable_blocks:
            raise OperationError(
                f"request {name!r} asks for {check.blocks_promised:,} blocks and a context of "
                f"{request.prompt_len + check.max_tokens:,} tokens; there are "
                f"{self.limits.usable_blocks:,} and {self.limits.max_model_len:,}"
            )
        wanted = check.max_tokens if request.output_len is None else request.output_len
        life = Life.of(
            request,
            check.max_tokens,
            min(wanted, check.max_tokens, room),
            self.limits.chunk_size,
            self.prefix_caching,
        )
        self._names.add(name)
        self._coming.append(life)
        self._coming.sort(key=lambda one: one.spec.arrival_step)  # stable: then as they were added
        return check

    def run(self, max_steps: int | None = None) -> Iterator[StepResult]:
        """Step until everybody has left, or `max_steps` steps have been made."""
        if max_steps is not None:
            check_int("max_steps", max_steps, 0, OperationError)
        made = 0
        while (max_steps is None or made < max_steps) and (result := self.step()) is not None:
            made += 1
            yield result

    def step(self) -> StepResult | None:
        """Make the next step that has work in it; None if everybody has left.

        OperationError, and nothing changed, if 1.10.0 runs out of blocks.
        """
        state = self._state
        while True:
            if not (state.waiting or state.running or state.paused):
                if not self._coming:
                    return None
                self.clock = max(self.clock, self._coming[0].spec.arrival_step)
            while self._coming and self._coming[0].spec.arrival_step <= self.clock:
                life = self._coming.pop(0)
                state.waiting.append(life)
                self._arrived.append(life.name)
            result = self._step()
            self.clock += 1
            if result is not None:
                self._arrived.clear()
                return result
            # 1.10.0 can refuse a last chunk for a tkv from before all others left. Nobody decodes
            # then, and the empty step reports a tkv of 0, which gets it on
            state.tkv = 0

    def _step(self) -> StepResult | None:
        state = self._state
        asked = prefill.ask_waiting(state)
        goes_on, prefill_waits = prefill.why_not(state)
        life = state.prefilling if goes_on else None if state.prefilling else asked.taken
        if life is None:
            return self._decode(asked.waits, prefill_waits)
        step = prefill.go_on(state, life) if goes_on else prefill.start(state, life)
        return self._result(
            state.let_go([life] if step.is_last else []),
            {life.name: life.gained},
            asked.waits,
            prefill_step=step,
        )

    def _decode(
        self, waits: tuple[Waiting, ...], prefill_waits: Waiting | None
    ) -> StepResult | None:
        state = self._state
        chosen = state.choose(self.long_output_priority)
        lives = {life.name: life for life in (*state.running, *state.paused)}
        decoding = [lives[name] for name in chosen.decoding]
        rectangle = decode_rectangle((life.name, life.stored) for life in decoding)
        new_blocks = sum(life.stored % BLOCK_SIZE == 0 for life in decoding)
        if new_blocks > state.manager.block_pool.get_num_free_blocks():
            raise no_block_left(self.release, state.manager)

        state.last_step_was_prefill = False
        for name, steps in chosen.sat_out.items():
            lives[name].sat_out = steps
        prefilling = [] if state.prefilling is None else [state.prefilling]
        state.running = decoding + prefilling
        state.paused = [lives[name] for name in chosen.paused]
        if not decoding:
            return None
        state.tkv = state.card_tkv = rectangle.tkv
        for life in decoding:
            life.decode(state.manager, self.release)
        gained = {life.name: life.gained for life in decoding}
        return self._result(
            state.let_go(decoding), gained, waits, prefill_waits, rectangle=rectangle, chosen=chosen
        )

    def _result(
        self,
        finished: tuple[Finished, ...],
        gained: dict[str, list[int]],
        waits: tuple[Waiting, ...],
        prefill_waits: Waiting | None = None,
        *,
        prefill_step: PrefillStep | None = None,
        rectangle: Rectangle | None = None,
        chosen: DecodeSet | None = None,
    ) -> StepResult:
        return StepResult(
            step=self.clock,
            arrived=tuple(self._arrived),
            prefill=prefill_step,
            rectangle=rectangle,
            newly_paused=chosen.newly_paused if chosen else (),
            resumed=chosen.resumed if chosen else (),
            paused=self.paused,
            prefill_waits=prefill_waits,
            waiting=waits,
            running=self._state.shown(),
            finished=finished,
            new_blocks=tuple((name, tuple(ids)) for name, ids in gained.items() if ids),
            blocks=self.blocks,
            volume_limit=self.limits.batch_tkv_limit,
        )
