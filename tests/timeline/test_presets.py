"""Each preset keeps its promise."""

import gzip
import json
import re

import pytest

from pagedviz.paths import GOLDEN
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.link import from_link, to_link
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT, PRESETS, preset
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY


def played(key):
    return play(preset(key).run)


def steps_of(timeline, *kinds):
    return [s for s in timeline.steps if set(kinds) <= s.effects.kinds]


def test_there_are_the_default_the_eight_and_two_more():
    assert [p.id for p in PRESETS] == [
        "three-visitors",
        "one-visitor",
        "room-full",
        "preemption",
        "same-opening",
        "same-question",
        "kept",
        "caching-off",
        "design-page",
        "afternoon",
    ]
    assert PRESETS[0] is DEFAULT
    assert preset("no such") is None


@pytest.mark.parametrize("one", PRESETS, ids=lambda p: p.id)
def test_opens_within_the_run_and_ends_with_nobody_inside(one):
    timeline = play(one.run)
    assert 0 < one.opening <= timeline.last
    assert timeline.state(timeline.last).tables == {}
    assert one.run.title == one.title.room


@pytest.mark.parametrize("one", PRESETS, ids=lambda p: p.id)
def test_titles_and_leads_keep_to_their_register(one):
    for words in filter(None, (one.title, one.lead, one.note)):
        assert not re.search(ENGINE_ONLY, words.room), words.room
        assert not re.search(ROOM_ONLY, words.engine), words.engine
        assert len(words.room) < 300
    assert not re.search(NUMBER_WORDS, one.lead.room + one.lead.engine)


@pytest.mark.parametrize("one", [p for p in PRESETS if p.id != "afternoon"], ids=lambda p: p.id)
def test_fits_a_link(one):
    assert from_link(to_link(one.run)) == one.run


def test_three_visitors_share_a_shelf_and_a_refusal_resolves_itself():
    timeline = played("three-visitors")
    assert timeline.pool.num_blocks == 30
    assert len({s.op["req"] for s in timeline.steps if s.name == "add_request"}) == 3
    (share,) = steps_of(timeline, "share")
    assert len(share.effects.hit) == 1
    (no,) = steps_of(timeline, "refuse")
    assert no.index == DEFAULT.opening
    leaves, comes = timeline.steps[33], timeline.steps[34]
    assert leaves.name == "free"
    assert (comes.name, comes.request, comes.refused) == ("admit", no.request, False)
    prompts = {s.num_tokens_of_op for s in timeline.steps if s.name == "add_request"}
    assert len(prompts) == 3


def test_one_visitor_takes_a_shelf_only_when_the_last_is_full():
    timeline = played("one-visitor")
    assert len(timeline.requests) == 1
    grown = [s for s in steps_of(timeline, "new") if s.name == "allocate"]
    assert len(grown) == 2
    for step in grown:
        assert step.before.unfilled == 0
    assert max(s.counts.unfilled for s in timeline.steps) < timeline.pool.block_size


def test_room_full_holds_up_the_small_one_behind():
    timeline = played("room-full")
    first = steps_of(timeline, "refuse")[0]
    assert (first.name, first.request.letter) == ("admit", "C")
    d = timeline.info("D")
    admitted = [s for s in timeline.steps if s.request == d and s.name == "admit"]
    assert first.counts.free >= 1  # D would have fitted
    assert [s.refused for s in admitted] == [False]
    c_in = next(
        s for s in timeline.steps if s.request == first.request and "new" in s.effects.kinds
    )
    assert first.index < c_in.index < admitted[0].index
    assert any(s.name == "allocate" for s in steps_of(timeline, "refuse"))


def test_preemption_sends_the_last_one_back_and_it_finds_its_own_shelves():
    timeline = played("preemption")
    (back,) = steps_of(timeline, "preempt")
    assert back.index == preset("preemption").opening
    assert back.effects.victim_why == "last"
    assert back.effects.room_for == "B"
    kept = set(back.effects.freed_back)
    again = next(s for s in timeline.steps if s.effects.returning and s.effects.hit)
    assert again.request == back.request
    assert set(again.effects.hit) <= kept
    assert timeline.steps[-1].name == "free"


def test_same_opening_is_stored_once_and_another_first_word_shares_nothing():
    timeline = played("same-opening")
    b, c = steps_of(timeline, "share")
    assert b.effects.hit == c.effects.hit == (1, 2, 3, 4)
    assert timeline.state(c.index).owners[1] == (0, 1, 2)
    a, d = (
        next(s.op["tokens"] for s in timeline.steps if s.request == timeline.info(who))
        for who in "AD"
    )
    assert a[1:32] == d[1:32]
    d_in = next(s for s in timeline.steps if s.request == timeline.info("D") and s.name == "admit")
    assert not d_in.effects.hit


def test_same_question_computes_the_last_block_again_and_keeps_the_duplicate():
    timeline = played("same-question")
    b, c = steps_of(timeline, "share")
    assert b.effects.recomputed == b.effects.new[0]
    state = timeline.state(b.index)
    assert state.hashes[3] == state.hashes[b.effects.recomputed]
    assert c.effects.hit == (1, 2, 3)
    assert c.effects.recomputed == 0


def test_kept_shelves_go_last_part_first_and_are_found_until_their_turn():
    timeline = played("kept")
    leave = timeline.steps[3]
    assert leave.effects.freed_front == (4,)
    assert leave.effects.freed_back == (3, 2, 1)
    evict = steps_of(timeline, "evict")[0]
    assert [b for b, _ in evict.effects.evict] == [3]
    found = steps_of(timeline, "share")[0]
    assert found.effects.hit == found.effects.kept_hits == (1, 2)


def test_without_caching_nothing_is_shared_and_more_is_needed():
    off, on = played("caching-off"), played("same-opening")
    assert [thaw(op) for op in off.run.ops] == [thaw(op) for op in on.run.ops]
    assert not steps_of(off, "share")
    assert all(s.counts.kept == 0 for s in off.steps)
    assert max(s.counts.used for s in off.steps) > max(s.counts.used for s in on.steps)
    assert not any(s.effects.freed_back for s in off.steps)


def test_design_page_is_the_recorded_run_and_its_queues_are_as_said():
    (path,) = (GOLDEN / "allocator").glob("g37*")
    data = path.read_bytes()
    trace = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    page = preset("design-page")
    assert [thaw(op) for op in page.run.ops] == [s["op"] for s in trace["steps"]]
    assert page.run.config == trace["config"]
    queue = ", ".join(map(str, play(page.run).state(page.opening).queue))
    assert queue == "7, 5, 8, 9, 10, 4, 3, 6, 2, 1"
    assert queue in page.note.room
    assert queue in page.note.engine


def test_the_afternoon_has_everything():
    timeline = played("afternoon")
    assert 200 <= timeline.last <= 400
    assert timeline.pool.usable == 30
    for kind, least in {"share": 8, "evict": 15, "refuse": 4, "preempt": 2, "leave": 16}.items():
        assert len(steps_of(timeline, kind)) >= least, kind
    assert "preempt" in timeline.steps[preset("afternoon").opening].effects.kinds
    ticks = [s.tick for s in timeline.steps[1:]]
    assert ticks == sorted(ticks)
