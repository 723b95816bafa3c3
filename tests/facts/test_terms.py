"""The terms: short, in one register, linked to things that exist, found in every spelling."""

import re
from urllib.parse import parse_qsl

import pytest

from pagedviz.facts.checks import FactError
from pagedviz.facts.term import GROUPS, MAX_WORDS, Seen, Term
from pagedviz.facts.terms import ROOM_WORDS, TERMS, in_text, nearest, search
from pagedviz.ui import (
    allocator_link,
    attention_link,
    glossary_link,
    prefix_link,
    reservation_link,
    sizing_link,
    spyre_link,
    story_link,
    workload_link,
)
from pagedviz.ui.params import read_link
from pagedviz.ui.shell import PAGES
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

every_term = pytest.mark.parametrize("term", TERMS.values(), ids=list(TERMS))
WANTED = """
token; KV cache; key and value; layer; attention; head; query head; KV head;
grouped-query attention; head size; context length; prompt; prefill; decode; chunked prefill; block;
block table; logical block; physical block; slot; block pool; null block; free queue;
reference count; prefix cache; hash chain; hit; eviction; cache salt; continuous batching;
preemption by recompute; scheduler; token budget; internal fragmentation; external fragmentation;
reservation; buddy allocator; PagedAttention; vLLM; throughput; latency; FP8; FP16; E4M3; GB; GiB;
tensor parallel; MLA; sliding window; hybrid models; online softmax; IBM Spyre; Power 11;
ENZ0 drawer; stick; plugin; vllm-spyre; sendnn-inference; Stack releases;
Red Hat AI Inference Server; OpenShift AI; tkv; batch x context; left padding; right padding;
pausing; promise; warm-up shape; encoder-only; Orca; FasterTransformer; Hugging Face Transformers;
ShareGPT; Alpaca
"""
LINKS = {
    "start": story_link,
    "allocator": allocator_link,
    "reservation": reservation_link,
    "prefix": prefix_link,
    "attention": attention_link,
    "spyre": spyre_link,
    "sizing": sizing_link,
    "workload": workload_link,
    "glossary": glossary_link,
}


@pytest.mark.parametrize("name", [name.strip() for name in WANTED.replace("\n", " ").split(";")])
def test_every_word_a_newcomer_meets_is_there(name):
    found = nearest(name)
    assert found is not None
    assert found.is_called(name)


@every_term
def test_a_definition_is_short_and_in_the_fields_own_words(term):
    assert len(term.says.split()) <= MAX_WORDS
    assert term.says.endswith(".")
    assert not re.search(ROOM_ONLY, term.says), "a word of the storage room in a definition"
    assert not re.search(ENGINE_ONLY, term.room), "a word of the engine in the storage room's"


@every_term
def test_what_a_term_leads_to_exists(term):
    assert set(term.see) <= set(TERMS)
    assert term.see, "a way to go on"


@every_term
def test_the_page_where_a_term_is_seen_understands_the_link(term):
    if term.at is None:
        return
    assert term.at.page in PAGES
    table = LINKS[term.at.page].TABLE
    given = dict(
        parse_qsl(term.at.query, keep_blank_values=True, strict_parsing=bool(term.at.query))
    )
    assert set(given) <= {param.name for param in table}
    assert read_link(given, table).problems == ()


def test_every_subject_has_terms_and_no_link_leads_to_itself_only():
    assert {term.group for term in TERMS.values()} == set(GROUPS)
    linked = {other for term in TERMS.values() for other in term.see}
    assert len(linked) > len(TERMS) / 2


def test_no_spelling_belongs_to_two_terms_without_being_the_name_of_one():
    owners: dict[str, list[Term]] = {}
    for term in TERMS.values():
        for spelling in term.also:
            owners.setdefault(spelling.casefold(), []).append(term)
    twice = {s: [t.name for t in terms] for s, terms in owners.items() if len(terms) > 1}
    assert not twice


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("block", "block"),
        ("BLOCK TABLE", "block-table"),
        ("slip", "block-table"),
        ("sendnn", "plugin"),
        ("GQA", "grouped-query-attention"),
        ("secret", "cache-salt"),
        ("448", "e4m3"),
    ],
)
def test_search_finds_names_first_then_room_words_then_definitions(text, first):
    assert search(text)[0].id == first


def test_search_within_a_subject_keeps_to_it():
    assert {term.group for term in search("block", "spyre")} == {"spyre"}
    assert search("sharegpt", "model") == ()


def test_search_asks_for_every_word():
    both = set(search("block hash"))
    assert both
    assert both <= set(search("block")) & set(search("hash"))


def test_strange_searches_are_answered():
    for text in ("", " ", "<script>", "%", "a" * 500, "(", "\\", "\u202e", "block\x00"):
        assert isinstance(search(text), tuple)
        nearest(text)


def test_in_a_text_the_longest_term_wins_and_each_is_marked_once():
    text = "The block table names a block. Block tables have blocks."
    assert [(text[a:b], term.id) for a, b, term in in_text(text, 9)] == [
        ("block table", "block-table"),
        ("block", "block"),
    ]
    assert len(in_text("prefill, decode, eviction, pausing, stick", 3)) == 3


def test_parts_of_words_addresses_and_files_are_no_terms():
    assert in_text("blockade stickers block_pool /block a.block unblock-block", 9) == ()


def test_words_of_the_storage_room_lead_to_terms_that_say_so():
    for word, key in ROOM_WORDS.items():
        assert TERMS[key].room, f"{word} stands for {key}, which names nothing in the storage room"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"says": ""}, "says"),
        ({"says": "word " * 46 + "end"}, "45 at most"),
        ({"group": "zoo"}, "group"),
        ({"source": "nobody"}, "source"),
        ({"see": ("a-term",)}, "see"),
        ({"name": " a"}, "name"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_field(change, named):
    fields = {"name": "A term", "says": "Says.", "group": "model", "source": "paper"} | change
    with pytest.raises(FactError, match=named):
        Term(at=Seen("start"), **fields)
