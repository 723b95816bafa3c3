"""Both memories on one clock: what adds up, who is served, and what is known in advance."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.buddy import power_of_two
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.scheduler import Scheduler
from pagedviz.timeline.reservation import play as play_module
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.totals import totals
from tests.timeline.reservation.setups import setups


def check_old(run, step):
    """The counts again, slot by slot, from the runs alone."""
    side, slots = step.old, run.setup.slots
    kinds = np.full(slots, "?", dtype=object)
    for visitor, at in side.runs:
        person = run.visitors[visitor]
        assert (kinds[at.start : at.start + at.run] == "?").all()
        assert at.will_use == person.will_use
        assert at.run == power_of_two(at.reserved)
        assert at.start % at.run == 0
        assert at.start // run.setup.row == (at.start + at.run - 1) // run.setup.row
        kinds[at.start : at.start + at.run] = "external"
        kinds[at.start : at.start + at.reserved] = "never"
        kinds[at.start : at.start + at.will_use] = "later"
        kinds[at.start : at.start + at.written] = "token"
    kinds[kinds == "?"] = "free" if side.shortage is None else "external"
    for kind, count in zip(side.counts._fields, side.counts, strict=True):
        assert (kinds == kind).sum() == count
    assert sum(side.counts) == slots
    if side.shortage is not None:
        assert side.waits[0].why == ("fragmented" if side.shortage.fragmented else "full")


def check_paged(run, step):
    side, size = step.paged, run.setup.block_size
    blocks = [block for table in side.tables for block, _ in table.blocks]
    assert len(blocks) == len(set(blocks))
    assert set(blocks) <= set(range(1, run.setup.num_blocks + 1))
    for table in side.tables:
        fills = [fill for _, fill in table.blocks]
        assert all(fill == size for fill in fills[:-1])
        assert 0 < fills[-1] <= size  # so the tail is shorter than a block
    tokens = sum(fill for table in side.tables for _, fill in table.blocks)
    assert side.counts.token == tokens
    assert side.counts.tail == len(blocks) * size - tokens < max(len(side.tables), 1) * size
    assert side.counts.kept == len(side.kept_blocks) * size
    assert not set(side.kept_blocks) & set(blocks)
    assert sum(side.counts) == run.setup.slots


@settings(max_examples=60, deadline=None)
@given(setups())
def test_every_slot_is_one_thing_at_every_step(setup):
    run = play(setup)
    for step in run.steps:
        check_old(run, step)
        check_paged(run, step)
        if setup.policy == "oracle":
            assert step.old.counts.never == 0


@settings(max_examples=60, deadline=None)
@given(setups())
def test_everybody_is_served_or_turned_away(setup):
    run = play(setup)
    away = [{}, {}]
    for step in run.steps:
        for turned in step.turned_away:
            away[0] |= {turned.visitor: turned.old} if turned.old else {}
            away[1] |= {turned.visitor: turned.paged} if turned.paged else {}
    for k, (name, gone) in enumerate((("old", run.steps[-1].old), ("paged", run.steps[-1].paged))):
        assert sorted([*gone.gone, *away[k]]) == list(range(setup.visitors)), name
        assert not gone.waits
    for visitor in run.visitors:
        too_long = visitor.prompt + visitor.output > setup.max_model_len
        assert (visitor.number in away[1]) == too_long
        assert too_long <= (visitor.number in away[0])
    longest = 1 << (setup.slots.bit_length() - 1)
    for number, why in away[0].items():
        if number not in away[1]:
            assert f"the longest in a memory of {setup.slots} is {longest}" in why
    assert run.steps[-1].tick == max(run.home) == run.last


@settings(max_examples=40, deadline=None)
@given(setups())
def test_nobody_overtakes_and_waits_are_told_from_their_beginning(setup):
    run = play(setup)
    came = [v for step in run.steps for v in step.old.came]
    assert came == sorted(came)
    for before, step in zip(run.steps, run.steps[1:], strict=False):
        assert [w.why for w in step.old.waits[1:]] == ["behind"] * len(step.old.waits[1:])
        assert all(w.since == run.visitors[w.visitor].arrive for w in step.old.waits)
        for wait in step.paged.waits:
            known = [w.since for w in before.paged.waits if w.visitor == wait.visitor]
            assert wait.since == (known[0] if known else step.tick)
        if step.paged.preempted:
            assert not step.paged.came
            assert step.paged.waits[0].why == "preempted"


@settings(max_examples=20, deadline=None)
@given(setups())
def test_the_same_setup_gives_the_same_run(setup):
    assert play(setup) == play(setup)


def test_the_paged_side_is_the_schedulers_own_doing():
    """The same arrivals given to vLLM's scheduler by hand, step by step."""
    run = play(ReservationSetup())
    manager = KVCacheManager(33, 16, max_model_len=128)
    scheduler = Scheduler(manager)
    for step in run.steps[1:]:
        for number in step.arrived:
            v = run.visitors[number]
            tokens = range(number * 10**6, number * 10**6 + v.prompt)
            hasher = get_request_block_hasher(16)
            scheduler.add_request(
                Request(str(number), tokens, max_tokens=v.output, block_hasher=hasher)
            )
        output = scheduler.schedule()
        assert [int(r.request_id) for r in scheduler.running] == [
            t.visitor for t in step.paged.tables
        ]
        for table in step.paged.tables:
            blocks = [block for block, _ in table.blocks]
            assert blocks == manager.get_block_ids(str(table.visitor))
        assert tuple(map(int, output.preempted)) == step.paged.preempted
        assert {*map(int, [*output.new, *output.resumed])} == set(step.paged.came)
        requests = scheduler.requests
        ready = [
            r
            for r in output.num_scheduled_tokens
            if requests[r].num_computed_tokens == requests[r].num_tokens
        ]
        scheduler.update_from_output({r: [int(r) * 10**6 + requests[r].num_tokens] for r in ready})
    assert not scheduler.requests


