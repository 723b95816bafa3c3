"""The run itself, small: both kernels agree, blocks are scattered, the estimate holds."""

import json
import subprocess
import sys
from itertools import count

import numpy as np
import pytest

from pagedviz.engine.attention import dense_attention
from pagedviz.engine.real_size import RealSizeSpec
from pagedviz.engine.real_size_dense import dense_batch
from pagedviz.engine.real_size_memory import estimate
from pagedviz.engine.real_size_run import SECONDS, Caches, measure
from pagedviz.paths import ROOT


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(("heads", "kv_heads"), [(4, 4), (6, 2), (3, 1)])
def test_the_batched_dense_kernel_is_the_reference_for_each_sequence(heads, kv_heads, dtype):
    rng = np.random.default_rng(0)
    query = rng.standard_normal((5, heads, 8), dtype=np.float32)
    key, value = rng.standard_normal((2, 5, 33, kv_heads, 8), dtype=np.float32).astype(dtype)
    found = dense_batch(query, key, value)
    assert found.dtype == np.float32
    for seq in range(5):
        exact = dense_attention(
            query[seq].astype(np.float64), key[seq].astype(float), value[seq].astype(float)
        )
        np.testing.assert_allclose(found[seq], exact, rtol=0, atol=1e-6)


def test_sequences_in_several_groups_are_the_same_as_one_by_one(monkeypatch):
    monkeypatch.setattr("pagedviz.engine.real_size_dense.DENSE_GROUP", 3 * 4 * 20 * 4)
    rng = np.random.default_rng(1)
    query = rng.standard_normal((7, 4, 8), dtype=np.float32)
    key, value = rng.standard_normal((2, 7, 20, 2, 8), dtype=np.float32)
    each = [dense_batch(query[s : s + 1], key[s : s + 1], value[s : s + 1]) for s in range(7)]
    np.testing.assert_allclose(dense_batch(query, key, value), np.concatenate(each), atol=1e-6)


def test_both_caches_hold_the_same_and_blocks_lie_scattered():
    spec = RealSizeSpec(4, 2, 8, context=100, num_seqs=6, block_size=16)
    caches = Caches(spec, lambda message: None)
    assert sorted(caches.table.ravel()) == list(range(42))
    assert (np.diff(caches.table.ravel()) != 1).any()
    for blocks, run in zip(caches.blocks, caches.runs, strict=True):
        for seq in range(6):
            laid = blocks[caches.table[seq]].reshape(112, 2, 8)
            np.testing.assert_array_equal(laid[:100], run[seq])
            assert np.isnan(laid[100:]).all()  # read one of these, and the result shows it


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(("context", "block_size"), [(1, 16), (64, 64), (130, 16), (50, 7)])
def test_kernels_agree_and_the_figures_are_those_of_the_caches(context, block_size, dtype):
    spec = RealSizeSpec(
        6, 3, 16, context=context, num_seqs=3, block_size=block_size, kv_dtype=dtype, repetitions=3
    )
    said = []
    found = measure(spec, said.append)
    assert found.max_difference < 2e-6
    assert found.paged_to_float64 < 2e-6
    assert found.dense_to_float64 < 2e-6
    assert found.kv_bytes == 2 * 3 * context * 3 * 16 * spec.value_bytes
    assert found.table_bytes == 4 * spec.num_blocks
    repetitions = [m for m in said if m["kind"] == "repetition"]
    assert [m["done"] for m in repetitions] == [1, 2, 3]
    assert tuple(m["paged_s"] for m in repetitions) == found.paged_s


def test_a_difference_is_seen(monkeypatch):
    """What the run tells is computed: a kernel that is wrong by 0.5 is found out."""
    right = dense_batch
    monkeypatch.setattr(
        "pagedviz.engine.real_size_run.dense_batch", lambda *caches: right(*caches) + 0.5
    )
    found = measure(RealSizeSpec(2, 1, 4, context=9, num_seqs=1), lambda message: None)
    assert found.max_difference == pytest.approx(0.5, abs=1e-5)
    assert found.dense_to_float64 == pytest.approx(0.5, abs=1e-5)
    assert found.paged_to_float64 < 1e-5


def test_no_repetition_begins_when_time_is_up():
    ticks = count(0, SECONDS / 8)
    spec = RealSizeSpec(2, 1, 4, context=9, num_seqs=1, repetitions=50)
    found = measure(spec, lambda message: None, clock=lambda: next(ticks))
    assert 1 <= len(found.paged_s) < 10


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of one process")
@pytest.mark.parametrize(
    "given",
    [
        {"num_heads": 32, "num_kv_heads": 8, "head_size": 128, "context": 2048, "num_seqs": 2},
        {
            "num_heads": 40,
            "num_kv_heads": 40,
            "head_size": 128,
            "context": 1024,
            "num_seqs": 3,
            "kv_dtype": "float16",
        },
        {"num_heads": 32, "num_kv_heads": 8, "head_size": 128, "context": 5, "num_seqs": 500},
    ],
)
def test_a_run_takes_no_more_memory_than_the_estimate_says(given):
    spec = RealSizeSpec(**given, repetitions=2)
    code = (
        "from pagedviz.engine.real_size_worker import main\nmain()\n"
        # not ru_maxrss, which a child begins with its parent's peak
        "status = open('/proc/self/status').read()\n"
        "print(status.split('VmHWM:')[1].split()[0])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as worker:
        worker.stdin.write(spec.to_json() + "\n")
        worker.stdin.flush()
        *lines, peak = worker.stdout.read().splitlines()
    assert json.loads(lines[-1])["kind"] == "result"
    need = estimate(spec).bytes
    assert 0.4 * need < int(peak) * 1024 <= need
