"""The sizing page without a browser: figures, levers, files, typed shapes, both registers."""

import json
import random
import re

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.sizing.models import models
from pagedviz.ui.sizing_answer import answer
from pagedviz.ui.sizing_inputs import Sizing
from pagedviz.ui.sizing_link import NAMES, READ, params
from pagedviz.ui.sizing_state import NOTE, PROBLEM, SHOP
from pagedviz.ui.sizing_words import ENGINE, ROOM

BOTH = pytest.mark.parametrize("words", ["room", "engine"])
BAD = ROOT.parent / "shared" / "cases" / "bad"
LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "vocab_size": 128_256,
    "max_position_embeddings": 8_192,
    "rms_norm_eps": 1e-5,
}


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/sizing.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    return f"sizing.{name}.{page.session_state[SHOP].revision}"


def sizing_of(page: AppTest) -> Sizing:
    return page.session_state[SHOP].sizing


def number(page: AppTest, name: str, value: float | None) -> AppTest:
    page.number_input(key=key(page, name)).set_value(value).run()
    assert not page.exception
    return page


def put(page: AppTest, name: str, value: object) -> AppTest:
    page.selectbox(key=key(page, name)).set_value(value).run()
    assert not page.exception
    return page


def dropped(page: AppTest, data: bytes, name: str = "config.json") -> AppTest:
    page.file_uploader[0].set_value((name, data, "application/json")).run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return " ".join(block.proto.body for block in page.get("html"))


def line(page: AppTest) -> str:
    found = re.search(r'<p class="pv-answer" role="status">(.*?)</p>', html(page))
    assert found
    return re.sub("<.*?>", "", found[1])


def said(page: AppTest) -> str:
    return " ".join(box.value for box in [*page.warning, *page.info])


def chart(page: AppTest) -> str:
    return str(page.get("plotly_chart")[0].proto.alt)


# ---- opening


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()
    for name, value in ROOM.items():
        if isinstance(value, dict):
            assert value.keys() == ENGINE[name].keys(), name


@BOTH
@pytest.mark.parametrize("where", ["gpu", "spyre"])
def test_it_opens_with_an_answer_and_everything_below_it(where, words):
    page = opened(where=where, words=words)
    expected = answer(Sizing(where=where)).headline
    assert line(page).startswith(f"About {expected.about:,} at once")
    assert not page.warning
    assert "163,840 bytes" in page.code[-1 if where == "spyre" else 1].value
    assert {len(page.get("plotly_chart")), len(page.get("download_button"))} == {1, 2}
    badges = html(page).count('class="pv-badge')
    assert badges == (2 if where == "spyre" else 0)


def test_the_room_speaks_of_boxes_and_the_engine_of_tokens():
    assert "memory left for shelves" in line(opened())
    assert "memory left for the cache" in line(opened(words="engine"))
    page = opened()
    page.get("button_group")[0].set_value("engine").run()
    assert "memory left for the cache" in line(page)
    assert not page.exception


# ---- levers


def test_vllms_own_lines_stand_there_as_it_prints_them():
    page = opened()
    assert page.code[0].value.splitlines() == [
        "Available KV cache memory: 56.06 GiB",
        "GPU KV cache size: 367,360 tokens, Maximum concurrency for 131,072 tokens per request: "
        "2.80x",
    ]


def test_three_figures_are_told_apart():
    body = html(opened(words="engine"))
    for name, value in (("start-up concurrency", "2.80x"), ("of one length", "279")):
        assert re.search(f"{name}.*?<td>{value}</td>", body)
    assert re.search("real requests.*?<td>280</td>", body)
    assert "surely 270, at best 291" in body


@pytest.mark.parametrize("one", models(), ids=lambda one: one.id)
def test_every_model_has_an_answer_or_a_sentence(one):
    for where in ("gpu", "spyre"):
        cards = {"spyre_cards": max(n for n in one.geometry().card_counts(4) if n != 3)}
        found = answer(Sizing(model=one.id, where=where, **cards))
        assert found.headline.text
        assert found.headline.about or found.fixes


def test_levers_change_the_line_and_are_in_the_link():
    page = put(opened(), "model", "llama-2-13b")
    assert line(page).startswith("About ")
    number(page, "prompt", 161)
    number(page, "prompt_spread", 0)
    assert sizing_of(page).prompt == 161
    found = params(sizing_of(page))
    assert found == {"v": "1", "model": "llama-2-13b", "prompt": "161", "promptspread": "0"}
    again = opened(**found)
    assert sizing_of(again) == sizing_of(page)
    assert line(again) == line(page)


def test_a_value_that_cannot_be_is_told_and_changes_nothing():
    page = number(opened(), "utilization", 1.5)
    assert "0.92" in said(page)
    assert sizing_of(page) == Sizing()
    number(page, "cards", 3)
    assert "3" in said(page)
    assert "try" in said(page)
    assert line(page).startswith("About 280")
    number(page, "cards", 2)
    assert not page.warning


