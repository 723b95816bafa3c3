"""Each preset shows what its words say, under the app's own tokenizer."""

import re

import pytest

from pagedviz.engine.spyre.chunks import chunk_reuse
from pagedviz.timeline import prefix_texts
from pagedviz.timeline.play import play
from pagedviz.timeline.prefix_presets import PREFIX_PRESETS, prefix_preset
from pagedviz.timeline.sharing import explain
from pagedviz.tokens import default_tokenizer
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY


def views(preset):
    prompts = preset.prompts(default_tokenizer())
    run = preset.run(default_tokenizer())
    return explain(prompts, run, play(run))


# per prompt: hit tokens and why no more
EXPECTED = {
    "help-desk": ["0 nobody_before", "12 token_differs", "0 token_differs"],
    "system-prompt": ["0 nobody_before"] + ["12 token_differs"] * 3,
    "twice": ["0 nobody_before", "48 last_token", "64 block_not_full"],
    "turns": ["0 nobody_before", "28 other_not_full", "44 other_not_full"],
    "retrieval": ["0 nobody_before", "12 token_differs", "44 token_differs"],
    "time-stamp": ["0 nobody_before", "0 token_differs", "0 token_differs", "24 block_not_full"],
    "tenants": [
        "0 nobody_before",
        "0 salt_differs",
        "20 block_not_full",
        "0 adapter_differs",
        "20 block_not_full",
    ],
    "short": ["0 nobody_before", "0 token_differs", "0 token_differs"],
    "first-letter": ["0 nobody_before", "0 token_differs", "20 block_not_full"],
    "what-is-left": ["0 nobody_before", "12 token_differs", "0 token_differs", "16 evicted"],
    "chunks-3000": ["0 nobody_before", "2496 token_differs"],
    "chunks-2600": ["0 nobody_before", "2496 token_differs"],
    "one-chunk": ["0 nobody_before", "896 token_differs"],
    "encoder": ["0 caching_off"] * 3,
}


def test_all_presets_are_here():
    assert [preset.id for preset in PREFIX_PRESETS] == list(EXPECTED)


@pytest.mark.parametrize("preset", PREFIX_PRESETS, ids=lambda p: p.id)
def test_preset_shows_what_it_claims(preset):
    found = views(preset)
    assert [f"{v.hit_tokens} {v.reason.kind}" for v in found] == EXPECTED[preset.id]
    assert all(v.admission is not None for v in found)
    assert len(found) <= 6


@pytest.mark.parametrize("preset", PREFIX_PRESETS, ids=lambda p: p.id)
def test_preset_is_whole(preset):
    timeline = play(preset.run(default_tokenizer()))
    assert 0 < preset.opening <= timeline.last
    assert timeline.steps[preset.opening].name == "admit"
    lists = (preset.texts, preset.salts, preset.adapters, preset.leaves, preset.answers)
    assert {len(values) for values in lists} == {preset.num_prompts}
    for text in (preset.title, preset.lead):
        assert not re.search(ENGINE_ONLY, text.room), text.room
        assert not re.search(ROOM_ONLY, text.engine), text.engine
    assert not re.search(NUMBER_WORDS, preset.lead.room + preset.lead.engine)


SURPRISES = {
    # prompt, shared tokens -> reused by vLLM, by chunks of 1,024, by chunks of 512
    "chunks-3000": (3000, 2500, 2496, 1984, 2496),
    "chunks-2600": (2600, 2500, 2496, 1600, 2112),
    "one-chunk": (1000, 900, 896, 0, 512),
}


@pytest.mark.parametrize("key", SURPRISES)
def test_surprises_have_the_lengths_and_figures_their_words_say(key):
    length, shared, vllm, by_1024, by_512 = SURPRISES[key]
    preset = prefix_preset(key)
    last = views(preset)[-1]
    assert (last.prompt.num_tokens, last.same_beginning) == (length, shared)
    assert last.hit_tokens == vllm
    assert chunk_reuse(length, shared // 64, 1024).reusable_tokens == by_1024
    assert chunk_reuse(length, shared // 64, 512).reusable_tokens == by_512
    numbers = {int(n.replace(",", "")) for n in re.findall(r"[0-9][0-9,]*", preset.lead.engine)}
    said = {vllm, by_1024} - {0} if key == "one-chunk" else {length, vllm, by_1024, by_512}
    assert said <= numbers
    room = {int(n.replace(",", "")) for n in re.findall(r"[0-9][0-9,]*[0-9]", preset.lead.room)}
    assert room <= numbers | {length, shared, vllm}


def test_unknown_preset():
    assert prefix_preset("none") is None


@pytest.mark.parametrize("tokens", [10, 63, 64, 65, 500])
def test_handbooks_have_exactly_so_many_tokens(tokens):
    text = prefix_texts.handbook(tokens)
    assert prefix_texts.num_tokens(text) == tokens
    longer = prefix_texts.handbook(tokens, "Lake Bank", after=text)
    assert default_tokenizer().encode(longer)[:tokens] == default_tokenizer().encode(text)
    assert prefix_texts.num_tokens(longer) == 2 * tokens


def test_too_few_tokens_for_a_handbook():
    with pytest.raises(ValueError, match="3 tokens are too few"):
        prefix_texts.handbook(3)
