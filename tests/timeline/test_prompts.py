"""Prompts side by side: who comes in when, who leaves when, and what a prompt may be."""

import pytest
from hypothesis import given

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_REQUEST_TOKENS
from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import Prompt, prompts_run
from tests.timeline.prompt_lists import of, setups, unhurried


def told(prompts, **config):
    """The operations in short: +A arrives, A in, A? refused, -A leaves, A: writes."""
    marks = {"add_request": "+{}", "free": "-{}", "append": "{}:", "allocate": "{}."}
    timeline = play(prompts_run(prompts, **{"num_blocks": 40, "block_size": 4} | config))
    return " ".join(
        (marks.get(s.name) or ("{}?" if s.refused else "{}")).format(s.request.request_id)
        for s in timeline.steps[1:]
    )


def test_each_arrives_and_comes_in_in_turn():
    assert told([of("abc"), of("abcd"), of("x")]) == "+A A +B B +C C"


def test_another_order_keeps_the_names():
    assert told([of("abc"), of("abcd"), of("x")], order=[2, 0, 1]) == "+C C +A A +B B"


@pytest.mark.parametrize(
    ("leaves", "story"),
    [
        (0, "+A A -A +B B +C C"),
        (1, "+A A +B B -A +C C"),
        (2, "+A A +B B +C C -A"),
        (3, "+A A +B B +C C"),
        (None, "+A A +B B +C C"),
    ],
)
def test_leaves_after_so_many_others(leaves, story):
    assert told([of("abc", leaves=leaves), of("abcd"), of("x")]) == story


def test_who_waits_is_tried_again_when_somebody_leaves():
    # three blocks: A and B have no room together
    prompts = [of("a" * 8, leaves=1), of("b" * 8, leaves=1), of("c" * 8)]
    assert told(prompts, num_blocks=4) == "+A A +B B? -A B +C C? -B C"


def test_the_line_is_held_up_by_its_first():
    prompts = [of("a" * 8), of("b" * 8), of("c")]
    assert told(prompts, num_blocks=4) == "+A A +B B? +C"


def test_who_can_never_come_in_is_told_so_and_holds_up_nobody():
    assert told([of("a" * 20), of("c")], num_blocks=4) == "+A A? +B B"


def test_an_answer_is_written_at_once_but_for_its_last_token():
    prompts = [of("abc", answer="defg", leaves=0), of("x", answer="y")]
    assert told(prompts) == "+A A A: A. -A +B B B:"
    run = prompts_run(prompts)
    assert [run.ops[i]["num_new_tokens"] for i in (3,)] == [3]


def test_salt_and_adapter_reach_the_engine():
    run = prompts_run([of("a", salt="s"), of("a", adapter="law"), of("a", adapter="art"), of("a")])
    adds = [op for op in run.ops if op["op"] == "add_request"]
    assert [op.get("cache_salt") for op in adds] == ["s", None, None, None]
    assert [op["lora"]["name"] if "lora" in op else None for op in adds] == [
        None,
        "law",
        "art",
        None,
    ]
    assert adds[1]["lora"]["id"] != adds[2]["lora"]["id"]


@unhurried
@given(setups())
def test_nobody_who_is_due_stays_and_nobody_leaves_early(setup):
    prompts, config = setup
    timeline = play(prompts_run(prompts, **config))
    turns = {}  # who is in -> others that came in or arrived since
    gone = set()
    for step in timeline.steps[1:]:
        who = step.request.request_id
        place = timeline.run.ops[step.index - 1]["req"]
        assert who == place
        if step.name == "free":
            wanted = prompts["ABCDEF".index(who)].leaves
            assert wanted is not None
            assert len(turns.pop(who)) >= wanted
            gone.add(who)
        elif step.name == "add_request" or (step.name == "admit" and not step.refused):
            for others in turns.values():
                others.add(who)
            if step.name == "admit":
                turns[who] = set()
    for who, others in turns.items():
        wanted = prompts["ABCDEF".index(who)].leaves
        assert wanted is None or len(others) < wanted


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Prompt((), ()), "This text is empty. Type at least one word."),
        (lambda: Prompt((1, 2), ("a",)), "prompt, pieces: 1 for 2 tokens"),
        (
            lambda: Prompt((1,), ("a",), answer_tokens=(2,)),
            "prompt, answer_pieces: 0 for 1 tokens",
        ),
        (lambda: of("a", leaves=-1), "must be None or a whole number from 0, not -1"),
        (lambda: of("a", leaves=True), "not True"),
        (
            lambda: of(range(MAX_REQUEST_TOKENS + 1)),
            "This text is 131,073 long; the limit is 131,072. Make it shorter.",
        ),
        (lambda: prompts_run([of("a"), of("b")], order=[0, 0]), "must name each of the 2 prompts"),
        (lambda: prompts_run([of("a")], num_blocks=1), "num_blocks"),
        (lambda: prompts_run([of("a")], block_size=0), "block_size"),
        (lambda: prompts_run([of("a", salt="x" * 500)]), "cache_salt"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(make, said):
    with pytest.raises(RunError, match=said.replace("(", r"\(")):
        make()


def test_no_prompts_are_an_empty_run():
    assert prompts_run([]).ops == ()
