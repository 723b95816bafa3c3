"""Whole runs of a Spyre server, in the form of the recorded step traces.

Leaves out: reading files and comparing (`files`, `replay`); single decisions (`spyre`).

Source: the form of the traces recorded from sendnn-inference 2.6.3.
"""

from collections.abc import Mapping
from typing import Any

from pagedviz.conformance.spyre_inputs import check_limits
from pagedviz.engine.errors import ConfigError, check_bool
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.scheduler import SpyreScheduler
from pagedviz.engine.spyre.step_result import StepResult

RELEASE = {True: "sendnn_2_6_3_default_pausing", False: "sendnn_2_6_3_pausing_off"}


def spyre_steps(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All steps until everybody has left, in the form of `steps`.

    Reads `rig` and `requests`. No two prompts have tokens in common. The recorded ones went
    straight to the scheduler, past the front end that refuses requests that are too long.

    >>> steps = spyre_steps({
    ...     "rig": {"pausing": True, "max_num_seqs": 4, "max_model_len": 512, "chunk": 128,
    ...             "num_blocks": 36, "tkv_limit": 1024},
    ...     "requests": [{"id": "0", "prompt_len": 40, "max_tokens": 2, "add_step": 3}],
    ... })
    >>> steps[0]["kind"], steps[0]["left_padding"], steps[0]["free_blocks"]
    ('prefill', {'0': 64}, 34)
    >>> [(step["step"], step["tkv"], step["volume"]) for step in steps]
    [(3, 40, None), (4, 41, 41)]
    """
    rig = trace["rig"]
    check_limits(rig)
    pausing = check_bool("pausing", rig["pausing"], ConfigError)
    limits = SpyreLimits(
        rig["max_num_seqs"],
        rig["max_model_len"],
        rig["tkv_limit"],
        rig["chunk"],
        rig["num_blocks"],
    )
    server = SpyreScheduler(limits, RELEASE[pausing])
    for request in trace["requests"]:
        server.add_request(
            SpyreRequest(
                request["id"],
                request["prompt_len"],
                request["max_tokens"],
                arrival_step=request["add_step"],
            ),
            validate=False,
        )
    return [_step(result) for result in server.run()]


def _step(result: StepResult) -> dict[str, Any]:
    prefill, rectangle = result.prefill, result.rectangle
    if prefill is not None:
        scheduled = [prefill.scheduled_tokens]
        left_padding = {prefill.request_id: prefill.left_padding}
    else:
        assert rectangle is not None
        scheduled = [1] * len(rectangle.rows)
        left_padding = {row.request_id: row.left_padding for row in rectangle.rows}
    return {
        "step": result.step,
        "kind": result.kind,
        "reqs": list(result.requests),
        "scheduled_tokens": scheduled,
        "tkv": result.tkv,
        "left_padding": left_padding,
        "volume": result.volume,
        "paused": list(result.paused),
        "waiting": [one.request_id for one in result.waiting],
        "free_blocks": result.blocks.free,
        "reserved_blocks": result.blocks.promised,
    }
