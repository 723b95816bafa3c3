"""Runs of a Spyre server that the recordings do not show."""

import pytest

from pagedviz.engine.errors import OperationError
from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.scheduler import SpyreScheduler
from tests.engine.spyre.serving import serve, small

OLDER = "vllm_spyre_1_10_0"


@pytest.mark.parametrize(
    ("together", "context", "asked"), [(32, 4_096, 32), (16, 8_192, 17), (4, 32_768, 5)]
)
def test_the_published_rows_run_for_real(together, context, asked):
    """Requests that grow to the row's length decode together; one more and they take turns."""
    server = SpyreScheduler(SpyreLimits(32, 32_768, 131_072, 32_768, 8_192))
    steps = serve(server, *(SpyreRequest(str(i), context - 128, 128) for i in range(asked)))
    assert max(len(s.requests) for s in steps) == together
    widest = max((s for s in steps if len(s.requests) == together), key=lambda s: s.volume)
    # a row that just filled its block reaches its end, while the longest is in the same block
    assert (widest.tkv, widest.volume) == (context, 131_072)
    assert any(s.paused for s in steps) is (asked > together)
    assert {f.generated for s in steps for f in s.finished} == {128}


def test_idle_steps_are_skipped_and_not_counted():
    server = SpyreScheduler(small())
    steps = serve(
        server,
        SpyreRequest("late", 40, 2, arrival_step=90),
        SpyreRequest("A", 40, 2),
    )
    assert [(s.step, s.arrived, s.kind) for s in steps] == [
        (0, ("A",), "prefill"),
        (1, (), "decode"),
        (90, ("late",), "prefill"),
        (91, (), "decode"),
    ]
    assert server.clock == 92
    with pytest.raises(OperationError, match="arrival_step 5 has passed; try 92"):
        server.add_request(SpyreRequest("B", 40, 2, arrival_step=5))
    server.add_request(SpyreRequest("B", 40, 2, arrival_step=92))
    assert server.step().arrived == ("B",)


def test_a_chunk_of_a_long_prompt_alternates_with_a_token_for_the_others():
    steps = serve(
        SpyreScheduler(small()),
        SpyreRequest("A", 40, 30),
        SpyreRequest("B", 400, 5, arrival_step=3),
    )
    kinds = [s.kind for s in steps[3:11]]
    assert kinds == ["prefill", "decode"] * 4
    first = steps[3].prefill
    assert (first.chunk, first.chunks_total, first.left_padding) == (0, 4, 64)
    assert (first.start, first.end, first.is_first, first.is_last) == (0, 64, True, False)
    waits = steps[4].prefill_waits
    assert (waits.request_id, waits.reason) == ("B", Reason.DECODE_FIRST)
    last = steps[9].prefill
    assert (last.start, last.end, last.is_last, last.right_padding) == (320, 400, True, 48)


def test_without_interleaving_the_others_wait_through_a_whole_prompt():
    steps = serve(
        SpyreScheduler(small(), interleave=False),
        SpyreRequest("A", 40, 30),
        SpyreRequest("B", 400, 5, arrival_step=3),
    )
    assert [s.kind for s in steps[3:8]] == ["prefill"] * 4 + ["decode"]


def test_a_request_behind_one_that_lacks_blocks_waits_though_it_would_fit():
    big = [SpyreRequest(str(i), 384, 100) for i in range(5)]
    server = SpyreScheduler(small(max_num_seqs=6, batch_tkv_limit=3_072))
    for request in (*big, SpyreRequest("small", 20, 4)):
        server.add_request(request)
    while True:
        step = server.step()
        reasons = {one.request_id: one for one in step.waiting}
        if reasons.get("4") and reasons["4"].reason is Reason.NO_BLOCKS:
            break
    assert reasons["small"].reason is Reason.BEHIND
    assert reasons["4"].blocks_needed == 8 > reasons["4"].blocks_available
    assert step.blocks.available == reasons["4"].blocks_available
    assert step.blocks.free >= 8  # free there are enough: they are promised


def test_promises_shrink_as_blocks_come_and_the_rest_goes_back():
    server = SpyreScheduler(small())
    steps = serve(server, SpyreRequest("A", 100, 300, output_len=40))
    assert steps[0].running[0].promised_blocks == 5  # 7 in all, 2 for the prompt
    by_step = [(s.blocks.held, s.blocks.promised) for s in steps[:-1]]
    assert {held + promised for held, promised in by_step} == {7}
    (done,) = steps[-1].finished
    assert (done.generated, done.ended_early, done.promise_returned) == (40, True, 4)
    assert (steps[-1].blocks.held, steps[-1].blocks.promised) == (0, 0)
    to_the_end = serve(SpyreScheduler(small()), SpyreRequest("B", 100, 3))[-1].finished[0]
    assert (to_the_end.generated, to_the_end.ended_early) == (3, False)


def test_a_request_without_max_tokens_promises_a_whole_context():
    server = SpyreScheduler(small())
    check = server.add_request(SpyreRequest("A", 100, output_len=3))
    assert check.blocks_promised == 8  # ceil((100 + 384) / 64)
    step = server.step()
    assert step.blocks.held + step.blocks.promised == 8


def test_a_paused_request_keeps_its_blocks_and_writes_nothing():
    server = SpyreScheduler(small(batch_tkv_limit=512))
    for i in range(3):
        server.add_request(SpyreRequest(str(i), 150, 60))
    tables, written = {}, {}
    pauses = 0
    while (step := server.step()) is not None:
        for one in step.running:
            table = server.block_table(one.request_id)
            if one.status == "paused":
                pauses += 1
                assert one.request_id not in step.requests
                assert (table, one.generated) == (
                    tables[one.request_id],
                    written[one.request_id],
                )
            tables[one.request_id], written[one.request_id] = table, one.generated
    assert pauses > 50
    assert set(written) == {"0", "1", "2"}


