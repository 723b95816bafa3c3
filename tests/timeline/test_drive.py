"""What the scheduler did can be played again, exactly."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline.drive import DriveConfig, drive, drive_with_manager
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_STEPS
from pagedviz.timeline.play import play

configs = st.builds(
    DriveConfig,
    num_blocks=st.integers(12, 24),
    block_size=st.integers(1, 4),
    caching=st.booleans(),
    visitors=st.integers(1, 6),
    arrivals=st.sampled_from([0.2, 1.0, 9.0]),
    prompt=st.just((1, 7)),
    answer=st.just((1, 4)),
    shared_opening=st.integers(0, 6),
    sharing=st.sampled_from([0.0, 0.5, 1.0]),
    token_budget=st.integers(1, 20),
    max_requests=st.integers(1, 5),
    policy=st.sampled_from(["fcfs", "priority"]),
    seed=st.integers(0, 2**32),
)


@settings(max_examples=60, deadline=None)
@given(configs)
def test_playing_the_operations_gives_the_schedulers_pool(config):
    run, manager = drive_with_manager(config, "driven")
    state = play(run).state(len(run.ops))
    pool = manager.block_pool
    assert list(state.queue) == [b.block_id for b in pool.free_block_queue]
    assert [len(o) for o in state.owners] == [b.ref_cnt for b in pool.blocks]
    classes = {}
    for cls, block in zip(state.hashes, pool.blocks, strict=True):
        assert (cls == -1) == (block.block_hash is None)
        assert classes.setdefault(cls, block.block_hash) == block.block_hash
    assert state.tables == {}
    assert state.requests == {}


def test_in_the_middle_too(monkeypatch):
    # Stop the last visitor's answer short: the pool is compared while it is in use.
    config = DriveConfig(
        num_blocks=12,
        block_size=2,
        visitors=4,
        prompt=(3, 8),
        answer=(4, 8),
        token_budget=8,
        seed=3,
    )
    seen = []
    import pagedviz.timeline.drive as module

    real = module.Scheduler.schedule

    def schedule(self):
        output = real(self)
        seen.append(
            (
                len(self.manager.ops),
                {r.request_id: self.manager.get_block_ids(r.request_id) for r in self.running},
                [b.block_id for b in self.manager.block_pool.free_block_queue],
            )
        )
        return output

    monkeypatch.setattr(module.Scheduler, "schedule", schedule)
    run = drive(config)
    timeline = play(run)
    assert len(seen) > 10
    for number, tables, queue in seen:
        state = timeline.state(number)
        assert {timeline.requests[r].request_id: list(t) for r, t in state.tables.items()} == tables
        assert list(state.queue) == queue


def test_the_same_seed_gives_the_same_run():
    config = DriveConfig(visitors=4, seed=5)
    assert drive(config) == drive(config)
    assert drive(config) != drive(DriveConfig(visitors=4, seed=6))


def test_the_priority_policy_prefers_the_urgent():
    tight = {
        "num_blocks": 9,
        "block_size": 2,
        "visitors": 6,
        "arrivals": 2.0,
        "prompt": (3, 6),
        "answer": (4, 8),
        "token_budget": 16,
    }
    seen = set()
    for seed in range(12):
        for step in play(drive(DriveConfig(policy="priority", seed=seed, **tight))).steps:
            if step.name == "preempt" and step.effects.room_for:
                seen.add(step.effects.victim_why)
    assert seen == {"priority"}


def test_shared_openings_are_found_again():
    kinds = [
        s.effects.hit
        for s in play(
            drive(
                DriveConfig(
                    visitors=3,
                    arrivals=0.05,
                    prompt=(40, 40),
                    answer=(2, 2),
                    shared_opening=32,
                    sharing=1.0,
                )
            )
        ).steps
        if s.name == "admit"
    ]
    assert [len(hit) for hit in kinds] == [0, 2, 2]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"num_blocks": 1}, "num_blocks"),
        ({"num_blocks": True}, "num_blocks"),
        ({"block_size": 0}, "block_size"),
        ({"visitors": 0}, "visitors"),
        ({"arrivals": 0}, "arrivals"),
        ({"arrivals": True}, "arrivals"),
        ({"prompt": (5, 4)}, "longest arrivals .4. would be shorter than the shortest .5."),
        ({"answer": (5, 4)}, "longest answers"),
        ({"answer": (0, 4)}, "shortest"),
        ({"sharing": 1.5}, "sharing"),
        ({"token_budget": 0}, "token_budget"),
        ({"policy": "lifo"}, "fcfs or priority"),
        ({"seed": -1}, "seed"),
        ({"prompt": (16, 600)}, "would take 640 places, but there are only 464"),
    ],
)
def test_wrong_settings_are_named(changes, says):
    with pytest.raises(RunError, match=says) as caught:
        DriveConfig(**changes)
    # Both registers show it, under a form that has its own name in each.
    assert not re.search("scheduler|doorkeeper|visitor |request|block |shel[fv]", str(caught.value))


def test_too_long_a_run_is_refused():
    with pytest.raises(RunError, match=f"^This would take more than {MAX_STEPS:,} steps"):
        drive(DriveConfig(num_blocks=100, visitors=60, answer=(100, 200)))
