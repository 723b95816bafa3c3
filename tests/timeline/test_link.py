"""Links: there and back, short or not at all, damage is said."""

import base64
import json
import zlib

import pytest
from hypothesis import given, settings

from pagedviz.timeline import build
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.link import MAX_LINK, from_link, to_link
from pagedviz.timeline.run import Run
from tests.timeline.random_runs import carry_out, configs, intents


def packed(value):
    raw = zlib.compress(json.dumps(value).encode())
    return "1." + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def test_recorded_runs_come_back(golden):
    run = golden[1].run
    if (link := to_link(run)) is not None:
        assert from_link(link) == run
        assert len(link) <= MAX_LINK
    else:
        assert sum(len(op.get("tokens", ())) for op in run.ops) > 100


@settings(max_examples=80, deadline=None)
@given(configs, intents)
def test_random_runs_come_back(config, wishes):
    ops, _ = carry_out(config, wishes)
    run = Run("Visitors, \u00e4 \u2713", config, ops)
    link = to_link(run)
    assert link is None or from_link(link) == run


def test_a_usual_run_of_ones_own_is_short():
    run = build.new_run()
    for _ in range(6):
        run = build.write(build.add_visitor(run, 40, share_with="A" if run.ops else None))
    assert len(to_link(run)) < 600
    assert set(to_link(run)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
    )


def test_long_runs_have_none():
    run = build.add_visitor(build.new_run(), text=" ".join(f"word{i}" for i in range(900)))
    assert to_link(run) is None


_DIGITS = base64.urlsafe_b64encode(zlib.compress(b"[" + b"9" * 5000)).decode().rstrip("=")
LINK = to_link(build.add_visitor(build.new_run(), 40))
CONFIG = {"num_blocks": 9, "block_size": 4}


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("", "is damaged: copy the whole link again"),
        ("nonsense", "is damaged: copy the whole link again"),
        ("1.", "is damaged: copy the whole link again"),
        ("2." + LINK[2:], "newer release"),
        (LINK[:-8], "is damaged"),
        (LINK[:20] + LINK[24:], "is damaged"),
        ("1.%%%%", "is damaged"),
        (packed([1]), "is damaged"),
        (packed({"a": 1}), "is damaged"),
        (packed(["t", CONFIG, [[99, "A"]]]), "is damaged"),
        (packed(["t", CONFIG, [[-1, "A"]]]), "is damaged"),
        (packed(["t", CONFIG, [["0", "A"]]]), "is damaged"),
        (packed(["t", CONFIG, [[0, "A", {"tokens": [[1, 10**12]]}]]]), "is damaged"),
        (packed(["t", CONFIG, [[0, "A", {"tokens": [[1, -5]]}]]]), "is damaged"),
        (packed(["t", CONFIG, [[0, "A", {"tokens": [[10**4000, 10**5]]}]]]), "is damaged"),
        ("1." + _DIGITS, "is damaged"),
        (packed(["t", CONFIG, [[0, "A", {"tokens": 5}]]]), "is damaged"),
        (packed(["t" * 5_000_000, CONFIG, []]), "is damaged"),
        (packed(["t", {"num_blocks": 0, "block_size": 4}, []]), "config.num_blocks"),
        (packed(["t", 7, []]), "config"),
        (packed(["t", CONFIG, [[5, "A"]]]), "unknown request 'A'"),
    ],
)
def test_damaged_links(link, says):
    with pytest.raises(RunError, match=says) as caught:
        from_link(link)
    # It goes on from the name of the parameter, "run: ".
    assert not str(caught.value).startswith(("run", "link"))
