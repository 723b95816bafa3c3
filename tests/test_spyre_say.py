"""Messages of the engine in the words of the storage room: none of its own words is left."""

import pytest

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.spyre.mix import Mix, MixGroup
from pagedviz.timeline.spyre.mix_text import parse_mix
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.ui.spyre_controls import problem_text, server_name
from pagedviz.ui.spyre_say import reworded
from pagedviz.ui.spyre_state import SERVERS

ENGINES_WORDS = (
    "request",
    "token",
    "block",
    "prompt",
    "count must",
    "context",
    "num_",
    "pool",
    "row ",
)
BIG = SpyreLimits(2, 32_768, 65_536)


def scenario(count, prompt, answer):
    return Scenario(BIG, tuple(SpyreRequest(str(k), prompt, answer) for k in range(count)))


CASES = {
    "no answer": lambda: parse_mix("200"),
    "empty": lambda: parse_mix(""),
    "junk": lambda: parse_mix("hello"),
    "columns": lambda: parse_mix("boxes;answer\n1;2;3"),
    "none": lambda: parse_mix("0 x 200 + 25"),
    "negative": lambda: parse_mix("3 x -5 + 25"),
    "long": lambda: parse_mix("1 2\n" * 201),
    "no groups": lambda: Mix(()),
    "too long": lambda: Mix((MixGroup(1, 32_760, 25),)),
    "answer too long": lambda: Mix((MixGroup(1, 100, 32_700),)),
    "both too long": lambda: Mix((MixGroup(1, 40_000, 40_000),)),
    "too many": lambda: Mix((MixGroup(70, 9, 9),)),
    "steps": lambda: scenario(1, 100, 2_500),
    "in all": lambda: scenario(11, 40_000, 2),
    "many": lambda: scenario(71, 40, 2),
    "late": lambda: Scenario(BIG, (SpyreRequest("A", 40, 2, arrival_step=100_001),)),
    "pool": lambda: play(
        Scenario(
            SpyreLimits(4, 512, 1_024, 128, num_blocks=9),
            tuple(SpyreRequest(name, 300, 50) for name in "AB"),
            "vllm_spyre_1_10_0",
        )
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_no_word_of_the_engine_is_left(case):
    with pytest.raises(ValueError, match=r"\w") as found:
        case()
    text = str(found.value)
    room = problem_text("list", text, "room")
    assert not any(word in room for word in ENGINES_WORDS), room
    assert problem_text("change", text, "engine") == f"Nothing was changed: {text}."


def test_what_was_typed_stays_as_it_was_typed():
    typed = """2 requests of "tokens" it's a row"""
    with pytest.raises(ValueError, match="line 1") as found:
        parse_mix(typed)
    room = reworded(str(found.value), "room")
    assert repr(typed)[1:30] in room
    assert "is no line of visitors" in room
    assert reworded("the house's row (\"it's 2 tokens\") has 2 tokens", "room") == (
        "the house's line (\"it's 2 tokens\") has 2 boxes"
    )


def test_each_server_names_its_model():
    names = [server_name(server.key) for server in SERVERS]
    assert len(set(names)) == len(SERVERS)
    assert "Ministral 3 8B, 1 card: 32 x 4,096" in names
    for server, name in zip(SERVERS, names, strict=True):
        assert all(word.lower() in server.model.lower() for word in name.split(",")[0].split())