def test_shared_prefixes_skip_chunks_and_share_blocks():
    limits = SpyreLimits(4, 4_096, 16_384, 1_024, 200)

    def requests():
        return [
            SpyreRequest(name, 3_000, 10, shared_prefix="manual", shared_tokens=2_500)
            for name in ("A", "B")
        ]

    steps = serve(SpyreScheduler(limits), *requests())
    a, b = (
        [s.prefill for s in steps if s.prefill and s.prefill.request_id == name] for name in "AB"
    )
    assert [p.chunk for p in a] == [0, 1, 2]
    assert [p.chunk for p in b] == [2]  # 1,984 of 2,496 found tokens are not computed again
    only = b[0]
    assert (only.hit_blocks, only.reused_blocks, only.chunks_skipped) == (39, 31, 2)
    assert (only.start, only.end, only.scheduled_tokens) == (1_984, 3_000, 504)
    assert only.hit_ids == tuple(range(1, 40))
    with_b = next(s for s in steps if s.prefill is only)
    assert with_b.blocks.held == 47 + 47 - 39
    assert with_b.new_blocks == (("B", tuple(range(48, 56))),)

    without = serve(SpyreScheduler(limits, prefix_caching=False), *requests())
    chunks = [s.prefill for s in without if s.prefill and s.prefill.request_id == "B"]
    assert [p.chunk for p in chunks] == [0, 1, 2]
    assert all(p.hit_blocks == 0 for p in chunks)


def test_the_older_release_spends_a_step_on_what_it_finds():
    limits = SpyreLimits(4, 4_096, 16_384, 1_024, 200)
    requests = [
        SpyreRequest(name, 3_000, 2, shared_prefix="manual", shared_tokens=2_500) for name in "AB"
    ]
    steps = serve(SpyreScheduler(limits, OLDER, prefix_caching=True), *requests)
    b = [s.prefill for s in steps if s.prefill and s.prefill.request_id == "B"]
    assert [(p.chunk, p.from_cache) for p in b] == [(0, True), (2, False)]
    assert b[0].start == b[0].end
    assert b[0].scheduled_tokens == 0
    assert b[1].end - b[1].start == b[1].scheduled_tokens == 1_016


def test_the_older_release_hands_out_a_prompts_blocks_at_once_and_promises_none():
    steps = serve(SpyreScheduler(small(), OLDER), SpyreRequest("A", 400, 5))
    assert steps[0].blocks.held == 7
    assert all(s.blocks.promised == 0 for s in steps)
    assert SpyreScheduler(small(), OLDER).prefix_caching is False
    assert SpyreScheduler(small()).prefix_caching is True


def test_the_older_release_runs_out_of_blocks_it_did_not_count():
    server = SpyreScheduler(small(num_blocks=9), OLDER)
    for name in "AB":
        server.add_request(SpyreRequest(name, 300, 50))
    with pytest.raises(OperationError, match="num_blocks 9: the pool has no block left"):
        list(server.run())
    before = (server.clock, server.waiting, server.decoding, server.blocks)
    with pytest.raises(OperationError, match="does not count blocks"):
        server.step()
    assert (server.clock, server.waiting, server.decoding, server.blocks) == before


def test_nobody_overtakes_in_the_older_release_but_may_with_pausing_off():
    """A prompt of one chunk that the volume rule refuses, and a small one behind it."""
    limits = small(max_model_len=1_024, batch_tkv_limit=1_024, chunk_size=512)
    requests = [
        SpyreRequest("A", 200, 100),
        SpyreRequest("big", 500, 500),
        SpyreRequest("small", 20, 4),
    ]

    def who_is_second(release):
        steps = serve(SpyreScheduler(limits, release), *requests)
        return next(
            s.prefill.request_id for s in steps if s.prefill and s.prefill.request_id != "A"
        )

    assert who_is_second("sendnn_2_6_3_pausing_off") == "small"
    assert who_is_second(OLDER) == "big"


@pytest.mark.parametrize(("max_tokens", "next_kind"), [(429, "prefill"), (430, "decode")])
def test_the_older_release_counts_a_new_one_beside_the_longest_already(max_tokens, next_kind):
    """B has joined A, which reaches 639 tokens: C would begin at 596 of 1,024."""
    limits = small(max_model_len=1_024, batch_tkv_limit=4_096, chunk_size=640, num_blocks=70)
    steps = serve(
        SpyreScheduler(limits, OLDER, interleave=False),
        SpyreRequest("A", 639, 50),
        SpyreRequest("B", 20, 10),
        SpyreRequest("C", 20, max_tokens),
    )
    assert [s.requests for s in steps[:2]] == [("A",), ("B",)]
    assert steps[2].kind == next_kind


def when_b_runs(arrival_step):
    """A reaches 602 tokens and leaves; B has two chunks, and would not fit behind A's length."""
    limits = small(max_model_len=1_024, batch_tkv_limit=4_096, num_blocks=70)
    steps = serve(
        SpyreScheduler(limits, OLDER),
        SpyreRequest("A", 600, 3),
        SpyreRequest("B", 200, 700, arrival_step=arrival_step),
    )
    last_of_a = max(s.step for s in steps if "A" in s.requests)
    return last_of_a, [s.step for s in steps if s.prefill and s.prefill.request_id == "B"]


def test_the_older_release_begins_anew_when_nobody_is_left():
    assert when_b_runs(20) == (6, [20, 21])


def test_the_older_release_gets_over_a_length_from_before_the_others_left():
    # step 8 is empty: B's last chunk is refused for what A reached, though A has left
    assert when_b_runs(4) == (7, [6, 9])
