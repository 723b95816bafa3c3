"""Random runs in which every operation makes sense where it stands."""

from hypothesis import strategies as st

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.request import RequestStatus

small = st.integers(0, 2**16)
intents = st.lists(st.tuples(st.integers(0, 11), small, small, small), min_size=1, max_size=60)
configs = st.fixed_dictionaries(
    {
        "num_blocks": st.integers(2, 12),
        "block_size": st.integers(1, 5),
        "enable_caching": st.booleans(),
        "max_model_len": st.sampled_from([9, 24, 8192]),
        "watermark": st.sampled_from([0.0, 0.2]),
    }
)


def carry_out(config, wishes):
    """(operations, states after each) of a session that follows the wishes."""
    session = CacheSession(dict(config))
    ops, states = [], [session.state()]
    for number, (kind, a, b, c) in enumerate(wishes):
        op = _operation(session, kind, a, b, c, number)
        if op is None:
            continue
        args = dict(op)
        getattr(session, args.pop("op"))(**args)
        session.take_events()
        ops.append(op)
        states.append(session.state())
    return ops, states


def _operation(session, kind, a, b, c, number):
    requests = list(session.requests.values())
    running = [r for r in requests if r.status is RequestStatus.RUNNING]
    waiting = [r for r in requests if r.status is not RequestStatus.RUNNING]
    if kind <= 2:
        # Two possible openings, so that prefixes are met again.
        tokens = [c % 2] * (a % 9) + [number + 10] * (b % 4 + 1)
        op = {"op": "add_request", "req": f"r{number % 7}-{number}", "tokens": tokens}
        return op | [{}, {}, {}, {"cache_salt": "s"}, {"skip_reading_prefix_cache": True}][c % 5]
    if kind <= 4 and waiting:
        op = {
            "op": "admit",
            "req": waiting[a % len(waiting)].request_id,
            "has_scheduled_reqs": bool(running),
        }
        return (
            op
            | [
                {},
                {"num_new_tokens": b % 5 + 1, "full_sequence_must_fit": False},
                {"num_lookahead_tokens": b % 4},
            ][c % 3]
        )
    if kind <= 6 and running:
        request = running[a % len(running)]
        return {
            "op": "allocate",
            "req": request.request_id,
            "num_new_tokens": b % 4 + 1,
            "num_lookahead_tokens": c % 3,
        }
    if kind == 7 and requests:
        return {
            "op": "append",
            "req": requests[a % len(requests)].request_id,
            "tokens": [b % 3] * (c % 3 + 1),
        }
    if kind == 8 and running:
        request = running[a % len(running)]
        # Only guesses can be wrong: what is certain is never taken back.
        most = request.num_computed_tokens - request.num_tokens
        return (
            None
            if most <= 0
            else {"op": "rollback", "req": request.request_id, "num_tokens": b % (most + 1)}
        )
    if kind == 9 and requests:
        return {"op": "free", "req": requests[a % len(requests)].request_id}
    if kind == 10 and running:
        return {"op": "preempt", "req": running[a % len(running)].request_id}
    if kind == 11:
        n = session.manager.block_pool.num_blocks
        return (
            {"op": "reset_prefix_cache"}
            if a % 2
            else {"op": "evict_blocks", "block_ids": sorted({b % n, c % n})}
        )
    return None
