"""The door for checking the engine against traces recorded from the real systems."""

from pagedviz.engine.cache_session import CacheSession

__all__ = ["CacheSession"]
