"""A scenario: a server's limits, a release, and requests with their arrivals, checked.

A request that is too long for the context is no mistake here: it is refused at the door, which
is worth showing. What cannot be shown at all (too many requests, too many steps) is.

Leaves out: the run itself (`play`), scenarios to start from (`presets`).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, get_release
from pagedviz.engine.spyre.requests import SpyreRequest, check_request
from pagedviz.timeline.spyre.errors import ScenarioError

MAX_REQUESTS = 64
MAX_STEPS = 2_000
MAX_CLOCK = 100_000
MAX_PROMPT_TOKENS = 400_000  # in all; every one of them is hashed


@dataclass(frozen=True, slots=True)
class Scenario:
    """What `play` plays. ScenarioError if it cannot be shown, ConfigError for a wrong release.

    prefix_caching: None is the release's default. door: False lets too long requests past the
    front end, as the recorded runs did. stop_after: steps after which the run is cut, or None.

    >>> limits = SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=36)
    >>> Scenario(limits, (SpyreRequest("A", 150, 200), SpyreRequest("A", 150, 200)))
    Traceback (most recent call last):
    ...
    pagedviz.timeline.spyre.errors.ScenarioError: request 2: the id 'A' is taken by request 1;
    give it another
    """

    limits: SpyreLimits
    requests: tuple[SpyreRequest, ...]
    release: str = DEFAULT_RELEASE
    prefix_caching: bool | None = None
    interleave: bool = True
    door: bool = True
    stop_after: int | None = None
    title: str = ""

    def __post_init__(self) -> None:
        get_release(self.release)
        if not isinstance(self.limits, SpyreLimits):
            raise ScenarioError("limits must be SpyreLimits")
        if not self.requests:
            raise ScenarioError("requests: there are zero; name at least one")
        if len(self.requests) > MAX_REQUESTS:
            raise ScenarioError(
                f"requests: {len(self.requests):,} are more than can be shown; at most "
                f"{MAX_REQUESTS}, so leave out {len(self.requests) - MAX_REQUESTS:,}"
            )
        total = sum(request.prompt_len for request in self.requests)
        if total > MAX_PROMPT_TOKENS:
            raise ScenarioError(
                f"requests: their prompts have {total:,} tokens, more than the "
                f"{MAX_PROMPT_TOKENS:,} that can be shown; leave out requests or shorten prompts"
            )
        seen: dict[str, int] = {}
        for number, request in enumerate(self.requests, 1):
            name = request.request_id
            if name in seen:
                raise ScenarioError(
                    f"request {number}: the id {name!r} is taken by request {seen[name]}; "
                    "give it another"
                )
            seen[name] = number
            if request.arrival_step > MAX_CLOCK:
                raise ScenarioError(
                    f"request {number} ({name!r}): arrival_step {request.arrival_step:,} is too "
                    f"late; at most {MAX_CLOCK:,}"
                )
        if self.stop_after is not None and not 1 <= self.stop_after <= MAX_STEPS:
            raise ScenarioError(
                f"stop_after must be from 1 to {MAX_STEPS:,}, not {self.stop_after:,}"
            )
        if self.stop_after is None and (least := self.least_steps()) > MAX_STEPS:
            raise ScenarioError(
                f"requests: the run takes at least {least:,} steps, more than the {MAX_STEPS:,} "
                "that can be shown; shorten the answers or leave out requests"
            )

    def least_steps(self) -> int:
        """Steps the run takes at least: the longest life, or all chunks if that is more."""
        lives = []
        chunks = 0
        for request in self.requests:
            check = check_request(
                request.prompt_len, request.max_tokens, max_model_len=self.limits.max_model_len
            )
            if self.door and not check.legal:
                continue
            written = check.max_tokens if request.output_len is None else request.output_len
            # with the prefix cache all but the last chunk may be found
            found = self.prefix_caching is not False and bool(
                request.shared_tokens or request.prompt_token_ids
            )
            own = 1 if found else cdiv(request.prompt_len, self.limits.chunk_size)
            chunks += own
            lives.append(own + written - 1)
        return max([*lives, chunks], default=0)
