"""What must hold in every step of every run, whoever arrives when."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine.errors import OperationError
from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest, round_up
from pagedviz.engine.spyre.scheduler import SpyreScheduler

ON, OFF, OLDER = RELEASES


@st.composite
def servers(draw, releases=(ON, OFF)):
    """A small server and requests that pass its door."""
    context = 64 * draw(st.sampled_from([4, 8, 16]))
    seqs = draw(st.integers(1, 6))
    limits = SpyreLimits(
        seqs,
        context,
        draw(st.sampled_from([context, context * 3 // 2, context * 3])),
        draw(st.sampled_from([64, 128, 256])),
        draw(st.sampled_from([0, context // 64 + 1, context // 32 + 1])),
    )
    server = SpyreScheduler(
        limits,
        draw(st.sampled_from(releases)),
        prefix_caching=draw(st.booleans()),
        interleave=draw(st.sampled_from([True, True, False])),
    )
    for i in range(draw(st.integers(1, 7))):
        prompt = draw(st.integers(1, context - 64))
        max_tokens = draw(st.integers(1, min(50, context - round_up(prompt))))
        server.add_request(
            SpyreRequest(
                str(i),
                prompt,
                max_tokens,
                draw(st.integers(1, max_tokens)),
                draw(st.sampled_from([0, 0, 5, 60])),
                "manual",
                draw(st.integers(0, prompt)),
            )
        )
    return server


def steps_of(server):
    """All steps; more than these few requests can take means somebody never leaves."""
    steps = list(server.run(max_steps=3_000))
    assert server.step() is None
    return steps


@settings(deadline=None, max_examples=60)
@given(servers())
def test_blocks_are_held_promised_or_free_and_promises_are_kept(server):
    usable = server.limits.usable_blocks
    pool = server.manager.block_pool
    while (step := server.step()) is not None:
        blocks = step.blocks
        tables = [server.block_table(one.request_id) for one in step.running]
        assert blocks.held == len({block for table in tables for block in table})
        assert blocks.held + blocks.free == blocks.usable == usable
        assert 0 <= blocks.promised <= blocks.free
        assert blocks.promised == sum(one.promised_blocks for one in step.running)
        assert 0 not in {block for table in tables for block in table}
        for one, table in zip(step.running, tables, strict=True):
            assert one.held_blocks == len(table)
            if one.status != "prefilling":
                assert one.held_blocks == -(-one.stored // 64)
            most = -(-(one.prompt_len + one.max_tokens) // 64)
            assert one.held_blocks + one.promised_blocks == most or server.prefix_caching
            assert one.held_blocks + one.promised_blocks <= most
        refs = sum(block.ref_cnt for block in pool.blocks)
        assert refs == sum(map(len, tables))
    assert pool.get_num_free_blocks() == usable


@settings(deadline=None, max_examples=60)
@given(servers())
def test_the_product_is_kept_in_every_decode_step(server):
    for step in steps_of(server):
        if step.kind == "decode":
            assert step.volume == len(step.requests) * step.tkv
            assert 0 < step.volume <= step.volume_limit == server.limits.batch_tkv_limit
            assert step.tkv <= server.limits.max_model_len
            assert len(step.requests) <= server.limits.max_num_seqs
        else:
            assert step.volume is None
            assert step.tkv == step.prefill.prompt_len


@settings(deadline=None, max_examples=60)
@given(servers((ON, OFF, OLDER)))
def test_everybody_arrives_is_prefilled_writes_and_leaves(server):
    expected = {life.name: life for life in server._coming}
    steps = []
    while True:
        try:
            step = server.step()
        except OperationError:
            assert server.release.key == OLDER  # the only one that may run out
            return
        if step is None:
            break
        steps.append(step)
    assert sorted(name for s in steps for name in s.arrived) == sorted(expected)
    finished = {one.request_id: one for s in steps for one in s.finished}
    for name, life in expected.items():
        mine = [s for s in steps if name in s.requests]
        prefills = [s.prefill for s in mine if s.prefill]
        assert mine[: len(prefills)] == [s for s in mine if s.prefill]
        assert [p.is_first for p in prefills] == [True] + [False] * (len(prefills) - 1)
        assert [p.is_last for p in prefills] == [False] * (len(prefills) - 1) + [True]
        computed = [p for p in prefills if not p.from_cache]
        assert [p.chunk for p in computed] == list(
            range(computed[0].chunks_skipped, computed[0].chunks_total)
        )
        assert computed[-1].end == life.prompt_len
        # the last chunk makes the first token, each decode step one more
        assert len(mine) - len(prefills) == finished[name].generated - 1
        assert finished[name].generated == life.output_len


@settings(deadline=None, max_examples=60)
@given(servers())
def test_interleaving_pausing_and_reasons(server):
    before = None
    for step in steps_of(server):
        running = {one.request_id: one.status for one in step.running}
        assert set(step.paused) == {name for name, st_ in running.items() if st_ == "paused"}
        assert not set(step.paused) & set(step.requests)
        assert not set(step.newly_paused) & set(step.resumed)
        assert set(step.resumed) <= set(step.requests)
        if before is not None:
            was = set(before.paused)
            assert set(step.newly_paused) == set(step.paused) - was
            assert set(step.resumed) == was - set(step.paused)
            both_prefill = step.kind == before.kind == "prefill"
            decoders = [one for one in before.running if one.status == "decoding"]
            if both_prefill and server._state.interleave:
                assert not decoders
            if step.prefill and step.prefill.is_first and before.paused:
                assert not decoders  # who pauses goes first
        blocked = False
        for one in step.waiting:
            assert (one.reason is Reason.BEHIND) == blocked
            if one.reason is Reason.NO_BLOCKS:
                assert one.blocks_needed > one.blocks_available
                blocked = True
        before = step


@settings(deadline=None, max_examples=25)
@given(servers())
def test_the_same_again(server):
    again = SpyreScheduler(
        server.limits,
        server.release.key,
        prefix_caching=server.prefix_caching,
        interleave=server._state.interleave,
    )
    for life in server._coming:
        again.add_request(life.spec)
    assert list(server.run()) == list(again.run())


@pytest.mark.parametrize("release", RELEASES)
def test_deltas_of_blocks_rebuild_every_table(release):
    server = SpyreScheduler(SpyreLimits(4, 512, 1_024, 128, 40), release, prefix_caching=True)
    for i in range(6):
        server.add_request(SpyreRequest(str(i), 200 + 30 * i, 60, 50 - i, 3 * i, "manual", 130))
    tables = {}
    while (step := server.step()) is not None:
        if step.prefill and step.prefill.is_first:
            tables[step.prefill.request_id] = list(step.prefill.hit_ids)
        for name, ids in step.new_blocks:
            tables[name] += ids
        for one in step.finished:
            del tables[one.request_id]
        assert {name: tuple(ids) for name, ids in tables.items()} == {
            one.request_id: server.block_table(one.request_id) for one in step.running
        }
    assert tables == {}
