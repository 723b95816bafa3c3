"""How fast loads are read and simulated: prints one JSON object, passes and fails nothing.

    python tests/bench/bench_workload.py [--requests 20000]

Reading: a million rows of CSV. Simulation: a load with the lengths and arrivals of the Azure
conversation trace of 2023 where it lies beside the project (repeated end to end), else made up
with its means. `jump_ratio` is how many times longer the engine's own scheduler takes, step by
step and token by token, over the first part of the same load. Seconds are of the clock, `cpu_s`
of this process; memory is the largest this process had.
"""

import argparse
import json
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pagedviz.paths import ROOT
from pagedviz.workload import Lengths, LoadSetup, SimulationSetup, generate, read_trace, simulate
from pagedviz.workload.batching import Batching
from pagedviz.workload.paged_memory import PagedMemory
from pagedviz.workload.simulate import load_requests
from tests.workload.plain_runs import PlainPaged

AZURE = ROOT.parent / "shared" / "cases" / "traces" / "azure2023_conv_head3000.csv"
SETUP = SimulationSetup(memory_slots=200_000, max_num_seqs=256, max_model_len=16_384)
PART = 300  # requests that are also run token by token


def azure_like(count):
    """`count` requests, and where they are from."""
    if not AZURE.is_file():
        lengths = {"prompt": Lengths(1150, 1.1, 14_050), "output": Lengths(259, 0.8, 1000)}
        return generate(LoadSetup("own", count, rate=4.8, **lengths)), "made up"
    trace = read_trace(AZURE.read_bytes(), AZURE.name)
    span = trace.requests["arrival_s"].max() + 0.2
    parts = [
        trace.requests.assign(arrival_s=trace.requests["arrival_s"] + at * span)
        for at in range(-(count // -len(trace.requests)))
    ]
    rows = pd.concat(parts, ignore_index=True).head(count)
    rows.index = pd.RangeIndex(1, len(rows) + 1, name="row")
    return replace(trace, requests=rows), AZURE.name


def timed(work):
    """What `work` returns, and the seconds it took."""
    clock, cpu = time.perf_counter(), time.process_time()
    found = work()
    return found, {
        "seconds": round(time.perf_counter() - clock, 2),
        "cpu_s": round(time.process_time() - cpu, 2),
    }


def jump_ratio(trace):
    """Token by token against border by border, the same requests."""
    part = replace(trace, requests=trace.requests.head(PART))
    memory = {"caching": True, "max_model_len": SETUP.max_model_len}

    def jumping():
        requests = load_requests(part)
        batching = Batching(
            requests, PagedMemory(SETUP.num_blocks, SETUP.block_size, **memory), SETUP
        )
        while batching.advance():
            pass
        return batching

    plain = PlainPaged(load_requests(part), SETUP, SETUP.max_model_len)
    plain.kinds = lambda: ()  # counted block by block there, which is for the tests

    def stepping():
        while len(plain.finished) < PART:
            plain.take_step(set())

    batching, jumped = timed(jumping)
    _, stepped = timed(stepping)
    assert plain.step == batching.step
    return round(stepped["cpu_s"] / jumped["cpu_s"], 1)


def largest_memory():
    """In MB; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))


def main():
    parser = argparse.ArgumentParser(description="Seconds to read and to simulate loads.")
    parser.add_argument("--requests", type=int, default=20_000)
    options = parser.parse_args()
    report = {"python": platform.python_version(), "requests": options.requests}
    trace, source = azure_like(options.requests)
    report["load"] = source
    result, report["simulate_all_systems"] = timed(lambda: simulate(trace, SETUP))
    for system in SETUP.systems:
        one = replace(SETUP, systems=(system,))
        _, report[f"simulate_{system}"] = timed(lambda one=one: simulate(trace, one))
        report[f"simulate_{system}"]["steps"] = result.systems[system].steps
    report["memory_mb_after_simulating"] = largest_memory()
    chat = generate(LoadSetup("chat", options.requests, rate=8.0))
    _, report["simulate_chat_with_hits"] = timed(lambda: simulate(chat, SETUP))
    report["jump_ratio"] = jump_ratio(trace)
    data = b"arrival_s,prompt_tokens,output_tokens\n" + b"1.5,300,20\n" * 1_000_000
    _, report["read_csv_1000000_rows"] = timed(lambda: read_trace(data, "bench.csv"))
    lines = b'{"timestamp": 5, "input_length": 900, "output_length": 3, "hash_ids": [1, 2]}\n'
    _, report["read_jsonl_200000_rows"] = timed(lambda: read_trace(lines * 200_000, "b.jsonl"))
    report["memory_mb"] = largest_memory()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
