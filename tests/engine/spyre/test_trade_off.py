"""Batch against context: the published rows, their neighbours, and what binds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.trade_off import (
    PUBLISHED_ROWS,
    batch_that_fits,
    binding_ceilings,
    binding_for_batch,
    binding_for_context,
    context_that_fits,
)


def test_the_rows_as_published():
    assert [(row.requests, row.context) for row in PUBLISHED_ROWS] == [
        (32, 4096),
        (16, 8192),
        (4, 32_768),
    ]
    assert {row.product for row in PUBLISHED_ROWS} == {131_072}
    for row in PUBLISHED_ROWS:
        assert batch_that_fits(row.context) == row.requests
        assert context_that_fits(row.requests) == row.context


@pytest.mark.parametrize(
    ("context", "batch", "binds"),
    [
        (1, 32, "requests"),
        (4096, 32, "requests"),
        (4097, 31, "product"),
        (8192, 16, "product"),
        (8193, 15, "product"),
        (32_768, 4, "product"),
    ],
)
def test_batch_follows_from_context(context, batch, binds):
    assert batch_that_fits(context) == batch
    assert binding_for_context(context) == binds


@pytest.mark.parametrize(
    ("batch", "context", "binds"),
    [(32, 4096, "product"), (5, 26_214, "product"), (4, 32_768, "context"), (1, 32_768, "context")],
)
def test_context_follows_from_batch(batch, context, binds):
    assert context_that_fits(batch) == context
    assert binding_for_batch(batch) == binds


@given(st.integers(1, 32_768), st.integers(1, 200_000))
def test_what_fits_fits_and_one_more_does_not(context, limit):
    batch = batch_that_fits(context, limit)
    assert batch * context <= limit
    assert batch == 32 or (batch + 1) * context > limit
    if batch:
        assert context_that_fits(batch, limit) >= context


@given(st.integers(1, 32), st.integers(1, 32_768))
def test_a_ceiling_binds_where_a_step_up_is_refused(requests, context):
    found = binding_ceilings(requests, context)
    assert ("requests" in found) == (requests == 32)
    assert ("context" in found) == (context == 32_768)
    more_requests = requests < 32 and (requests + 1) * context > 131_072
    assert ("product" in found) == (more_requests or requests * (context + 1) > 131_072)


def test_the_product_binds_for_another_request_before_it_does_for_another_token():
    assert binding_ceilings(5, 21_845) == ()  # six of them are 131,070
    assert binding_ceilings(5, 21_846) == ("product",)
    assert binding_ceilings(31, 4_096) == ()
    assert binding_ceilings(32, 4_095) == ("requests",)


@pytest.mark.parametrize(
    "call",
    [
        lambda: batch_that_fits(0),
        lambda: batch_that_fits(32_769),
        lambda: context_that_fits(0),
        lambda: context_that_fits(33),
        lambda: batch_that_fits(64, 0),
        lambda: binding_ceilings(0, 64),
        lambda: binding_for_context(40_000),
        lambda: binding_for_batch(40),
    ],
)
def test_what_no_server_has_is_refused(call):
    with pytest.raises(ConfigError, match=r"at least 1|more than the ceiling"):
        call()
