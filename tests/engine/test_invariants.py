"""What must hold after any sequence of operations, in pools of any shape."""

import copy

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.request import RequestStatus

# few different tokens, keys and lengths: otherwise nothing would ever be shared
TOKENS = st.integers(0, 1)
LORA = st.sampled_from(
    [
        None,
        {"name": "A", "id": 1, "path": "/a"},
        {"name": "A", "id": 2, "path": "/a"},  # the same adapter under another number
        {"name": "A", "id": 1, "path": "/b"},
    ]
)
IMAGE = {"identifier": "photo", "offset": 1, "length": 3}
MM = st.sampled_from([None, None, [IMAGE], [{**IMAGE, "offset": 2}]])


class Room(RuleBasedStateMachine):
    """A session, and beside it only what can be said without looking inside it."""

    @initialize(
        num_blocks=st.integers(1, 14),
        block_size=st.sampled_from([1, 2, 3, 4, 8]),
        enable_caching=st.booleans(),
        watermark=st.sampled_from([0.0, 0.1, 0.5]),
        max_model_len=st.sampled_from([8192, 20]),
    )
    def open(self, **config):
        self.config = {**config, "enable_kv_cache_events": True}
        self.session = CacheSession(self.config)
        self.log = []
        self.count = 0
        # block id -> what its hash stands for: the keys and all tokens up to its end.
        # Kept by comparing tokens, so that it does not depend on any hash.
        self.content = {}

    def do(self, name, *args, **kwargs):
        self.log.append((name, copy.deepcopy(args), copy.deepcopy(kwargs)))
        before = self.session.state()
        result = getattr(self.session, name)(*args, **kwargs)
        if result.get("ok") is False:
            assert self.session.state() == before
            assert self.session.take_events() == []
        self.session.take_events()
        return result

    def pick(self, data, *statuses):
        names = [r for r, q in self.session.requests.items() if q.status in statuses]
        return data.draw(st.sampled_from(names))

    def has(self, *statuses):
        return any(q.status in statuses for q in self.session.requests.values())

    waiting = (RequestStatus.WAITING, RequestStatus.PREEMPTED)
    running = (RequestStatus.RUNNING,)

    # ---- what can happen

    @rule(
        tokens=st.lists(TOKENS, min_size=1, max_size=24),
        salt=st.sampled_from([None, None, "", "s"]),
        lora=LORA,
        mm=MM,
        skip=st.sampled_from([False, False, True]),
    )
    def arrive(self, tokens, salt, lora, mm, skip):
        self.count += 1
        self.do("add_request", f"r{self.count}", tokens, salt, lora, mm, skip)

    @precondition(lambda self: self.has(*self.waiting))
    @rule(
        data=st.data(),
        chunk=st.none() | st.integers(1, 12),
        lookahead=st.sampled_from([0, 0, 5]),
        whole=st.booleans(),
        others=st.booleans(),
    )
    def admit(self, data, chunk, lookahead, whole, others):
        req = self.pick(data, *self.waiting)
        request = self.session.requests[req]
        manager = self.session.manager
        hits, num_hit = manager.get_computed_blocks(request)
        num_new = min(chunk or request.num_tokens, request.num_tokens - num_hit)
        demand = manager.required_blocks(request, num_new, num_hit, hits, lookahead, whole, others)
        result = self.do("admit", req, chunk, lookahead, whole, others)
        assert result["ok"] == demand.fits
        if result["ok"]:
            assert len(result["new_blocks"]) == demand.num_new_blocks
            assert not set(result["new_blocks"]) & set(result["hit_blocks"])
            if not whole:
                taken = demand.free - manager.block_pool.get_num_free_blocks()
                assert taken == demand.need

    @precondition(lambda self: self.has(*self.running))
    @rule(data=st.data(), tokens=st.lists(TOKENS, min_size=1, max_size=9), ahead=st.booleans())
    def write(self, data, tokens, ahead):
        req = self.pick(data, *self.running)
        demand = self.session.manager.required_blocks(
            self.session.requests[req], len(tokens), num_lookahead_tokens=3 * ahead
        )
        self.do("append", req, tokens)
        assert self.do("allocate", req, len(tokens), 3 * ahead)["ok"] == demand.fits

    @precondition(lambda self: self.has(*self.running))
    @rule(data=st.data(), guesses=st.integers(1, 9))
    def guess_and_take_back(self, data, guesses):
        req = self.pick(data, *self.running)
        if self.do("allocate", req, guesses)["ok"]:
            self.do("rollback", req, guesses)

    @precondition(lambda self: self.has(*self.running))
    @rule(data=st.data())
    def preempt(self, data):
        self.do("preempt", self.pick(data, *self.running))

    @precondition(lambda self: self.session.requests)
    @rule(data=st.data())
    def leave(self, data):
        self.do("free", self.pick(data, *self.waiting, *self.running))

    @rule()
    def reset(self):
        in_use = any(self.session.state()["tables"].values())
        assert self.do("reset_prefix_cache")["ok"] != in_use

    @rule(data=st.data())
    def evict(self, data):
        ids = st.integers(0, self.config["num_blocks"] - 1)
        self.do("evict_blocks", data.draw(st.lists(ids, max_size=3)))

    # ---- what must hold

    @invariant()
    def reference_count_is_the_number_of_tables(self):
        state = self.session.state()
        held = [block for table in state["tables"].values() for block in table]
        assert state["ref_cnt"] == [held.count(b) for b in range(self.config["num_blocks"])]

    @invariant()
    def every_block_is_free_or_in_use_and_the_null_block_is_neither(self):
        state = self.session.state()
        free = state["free_queue"]
        used = {block for table in state["tables"].values() for block in table}
        assert len(free) == len(set(free))
        assert not used & set(free)
        assert used | set(free) == set(range(1, self.config["num_blocks"]))
        assert self.session.manager.block_pool.get_num_free_blocks() == len(free)
        usable = max(self.config["num_blocks"] - 1, 1)
        assert abs(state["usage"] - len(used) / usable) < 1e-9

    @invariant()
    def the_queue_reads_the_same_from_both_ends(self):
        queue = self.session.manager.block_pool.free_block_queue
        backwards = []
        block = queue._tail.prev_free_block
        while block is not queue._head:
            backwards.append(block)
            block = block.prev_free_block
        assert backwards[::-1] == list(queue)

    @invariant()
    def a_table_holds_no_block_twice_and_covers_what_is_computed(self):
        state = self.session.state()
        for req, table in state["tables"].items():
            assert len(table) == len(set(table))
            slots = len(table) * self.config["block_size"]
            computed = state["num_computed_tokens"][req]
            assert min(computed, self.config["max_model_len"]) <= slots

    @invariant()
    def the_index_knows_exactly_the_blocks_with_a_hash(self):
        pool = self.session.manager.block_pool
        listed = [
            (block_hash, block_id)
            for block_hash, copies in pool.cached_block_hash_to_block.items()
            for block_id in copies
        ]
        hashed = [(b.block_hash, b.block_id) for b in pool.blocks if b.block_hash]
        assert sorted(listed) == sorted(hashed)
        assert all(pool.cached_block_hash_to_block.values())
        assert not (hashed and not self.config["enable_caching"])

    @invariant()
    def a_hit_is_the_longest_run_of_blocks_with_the_same_beginning(self):
        manager, size = self.session.manager, self.config["block_size"]
        for request in self.session.requests.values():
            for i, block in enumerate(manager.req_to_blocks.get(request.request_id, ())):
                if block.block_hash is not None:
                    self.content[block.block_id] = beginning(request, (i + 1) * size)
        for block in manager.block_pool.blocks:
            if block.block_hash is None:
                self.content.pop(block.block_id, None)
        for request in self.session.requests.values():
            hits, num_hit_tokens = manager.get_computed_blocks(request)
            expected = 0
            if not request.skip_reading_prefix_cache:
                while (expected + 1) * size < request.num_tokens and beginning(
                    request, (expected + 1) * size
                ) in self.content.values():
                    expected += 1
            assert num_hit_tokens == expected * size
            for i, block in enumerate(hits):
                assert self.content[block.block_id] == beginning(request, (i + 1) * size)

    def teardown(self):
        if not hasattr(self, "session"):
            return
        state = self.session.state()
        again = CacheSession(self.config)
        for name, args, kwargs in self.log:
            getattr(again, name)(*args, **kwargs)
        assert again.state() == state
        for req in list(self.session.requests):
            self.session.free(req)
        state = self.session.state()
        assert sorted(state["free_queue"]) == list(range(1, self.config["num_blocks"]))
        assert not any(state["ref_cnt"])
        assert state["tables"] == {}
        assert self.session.reset_prefix_cache() == {"ok": True}
        assert self.session.state()["cached"] == []


def beginning(request, end):
    """All that the content of a block that ends at token `end` depends on."""
    images = [(f.identifier, f.offset) for f in request.mm_features if f.offset < end]
    adapter = request.lora and (request.lora.name, request.lora.path)
    return (
        tuple(request.all_token_ids[:end]),
        adapter,
        request.cache_salt or None,
        tuple(images),
    )


TestRoom = Room.TestCase
TestRoom.settings = settings(
    max_examples=150,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,  # the same runs everywhere: a failure can be repeated
    suppress_health_check=list(HealthCheck),
)
