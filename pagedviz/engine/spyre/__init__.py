"""The rules by which IBM's Spyre plugin differs from vLLM's own.

Leaves out: what the two have in common, which is one directory up.
"""
