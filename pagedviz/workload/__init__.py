"""Loads of requests: read from files, made up, and run through the block manager."""

from pagedviz.workload.errors import TraceError, WorkloadError
from pagedviz.workload.read import read_trace
from pagedviz.workload.trace import Trace

__all__ = ["Trace", "TraceError", "WorkloadError", "read_trace"]
