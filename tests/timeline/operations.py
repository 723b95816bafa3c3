"""Small pools and short names for operations, so that a case of a test fits a line."""

TINY = {"num_blocks": 5, "block_size": 2}
PAIR = {"num_blocks": 9, "block_size": 4}


def add(req, tokens, **more):
    return {"op": "add_request", "req": req, "tokens": list(tokens), **more}


def admit(req, **more):
    return {"op": "admit", "req": req, **more}


def allocate(req, n, **more):
    return {"op": "allocate", "req": req, "num_new_tokens": n, **more}


def append(req, *tokens):
    return {"op": "append", "req": req, "tokens": list(tokens)}


def one(name, req=None, **more):
    return {"op": name, **({} if req is None else {"req": req}), **more}


# In a tiny pool: two are inside, every block is full, and none is free.
FULL = [add("a", range(4)), admit("a"), add("b", range(6, 10)), admit("b")]