def test_an_emptied_number_is_asked_for_and_an_open_one_gets_its_own_value_back():
    page = number(opened(share="0.5"), "prompt", None)
    assert "must be a number" in said(page)
    assert sizing_of(page).prompt == 1_000
    assert page.number_input(key=key(page, "prompt")).value == 1_000
    number(page, "utilization", None)
    assert sizing_of(page).utilization is None


def test_open_fields_show_their_value_and_where_it_is_from():
    page = opened(words="engine")
    field = page.number_input(key=key(page, "utilization"))
    assert field.value is None
    assert field.proto.placeholder == "0.92"
    assert "vLLM 0.33's default" in [caption.value for caption in page.caption]
    number(page, "utilization", 0.5)
    assert "typed" in [caption.value for caption in page.caption]


def test_nothing_left_is_said_with_what_to_set():
    page = opened(model="llama-3.1-70b", words="engine")
    assert line(page).startswith("It does not start. Use 4 cards")
    assert "nothing is left for the cache" in said(page)
    assert "where the card ends" in " ".join(block.value for block in page.markdown)


def test_cards_give_way_to_a_model_that_cannot_have_so_many():
    page = number(opened(), "cards", 8)
    put(page, "model", "qwen2.5-7b")  # 28 heads, 4 of them kept
    assert sizing_of(page).cards == 4
    assert "Cards set to 4" in page.session_state[NOTE]
    assert not page.session_state[PROBLEM]


def test_spyre_configurations_are_those_the_plugin_knows():
    page = put(opened(words="engine"), "where", "spyre")
    put(page, "config", (1, 3_072, 16))
    assert "49,152" in html(page)
    assert sizing_of(page).spyre_requests == 16
    put(page, "model", "granite-4.1-30b")  # has the row for four cards alone
    assert (sizing_of(page).spyre_cards, sizing_of(page).spyre_context) == (4, 32_768)


def test_product_binds_on_spyre_and_ibms_row_stands_beside_it():
    page = opened(where="spyre", prompt="7892", promptspread="0", answerspread="0", words="engine")
    assert line(page).startswith("About 16 at once. The limit is the product")
    assert "16 × 8,192 = 131,072" in " ".join(block.value for block in page.markdown).replace(
        "**", ""
    )


def test_models_beside_it_are_drawn_up_to_four():
    page = opened(beside="llama-2-13b,gemma-3-27b,qwen3-8b", words="engine")
    for name in ("Granite 3.3 8B, 16 bits", "Llama 2 13B, FP8", "Gemma 3 27B, text", "Qwen3 8B"):
        assert name in chart(page)
    page.multiselect(key=key(page, "beside")).set_value([]).run()
    assert not page.exception
    assert sizing_of(page).beside == ()
    assert "Llama" not in chart(page)


def test_a_model_that_does_not_fit_beside_it_is_named():
    page = opened(beside="deepseek-v3", words="engine")
    assert "DeepSeek" not in chart(page)
    assert any("DeepSeek-V3 has no line" in caption.value for caption in page.caption)


def test_maximum_reservation_stands_beside_paging():
    page = opened(words="engine")
    found = answer(Sizing()).old
    text = " ".join(block.value for block in page.markdown)
    assert f"**{found.reserved:,}** with max_model_len reserved" in text
    assert f"**{found.paged:,}** with blocks on demand" in text


# ---- files and typed shapes


def test_a_dropped_config_is_the_model_and_is_in_the_link():
    page = dropped(opened(words="engine"), json.dumps(LLAMA).encode())
    assert sizing_of(page).model == "file"
    assert "131,072 bytes per token" in page.code[1].value
    assert "8,029,995,008 parameters" in html(page)
    link = params(sizing_of(page))
    assert len(link["config"]) < 300
    again = opened(**link, words="engine")
    assert not again.warning
    assert line(again) == line(page)
    put(page, "model", "granite-3.3-8b")
    put(page, "model", "file")  # still there
    assert line(again) == line(page)


def test_a_bad_file_is_named_and_the_model_stays():
    page = dropped(opened(), json.dumps(LLAMA).encode())
    before = line(page)
    for data, about in (
        (b'{"model_type": "llama", "num', "ends early"),
        (b"", "is empty"),
        (b"", "is empty"),  # the same again
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (json.dumps(LLAMA | {"num_hidden_layers": -1}).encode(), r"num\_hidden\_layers"),
        (b" " * 1_000_001, "1,000,000"),
    ):
        dropped(page, data, "other.json")
        assert about in said(page)
        assert "other.json" in said(page)
        assert line(page) == before
        assert sizing_of(page).model == "file"


def test_markup_in_names_is_shown_as_text():
    name = "<img src=x onerror=alert(1)>**b**"
    config = LLAMA | {"_name_or_path": name, "model_type": name}
    page = dropped(opened(), json.dumps(config).encode(), name)
    assert "<img" not in said(page).replace(r"\<img", "")
    page = dropped(opened(), json.dumps(LLAMA | {"_name_or_path": name}).encode(), name)
    assert sizing_of(page).name == name
    assert "<img" not in html(page)


