"""The paper's figures beside ours: shown as they come out, not made equal."""

import pytest

from pagedviz.workload import generate, simulate
from pagedviz.workload.published import (
    PAPER_LOAD,
    PAPER_SETUP,
    REASONS,
    TOKEN_SHARE,
    differences,
    in_published_range,
    token_share,
)


@pytest.fixture(scope="module")
def result():
    return simulate(generate(PAPER_LOAD), PAPER_SETUP)


def test_the_setting_is_the_papers():
    assert PAPER_SETUP.memory_slots == 15_728
    assert PAPER_SETUP.max_model_len == 2048
    assert TOKEN_SHARE == {"max": 0.204, "pow2": 0.268, "oracle": 0.382, "paged": 0.963}


def test_differences_are_ours_minus_published(result):
    for one in differences(result):
        assert one.ours == token_share(result.systems[one.system])
        assert one.points == pytest.approx(100 * (one.ours - TOKEN_SHARE[one.system]))
    assert all(reason.endswith(".") for reason in REASONS)


def test_the_order_is_the_papers_and_paging_wastes_under_4_percent(result):
    share = {one.system: one.ours for one in differences(result)}
    assert share["max"] < share["pow2"] < share["oracle"] < share["paged"]
    assert in_published_range(result)["paged"]
    assert 1 - share["paged"] < 0.04


def test_memory_that_is_never_short_is_judged_by_what_was_taken():
    plenty = simulate(generate(PAPER_LOAD.__class__("sharegpt", 20, rate=0.5)), PAPER_SETUP)
    paged = plenty.systems["paged"]
    assert paged.pressed_s == 0
    assert token_share(paged) == paged.share_of_taken("token") > 0.9 > paged.share("token")
