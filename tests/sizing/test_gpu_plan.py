"""vLLM's arithmetic at start-up, against its own lines and worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.sizing import ConfigError, manual_geometry
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import gpu_plan
from pagedviz.sizing.gpu_problems import problems
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.models import model
from pagedviz.sizing.units import GIB
from tests.sizing.gpu import inputs
from tests.sizing.shapes import SHAPES, plain

cards = st.sampled_from([1, 2, 4, 8])


def line(plan):
    return plan.startup.lines[-1]


def test_from_memory_to_blocks_step_by_step():
    plan = gpu_plan(inputs(room=3 * GIB))
    assert plan.budget == 79_027_398_247  # ceil(80 x 2^30 x 0.92)
    assert plan.available == 79_027_398_247 - 16_060_522_496 - 3 * GIB
    assert plan.blocks.bytes_per_block == 16 * 131_072
    assert plan.num_blocks == plan.available // (16 * 131_072) == 28_488
    assert plan.usable_blocks == 28_487  # block 0 is nobody's
    assert plan.at_full_length == 28_487 // 512 == 55
    assert plan.of_length(800) == 28_487 // 50
    assert plan.real.about == 569
    assert line(plan) == (
        "GPU KV cache size: 455,808 tokens, Maximum concurrency for 8,192 tokens per request: "
        "55.64x"
    )
    assert plan.startup.lines[0] == "Available KV cache memory: 55.64 GiB"


@pytest.mark.parametrize(
    ("blocks", "longest", "tokens", "times"),
    [
        (1000, 8192, "16,000", "1.95x"),
        (1000, 1000, "15,873", "15.87x"),
        (100, 17, "850", "50.00x"),
        (1952, 20_000, "31,232", "1.56x"),
        (1381, 2048, "22,096", "10.79x"),
        (127_626, 2048, "2,042,016", "997.08x"),
        (474, 128, "7,584", "59.25x"),
    ],
)
def test_the_line_that_vllm_prints(blocks, longest, tokens, times):
    plan = gpu_plan(inputs(num_blocks=blocks, max_model_len=longest))
    assert line(plan) == (
        f"GPU KV cache size: {tokens} tokens, Maximum concurrency for {longest:,} tokens per "
        f"request: {times}"
    )


def test_windows_make_groups_that_share_a_pool():
    # Gemma 3 27B: 10 full layers and 52 in a window of 1,024 are 1 + 6 groups of 10
    shape = next(one for one in SHAPES if one.name == "gemma-3-27b")
    plan = gpu_plan(inputs(shape.config, max_num_batched_tokens=2048))
    assert plan.blocks.bytes_per_block == 10 * 2 * 16 * 128 * 2 * 16
    # full: 8,192 / 16; window: (1,023 + 2 x 2,048 in flight) / 16 and one more, six times
    assert plan.blocks.per_request(8192, 4096) == 512 + 6 * (320 + 1)
    assert plan.blocks.per_request(8192) == 512 + 6 * (64 + 1)
    assert any("52 sliding layers to 6 groups" in note for note in plan.notes)
    # gpt-oss 20B: 12 and 12
    shape = next(one for one in SHAPES if one.name == "gpt-oss-20b")
    plan = gpu_plan(inputs(shape.config))
    assert [(table.kind, table.count) for table in plan.blocks.tables] == [
        ("full", 1),
        ("sliding", 1),
    ]


@pytest.mark.parametrize(
    ("name", "longest", "times"),
    [
        ("gemma-3-27b", 8192, 4.1017227235438884),
        ("gpt-oss-20b", 8192, 12.87001287001287),
        ("jamba-1.5-mini", 8192, 85.47008547008546),
        ("llama-4-scout", 32_768, 2.297794117647059),
    ],
)
def test_concurrency_as_vllm_works_it_out(name, longest, times):
    """The numbers are vLLM 0.33's own, from get_max_concurrency_for_kv_cache_config."""
    configs = {shape.name: shape.config for shape in SHAPES}
    configs["llama-4-scout"] = model("llama-4-scout").config
    plan = gpu_plan(
        inputs(configs[name], num_blocks=10_000, max_model_len=longest, max_num_batched_tokens=2048)
    )
    assert plan.startup.concurrency == pytest.approx(times, rel=1e-12)


def test_states_raise_the_block_size():
    # Jamba: 4 attention and 28 Mamba layers; a state is 3 x 8,192 x 2 + 8,192 x 16 x 2 bytes,
    # a token 2 x 8 x 128 x 2; 311,296 / 4,096 = 76, so blocks of 80 tokens
    shape = next(one for one in SHAPES if one.name == "jamba-1.5-mini")
    plan = gpu_plan(inputs(shape.config))
    assert plan.blocks.block_size == 80
    assert plan.blocks.bytes_per_block == 4 * 80 * 4096
    assert plan.blocks.per_request(800) == 10 + 7 * 2
    shape = next(one for one in SHAPES if one.name == "mamba-2.8b")
    plan = gpu_plan(inputs(shape.config))
    assert plan.blocks.bytes_per_block == 12_451_840
    assert plan.of_length(10) == plan.of_length(100_000) == plan.usable_blocks


