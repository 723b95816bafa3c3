"""The strips show the chunk rule's figures, say them, and stay light."""

import re

import pytest

from pagedviz.charts.strips import STRIPS_CSS, spyre_strip, strips_html, vllm_strip
from pagedviz.conformance.files import read_json
from pagedviz.paths import GOLDEN
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

CASES = read_json(GOLDEN / "spyre" / "chunk_reuse.json.gz")["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['prompt_len']}-{c['chunk_size']}")
def test_parts_are_the_recorded_ones(case):
    expected = case["expected"]
    strip = spyre_strip(case["prompt_len"], case["cached_prefix_blocks"] * 64, case["chunk_size"])
    sizes = {part.kind: part.end - part.start for part in strip.parts}
    assert sizes.get("pad", 0) == expected["left_padding_tokens"]
    assert sizes.get("reused", 0) == strip.reused == expected["reusable_tokens"]
    assert sizes.get("again", 0) == 64 * expected["cached_but_recomputed_blocks"]
    assert (strip.skipped, strip.chunks) == (expected["chunks_skipped"], expected["chunks_total"])
    assert strip.parts[-1].end == case["prompt_len"]
    for one, next_one in zip(strip.parts, strip.parts[1:], strict=False):
        assert one.end == next_one.start


@pytest.mark.parametrize(
    ("prompt", "shared", "reused"),
    [(1024, 1024, 1008), (15, 15, 0), (3000, 2500, 2496), (65, 65, 64)],
)
def test_vllm_reuses_full_blocks_but_never_the_last_token(prompt, shared, reused):
    assert vllm_strip(prompt, shared).reused == reused


def labels(html):
    return re.findall(r'role="img" aria-label="([^"]*)"', html)


def test_each_strip_has_a_spoken_label():
    assert labels(strips_html(3000, 2500, register="engine")) == [
        "By block (vLLM): 2,496 of 3,000 tokens reused, 504 computed; 156 blocks of 16 tokens hit; "
        "a line for every 4 blocks.",
        "By chunk of 1,024 (Spyre): 1,984 of 3,000 tokens reused, 1,016 computed; 1 padding block, "
        "2 of 3 chunks skipped.",
        "By chunk of 512 (Spyre): 2,496 of 3,000 tokens reused, 504 computed; 1 padding block, "
        "5 of 6 chunks skipped.",
    ]


def test_registers_never_mix():
    room, engine = (
        re.sub(r"<[^>]*>", " ", strips_html(2600, 2500, (1024, 512, 64), register))
        for register in ("room", "engine")
    )
    assert not re.search(ENGINE_ONLY, room)
    assert not re.search(ROOM_ONLY, engine)


@pytest.mark.parametrize("chunk", [64, 512, 1024, 131_072])
@pytest.mark.parametrize("prompt", [1, 64, 1000, 32_768, 131_072])
def test_long_prompts_stay_light(prompt, chunk):
    html = strips_html(prompt, prompt * 9 // 10, (chunk, 512))
    assert html.count("<i ") < 25
    assert html.count("<u ") <= 2 * 64
    assert len(html) < 20_000
    percent = [float(p) for p in re.findall(r"(?:left|width):([\d.e-]+)%", html)]
    assert all(0 <= p <= 100.01 for p in percent)


def test_everything_drawn_has_a_style_and_no_script():
    html = strips_html(2600, 2500, (1024, 512, 64))
    for name in set(re.findall(r'class="([^"]+)"', html)):
        for one in name.split():
            assert f".{one}" in STRIPS_CSS, one
    assert "<script" not in html
    assert "on" not in re.findall(r" (\w+)=", html)


def test_shared_is_cut_to_the_prompt():
    assert strips_html(100, 5000) == strips_html(100, 100)
    assert 'pv-strip-cut" style' not in strips_html(100, 0)


def test_a_chunk_of_500_is_refused():
    with pytest.raises(ValueError, match="no multiple of the block size 64; try 448 or 512"):
        strips_html(3000, 2500, (500,))
