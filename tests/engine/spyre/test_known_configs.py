"""The table of known configurations, and what a server comes up with."""

import pytest

from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.known_configs import KNOWN_CONFIGS, KNOWN_SHAPES, configs_of
from pagedviz.engine.spyre.limits import check_num_blocks
from pagedviz.engine.spyre.resolve import resolve

GRANITE = "ibm-granite/granite-3.3-8b-instruct"


def test_all_rows_are_here_once():
    assert len(KNOWN_CONFIGS) == 39
    assert len({row.model for row in KNOWN_CONFIGS}) == 14
    assert len({(r.model, r.cards, r.context, r.requests) for r in KNOWN_CONFIGS}) == 39
    assert len({row.model for row in KNOWN_SHAPES}) == len(KNOWN_SHAPES) == 9


def test_the_published_product_belongs_to_more_than_one_card():
    assert all(row.cards > 1 for row in KNOWN_CONFIGS if row.batch_tkv_limit is not None)
    four = [row for row in KNOWN_CONFIGS if row.cards == 4]
    assert {row.batch_tkv_limit for row in four} == {131_072}
    assert {(r.num_blocks, r.model) for r in four if r.num_blocks != 8_192} == {
        (2_080, "ibm-granite/granite-4.1-30b")
    }


@pytest.mark.parametrize("row", KNOWN_CONFIGS, ids=lambda r: f"{r.model} {r.cards} {r.context}")
def test_every_row_starts_a_server_with_its_figures(row):
    found = resolve(row.model, row.cards, row.context, row.requests)
    limits = found.limits
    assert found.row is row
    assert (limits.max_model_len, limits.max_num_seqs) == (row.context, row.requests)
    assert limits.batch_tkv_limit == (row.batch_tkv_limit or row.context * row.requests)
    if row.num_blocks is not None:
        assert limits.num_blocks == row.num_blocks
        check_num_blocks(row.num_blocks, row.requests, row.context, limits.batch_tkv_limit)
    else:
        assert limits.num_blocks > row.context * row.requests // 64
    assert ("ppc64le" in row.platforms) is True  # Power, what the page is about


@pytest.mark.parametrize(
    ("model", "cards", "context", "requests", "product", "blocks"),
    [
        (GRANITE, 1, 3_072, 16, 49_152, 784),
        (GRANITE, 1, 8_192, 4, 32_768, 516),
        (GRANITE, 4, 32_768, 32, 131_072, 8_192),
        ("ibm-granite/granite-4.1-30b", 4, 32_768, 32, 131_072, 2_080),
        ("mistralai/Mistral-Small-3.2-24B-Instruct-2506", 2, 8_192, 32, 262_144, 4_128),
        ("ibm-granite/granite-vision-3.3-2b", 2, 16_384, 16, 131_072, 4_112),
        ("mistralai/Ministral-3-8B-Instruct-2512-BF16", 1, 4_096, 32, 131_072, 2_080),
    ],
)
def test_figures_worked_by_hand(model, cards, context, requests, product, blocks):
    limits = resolve(model, cards, context, requests).limits
    assert (limits.batch_tkv_limit, limits.num_blocks) == (product, blocks)


@pytest.mark.parametrize(
    ("cards", "context", "requests"), [(4, 32_768, 31), (4, 32_704, 32), (2, 32_768, 32)]
)
def test_a_row_must_match_exactly(cards, context, requests):
    found = resolve(GRANITE, cards, context, requests)
    assert found.row is None
    assert found.limits.batch_tkv_limit == 131_072
    assert found.limits.num_blocks > 8_192  # the row's blocks are not for this one
    assert "No row has exactly" in found.product_from


def test_without_a_row_both_are_capped():
    found = resolve("some/other-model", 1, 40_000, 64)
    assert (found.limits.max_model_len, found.limits.max_num_seqs) == (32_768, 32)
    assert found.context_from.startswith("Capped from 40,000 to 32,768 tokens")
    assert found.requests_from.startswith("Capped from 64 to 32 requests")


def test_what_is_set_by_hand_goes_before_the_table():
    found = resolve(GRANITE, 4, 32_768, 32, limit=65_536, override_blocks=2_100)
    assert found.limits.batch_tkv_limit == 65_536
    assert found.limits.num_blocks == 2_080  # a multiple of 32
    assert "by hand, which goes before the 131,072" in found.product_from
    assert "rounded down to 2,080" in found.blocks_from
    assert "goes before the 8,192" in found.blocks_from
    larger = resolve(GRANITE, 4, 32_768, 32, limit=262_144)
    assert larger.limits.batch_tkv_limit == 262_144


def test_by_hand_without_a_row_the_product_is_capped_and_only_then():
    assert resolve("x/y", 1, 4_096, 32, limit=200_000).limits.batch_tkv_limit == 131_072
    assert resolve("x/y", 1, 4_096, 32, limit=100_000).limits.batch_tkv_limit == 100_000
    one_card = resolve(GRANITE, 1, 3_072, 16, limit=200_000)
    assert one_card.limits.batch_tkv_limit == 200_000
    assert "names none" in one_card.product_from


@pytest.mark.parametrize("model", sorted({row.model for row in KNOWN_CONFIGS if row.fp8}))
def test_fp8_models_refuse_a_single_request(model):
    with pytest.raises(ConfigError, match="1 is refused for an FP8 model; try 2"):
        resolve(model, 4, 32_768, 1)
    resolve(model, 4, 32_768, 2)


def test_others_may_run_one_request():
    assert resolve(GRANITE, 4, 32_768, 1).limits.max_num_seqs == 1
    assert len({row.model for row in KNOWN_CONFIGS if row.fp8}) == 3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"context": 5_000}, "Try 4,992 or 5,056"),
        ({"context": 0}, "context"),
        ({"requests": 0}, "requests"),
        ({"cards": 0}, "cards"),
        ({"model": ""}, "model"),
        ({"limit": 0}, "product limit"),
        ({"limit": 1_024}, "smaller than one full request"),
        ({"override_blocks": 0}, "num_gpu_blocks_override"),
        ({"override_blocks": 2_048}, "fewer than the 2,049 the plugin asks for; try 2,080"),
        ({"chunk_size": 500}, "try 448 or 512"),
    ],
)
def test_what_no_server_starts_with_is_refused(settings, said):
    asked = {"model": GRANITE, "cards": 4, "context": 32_768, "requests": 32, **settings}
    with pytest.raises(ConfigError, match=said):
        resolve(**asked)


def test_every_sentence_ends_and_says_something():
    asked = [(row.model, row.cards, row.context, row.requests) for row in KNOWN_CONFIGS]
    for limit in (None, 131_072, 40_000):
        for blocks in (None, 8_200):
            for one in (*asked, ("x/y", 1, 4_096, 32)):
                found = resolve(*one, limit=limit, override_blocks=blocks)
                for said in (
                    found.requests_from,
                    found.context_from,
                    found.product_from,
                    found.blocks_from,
                ):
                    assert said.endswith(".")
                    assert said[0].isupper() or said[0].isdigit()
                    assert f"{found.limits.batch_tkv_limit:,}" in found.product_from
                    assert f"{found.limits.num_blocks:,}" in found.blocks_from


def test_rows_of_a_model():
    assert configs_of("nobody/knows") == ()
    assert [row.cards for row in configs_of("ibm-granite/granite-4.2-8b-fp8")] == [1, 4, 4]