def test_by_hand():
    """4 at once: 48 slots are 3 runs of 16 or 12 blocks of 4; one answer token a step."""
    setup = ReservationSetup(
        slots=48,
        max_model_len=16,
        block_size=4,
        visitors=4,
        every=0,
        mix="own",
        mean_prompt=5,
        mean_output=5,
        seed=2,
    )
    run = play(setup)
    assert [(v.prompt, v.output) for v in run.visitors] == [(4, 4), (5, 9), (8, 7), (6, 2)]
    first = run.steps[1]
    assert [r.at.start for r in first.old.runs] == [0, 16, 32]
    assert first.old.waits == ((3, 1, "full"),)
    # 4 + 5 + 8 tokens are written, 7 + 13 + 14 will be, and 16 each are reserved
    assert first.old.counts == (17, 17, 14, 0, 0)
    assert [len(t.blocks) for t in first.paged.tables] == [1, 2, 2, 2]
    assert first.paged.counts == (23, 5, 0, 20)
    # Each writes its first token in its first step, and shows as gone after its last.
    old = {step.tick: step.old.left for step in run.steps if step.old.left}
    paged = {step.tick: step.paged.left for step in run.steps if step.paged.left}
    assert old == {5: (0,), 7: (3,), 8: (2,), 10: (1,)}
    assert paged == {3: (3,), 5: (0,), 8: (2,), 10: (1,)}
    assert run.steps[5].old.came == (3,)
    assert run.home == (10, 10)


def test_the_maximum_policy_wastes_what_nobody_ever_uses():
    run = play(ReservationSetup())
    for step in run.steps:
        inside = [run.visitors[r.visitor] for r in step.old.runs]
        assert step.old.counts.never == sum(128 - v.will_use for v in inside)
        assert step.old.counts.external == 0


def test_one_block_of_the_longest_length_is_an_aisle():
    run = play(ReservationSetup(block_size=128))
    for step in run.steps:
        assert [w.visitor for w in step.old.waits] == [w.visitor for w in step.paged.waits]
        assert step.old.counts.token == step.paged.counts.token
        assert step.old.counts.reserved == step.paged.counts.allocated


def test_who_is_too_long_is_turned_away_on_both_sides():
    run = play(ReservationSetup(max_model_len=64))
    turned = [turned for step in run.steps for turned in step.turned_away]
    long = [v for v in run.visitors if v.prompt + v.output > 64]
    assert 0 < len(long) < 18
    assert [t.visitor for t in turned] == [v.number for v in long]
    for t, v in zip(turned, long, strict=True):
        assert t.old == t.paged == f"{v.prompt + v.output} tokens are more than max_model_len 64"


def test_who_finds_no_run_is_turned_away_on_the_old_side_only():
    setup = ReservationSetup(
        slots=120, max_model_len=120, policy="oracle", block_size=8, visitors=3, mix="giant"
    )
    run = play(setup)
    turned = [turned for step in run.steps for turned in step.turned_away]
    assert [(t.visitor, t.paged) for t in turned] == [(1, "")]
    assert "needs a run of 128 slots; the longest in a memory of 120 is 64" in turned[0].old
    assert sorted(run.steps[-1].paged.gone) == [0, 1, 2]


def test_nobody_fits_at_all():
    run = play(ReservationSetup(max_model_len=2, visitors=3))
    assert run.home == (run.visitors[-1].arrive,) * 2
    assert not run.steps[-1].old.gone
    old, paged = totals(run)
    assert old.shares["free"] == paged.shares["free"] == 1
    assert old.longest_wait == 0


def test_too_long_a_comparison_says_what_to_do(monkeypatch):
    monkeypatch.setattr(play_module, "MAX_STEPS", 20)
    with pytest.raises(ReservationError, match=r"After 20 steps not everybody .* Try fewer"):
        play(ReservationSetup())


def test_the_opening_shows_a_line_on_the_left_only():
    run = play(ReservationSetup())
    step = run.steps[run.opening]
    assert len(step.old.waits) >= 5
    assert not step.paged.waits
    assert step.arrived[0] in [w.visitor for w in step.old.waits]
    assert step.arrived[0] in step.paged.came


def test_levers_move_one_thing():
    base = play(ReservationSetup())
    other = play(replace(ReservationSetup(), policy="oracle"))
    assert [s.paged for s in base.steps[:100]] == [s.paged for s in other.steps[:100]]
    assert other.home[0] < base.home[0]
