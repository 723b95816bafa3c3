"""Run a scenario on the engine's own scheduler, step by step, to its end.

Leaves out: words and wire; the same requests on stock vLLM (`beside`).
"""

from __future__ import annotations

from pagedviz.engine.spyre.releases import get_release
from pagedviz.engine.spyre.requests import RequestCheck, SpyreRequest, check_request
from pagedviz.engine.spyre.scheduler import SpyreScheduler
from pagedviz.engine.spyre.step_result import StepResult
from pagedviz.timeline.spyre.errors import ScenarioError
from pagedviz.timeline.spyre.moments import Played, Visitor, hue_of, hues, moments
from pagedviz.timeline.spyre.scenario import MAX_STEPS, Scenario
from pagedviz.timeline.step import letter


def play(scenario: Scenario) -> Played:
    """All steps until everybody has left, or `stop_after`.

    ScenarioError if there are more than MAX_STEPS; OperationError if the server runs out of
    blocks, as 1.10.0 can.

    >>> from pagedviz.engine.spyre.limits import SpyreLimits
    >>> limits = SpyreLimits(4, 512, 1024, chunk_size=128, num_blocks=36)
    >>> requests = (SpyreRequest("A", 150, 4), SpyreRequest("B", 500, 13))
    >>> played = play(Scenario(limits, requests))
    >>> played.turns(), played.moments[0].refused
    ((' ppddd', '      '), (1,))
    """
    server = SpyreScheduler(
        scenario.limits,
        scenario.release,
        prefix_caching=scenario.prefix_caching,
        interleave=scenario.interleave,
    )
    checks: dict[str, RequestCheck] = {}
    refused: list[tuple[int, int]] = []
    for number, request in enumerate(scenario.requests):
        check = check_request(
            request.prompt_len, request.max_tokens, max_model_len=scenario.limits.max_model_len
        )
        checks[request.request_id] = check
        if scenario.door and not check.legal:
            refused.append((request.arrival_step, number))
        else:
            server.add_request(request, validate=scenario.door)
    most = scenario.stop_after or MAX_STEPS + 1
    results = list(server.run(most))
    if len(results) > MAX_STEPS:
        raise ScenarioError(
            f"requests: the run takes more than the {MAX_STEPS:,} steps that can be shown; "
            "shorten the answers or leave out requests"
        )
    turned_away = {number for _, number in refused}
    found = hues([one.request_id for one in scenario.requests], results)
    visitors = tuple(
        _visitor(number, request, checks[request.request_id], number in turned_away, found, results)
        for number, request in enumerate(scenario.requests)
    )
    prompts = {request.request_id: request.prompt_len for request in scenario.requests}
    return Played(
        scenario.title,
        scenario.limits,
        get_release(scenario.release),
        visitors,
        moments(None, results, prompts, refused),
    )


def _visitor(
    number: int,
    request: SpyreRequest,
    check: RequestCheck,
    refused: bool,
    found: dict[str, int],
    results: list[StepResult],
) -> Visitor:
    name = request.request_id
    done = next((f for result in results for f in result.finished if f.request_id == name), None)
    written = done.generated if done else request.output_len or check.max_tokens
    return Visitor(
        number,
        name,
        letter(number),
        hue_of(name, found),
        request.prompt_len,
        check.max_tokens,
        0 if refused else min(written, check.max_tokens),
        request.arrival_step,
        check if refused else None,
    )
