"""What paging costs: attention over scattered blocks beside attention over one run.

    python tests/bench/bench_attention.py [--rounds 9] [--seqs 16] [--tokens 2048]
        [--heads 32] [--kv-heads 8] [--head-size 128] [--block-sizes 16,64]

Prints one JSON object, passes and fails nothing. All kernels get the same numbers and run in
turns in one process, each a few times in a row; figures are medians in milliseconds, and
`ratio` is the paged kernel's to the best of the dense ones, below 1 if paging is faster.

Dense are two batched matrix products over contiguous memory and a softmax in place, written
as well as numpy allows: token after token, as a cache without blocks keeps them; head
after head, which is kinder to the processor but costs a copy of everything at every new token;
and the app's own, a few sequences at a time. PyTorch is measured if it is installed.

Between kernels is a pause: for some 30 ms after a product, OpenBLAS keeps its threads awake, and
whoever comes next shares the processors with them. `back_to_back` is without it; `by_itself` is
one long row of calls for each, as it is where nobody else computes.
"""

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from pagedviz.engine.attention import paged_attention
from pagedviz.engine.real_size_dense import dense_batch

IN_A_ROW = 3
PAUSE = 0.06  # seconds


def dense_matmul(query, key, value):
    """query (seqs, heads, size); key, value (seqs, kv_heads, tokens, size), maybe as views."""
    num_seqs, num_heads, head_size = query.shape
    num_kv_heads = key.shape[1]
    rows = query * np.float32(head_size**-0.5)
    rows = rows.reshape(num_seqs, num_kv_heads, num_heads // num_kv_heads, head_size)
    scores = np.matmul(rows, key.swapaxes(-1, -2))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return np.matmul(scores, value).reshape(query.shape)


def torch_attention(query, key, value):
    """PyTorch's own kernel over keys and values head after head, or None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    q, k, v = (torch.from_numpy(x) for x in (query[:, :, None], key, value))

    def run():
        sdpa = torch.nn.functional.scaled_dot_product_attention
        return sdpa(q, k, v, enable_gqa=True)[:, :, 0].numpy()

    return run


def in_blocks(run, block_size, order):
    """A run (seqs, tokens, kv_heads, size), its blocks put where `order` says."""
    num_seqs, num_tokens = run.shape[:2]
    padded = np.full((num_seqs, -(-num_tokens // block_size) * block_size, *run.shape[2:]), np.nan)
    padded = padded.astype(np.float32)
    padded[:, :num_tokens] = run
    cache = np.empty((len(order), block_size, *run.shape[2:]), np.float32)
    cache[order] = padded.reshape(cache.shape)
    return cache


def make_kernels(args):
    """Name -> function without arguments; all of them compute the same."""
    rng = np.random.default_rng(0)
    query = rng.standard_normal((args.seqs, args.heads, args.head_size), dtype=np.float32)
    shape = (args.seqs, args.tokens, args.kv_heads, args.head_size)
    key, value = (rng.standard_normal(shape, dtype=np.float32) for _ in "kv")
    by_head = [np.ascontiguousarray(run.transpose(0, 2, 1, 3)) for run in (key, value)]
    views = [run.transpose(0, 2, 1, 3) for run in (key, value)]
    kernels = {
        "dense_by_token": lambda: dense_matmul(query, *views),
        "dense_by_head": lambda: dense_matmul(query, *by_head),
        "dense_some_sequences": lambda: dense_batch(query, key, value),
    }
    if run := torch_attention(query, *by_head):
        kernels["torch_sdpa"] = run
    for block_size in args.block_sizes:
        order = rng.permutation(args.seqs * -(-args.tokens // block_size))
        caches = [in_blocks(run, block_size, order) for run in (key, value)]
        inputs = (query, *caches, order.reshape(args.seqs, -1), [args.tokens] * args.seqs)
        kernels[f"paged_{block_size}"] = lambda inputs=inputs: paged_attention(*inputs)
    return kernels


def measure(kernels, rounds, pause, in_a_row):
    """Name -> milliseconds, all of them. In every round each comes after another one."""
    times = {name: [] for name in kernels}
    chance = random.Random(0)
    for _ in range(rounds):
        for name in chance.sample(list(kernels), len(kernels)):
            time.sleep(pause)
            for _ in range(in_a_row):
                start = time.perf_counter()
                kernels[name]()
                times[name].append(1e3 * (time.perf_counter() - start))
    return times


def summary(times):
    """Medians, and how each paged kernel compares with each dense one."""
    medians = {name: statistics.median(some) for name, some in times.items()}
    dense = {name: ms for name, ms in medians.items() if name.startswith("dense")}
    # what can stand in for a cache that grows by a token at a time
    growing = min(ms for name, ms in dense.items() if name != "dense_by_head")
    return {
        "ms": {name: round(ms, 2) for name, ms in medians.items()},
        "ratio": {
            name: {
                "to_the_best_dense_by_token": round(ms / growing, 3),
                "to_dense_by_head": round(ms / dense["dense_by_head"], 3),
            }
            for name, ms in medians.items()
            if name.startswith("paged")
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seqs", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--kv-heads", type=int, default=8)
    parser.add_argument("--head-size", type=int, default=128)
    parser.add_argument(
        "--block-sizes", type=lambda text: [int(n) for n in text.split(",")], default=[16, 64]
    )
    args = parser.parse_args()
    kernels = make_kernels(args)
    results = {name: kernel() for name, kernel in kernels.items()}  # warms up, too
    first = results["dense_by_token"]
    report = {
        "bench": "attention",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "cpus": os.cpu_count(),
        "shape": {name: getattr(args, name) for name in ("seqs", "tokens", "heads", "kv_heads")},
        "largest_difference": {
            name: float(np.abs(result - first).max()) for name, result in results.items()
        },
        "by_itself": summary(measure(kernels, 2, 10 * PAUSE, 2 * args.rounds)),
        "after_a_pause": summary(measure(kernels, args.rounds, PAUSE, IN_A_ROW)),
        "back_to_back": summary(measure(kernels, args.rounds, 0, 1)),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
