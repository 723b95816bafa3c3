"""Two blocks have the same key exactly if everything up to their end is the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.block_hash import (
    NONE_HASH,
    event_extra_keys,
    generate_block_hash_extra_keys,
    get_request_block_hasher,
    hash_block_tokens,
)
from pagedviz.engine.errors import OperationError
from pagedviz.engine.request import LoRARequest, MultiModalFeature, Request

A1 = LoRARequest("A", 1, "/a")


def request(tokens=range(12), name="r", size=4, **keys):
    return Request(name, tokens, block_hasher=get_request_block_hasher(size), **keys)


def image(offset, length, name="photo"):
    return MultiModalFeature(name, offset, length)


def test_hashes_are_sha256_digests_and_the_same_in_every_process():
    assert len(hash_block_tokens(None, [1, 2])) == 32
    # written down once: another machine or release must find the same
    assert hash_block_tokens(None, [1, 2]).hex().startswith("764e6594cac1d732")


def test_no_parent_means_the_hash_of_nothing():
    assert hash_block_tokens(None, [1]) == hash_block_tokens(NONE_HASH, [1])
    assert len(NONE_HASH) == 32


KEYS = st.none() | st.tuples(st.tuples(st.just("cache_salt"), st.text(max_size=4)))
BLOCKS = st.tuples(
    st.none() | st.binary(min_size=32, max_size=32),
    st.lists(st.integers(0, 2**40), min_size=1, max_size=4),
    KEYS,
)


@given(BLOCKS, BLOCKS)
def test_different_blocks_have_different_hashes(a, b):
    assert (hash_block_tokens(*a) == hash_block_tokens(*b)) == (a == b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1, 23], [12, 3]),
        ([0], [0, 0]),
        ([256], [0, 1]),
        ([2**32 - 1, 1], [1, 2**32 - 1]),
    ],
)
def test_tokens_do_not_run_into_each_other(a, b):
    assert hash_block_tokens(None, a) != hash_block_tokens(None, b)


def test_only_full_blocks_are_hashed():  # test_request_block_hasher
    r = request(range(11))
    assert len(r.block_hashes) == 2
    r.append_output_token_ids([11])
    assert len(r.block_hashes) == 3
    assert r.block_hashes == request(range(12)).block_hashes


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.data())
def test_arriving_in_pieces_or_at_once_makes_no_difference(tokens, data):
    cut = data.draw(st.integers(1, len(tokens)))
    images = [image(1, 6), image(9, 2, "other")]
    piece = request(tokens[:cut], size=3, mm_features=images, cache_salt="s")
    for token in tokens[cut:]:
        piece.append_output_token_ids([token])
    whole = request(tokens, size=3, mm_features=images, cache_salt="s")
    assert piece.block_hashes == whole.block_hashes


def test_a_change_reaches_all_blocks_after_it_and_none_before():
    other = list(range(12))
    other[5] = 99
    same = [
        a == b for a, b in zip(request().block_hashes, request(other).block_hashes, strict=True)
    ]
    assert same == [True, False, False]


def test_no_hasher_no_hashes():
    r = Request("r", range(12))
    r.append_output_token_ids(range(12))
    assert r.block_hashes == []


# ---- extra keys


def test_salt_goes_into_the_first_block_and_reaches_all():  # test_cache_key_salting
    plain, salted, again = request(), request(cache_salt="s"), request(cache_salt="s")
    assert salted.block_hashes == again.block_hashes
    assert not set(plain.block_hashes) & set(salted.block_hashes)
    keys = [generate_block_hash_extra_keys(salted, i, i + 4) for i in (0, 4, 8)]
    assert keys == [(("cache_salt", "s"),), None, None]


def test_an_empty_salt_is_no_salt():
    assert request(cache_salt="").block_hashes == request().block_hashes


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (LoRARequest("A", 7, "/a"), True),  # the number is not in the key
        (LoRARequest("A", 1, "/b"), False),  # test_lora_path_change_changes_block_hashes
        (LoRARequest("B", 1, "/a"), False),
        (None, False),
    ],
)
def test_an_adapter_is_known_by_name_and_path(other, same):
    a, b = request(lora=A1).block_hashes, request(lora=other).block_hashes
    assert all((x == y) == same for x, y in zip(a, b, strict=True))


def test_adapter_and_salt_of_the_same_name_do_not_collide():
    adapter = request(lora=LoRARequest("s", 1, "s"))
    assert not set(adapter.block_hashes) & set(request(cache_salt="s").block_hashes)


def test_an_image_counts_in_every_block_it_reaches_into():
    r = request(mm_features=[image(2, 5)])
    keys = [generate_block_hash_extra_keys(r, i, i + 4) for i in (0, 4, 8)]
    assert keys == [(("mm", "photo", 2),), (("mm", "photo", -2),), None]


def test_the_same_image_elsewhere_is_another_block():
    a, b = (
        request([7] * 12, mm_features=[image(4, 2)]),
        request([7] * 12, mm_features=[image(5, 2)]),
    )
    same = [x == y for x, y in zip(a.block_hashes, b.block_hashes, strict=True)]
    assert same == [True, False, False]


def test_two_images_in_one_block_keep_their_order():
    r = request(mm_features=[image(0, 2, "i"), image(2, 2, "j")], lora=A1, cache_salt="s")
    assert generate_block_hash_extra_keys(r, 0, 4) == (
        ("lora", "A", "/a"),
        ("mm", "i", 0),
        ("mm", "j", 2),
        ("cache_salt", "s"),
    )


def test_of_overlapping_images_none_counts_past_the_end_of_the_last():
    r = request(mm_features=[image(0, 12, "i"), image(2, 3, "j")])
    keys = [generate_block_hash_extra_keys(r, i, i + 4) for i in (0, 4, 8)]
    assert keys == [(("mm", "i", 0),), (("mm", "i", -4),), None]


def test_events_publish_the_keys_without_tags():  # test_to_event_extra_keys_keeps_untagged_...
    r = request(mm_features=[image(0, 2, "i")], lora=A1, cache_salt="s")
    keys = generate_block_hash_extra_keys(r, 0, 4)
    assert event_extra_keys(keys) == ("A", ("i", 0), "s")
    assert event_extra_keys(None) is None


# ---- requests that make no sense


@pytest.mark.parametrize(
    "tokens", [[], [-1], [1.5], ["a"], [None], "abc", [2**64]], ids=lambda t: repr(t)
)
def test_tokens_are_whole_numbers(tokens):
    with pytest.raises(OperationError, match="token"):
        request(tokens)


@pytest.mark.parametrize("tokens", [[-1], [1.5], ["a"], [None]])
def test_tokens_that_make_no_sense_are_not_appended(tokens):
    r = request(range(3))
    with pytest.raises(OperationError, match="token"):
        r.append_output_token_ids([5, *tokens])
    assert r.num_tokens == 3
    assert r.block_hashes == []


def test_images_come_by_offset():
    with pytest.raises(OperationError, match="by offset"):
        request(mm_features=[image(4, 2), image(0, 2)])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: LoRARequest("", 1, "/a"), "LoRA name"),
        (lambda: LoRARequest("A", 1, None), "LoRA path"),
        (lambda: LoRARequest("A", 0, "/a"), "LoRA id"),
        (lambda: image(-1, 2), "offset"),
        (lambda: image(0, 0), "length"),
        (lambda: image(0, 1, ""), "identifier"),
        (lambda: request(max_tokens=0), "max_tokens"),
        (lambda: request(name=None), "request id"),
        (lambda: request(cache_salt=7), "cache_salt"),
        (lambda: request(skip_reading_prefix_cache="no"), "skip_reading_prefix_cache"),
    ],
)
def test_keys_are_checked_at_the_door(make, said):
    with pytest.raises(OperationError, match=said):
        make()
