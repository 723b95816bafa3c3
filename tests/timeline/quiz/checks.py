"""What holds of every question, whatever it is about."""

import re

from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY

WRONG = (
    r"\b1 (new )?(shelves|boxes|blocks|tokens|requests|visitors)\b|  |\*\*\*|\.\.|,,| ,| \.|"
    r"\b([2-9]|[0-9]{2,}) (new )?(shelf|box|block|token|request|visitor)\b(?! of)|\b0 \w"
)
LONGEST = {"ask": 190, "text": 46, "means": 130}


def check_question(question, engine_only=ENGINE_ONLY, room_only=ROOM_ONLY):
    """Fair, and said in two registers that do not mix."""
    values = [option.value for option in question.options]
    assert 2 <= len(values) <= 4
    assert len(set(values)) == len(values)
    assert values.count(question.right) == 1
    said = [(question.ask, "ask")]
    for option in question.options:
        said.append((option.text, "text"))
        if option.value != question.right:
            said.append((option.means, "means"))
    for words, what in said:
        for text in words:
            assert text, (question.kind, what)
            assert len(text) <= LONGEST[what], (len(text), text)
        check_words(words, engine_only, room_only)
    for register in ("room", "engine"):
        texts = [getattr(option.text, register) for option in question.options]
        assert len(set(texts)) == len(texts)
        assert getattr(question.ask, register).endswith("?")
        assert getattr(question.why, register).endswith((".", "”"))
        for option in question.options:
            means = getattr(option.means, register)
            assert not means or (means[0].isupper() or means[0].isdigit()), means
            assert not means or means.endswith("."), means
    if question.kind != "reuse":  # why sharing ends is said by sharing_words, which has its tests
        check_words(question.why, engine_only, room_only)


def check_words(words, engine_only, room_only):
    for text in words:
        assert text.count("**") % 2 == 0, text
        assert not re.search(WRONG, text), text
        assert not re.search(NUMBER_WORDS, text), text
        for number in re.findall(r"(?<![\d.,])[0-9]{4,}(?![\d,])", text):
            raise AssertionError(f"{number} without a comma: {text}")
    room, engine = words
    assert not re.search(engine_only, room), room
    assert not re.search(room_only, engine, re.IGNORECASE), engine
