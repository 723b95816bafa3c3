"""The two ways to wait in line.

First come, first served: new requests join at the back, a preempted one comes back to the
front. By priority: the smallest number goes first, then who arrived first, and a preempted
request gets no special place.

Source: vLLM 0.33.0, v1/core/sched/request_queue.py.
"""

import heapq
from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from pagedviz.engine.request import Request


class SchedulingPolicy(Enum):
    """Who is served first."""

    FCFS = "fcfs"
    PRIORITY = "priority"


class RequestQueue(Protocol):
    """What the scheduler asks of a waiting line."""

    def add_request(self, request: Request) -> None:
        """Let a new request join."""

    def peek_request(self) -> Request:
        """The request whose turn it is."""

    def pop_request(self) -> Request:
        """Take out the request whose turn it is."""

    def prepend_request(self, request: Request) -> None:
        """Take back a request that was preempted."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Request]: ...


class FCFSRequestQueue:
    """First come, first served.

    >>> queue = FCFSRequestQueue()
    >>> queue.add_request(Request("A", [1]))
    >>> queue.prepend_request(Request("B", [1]))
    >>> [request.request_id for request in queue]
    ['B', 'A']
    """

    def __init__(self) -> None:
        self._requests: deque[Request] = deque()

    def add_request(self, request: Request) -> None:
        """Join at the back."""
        self._requests.append(request)

    def peek_request(self) -> Request:
        """The one at the front."""
        return self._requests[0]

    def pop_request(self) -> Request:
        """Take the one at the front."""
        return self._requests.popleft()

    def prepend_request(self, request: Request) -> None:
        """Come back to the front."""
        self._requests.appendleft(request)

    def __len__(self) -> int:
        return len(self._requests)

    def __iter__(self) -> Iterator[Request]:
        return iter(self._requests)


class PriorityRequestQueue:
    """By priority, then by arrival (`Request.__lt__`).

    >>> queue = PriorityRequestQueue()
    >>> queue.add_request(Request("A", [1], priority=2))
    >>> queue.add_request(Request("B", [1], priority=0))
    >>> queue.prepend_request(Request("C", [1], priority=1))
    >>> [request.request_id for request in queue]
    ['B', 'C', 'A']
    """

    def __init__(self) -> None:
        self._heap: list[Request] = []

    def add_request(self, request: Request) -> None:
        """Join where the priority says."""
        heapq.heappush(self._heap, request)

    def peek_request(self) -> Request:
        """The one with the smallest priority number."""
        return self._heap[0]

    def pop_request(self) -> Request:
        """Take the one with the smallest priority number."""
        return heapq.heappop(self._heap)

    def prepend_request(self, request: Request) -> None:
        """Come back to where the priority says: there is no front to go to."""
        heapq.heappush(self._heap, request)

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Request]:
        return iter(sorted(self._heap))


def create_request_queue(policy: SchedulingPolicy) -> RequestQueue:
    """An empty line for this policy."""
    if policy is SchedulingPolicy.PRIORITY:
        return PriorityRequestQueue()
    return FCFSRequestQueue()
