"""What must hold in every run of the scheduler, whoever comes and however small the pool."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.request_queue import SchedulingPolicy
from tests.engine.scheduling import add, names, scheduler, step

REQUESTS = st.lists(
    st.tuples(
        st.integers(1, 30),  # tokens of the prompt
        st.integers(1, 12),  # tokens to write
        st.integers(0, 8),  # step of arrival
        st.integers(0, 2),  # priority
        st.booleans(),  # begins like the others
    ),
    min_size=1,
    max_size=8,
)


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(
    requests=REQUESTS,
    block_size=st.sampled_from([1, 2, 4, 8, 16]),
    spare=st.integers(0, 10),
    budget=st.integers(1, 40),
    seats=st.integers(1, 5),
    policy=st.sampled_from(SchedulingPolicy),
    caching=st.booleans(),
    watermark=st.sampled_from([0.0, 0.1]),
)
def test_every_run_keeps_its_limits_and_ends(
    requests, block_size, spare, budget, seats, policy, caching, watermark
):
    # the pool holds the longest request, and little more
    longest = max(cdiv(tokens + answer, block_size) for tokens, answer, *_ in requests)

    def run():
        s = scheduler(
            1 + longest + spare,
            block_size,
            enable_caching=caching,
            watermark=watermark,
            max_num_seqs=seats,
            max_num_batched_tokens=budget,
            policy=policy,
        )
        outputs = []
        number = 0
        while s.requests or number <= 8:
            for i, (tokens, answer, arrival, priority, alike) in enumerate(requests):
                if arrival == number:
                    prompt = [0 if alike else i + 1] * tokens
                    add(s, f"r{i}", prompt, max_tokens=answer, priority=priority, arrival_time=i)
            running = names(s.running)
            priorities = {req: request.priority for req, request in s.requests.items()}
            output = step(s)
            check_step(output, running, priorities)
            outputs.append(output)
            number += 1
            assert number < 3000, "the run does not end"
        assert s.manager.usage == 0.0
        assert len(s.waiting) == len(s.running) == 0
        return outputs

    def check_step(output, running, priorities):
        scheduled = output.num_scheduled_tokens
        assert sum(scheduled.values()) <= budget
        assert output.token_budget == budget - sum(scheduled.values())
        assert min(scheduled.values(), default=1) > 0
        assert len(scheduled) <= seats
        admitted = output.new + output.resumed
        assert not (output.preempted and admitted)
        assert not set(output.preempted) & set(scheduled)
        assert set(scheduled) <= set(running) | set(admitted)
        for victim in output.preempted:
            stayed = [req for req in running if req not in output.preempted]
            if policy is SchedulingPolicy.PRIORITY:
                assert all(priorities[victim] >= priorities[req] for req in stayed)
            else:
                assert all(running.index(victim) > running.index(req) for req in stayed)
        if not caching:
            assert not any(output.num_hit_tokens.values())

    assert run() == run()
