"""The prefix page without a browser: presets, levers, typed prompts, tokenizer files, links."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.prefix_presets import PREFIX_PRESETS
from pagedviz.ui.prefix_link import from_text, to_text
from pagedviz.ui.prefix_state import MOST_PROMPTS, SHOP, Setup, Typed, edited
from pagedviz.ui.prefix_words import ENGINE, ROOM


def opened(**params: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/prefix.py")
    for name, value in params.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other setup."""
    return f"prefix.{name}.{page.session_state[SHOP].moves}"


def rows(page: AppTest) -> list[dict]:
    return page.session_state[SHOP].played.rows


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()


@pytest.mark.parametrize("preset", PREFIX_PRESETS, ids=lambda preset: preset.id)
@pytest.mark.parametrize("words", ["room", "engine"])
def test_every_preset_opens(preset, words):
    page = opened(preset=preset.id, words=words)
    assert len(rows(page)) == preset.num_prompts
    assert page.selectbox(key=key(page, "preset")).value == preset.id
    assert not page.warning
    opening = page.session_state[SHOP].opening
    assert opening.step == preset.opening <= page.session_state[SHOP].played.timeline.last


def test_levers_change_the_setup_and_nothing_else():
    page = opened()
    texts = [row["text"] for row in rows(page)]
    page.selectbox(key=key(page, "size")).select(8).run()
    page.number_input(key=key(page, "shelves")).set_value(40).run()
    page.number_input(key=key(page, "chunk")).set_value(1024).run()
    page.toggle(key=key(page, "keep")).set_value(False).run()
    setup = page.session_state[SHOP].played.setup
    assert (setup.block_size, setup.num_blocks, setup.chunk) == (8, 41, 1024)
    assert not setup.caching
    assert setup.preset is None
    assert [row["text"] for row in rows(page)] == texts
    assert {row["kind"] for row in rows(page)} == {"caching_off"}


def test_chunk_of_500_is_refused_with_the_reason():
    page = opened()
    page.number_input(key=key(page, "chunk")).set_value(500).run()
    assert "chunk 500 is no multiple of the block size 64" in page.warning[0].value
    assert page.session_state[SHOP].played.setup.chunk != 500
    assert not page.exception


def test_what_comes_from_the_stage_is_checked():
    assert edited(None) == edited({}) == edited(["x", {"salt": "s"}]) == ()
    assert len(edited([{"text": "a"}] * 20)) == MOST_PROMPTS
    odd = edited([{"text": "a", "salt": None, "leaves": True, "adapter": "x" * 99, "answer": 3}])
    assert odd == (Typed("a", "", "x" * 40, None, ""),)


def test_links_hold_the_prompts_and_damaged_ones_are_said():
    setup = Setup((Typed("Hello you"), Typed("Hello", "salt", "adapter", 1, " there")), 8, 30)
    assert from_text(to_text(setup)) == setup
    page = opened(prompts=to_text(setup))
    assert [row["text"] for row in rows(page)] == ["Hello you", "Hello"]
    assert to_text(Setup((Typed("".join(map(chr, range(300, 2300)))),))) is None
    for bad in ("2.abc", "1.abc", to_text(setup)[:-9]):
        page = opened(prompts=bad)
        assert "prompts: " in page.warning[0].value
        assert page.session_state[SHOP].played.setup.preset == PREFIX_PRESETS[0].id


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"step": "999"}, "this run ends at step"),
        ({"pin": "900"}, "last shelf is"),
        ({"v": "9"}, "newer"),
    ],
)
def test_bad_links(params, said):
    assert said in opened(**params).warning[0].value


def test_prompt_that_cannot_be_used_says_so_and_the_others_stay():
    blank = Setup((Typed("You are a help desk."), Typed("  \n "), Typed("You are a help desk.")))
    page = opened(prompts=to_text(blank))
    first, second, third = rows(page)
    assert second["r"] is None
    assert all(second["problem"])
    assert (first["r"], third["r"]) == (0, 1)
    assert third["hits"] == 1
    assert not any(first["problem"])
    assert not any(third["problem"])


def test_prompt_longer_than_the_pool_is_told_so():
    page = opened(prompts=to_text(Setup((Typed("word " * 200), Typed("word")), 4, 10)))
    long, short = rows(page)
    assert long["in"] is None
    assert "never" in long["why"][0]
    assert short["in"] is not None


def test_figures_of_the_card_are_the_rule():
    page = opened()
    assert "1,984" in " ".join(text.value for text in page.markdown) or "2,496" in " ".join(
        text.value for text in page.markdown
    )
    page.slider(key="prefix.prompt_len").set_value(1024).run()
    page.slider(key="prefix.shared").set_value(1024).run()
    page.number_input(key=key(page, "chunk")).set_value(1024).run()
    assert "**0**" in " ".join(text.value for text in page.markdown)
    assert not page.exception


def test_own_tokenizer_cuts_the_text_and_a_wrong_file_changes_nothing():
    model = {"type": "WordLevel", "vocab": {"you": 0, "are": 1, "[UNK]": 2}, "unk_token": "[UNK]"}
    good = json.dumps({"version": "1.0", "model": model, "pre_tokenizer": {"type": "Whitespace"}})
    page = opened(prompts=to_text(Setup((Typed("you are"),))))
    page.session_state["prefix.tokenizer.open"] = True
    page.run()
    page.file_uploader(key="prefix.file").set_value(
        ("mine.json", good.encode(), "application/json")
    )
    page.run()
    assert rows(page)[0]["pieces"] == ["you", "are"]
    page.file_uploader(key="prefix.file").set_value(("config.json", b"{}", "application/json"))
    page.run()
    assert "config.json" in page.warning[0].value
    assert rows(page)[0]["pieces"] == ["you", "are"]
    page.button(key="prefix.back").click().run()
    assert rows(page)[0]["pieces"] == ["you", "·are"]
    assert not page.exception
