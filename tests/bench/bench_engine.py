"""How fast the block manager is: prints one JSON object, passes and fails nothing.

    python tests/bench/bench_engine.py [--rounds 5] [--vllm SITE_PACKAGES]

Figures are operations per second, the median of some rounds. With --vllm, the folder in
which vLLM 0.33.0 and what it needs are installed, vLLM's own manager does the same in the
same process, round by round in turns, and each line also has `ratio`: ours to theirs.
"""

import argparse
import gc
import json
import os
import platform
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pagedviz.engine.block_pool import BlockPool
from pagedviz.engine.cache_session import CacheSession

CONFIG = {
    "num_blocks": 20_000,
    "block_size": 16,
    "max_model_len": 32_768,
    "watermark": 0.0,
    "enable_kv_cache_events": False,
}
PAIRS = 200_000  # of one block taken and one given back
PROMPTS = 300  # of a thousand tokens each
RUNNING = 256
STEPS = 100


# ---- workloads: make something, then return operations per second


def churn_hot(make_pool, num_blocks):
    """The same block out and back in."""
    pool = make_pool(num_blocks)
    start = time.perf_counter()
    for _ in range(PAIRS):
        pool.free_blocks(pool.get_new_blocks(1))
    return 2 * PAIRS / (time.perf_counter() - start)


def churn_half_live(make_pool, num_blocks):
    """Half the pool is in use; a random block of it is given back, a new one taken."""
    pool = make_pool(num_blocks)
    live = [pool.get_new_blocks(1) for _ in range(num_blocks // 2)]
    rng = random.Random(0)
    picks = [rng.randrange(len(live)) for _ in range(PAIRS)]
    start = time.perf_counter()
    for i in picks:
        pool.free_blocks(live[i])
        live[i] = pool.get_new_blocks(1)
    return 2 * PAIRS / (time.perf_counter() - start)


def admit(make_session, caching, num_shared):
    """Requests of 1,000 tokens arrive, are admitted and leave; `num_shared` begin alike."""
    rng = random.Random(num_shared)
    common = [rng.randrange(32_000) for _ in range(num_shared)]
    prompts = [
        common + [rng.randrange(32_000) for _ in range(1_000 - num_shared)] for _ in range(PROMPTS)
    ]
    session = make_session({**CONFIG, "enable_caching": caching})
    if num_shared:
        session.add_request("first", prompts[0])
        session.admit("first")
        session.free("first")
    start = time.perf_counter()
    for i, prompt in enumerate(prompts):
        req = f"r{i}"
        session.add_request(req, prompt)
        session.admit(req)
        session.free(req)
    return PROMPTS / (time.perf_counter() - start)


def decode(make_session, caching):
    """Many requests run, and each writes one token per step."""
    rng = random.Random(1)
    session = make_session({**CONFIG, "enable_caching": caching})
    names = [f"r{i}" for i in range(RUNNING)]
    for req in names:
        length = rng.randint(100, 400)
        session.add_request(req, [rng.randrange(32_000) for _ in range(length)])
        session.admit(req)
    start = time.perf_counter()
    for step in range(STEPS):
        for req in names:
            session.append(req, [step])
            session.allocate(req, 1)
    return RUNNING * STEPS / (time.perf_counter() - start)


# ---- the same, on vLLM


def load_vllm(site_packages):
    """A pool and a session made of vLLM's own parts, with our method names."""
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    sys.path.append(site_packages)
    import torch
    from vllm.sampling_params import SamplingParams
    from vllm.utils.hashing import sha256
    from vllm.v1.core import block_pool, kv_cache_utils
    from vllm.v1.core.kv_cache_manager import KVCacheManager
    from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheConfig, KVCacheGroupSpec
    from vllm.v1.request import Request, RequestStatus

    def make_pool(num_blocks):
        return block_pool.BlockPool(num_blocks, enable_caching=True, hash_block_size=16)

    class Session:
        def __init__(self, config):
            size, caching = config["block_size"], config["enable_caching"]
            spec = FullAttentionSpec(
                block_size=size, num_kv_heads=1, head_size=1, dtype=torch.float32
            )
            self.manager = KVCacheManager(
                KVCacheConfig(
                    num_blocks=config["num_blocks"],
                    kv_cache_tensors=[],
                    kv_cache_groups=[KVCacheGroupSpec(["layer"], spec)],
                ),
                max_model_len=config["max_model_len"],
                scheduler_block_size=size,
                hash_block_size=size,
                enable_caching=caching,
            )
            kv_cache_utils.init_none_hash(sha256)
            hasher = kv_cache_utils.get_request_block_hasher(size, sha256)
            self.hasher = hasher if caching else None
            self.requests = {}

        def add_request(self, req, tokens):
            self.requests[req] = Request(
                request_id=req,
                prompt_token_ids=list(tokens),
                sampling_params=SamplingParams(max_tokens=100_000),
                pooling_params=None,
                block_hasher=self.hasher,
            )

        def admit(self, req):
            request = self.requests[req]
            blocks, hit, _ = self.manager.get_computed_blocks(request)
            num_new = request.num_tokens - hit
            self.manager.allocate_slots(request, num_new, hit, blocks, full_sequence_must_fit=True)
            request.num_computed_tokens = hit + num_new
            request.status = RequestStatus.RUNNING

        def append(self, req, tokens):
            self.requests[req].append_output_token_ids(tokens)

        def allocate(self, req, num_new_tokens):
            request = self.requests[req]
            self.manager.allocate_slots(request, num_new_tokens)
            request.num_computed_tokens += num_new_tokens

        def free(self, req):
            self.manager.free(self.requests.pop(req))

    return make_pool, Session


def measure(workload, makers, rounds, *args):
    """Run `workload` with each maker in turns; the median of each, and their ratio."""
    found = {name: [] for name in makers}
    for _ in range(rounds):
        for name, make in makers.items():
            gc.collect()
            gc.freeze()  # as a server does once it is up: what stays is not scanned again
            found[name].append(workload(make, *args))
            gc.unfreeze()
    line = {name: round(statistics.median(values)) for name, values in found.items()}
    if "vllm" in line:
        line["ratio"] = round(line["pagedviz"] / line["vllm"], 2)
    return line


def main():
    parser = argparse.ArgumentParser(description="Operations per second of the block manager.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--vllm", metavar="SITE_PACKAGES", help="where vLLM is installed")
    options = parser.parse_args()
    pools, sessions = {"pagedviz": BlockPool}, {"pagedviz": CacheSession}
    if options.vllm:
        pools["vllm"], sessions["vllm"] = load_vllm(options.vllm)
    report = {"unit": "operations per second", "python": platform.python_version()}
    for size in (10_000, 100_000):
        for churn in (churn_hot, churn_half_live):
            report[f"{churn.__name__}_{size}"] = measure(churn, pools, options.rounds, size)
    for name, caching, shared in (
        ("admit_1000_tokens_no_caching", False, 0),
        ("admit_1000_tokens_nothing_shared", True, 0),
        ("admit_1000_tokens_800_shared", True, 800),
    ):
        report[name] = measure(admit, sessions, options.rounds, caching, shared)
    for name, caching in (("decode_256_running_caching", True), ("decode_256_running", False)):
        report[name] = measure(decode, sessions, options.rounds, caching)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
