"""What is said of shared prompts: hits are the engine's, reasons are true."""

import hashlib
import json

import pytest
from hypothesis import given

from pagedviz.engine.cache_session import CacheSession
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import prompts_run
from pagedviz.timeline.sharing import encode_prompts, explain
from tests.timeline.prompt_lists import CASES, of, seen, setups, unhurried


def kinds(*prompts, **config):
    return [(view.reason.kind, view.hit_tokens) for view in seen(*prompts, **config)]


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_of_reason(kind):
    prompts, config, hit_tokens = CASES[kind]
    *_, last = seen(*prompts, **config)
    assert (last.reason.kind, last.hit_tokens) == (kind, hit_tokens)
    assert (last.admission is None) == (kind in ("waiting", "not_admitted"))


@pytest.mark.parametrize(
    ("prompts", "config", "expected"),
    [
        # a short prompt is not full even if somebody was before
        (["abcdefgh", "abc"], {}, ("block_not_full", 0)),
        # the first one to be refused leaves nothing behind
        (["a" * 80, "a" * 9], {"num_blocks": 5}, ("nobody_before", 0)),
        # a full last block that nobody had is no matter of the last token
        (["abcdefgh", "abcdefXh"], {}, ("token_differs", 4)),
        # the block of the last token was there and is gone: it would not be taken over anyway
        (
            [of("abcdefgh", leaves=0), of("1234567890123", leaves=0), "abcdefgh"],
            {"num_blocks": 6},
            ("last_token", 4),
        ),
        # what was evicted was computed again by somebody: it is there
        (
            [
                of("abcdefghijkl", leaves=0),
                of("12345678", leaves=0),
                "abcdefghijkl",
                "abcdefghijkl!",
            ],
            {"num_blocks": 6},
            ("block_not_full", 12),
        ),
        # another salt matters only if the tokens are the same
        ([of("abcdefgh"), of("abXdefgh", salt="s")], {}, ("token_differs", 0)),
        # the closest of those with the same salt, not the one with the most tokens in common
        (
            [of("abcdefghXXXX"), of("abcdYYYYZ", salt="s"), of("abcdefghijkl", salt="s")],
            {},
            ("salt_differs", 4),
        ),
        # answers are cached as prompts are, but for their last token
        ([of("abcdef", answer="ghi", leaves=0), "abcdefghi"], {}, ("block_not_full", 8)),
        ([of("abcdef", answer="gh", leaves=0), "abcdefghi"], {}, ("other_not_full", 4)),
    ],
)
def test_the_reason_is_the_one_that_matters(prompts, config, expected):
    assert kinds(*prompts, **config)[-1] == expected


def test_hashes_are_the_sha_256_chain():
    (view,) = seen("abcdefgh!", block_size=4)
    digest = hashlib.sha256(b"vllm-none-hash").digest()
    for block, text in zip(view.blocks, ("abcd", "efgh"), strict=False):
        tokens = b"".join(ord(c).to_bytes(8, "little") for c in text)
        digest = hashlib.sha256(digest + (4).to_bytes(8, "big") + tokens).digest()
        assert block.digest == digest.hex()
        assert block.short_hash == digest.hex()[:4]
    assert [(b.start, b.end, b.short_hash is None) for b in view.blocks] == [
        (0, 4, False),
        (4, 8, False),
        (8, 9, True),
    ]


def test_letters_go_by_arrival_and_places_stay():
    views = seen("abcdefgh", "abcdefghi", order=[1, 0])
    assert [(v.letter, v.place, v.number) for v in views] == [("A", 1, 0), ("B", 0, 1)]
    assert views[1].reason.other.letter == "A"


def test_encoded_prompts_are_plain_json():
    prompts, config, _ = CASES["token_differs"]
    first, second = encode_prompts(seen(*prompts, **config))
    assert json.loads(json.dumps([first, second])) == [first, second]
    assert second["pieces"] == list("abcdeXgh")
    assert (second["r"], second["letter"], second["bs"], second["in"]) == (1, "B", 4, 4)
    assert (second["hits"], second["diff"], second["kind"]) == (1, [1, 1], "token_differs")
    assert second["hashes"][0] == first["hashes"][0] != second["hashes"][1]
    assert first["diff"] is None


def test_what_does_not_belong_together_is_refused():
    prompts = [of("abc"), of("abd")]
    run = prompts_run(prompts)
    with pytest.raises(RunError, match="do not belong together"):
        explain(prompts[:1], run, play(run))
    with pytest.raises(RunError, match="do not belong together"):
        explain(prompts, run, play(prompts_run(prompts, num_blocks=9)))


@unhurried
@given(setups())
def test_hits_are_the_engines_and_reasons_are_true(setup):
    prompts, config = setup
    run = prompts_run(prompts, **config)
    views = explain(prompts, run, play(run))
    by_name = {"ABCDEF"[view.place]: view for view in views}
    by_letter = {view.letter: view for view in views}
    session = CacheSession(dict(run.config))
    for number, op in enumerate(run.ops, 1):
        arguments = {k: thaw(v) for k, v in op.items() if k != "op"}
        view = by_name[arguments["req"]]
        if op["op"] == "admit" and view.admission == number:
            request = session.requests[arguments["req"]]
            hits, tokens = session.manager.get_computed_blocks(request)
            assert (view.hits, view.hit_tokens) == (len(hits), tokens)
            full = [b.digest for b in view.blocks if b.digest]
            assert full == [h.hex() for h in request.block_hashes[: len(full)]]
            check_reason(view, by_letter, run)
        getattr(session, op["op"])(**arguments)
    for view in views:
        assert view.reason.kind in ("waiting", "not_admitted") or view.admission


def check_reason(view, by_letter, run):
    reason, mine = view.reason, view.prompt.text_tokens
    size = view.block_size
    assert reason.block in (view.hits, 0)
    if reason.other is None:
        return
    other = by_letter[reason.other.letter]
    theirs = other.prompt.text_tokens + other.prompt.answer_tokens
    assert other.admission < view.admission
    alike = (other.prompt.salt, other.prompt.adapter) == (view.prompt.salt, view.prompt.adapter)
    end = (view.hits + 1) * size
    if reason.kind == "token_differs":
        at = reason.token
        assert mine[:at] == theirs[:at]
        assert mine[at] != theirs[at]
        assert (reason.ours, reason.theirs) == (chr(mine[at]), chr(theirs[at]))
        assert at < end
        assert at >= view.hits * size or not alike
        if reason.also is not None:
            i, j, n, _ = reason.also
            assert mine[i : i + n] == theirs[j : j + n]
            assert n >= size
    elif reason.kind in ("salt_differs", "adapter_differs"):
        assert mine[:end] == theirs[:end]
        assert not alike
    elif reason.kind == "evicted":
        assert alike
        assert mine[:end] == theirs[:end]
        assert run.ops[reason.step - 1]["op"] in ("admit", "allocate")
        assert reason.step < view.admission
    elif reason.kind == "last_token":
        assert mine == theirs[: len(mine)]
        assert len(mine) == end
    elif reason.kind == "other_not_full":
        assert len(other.prompt.text_tokens) <= reason.other.num_tokens < end
