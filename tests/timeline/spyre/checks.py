"""What holds of every caption and every wire of the Spyre timelines."""

import json
import re

from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY

ENGINE_HERE = rf"{ENGINE_ONLY}|(?i:decod|prefill|\bbatch|\btkv\b|\bchunk|padding|\bprompt|reserv)"
ROOM_HERE = rf"{ROOM_ONLY}|cartload|\bplaces\b|sits? out"
WRONG = (
    r"\b1 (shelves|boxes|blocks|tokens|requests|visitors|cartloads|chunks|others)\b|  |\*\*\*|,,|"
    r"\.\.|\bnan\b|\binf\b|\b([2-9]|[0-9]{2,}) (shelf|box|block|token|request|visitor|cartload)\b|"
    r"\*\* \*\*|\b0 (boxes|tokens)\b| ,| \."
)


def check_words(words, longest=230, title=False):
    """Both registers: neither mixed nor malformed, no longer than the page has room for."""
    for text in words:
        assert text
        assert text.count("**") % 2 == 0, text
        assert len(text) <= longest, (len(text), text)
        assert not re.search(WRONG, text), text
        assert title or not re.search(NUMBER_WORDS, text), text
        for number in re.findall(r"(?<![\d.,/-])[0-9]{4,}(?![\d,])", text):
            assert 2023 <= int(number) <= 2026, text  # years alone are without a comma
    room, engine = words
    assert not re.search(ENGINE_HERE, room), room
    assert not re.search(ROOM_HERE, engine, re.IGNORECASE), engine


def check_wire(wire):
    """Every step's turn, meter and rectangle agree with each other."""
    json.dumps(wire, allow_nan=False)
    assert wire["last"] == len(wire["steps"]) - 1
    assert len(wire["turns"]) == len(wire["requests"])
    for turns in wire["turns"]:
        assert len(turns) == len(wire["steps"])
    for index, step in enumerate(wire["steps"]):
        check_words(step["c"])
        _check_kept_out(step)
        assert sum(step["m"]) == wire["usable"]
        assert min(step["m"]) >= 0
        marks = [turns[index] for turns in wire["turns"]]
        assert marks == _marks(wire, step), (index, step)
        if step["k"] == "decode":
            _check_rectangle(wire, step)


def _check_kept_out(step):
    """The mark "refuse" stands for two things; the captions say which."""
    room, engine = step["c"]
    away = "no" in step
    assert away == ("rejected" in engine) == ("turned away" in room)
    waits = "must wait" in engine
    assert waits == ("must wait" in room)
    assert (away or waits) == ("refuse" in step.get("kinds", ()))


def _marks(wire, step):
    """What each request does in a step, read off everything but the turns."""
    found = [" "] * len(wire["requests"])
    for entry in step.get("run", ()):
        found[entry[0]] = "~"
    for entry in step.get("wait", ()):
        assert found[entry[0]] == " "  # who waits is not inside
        found[entry[0]] = "."
    for number in step.get("pa", ()):
        assert found[number] == "~"
        found[number] = "-"
    for row in step.get("rows", ()):
        found[row[0]] = "d"
    if "pre" in step:
        found[step["pre"]["r"]] = "p"
    return found


def _check_rectangle(wire, step):
    rows = step["rows"]
    assert rows
    assert step["vol"] == len(rows) * step["tkv"]
    assert step["carry"] == sum(row[3] for row in rows) <= step["vol"]
    assert step["most"] == wire["limit"] // step["tkv"]
    assert (step["w"] - 1) * 64 < step["tkv"] <= step["w"] * 64
    for _, left, held, tokens in rows:
        assert left + held == step["w"]
        assert (held - 1) * 64 < tokens <= held * 64
    if step.get("pa"):
        assert step["more"] > wire["limit"]
