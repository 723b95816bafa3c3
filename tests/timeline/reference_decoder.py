"""What the browser does with the wire: look things up. Plain lists, step after step."""

from collections.abc import Iterator
from copy import deepcopy


def decode(wire):
    """Yield, per step, the picture as the scripts hold it."""
    n = wire["num_blocks"]
    owners, fill, hashes = [[] for _ in range(n)], [0] * n, [-1] * n
    queue, tables, numbers = [], {}, {}
    for step in wire["steps"]:
        for b, w, f, h in zip(*(step.get(k, []) for k in "bwfh"), strict=True):
            owners[b] = w if isinstance(w, list) else [w] if w >= 0 else []
            fill[b], hashes[b] = f, h
        if "q" in step:
            popped, removed, prepended, appended = step["q"]
            rest = queue[popped:]
            assert set(removed) <= set(rest)
            queue = prepended + [b for b in rest if b not in set(removed)] + appended
        for r, change in step.get("t", {}).items():
            if change is None:
                tables.pop(int(r), None)
            else:
                keep, appended = change
                tables[int(r)] = tables.get(int(r), [])[:keep] + appended
        for r, numbers_of in step.get("k", {}).items():
            numbers[int(r)] = numbers_of
        yield deepcopy(
            {
                "owners": owners,
                "fill": fill,
                "hashes": hashes,
                "queue": queue,
                "tables": tables,
                "numbers": numbers,
                "m": step["m"],
            }
        )


def assert_same(timeline, wire) -> None:
    """The decoded wire shows exactly the timeline's states, owners, fills and meters."""
    pictures: Iterator = decode(wire)
    for index, picture in enumerate(pictures):
        state = timeline.state(index)
        assert [tuple(o) for o in picture["owners"]] == list(state.owners), index
        assert picture["fill"] == list(state.fill), index
        assert picture["hashes"] == list(state.hashes), index
        assert picture["queue"] == list(state.queue), index
        assert {r: tuple(t) for r, t in picture["tables"].items()} == dict(state.tables), index
        here = {r: tuple(v) for r, v in picture["numbers"].items() if v[2] != 3}
        assert here == {r: tuple(v) for r, v in state.requests.items()}, index
        assert picture["m"] == meter(state), index
    assert index == timeline.last


def meter(state) -> list[int]:
    """The meter, counted from the whole state."""
    used = [b for b, own in enumerate(state.owners) if own]
    kept = [b for b, h in enumerate(state.hashes) if h != -1 and not state.owners[b]]
    tokens = sum(state.fill[b] for b in used)
    return [
        len(used),
        len(used) * state.block_size - tokens,
        len(kept),
        len(state.queue) - len(kept),
        sum(len(o) > 1 for o in state.owners),
        tokens,
    ]