def test_a_source_of_fixed_length_takes_blocks_too():
    shape = next(one for one in SHAPES if one.name == "whisper-large-v2")
    plan = gpu_plan(inputs(shape.config, max_model_len=448))
    assert plan.blocks.per_request(448) == 448 // 16 + 94  # 1,500 / 16, rounded up


def test_layers_of_different_size_are_counted_in_full_and_said():
    gemma4 = plain("gemma4_text", 6, 8, 4, 2304, head_dim=256, sliding_window=512)
    plan = gpu_plan(inputs(gemma4))
    assert not plan.blocks.exact
    assert plan.blocks.bytes_per_block == 16 * 2 * 4 * (5 * 256 + 512) * 2
    assert any("as if every layer kept every token" in note for note in plan.notes)
    sparse = model("deepseek-v3.2").geometry()
    whole = gpu_plan(GpuInputs(sparse, 80 * GIB, 0, Lengths(9, 9), max_model_len=64))
    assert whole.blocks.exact
    assert whole.blocks.bytes_per_block == 16 * 78_324


def test_tokens_of_a_pool_and_odd_lengths():
    plan = gpu_plan(inputs(num_blocks=100))
    assert plan.pool_tokens == 99 * 16
    with pytest.raises(ConfigError, match="tokens must be"):
        plan.of_length(0)
    nothing = gpu_plan(inputs(plain("bert", 12, 12, None, 768)))
    assert nothing.pool_tokens == nothing.of_length(5) == 0


def test_cards_share_the_heads_of_all_tokens():
    one = gpu_plan(inputs(weights=0, room=0))
    two = gpu_plan(inputs(weights=0, room=0, cards=2))
    assert two.blocks.bytes_per_block * 2 == one.blocks.bytes_per_block
    assert two.num_blocks in (2 * one.num_blocks, 2 * one.num_blocks + 1)
    latent = model("deepseek-v2-lite").geometry()
    alone = gpu_plan(GpuInputs(latent, 80 * GIB, 0, Lengths(9, 9), max_model_len=64, room=0))
    both = gpu_plan(
        GpuInputs(latent, 80 * GIB, 0, Lengths(9, 9), max_model_len=64, room=0, cards=2)
    )
    assert both.num_blocks == alone.num_blocks
    assert any("whole latent" in note for note in both.notes)
    spread = gpu_plan(inputs(plain("llama", 80, 64, 8, 8192), cards=16))
    assert spread.share.copies == 2
    with pytest.raises(ConfigError, match="8 KV heads"):
        gpu_plan(inputs(plain("llama", 12, 24, 8, 1536), cards=12))


def test_an_fp8_cache_holds_twice_as_much():
    wide = gpu_plan(inputs(weights=0, room=0))
    narrow = gpu_plan(inputs(weights=0, room=0, dtype_bytes=1))
    assert narrow.num_blocks in (2 * wide.num_blocks, 2 * wide.num_blocks + 1)


def test_real_requests_vary_and_the_sure_number_is_smaller():
    still = gpu_plan(inputs(lengths=Lengths(500, 300)))
    lively = gpu_plan(inputs(lengths=Lengths(500, 300, 200, 250)))
    assert still.real.sure == still.real.about == still.real.best
    assert lively.real.sure < lively.real.about < lively.real.best
    assert lively.real.in_motion > lively.real.about
    assert still.real.in_motion == still.usable_blocks // 41  # 650 tokens


def test_encoder_only_models_have_no_pool():
    plan = gpu_plan(inputs(plain("bert", 12, 12, None, 768), weights=0))
    assert plan.blocks is None
    assert plan.startup is None
    assert plan.limit == "batch"
    assert plan.at_once == (0, 0, 0)
    assert problems(plan) == ()


def test_inputs_say_where_they_are_from():
    origins = {one.name.split(" (")[0]: one.origin for one in inputs().values()}
    assert origins["gpu_memory_utilization"] == "cited"
    assert origins["room for activations and graphs"] == "typical"
    typed = {one.name.split(" (")[0]: one.origin for one in inputs(room=GIB).values()}
    assert typed["room for activations and graphs"] == "typed"


@given(st.integers(1, 200), st.integers(0, 100), st.floats(0.1, 1.0), st.integers(1, 20_000), cards)
def test_more_memory_never_means_fewer(memory, weights, share, longest, count):
    lengths = Lengths(100, 50, 30, 20)

    def plan(size):
        return gpu_plan(
            GpuInputs(
                manual_geometry(32, 8, 128, attention_heads=32),
                size * GIB,
                weights * GIB,
                lengths,
                max_model_len=longest,
                utilization=share,
                cards=count,
            )
        )

    less, more = plan(memory), plan(memory + 1)
    assert less.num_blocks <= more.num_blocks
    assert less.real.sure <= more.real.sure
    assert less.real.about <= more.real.about
    assert less.at_full_length <= more.at_full_length
    assert less.real.sure <= less.real.about <= less.real.best
