"""Each preset shows what its words say."""

import json

import pytest

from pagedviz.timeline.spyre.beside import beside
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.presets import DEFAULT, PRESETS, spyre_preset
from pagedviz.timeline.spyre.wire import encode
from pagedviz.timeline.wire import pack
from tests.timeline.spyre.checks import check_wire, check_words

by_id = pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)


def wire(key, which="make"):
    return encode(play(getattr(spyre_preset(key), which)()))


def waits(step):
    return {number: engine for number, _, engine in step.get("wait", ())}


@by_id
def test_steps_and_words(preset):
    for make in (preset.make, preset.other):
        if make is None:
            continue
        found = encode(play(make()))
        check_wire(found)
        assert found["last"] < 2_000
        assert len(pack(found)) < (40_000 if preset is DEFAULT else 200_000)
    check_words(preset.title, title=True)
    for words in (preset.lead, preset.other_title, preset.note):
        if words is not None:
            check_words(words, longest=240)
    assert (preset.other is None) == (preset.other_title is None)


@by_id
def test_the_opening_step_is_worth_seeing(preset):
    found = encode(play(preset.make()))
    step = found["steps"][preset.opening]
    telling = {"pause", "full", "refuse", "leave", "chunk"} & set(step.get("kinds", ()))
    standing = [why for why in waits(step).values() if "needs" in why or "limit" in why]
    assert telling or standing or preset.id == "chunks"


@by_id
def test_the_other_one_differs_in_one_thing(preset):
    if preset.other is None:
        return
    one, other = preset.make(), preset.other()
    changed = [
        name
        for name in ("limits", "requests", "release", "prefix_caching", "interleave")
        if getattr(one, name) != getattr(other, name)
    ]
    assert len(changed) == 1


def test_unknown_preset():
    assert spyre_preset("none") is None


def test_default_pauses_only_once_the_longest_passes_256():
    steps = wire("four")["steps"]
    assert len(steps) < 60  # it can be read whole
    for step in steps:
        if step.get("pa"):
            assert max(stored for _, stored, *_ in step["run"]) >= 256
    assert any(step.get("pa") for step in steps)
    assert steps[DEFAULT.opening]["np"] == [0]


@pytest.mark.parametrize(
    ("key", "requests", "context"),
    [("row-32", 32, 4_096), ("row-16", 16, 8_192), ("row-4", 4, 32_768)],
)
def test_rows_of_ibms_table_run_for_real(key, requests, context):
    found = wire(key)
    rows = [step for step in found["steps"] if step["k"] == "decode"]
    assert not any(step.get("pa") for step in rows)
    fullest = max(rows, key=lambda step: step["vol"])
    assert len(fullest["rows"]) == requests
    assert fullest["tkv"] == context - 1  # the last token of an answer is not stored any more
    assert 131_072 - requests == fullest["vol"]
    opening = found["steps"][spyre_preset(key).opening]
    assert len(opening["rows"]) == requests
    assert "full" in opening["kinds"]


def test_one_long_request_lets_4_or_31_decode():
    found = wire("one-long")
    rows = [step for step in found["steps"] if step["k"] == "decode" and step.get("pa")]
    assert {len(step["rows"]) for step in rows} == {4, 31}
    for step in rows:
        assert (31 in [row[0] for row in step["rows"]]) == (len(step["rows"]) == 4)
    assert len(found["steps"][spyre_preset("one-long").opening]["rows"]) == 4


def test_no_max_tokens_keeps_others_out_of_an_empty_pool():
    steps = wire("no-max-tokens")["steps"]
    opening = steps[spyre_preset("no-max-tokens").opening]
    assert waits(opening)[4] == "needs 38 blocks, 31 unpromised"
    assert opening["m"][0] < 200 < 1_800 < opening["m"][1]
    assert not any(
        "needs" in why for s in wire("no-max-tokens", "other")["steps"] for why in waits(s).values()
    )


def test_promised_on_spyre_and_preempted_on_vllm():
    steps = wire("promised")["steps"]
    opening = steps[spyre_preset("promised").opening]
    assert waits(opening) == {3: "needs 5 blocks, 4 unpromised"}
    assert any(
        "preempt" in step.get("kinds", ())
        for step in beside(spyre_preset("promised").make())["steps"]
    )


def longest_stall(turns):
    return max(len(part) for part in turns.strip(" .").replace("p", "d").split("d"))


def test_chunks_keep_the_others_decoding():
    for number in (0, 1, 2):
        assert longest_stall(wire("chunks")["turns"][number]) == 1
        assert longest_stall(wire("chunks", "other")["turns"][number]) >= 8
    assert wire("chunks")["turns"][3].count("p") == 8


def test_prefix_caching_saves_5_of_6_chunks():
    on, off = wire("prefix-on"), wire("prefix-on", "other")
    assert [turns.count("p") for turns in on["turns"]] == [6, 1, 1]
    assert [turns.count("p") for turns in off["turns"]] == [6, 6, 6]
    pre = on["steps"][spyre_preset("prefix-on").opening]["pre"]
    assert (pre["skipped"], pre["reused"]) == (5, 2_496)
    # a block that two hold counts once
    together = max(on["steps"], key=lambda step: len(step.get("run", ())))
    assert together["m"][0] < sum(entry[3] for entry in together["run"])


def test_too_long_is_told_what_fits_and_c_asks_for_it():
    found = wire("too-long")
    assert found["requests"][1]["refused"] == {"max": 192, "prompt": 256}
    assert found["requests"][2]["max"] == 192
    assert "refused" not in found["requests"][2]
    assert found["steps"][spyre_preset("too-long").opening]["no"] == [1]


def test_volume_rule_makes_c_wait_for_a_and_d_overtakes():
    found = wire("volume")
    c, d = found["turns"][2], found["turns"][3]
    assert d.index("p") < c.index("p") == found["turns"][0].rindex("d") + 1
    assert "grow to" in waits(found["steps"][spyre_preset("volume").opening])[2]
    other = wire("volume", "other")
    assert other["turns"][2].index("p") < other["turns"][3].index("p")


def test_wires_are_the_same_every_time():
    assert json.dumps(wire("four")) == json.dumps(wire("four"))
