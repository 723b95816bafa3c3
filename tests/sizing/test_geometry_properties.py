"""What holds for every shape: growth, division over cards, and one figure from two ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.sizing import ConfigError, kv_geometry
from tests.sizing.shapes import SHAPES, names, plain

shapes = st.sampled_from(SHAPES)
sizes = st.sampled_from([1, 2, 4])
tokens = st.integers(0, 300_000)


@given(shapes, tokens, tokens, sizes)
def test_a_longer_sequence_never_takes_less(shape, one, other, size):
    found = kv_geometry(shape.config)
    short, long = sorted((one, other))
    assert found.sequence_bytes(short, size) <= found.sequence_bytes(long, size)


@given(shapes, tokens)
def test_the_next_token_costs_what_the_window_leaves(shape, number):
    found = kv_geometry(shape.config)
    step = found.sequence_bytes(number + 1, 2) - found.sequence_bytes(number, 2)
    inside = found.bytes_per_token(2)
    beyond = found.bytes_per_token_beyond_window(2)
    assert beyond <= step <= inside
    if not found.windows or number < found.windows[0]:
        assert step == inside
    if found.windows and number >= found.windows[-1]:
        assert step == beyond


@given(
    st.integers(1, 100),
    st.integers(1, 16).flatmap(lambda kv: st.tuples(st.just(kv), st.integers(1, 8))),
    st.integers(1, 256),
)
def test_grouped_heads_are_a_share_of_all_heads(layers, heads, size):
    kv_heads, group = heads
    config = plain("llama", layers, kv_heads * group, kv_heads, None, head_dim=size)
    every = plain("llama", layers, kv_heads * group, kv_heads * group, None, head_dim=size)
    assert kv_geometry(config).bytes_per_token(2) == 2 * layers * kv_heads * size * 2
    assert kv_geometry(config).bytes_per_token(2) * group == kv_geometry(every).bytes_per_token(2)


@given(st.integers(1, 64), st.integers(1, 8), st.integers(1, 64), sizes)
def test_cards_share_or_are_refused(kv_heads, group, cards, size):
    heads = kv_heads * group
    found = kv_geometry(plain("llama", 4, heads, kv_heads, None, head_dim=64))
    works = heads % cards == 0 and (kv_heads % cards == 0 or cards % kv_heads == 0)
    if not works:
        with pytest.raises(ConfigError, match=r"cards evenly|equally often"):
            found.per_card(cards)
        return
    share = found.per_card(cards)
    assert share.bytes_per_token(size) == 2 * 4 * max(1, kv_heads // cards) * 64 * size
    assert share.total_bytes_per_token(size) == found.bytes_per_token(size) * share.copies
    assert share.copies == max(1, cards // kv_heads)


def test_cards_by_the_numbers():
    llama = kv_geometry(plain("llama", 80, 64, 8, 8192))
    assert llama.per_card(8).bytes_per_token(2) == 40_960
    assert llama.per_card(16).bytes_per_token(2) == 40_960  # one head, kept twice
    assert llama.per_card(16).total_bytes_per_token(2) == 655_360
    assert llama.card_counts(16) == (1, 2, 4, 8, 16)
    falcon = kv_geometry(names("falcon", n_layer=32, n_head=71, hidden_size=4544))
    with pytest.raises(ConfigError, match="71 attention heads cannot be split over 2 cards"):
        falcon.per_card(2)
    latent = names("deepseek_v3", num_hidden_layers=61, num_attention_heads=128)
    deepseek = kv_geometry(latent | {"kv_lora_rank": 512, "qk_rope_head_dim": 64})
    for cards in (1, 2, 8):
        assert deepseek.per_card(cards).bytes_per_token(2) == 70_272
    uneven = kv_geometry(plain("qwen2", 4, 48, 6, 4608))
    with pytest.raises(ConfigError, match=r"6 KV heads cannot .* on 16 cards.*try 12 or 24"):
        uneven.per_card(16)


def test_states_are_divided_by_channels_and_heads():
    jamba = next(shape for shape in SHAPES if shape.name == "jamba-1.5-mini")
    found = kv_geometry(jamba.config)
    assert found.per_card(4).state_bytes == found.fixed_state_bytes // 4
    nemotron = next(shape for shape in SHAPES if shape.name == "nemotron-h-56b")
    known = kv_geometry(nemotron.config | {"mamba_ssm_cache_dtype": "float16"})
    # 16 cards for 8 groups: each card keeps one
    each = 54 * (3 * (16 * 64 + 2 * 1 * 256) + 16 * 64 * 256) * 2
    assert known.per_card(16).state_bytes == each


@pytest.mark.parametrize("size", [0, 8, 16, 2.0, "2", True])
def test_bytes_per_value_are_bytes(size):
    with pytest.raises(ConfigError, match=r"1 .FP8., 2"):
        kv_geometry(plain("llama", 1, 1, 1, 64)).bytes_per_token(size)


@pytest.mark.parametrize("number", [-1, 1.5, True, "3"])
def test_tokens_are_counted(number):
    with pytest.raises(ConfigError, match="tokens must be a whole number"):
        kv_geometry(plain("llama", 1, 1, 1, 64)).sequence_bytes(number)
