"""A small Spyre server, for the tests that run one."""

from pagedviz.engine.spyre.limits import SpyreLimits


def small(**change):
    settings = {
        "max_num_seqs": 4,
        "max_model_len": 512,
        "batch_tkv_limit": 1_024,
        "chunk_size": 128,
        "num_blocks": 36,
    }
    return SpyreLimits(**{**settings, **change})


def serve(server, *requests):
    for request in requests:
        server.add_request(request)
    return list(server.run())
