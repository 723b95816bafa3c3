"""What people asked in public, with the right answers: the mistakes of calculators among them."""

import math

import pytest

from pagedviz.sizing import kv_geometry
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import gpu_plan
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.models import model
from pagedviz.sizing.units import GIB, both, gb, gib, kib
from tests.sizing.shapes import plain

QWEN_25_7B = model("qwen2.5-7b").geometry()


def with_blocks(geometry, blocks, longest, lengths=None):
    lengths = lengths or Lengths(500, 300)
    return gpu_plan(
        GpuInputs(geometry, 24 * GIB, 0, lengths, max_model_len=longest, num_blocks=blocks)
    )


def test_where_a_number_of_tokens_comes_from():
    assert 43_328 // 16 == 2_708
    assert with_blocks(QWEN_25_7B, 2_708, 8192).startup.tokens == 43_328


def test_multi_head_attention_fills_memory_soon():
    qwen15 = kv_geometry(plain("qwen2", 32, 32, 32, 4096))
    assert qwen15.bytes_per_token(2) == 524_288
    assert 7_344 == 459 * 16
    assert gib(7_344 * 524_288) == "3.59 GiB"


def test_bytes_not_bits_and_four_heads_not_28():
    assert QWEN_25_7B.bytes_per_token(2) == 57_344
    assert kib(QWEN_25_7B.bytes_per_token(2)) == "56 KiB"
    assert QWEN_25_7B.sequence_bytes(3_072, 2) == 168 * 2**20


def test_how_many_people_from_a_line_of_the_log():
    # 4.61x for 8,192 tokens: 2,360 blocks, requests of 800 tokens take 50
    plan = with_blocks(model("llama-3.1-8b").geometry(), 2_361, 8192)
    assert f"{plan.startup.concurrency:.2f}" == "4.61"
    assert plan.of_length(800) == 47


def test_fp8_halves_the_bytes():
    geometry = model("qwen3-30b-a3b").geometry()
    assert geometry.bytes_per_token(1) == 49_152
    assert math.isclose(10.55 * GIB / 230_528, 49_152, rel_tol=0.001)


def test_calculators_that_were_wrong():
    assert model("llama-2-7b").geometry().bytes_per_token(2) == 524_288
    assert model("llama-3.1-8b").geometry().bytes_per_token(2) == 131_072
    groups = plain("chatglm", 28, 32, None, 4096, multi_query_group_num=2, kv_channels=128)
    assert kv_geometry(groups | {"multi_query_attention": True}).groups[0].kv_heads == 2
    assert model("mistral-nemo-12b").geometry().bytes_per_token(2) == 163_840
    assert model("gpt-oss-20b").geometry().bytes_per_token(2) == 49_152
    small, large = model("qwen3-0.6b"), model("qwen3-8b")
    assert kib(small.geometry().bytes_per_token(2)) == "112 KiB"
    assert kib(large.geometry().bytes_per_token(2)) == "144 KiB"
    assert large.parameters > 13 * small.parameters


def test_gb_and_gib_are_told_apart():
    size = model("llama-2-13b").geometry().sequence_bytes(2048, 2)
    assert size == 1_677_721_600
    assert both(size) == "1.68 GB = 1.56 GiB"
    assert (gb(size), gib(size)) == ("1.68 GB", "1.56 GiB")


@pytest.mark.parametrize(("cards", "each"), [(8, 671_088_640), (16, 671_088_640)])
def test_a_prompt_of_16384_tokens_on_each_card(cards, each):
    share = model("llama-2-70b").geometry().per_card(cards)
    assert 16_384 * share.bytes_per_token(2) == each
    assert share.total_bytes_per_token(2) == (327_680 if cards == 8 else 655_360)


def test_the_hybrid_manager_off_is_said():
    notes = model("gemma-3-4b").geometry().notes
    assert any("hybrid cache manager" in note for note in notes)
