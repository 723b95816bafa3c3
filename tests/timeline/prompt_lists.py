"""Prompts for tests: one letter or one number is one token."""

from hypothesis import settings
from hypothesis import strategies as st

from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import Prompt, prompts_run
from pagedviz.timeline.sharing import explain

# no test may fail because a machine was busy
unhurried = settings(deadline=None, max_examples=200)


def of(tokens, **more):
    """A prompt of a text's letters, or of numbers."""
    pieces = tuple(map(str, tokens))
    ids = tuple(map(ord, tokens)) if isinstance(tokens, str) else tuple(tokens)
    if answer := more.pop("answer", None):
        more |= {"answer_tokens": tuple(map(ord, answer)), "answer_pieces": tuple(answer)}
    return Prompt(ids, pieces, **more)


def seen(*prompts, **config):
    """The views of prompts given as text or as `Prompt`."""
    cut = [p if isinstance(p, Prompt) else of(p) for p in prompts]
    run = prompts_run(cut, **{"num_blocks": 40, "block_size": 4} | config)
    return explain(cut, run, play(run))


@st.composite
def prompt_lists(draw):
    """Up to six prompts with much in common, some of them leaving."""
    text = draw(st.text("ab", min_size=1, max_size=30))
    prompts = []
    for _ in range(draw(st.integers(1, 6))):
        keep = draw(st.integers(0, len(text)))
        tokens = text[:keep] + draw(st.text("ab", max_size=12))
        prompts.append(
            of(
                tokens or "a",
                salt=draw(st.sampled_from(["", "", "s", "t"])),
                adapter=draw(st.sampled_from(["", "", "law"])),
                leaves=draw(st.sampled_from([None, 0, 1, 2])),
                answer=draw(st.sampled_from(["", "", "b", "abba"])),
            )
        )
    return prompts


@st.composite
def setups(draw):
    """Prompts, and the pool and order they are played in."""
    prompts = draw(prompt_lists())
    config = {
        "num_blocks": draw(st.integers(2, 40)),
        "block_size": draw(st.integers(1, 5)),
        "caching": draw(st.sampled_from([True, True, True, False])),
        "order": draw(st.permutations(range(len(prompts)))),
    }
    return prompts, config


# For each kind of reason: prompts, pool, and the tokens the last prompt finds.
CASES = {
    "nobody_before": (["abcdefgh"], {}, 0),
    "token_differs": (["abcdefgh", "abcdeXgh"], {}, 4),
    "block_not_full": (["abcdefgh", "abcdefghij"], {}, 8),
    "last_token": (["abcdefgh", "abcdefgh"], {}, 4),
    "other_not_full": (["abcdef", "abcdefgh!"], {}, 4),
    "evicted": (
        [of("abcdefghijkl", leaves=0), of("123456789", leaves=0), "abcdefghijkl!"],
        {"num_blocks": 6},
        8,
    ),
    "salt_differs": ([of("abcdefghi"), of("abcdefghi", salt="s")], {}, 0),
    "adapter_differs": ([of("abcdefghi", adapter="law"), of("abcdefghi")], {}, 0),
    "waiting": (["a" * 12, "b" * 12], {"num_blocks": 5}, 0),
    "not_admitted": (["abc", "b" * 40], {"num_blocks": 5}, 0),
    "caching_off": (["abcdefghi", "abcdefghi"], {"caching": False}, 0),
}