def test_an_unknown_architecture_is_typed_on_from_what_was_found():
    config = LLAMA | {"model_type": "acme_retnet_v9", "num_hidden_layers": 48, "head_dim": 96}
    page = dropped(opened(words="engine"), json.dumps(config).encode())
    assert r"acme\_retnet\_v9" in said(page)
    assert sizing_of(page) == Sizing()
    fields = {field.label: field for field in page.number_input}
    assert (fields["Layers"].value, fields["Head size"].value) == (48, 96)
    fields["KV heads"].set_value(4)
    billions = [field for field in page.number_input if field.key.startswith("sizing.billions")]
    billions[0].set_value(13.0)
    next(button for button in page.button if button.label == ENGINE["use"]).click().run()
    assert not page.exception
    assert sizing_of(page).model == "typed"
    assert f"{2 * 48 * 4 * 96 * 2:,} bytes per token" in page.code[1].value
    again = opened(**params(sizing_of(page)), words="engine")
    assert line(again) == line(page)


def test_weights_that_nobody_knows_are_asked_for():
    config = LLAMA | {"intermediate_size": None}
    page = dropped(opened(words="engine"), json.dumps(config).encode())
    assert "Its weights are not known" in line(page)
    assert "128 KiB" in line(page)
    number(page, "parameters", 8.0)
    assert line(page).startswith("About ")


def test_an_encoder_keeps_nothing_and_it_is_said():
    config = {"model_type": "bert", "num_hidden_layers": 12, "num_attention_heads": 12}
    config |= {"hidden_size": 768, "max_position_embeddings": 512}
    page = dropped(opened(words="engine"), json.dumps(config).encode())
    number(page, "parameters", 0.1)
    assert "encoder-only" in line(page)
    put(page, "where", "spyre")
    assert "encoder-only" in line(page)
    assert "warm-up shapes" in line(page)


def test_a_config_too_long_for_the_link_is_told():
    kinds = ["full_attention" if k % 7 in (0, 3) else "sliding_attention" for k in range(64)]
    long = LLAMA | {"model_type": "gemma3_text", "num_hidden_layers": 64, "sliding_window": 512}
    page = dropped(opened(), json.dumps(long | {"layer_types": kinds}).encode())
    assert "config" in params(sizing_of(page))  # packed, 64 layers are short
    assert "too long" not in said(page)
    many = random.Random(7).choices(["full_attention", "sliding_attention"], k=9_000)
    longer = long | {"num_hidden_layers": 9_000, "layer_types": many, "parameters": 1}
    dropped(page, json.dumps(longer).encode(), "giant.json")
    assert sizing_of(page).name == "giant.json"
    assert "giant.json is too long for the link" in said(page)
    assert "config" not in params(sizing_of(page))
    again = opened(**params(sizing_of(page)))
    assert sizing_of(again).model == "granite-3.3-8b"
    assert "drop the file again" in said(again)


# ---- links


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model", "gpt-9"),
        ("prompt", "-1"),
        ("share", "2"),
        ("share", "nan"),
        ("beside", "a,b"),
        ("config", "eJx"),
        ("cards", "3"),
        ("kv", "3"),
        ("block", "17"),
        ("v", "99"),
    ],
)
def test_what_cannot_be_used_of_a_link_is_told_and_the_rest_counts(name, value):
    page = opened(**{name: value, "answer": "77"})
    assert "Not all of this link could be used" in said(page)
    assert sizing_of(page).answer == 77
    assert line(page).startswith("About ")


def test_every_field_of_the_inputs_can_be_in_the_link():
    typed = Sizing(
        model="typed", beside=(), name="mine", layers=12, kv_heads=2, head_size=64, heads=8,
        where="gpu", prompt=10, prompt_spread=1, answer=20, answer_spread=2, parameters=1.5,
        each=1.0, weights=2.5, dtype=1, gpu="own", memory=24.5, cards=2, utilization=0.8, room=1.5,
        block_size=32, longest=4_096, seqs=9, batched=512, num_blocks=700, spyre_cards=2,
        spyre_context=1_024, spyre_requests=5, limit=8_192, spyre_blocks=100,
    )  # fmt: skip
    link = params(typed)
    assert set(link) == set(NAMES) - {"config", "words", "where"} | {"beside"}
    assert sizing_of(opened(**link)) == typed


def test_coming_back_to_the_page_keeps_what_was_set():
    page = number(opened(), "prompt", 4_321)
    page.switch_page("app.py").run()
    page.switch_page("pages/sizing.py").run()
    assert sizing_of(page).prompt == 4_321
    assert page.session_state[READ] > 1


@pytest.mark.skipif(not BAD.exists(), reason="no ../shared/cases/bad beside the project")
def test_bad_files_of_the_folder_never_end_in_an_exception():
    good = {"02_bom_config.json", "13_strings_for_numbers_config.json"}
    good.add("16_kv_heads_do_not_divide_config.json")
    page = opened()
    for file in [*sorted(BAD.glob("*.json")), *sorted(BAD.glob("*.csv"))]:
        dropped(page, file.read_bytes(), file.name)
        assert bool(page.session_state[PROBLEM]) != (file.name in good), file.name
