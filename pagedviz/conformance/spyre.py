"""Recorded answers of the Spyre plugin, worked out anew from their inputs alone.

`spyre_chunk_reuse`, `spyre_admission` and `spyre_decode_sets` answer single cases;
`spyre_steps` (`spyre_steps.py`) runs a server from the first request to the last.

Leaves out: reading files and comparing (`files`, `replay`).

Source: the form of the cases recorded from sendnn-inference 2.6.3 and vllm-spyre 1.10.0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pagedviz.conformance.spyre_inputs import check_block_size, check_limits, check_running
from pagedviz.engine.errors import OperationError, check_bool
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.admission import BatchState, Candidate, Decision, Reason, decide
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, chunk_reuse
from pagedviz.engine.spyre.decode_set import Turn, choose_decode_set
from pagedviz.engine.spyre.padding import padded_tkv
from pagedviz.engine.spyre.releases import get_release
from pagedviz.engine.spyre.requests import check_request
from pagedviz.engine.spyre.volume import Decoding

CHUNK_INPUTS = ("prompt_len", "cached_prefix_blocks", "chunk_size", "block_size")


def spyre_chunk_reuse(case: Mapping[str, Any]) -> dict[str, Any]:
    """What the chunk rule makes of a case, in the form of its `expected`.

    Reads only the inputs; `block_size` may be absent, and is 64 in any case.

    >>> case = {"prompt_len": 3000, "cached_prefix_blocks": 39, "chunk_size": 1024}
    >>> spyre_chunk_reuse(case)["reusable_tokens"]
    1984
    """
    check_block_size(case.get("block_size", BLOCK_SIZE))
    found = asdict(
        chunk_reuse(
            case["prompt_len"],
            case["cached_prefix_blocks"],
            case["chunk_size"],
        )
    )
    return {name: value for name, value in found.items() if name not in CHUNK_INPUTS}


def spyre_admission(case: Mapping[str, Any], release: str) -> dict[str, Any]:
    """Whether the waiting request of a case is taken, in the form of `expected[release]`.

    Reads `limits`, `running`, `waiting`, and where they are there `paused` (how many of those
    running pause) and `previous_step_was_prefill`. ConfigError if there is no such release, or
    a limit cannot be.

    >>> case = {
    ...     "limits": {"max_num_seqs": 32, "max_model_len": 32768, "chunk_size": 512,
    ...                "num_blocks": 8192, "tkv_limit": 131072},
    ...     "running": [{"prompt_len": 400, "generated": 10, "max_tokens": 3648}] * 31,
    ...     "waiting": {"prompt_len": 400, "max_tokens": 3648},
    ... }
    >>> spyre_admission(case, "sendnn_2_6_3_default_pausing")["blocks_available"]
    6207
    >>> spyre_admission(case, "sendnn_2_6_3_pausing_off")["reason"]
    'volumetric_limit'
    >>> spyre_admission(case, "vllm_spyre_1_10_0")
    {'may_finish_prefill_now': True, 'reason': 'admitted'}
    """
    rules = get_release(release)
    limits, waiting = case["limits"], case["waiting"]
    paused = case.get("paused", 0)
    after_prefill = case.get("previous_step_was_prefill", False)
    check_limits(limits)
    check_running(case["running"], paused)
    check_bool("previous_step_was_prefill", after_prefill, OperationError)
    running = [_decoding(request) for request in case["running"]]
    tkv = padded_tkv(request.stored for request in running)
    needed = _blocks(waiting["prompt_len"], waiting["max_tokens"])
    held = sum(_blocks(request.prompt_len, request.max_tokens) for request in running)
    available = limits["num_blocks"] - 1 - held
    checked = check_request(
        waiting["prompt_len"], waiting["max_tokens"], max_model_len=limits["max_model_len"]
    )
    if not checked.legal:
        decision = Decision(Reason.REJECTED, False, False)
    else:
        # which of them pause is not recorded, and makes no difference: while anybody pauses
        # nobody is taken, unless all of them do
        paused = paused if rules.chooses_decode_set else 0
        decision = decide(
            rules,
            BatchState(
                running[: len(running) - paused],
                num_paused=paused,
                last_step_was_prefill=after_prefill,
                tkv=tkv,
            ),
            Candidate(
                waiting["prompt_len"],
                waiting["max_tokens"],
                blocks_needed=needed,
                blocks_available=available,
            ),
            max_num_seqs=limits["max_num_seqs"],
            max_model_len=limits["max_model_len"],
            batch_tkv_limit=limits["tkv_limit"],
            chunk_size=limits["chunk_size"],
        )
    if not rules.promises_blocks:
        return {
            "may_finish_prefill_now": decision.may_finish,
            "reason": decision.reason.value,
        }
    found: dict[str, Any] = {
        "starts_prefill_now": decision.starts,
        "may_finish_prefill_now": decision.may_finish,
        "reason": decision.reason.value,
        "tkv": tkv,
    }
    if checked.legal:
        found |= {"blocks_needed": needed, "blocks_available": available}
    return found


def spyre_decode_sets(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Who decodes in the next `num_steps` steps, in the form of `steps`.

    Reads `limits`, `running` and `num_steps`; where that is absent, as many as `steps` has.
    Requests are named by their place in `running`. Fewer steps if all have left before. Of the
    limits the product counts, and the context, where answers end; ConfigError if any cannot be.

    >>> case = {
    ...     "limits": {"tkv_limit": 131072},
    ...     "running": [{"prompt_len": 30000, "generated": 50, "max_tokens": 500}]
    ...     + [{"prompt_len": 150, "generated": 51, "max_tokens": 500}] * 31,
    ...     "num_steps": 4,
    ... }
    >>> [step["batch"] for step in spyre_decode_sets(case)]
    [4, 31, 4, 31]
    """
    check_limits(case["limits"])
    check_running(case["running"])
    num_steps = case["num_steps"] if "num_steps" in case else len(case["steps"])
    limit = case["limits"]["tkv_limit"]
    context = case["limits"].get("max_model_len")
    requests = {str(i): _decoding(request, context) for i, request in enumerate(case["running"])}
    running, paused = list(requests), list[str]()
    sat_out = dict.fromkeys(requests, 0)

    def turns(names: Sequence[str]) -> list[Turn]:
        return [
            Turn(
                name,
                requests[name].stored,
                requests[name].stored - requests[name].prompt_len,
                sat_out[name],
            )
            for name in names
        ]

    steps: list[dict[str, Any]] = []
    while len(steps) < num_steps and (running or paused):
        chosen = choose_decode_set(turns(running), turns(paused), limit)
        if not chosen.decoding:
            raise OperationError(
                f"nobody can decode: one request is longer than the product limit {limit}"
            )
        steps.append(
            {
                "decoding": sorted(map(int, chosen.decoding)),
                "batch": len(chosen.decoding),
                "tkv": chosen.tkv,
                "volume": chosen.volume,
                "paused": sorted(map(int, chosen.paused)),
            }
        )
        for name in chosen.decoding:
            was = requests[name]
            requests[name] = Decoding(was.prompt_len, was.stored + 1, was.max_tokens)
        sat_out |= chosen.sat_out
        running = [name for name in chosen.decoding if requests[name].steps_left > 0]
        paused = list(chosen.paused)
    return steps


def _decoding(request: Mapping[str, Any], max_model_len: int | None = None) -> Decoding:
    # the last token that was generated has no K and V yet
    stored = request["prompt_len"] + request["generated"] - 1
    max_tokens = request["max_tokens"]
    if max_model_len is not None:  # an answer ends with the context at the latest
        max_tokens = min(max_tokens, max_model_len - request["prompt_len"])
    return Decoding(request["prompt_len"], stored, max_tokens)


def _blocks(prompt_len: int, max_tokens: int) -> int:
    return cdiv(prompt_len + max_tokens, BLOCK_SIZE)
