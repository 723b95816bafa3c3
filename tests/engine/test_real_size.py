"""Real size: what is refused at the door, and the memory a run needs, worked out by hand."""

import pytest

from pagedviz.engine.real_size import SHAPES, RealSizeError, RealSizeSpec, spec_from_json
from pagedviz.engine.real_size_memory import MOST, UNKNOWN, available_memory, estimate
from pagedviz.engine.real_size_result import RealSizeResult, result_from_message

GIB = 2**30


def spec(**changes):
    given = {"num_heads": 32, "num_kv_heads": 8, "head_size": 128, "context": 2048, "num_seqs": 8}
    return RealSizeSpec(**(given | changes))


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"num_kv_heads": 5}, "num_heads", "multiple of the KV heads .5., not 32: 30 or 35"),
        ({"num_heads": 3, "num_kv_heads": 8}, "num_heads", "not 3: 8 would do"),
        ({"num_heads": 256, "num_kv_heads": 100}, "num_heads", "not 256: 200 would do"),
        ({"head_size": 0}, "head_size", "from 1 to 1,024, not 0; the nearest is 1"),
        ({"context": 2_000_000}, "context", "not 2,000,000; the nearest is 1,048,576"),
        ({"num_seqs": 0}, "num_seqs", "the nearest is 1"),
        ({"block_size": 4096}, "block_size", "the nearest is 1,024"),
        ({"context": 10**5000}, "context", "not a number of that size"),
        ({"context": 2048.0}, "context", "whole number"),
        ({"context": True}, "context", "whole number"),
        ({"cores": 3}, "cores", "the nearest is 2"),
        ({"kv_dtype": "int8"}, "kv_dtype", "float32 or float16, not 'int8'"),
    ],
)
def test_a_size_that_cannot_be_names_the_field_and_the_nearest(changes, field, said):
    with pytest.raises(RealSizeError, match=said) as caught:
        spec(**changes)
    assert caught.value.field == field
    assert str(caught.value).startswith(field)


def test_published_shapes():
    found = {s.id: (s.num_heads, s.num_kv_heads, s.head_size) for s in SHAPES}
    assert found == {
        "granite-3.3-8b": (32, 8, 128),
        "llama-3.1-8b": (32, 8, 128),
        "llama-2-13b": (40, 40, 128),
    }


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"heads": 3}', '{"seed": 0}'])
def test_what_is_no_spec_is_refused(text):
    with pytest.raises(RealSizeError, match=r"^spec "):
        spec_from_json(text)


def test_llama_2_13b_by_hand():
    """2,048 tokens in 40 KV heads x 128: 20,480 bytes a token in K, as many in V."""
    need = estimate(spec(num_heads=40, num_kv_heads=40, num_seqs=3, context=2050), 64 * GIB)
    parts = {part.name: part.bytes for part in need.parts}
    assert parts["paged"] == 3 * 129 * 16 * 40_960  # 128 full blocks and one with 2 tokens
    assert parts["dense"] == 3 * 2050 * 40_960
    assert parts["table"] == 3 * 129 * 4
    assert need.bytes == sum(parts.values())
    assert need.fits
    assert (need.most_context, need.most_seqs) == (2050, 3)
    half = estimate(
        spec(num_heads=40, num_kv_heads=40, num_seqs=3, context=2050, kv_dtype="float16"), 64 * GIB
    )
    assert {p.name: p.bytes for p in half.parts}["paged"] == parts["paged"] // 2


def test_formulas_hold_their_result():
    for part in estimate(spec(), 64 * GIB).parts:
        left, right = part.formula.removesuffix(" bytes").split(" = ")
        assert int(right.replace(",", "")) == part.bytes
        if "x" in left:
            product = 1
            for factor in left.split(" x "):
                product *= int(factor.split()[0].replace(",", ""))
            assert product == part.bytes


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_beyond_the_limit_the_nearest_that_fit_are_named(dtype):
    asked = spec(context=65_536, num_seqs=64, kv_dtype=dtype)
    need = estimate(asked, 6 * GIB)
    assert not need.fits
    assert need.limit == 3 * GIB
    assert need.most_context % 16 == 0
    assert estimate(spec(context=need.most_context, num_seqs=64, kv_dtype=dtype), 6 * GIB).fits
    more = spec(context=need.most_context + 16, num_seqs=64, kv_dtype=dtype)
    assert not estimate(more, 6 * GIB).fits
    assert estimate(spec(context=65_536, num_seqs=need.most_seqs, kv_dtype=dtype), 6 * GIB).fits
    more = spec(context=65_536, num_seqs=need.most_seqs + 1, kv_dtype=dtype)
    assert not estimate(more, 6 * GIB).fits


def test_nothing_fits_into_nothing():
    need = estimate(spec(), 0)
    assert (need.fits, need.most_context, need.most_seqs) == (False, None, None)


def test_limit_is_half_of_what_is_free_and_never_more_than_4_gib():
    assert estimate(spec(), 2 * GIB).limit == GIB
    assert estimate(spec(), 100 * GIB).limit == MOST == 4 * GIB


def test_limit_of_a_system_that_tells_nothing(monkeypatch):
    monkeypatch.setattr("pagedviz.engine.real_size_memory.available_memory", lambda: None)
    need = estimate(spec())
    assert (need.limit, need.available) == (UNKNOWN, None)


def write(root, **files):
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_D_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_free_memory_is_what_the_tightest_of_machine_and_groups_leaves(tmp_path):
    assert available_memory(tmp_path) is None
    write(tmp_path, proc__meminfo="MemTotal: 9 kB\nMemAvailable:    8000 kB\n")
    assert available_memory(tmp_path) == 8_192_000
    write(tmp_path, proc__self__cgroup="0::/app/web\n")
    assert available_memory(tmp_path) == 8_192_000  # groups without a limit
    write(
        tmp_path,
        **{
            "sys__fs__cgroup__app__memory_D_max": "5000000\n",
            "sys__fs__cgroup__app__memory_D_current": "4000000\n",
            "sys__fs__cgroup__app__memory_D_stat": "anon 1\ninactive_file 250000\n",
            "sys__fs__cgroup__app__web__memory_D_max": "max\n",
            "sys__fs__cgroup__app__web__memory_D_current": "1\n",
        },
    )
    assert available_memory(tmp_path) == 1_250_000


def test_groups_of_the_older_kind_and_a_path_from_outside_the_container(tmp_path):
    write(
        tmp_path,
        proc__self__cgroup="5:cpu:/x\n4:memory:/docker/abc\n0::/\n",
        sys__fs__cgroup__memory__memory_D_limit_in_bytes="3000",
        sys__fs__cgroup__memory__memory_D_usage_in_bytes="4000",
    )
    assert available_memory(tmp_path) == 0  # over its limit: nothing, not less


def test_result_survives_json_and_refuses_what_is_none():
    found = RealSizeResult(spec(), (0.2, 0.3), (0.1, 0.1), 8, 4, 1e-7, 1e-8, 2e-8, True)
    assert result_from_message(found.message()) == found
    message = found.message()
    for bad in (
        {**message, "paged_s": []},
        {**message, "dense_s": [0.1, float("nan")]},
        {**message, "spec": {}},
        {"kind": "result"},
    ):
        with pytest.raises(RealSizeError):
            result_from_message(bad)
