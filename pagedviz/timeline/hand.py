"""A run in somebody's hand: played up to now, known who is where, ready for more operations.

`build.py` opens one for each action and takes the longer run out of it.

Leaves out: any rule about who comes in when, but the order of the line.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.request import Request, RequestStatus
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.run import Run, apply
from pagedviz.timeline.step import letter

_FRESH = 100_000  # made-up tokens count up from here


class Hand:
    """A run, played up to now, that more operations can be put on."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.session = CacheSession(dict(run.config))
        self.names: list[str] = []  # by arrival
        self.running: list[str] = []
        self.waiting: list[str] = []
        self._ops: list[Mapping[str, object]] = []
        self._tokens = 0
        for number, op in enumerate(run.ops, 1):
            self._follow(op, apply(self.session, op, number))

    def do(self, op: Mapping[str, object]) -> dict[str, object]:
        """Carry out one operation and put it on the run."""
        result = apply(self.session, op, len(self._run.ops) + len(self._ops) + 1)
        self._ops.append(op)
        self._follow(op, result)
        return result

    def run(self) -> Run:
        """The longer run; RunError if it is beyond the limits."""
        return self._run.extended(self._ops)

    def arrive(self, op: Mapping[str, object]) -> None:
        """Add a request; it comes in if nobody is before it in the line and there is room."""
        name = str(op["req"])
        self.do(op)
        # Who is behind others is not refused: they are, and have been told so already.
        self.let_in(ask_first=self.line()[:1] != [name])
        # Who never can is told so once, now; the line goes on without them.
        if not self.session.manager.can_ever_fit(self.session.requests[name].num_tokens):
            self.do({"op": "admit", "req": name, "has_scheduled_reqs": bool(self.running)})

    def let_in(self, ask_first: bool) -> None:
        """Admit in order until one does not fit; `ask_first` leaves out the refused try."""
        for name in self.line():
            if ask_first and not self._fits(self.session.requests[name]):
                break
            op = {"op": "admit", "req": name, "has_scheduled_reqs": bool(self.running)}
            if not self.do(op)["ok"]:
                break

    def line(self) -> list[str]:
        """Those at the door who could ever come in, in their order."""
        manager = self.session.manager
        return [
            name
            for name in self.waiting
            if (tokens := self.session.requests[name].num_tokens) <= manager.max_model_len
            and manager.can_ever_fit(tokens)
        ]

    def fresh(self, n: int) -> list[int]:
        """Tokens that occur nowhere else in the run."""
        start = _FRESH + self._tokens  # all tokens so far: never the same number twice
        return list(range(start, start + n))

    def find(self, who: str) -> str:
        """The request with this letter; RunError if nobody here has it."""
        for number in range(len(self.names) - 1, -1, -1):
            name = self.names[number]
            if letter(number) == who and name in self.session.requests:
                return name
        if who in self.session.requests:
            return who
        here = ", ".join(map(self.letter_of, self.session.requests)) or "nobody"
        raise RunError(f"{who} is not here", advice=f"Here now: {here}.")

    def letter_of(self, name: str) -> str:
        """The letter of the latest request of this name."""
        return letter(len(self.names) - 1 - self.names[::-1].index(name))

    def new_name(self) -> str:
        """The letter the next arrival will have, or something free like it."""
        name = letter(len(self.names))
        while name in self.session.requests:
            name += "'"
        return name

    def tokens_of(self, who: str) -> list[int]:
        """Prompt and answer of a visitor, also of one that has left."""
        number = next((i for i in range(len(self.names)) if letter(i) == who), None)
        if number is None:
            raise RunError(f"{who} was never here")
        tokens: list[int] = []
        seen = -1
        for op in (*self._run.ops, *self._ops):
            seen += op["op"] == "add_request"
            if seen >= number and op.get("req") == self.names[number]:
                if op["op"] == "add_request" and seen > number:
                    break  # the same name again: another visitor
                tokens += thaw(op.get("tokens", ()))  # type: ignore[arg-type]
        return tokens

    def _fits(self, request: Request) -> bool:
        manager = self.session.manager
        hits, num_hit_tokens = manager.get_computed_blocks(request)
        return manager.required_blocks(
            request,
            request.num_tokens - num_hit_tokens,
            num_hit_tokens,
            hits,
            0,
            True,
            bool(self.running),
        ).fits

    def _follow(self, op: Mapping[str, object], result: Mapping[str, object]) -> None:
        tokens = op.get("tokens", ())
        self._tokens += len(tokens)  # type: ignore[arg-type]
        if "req" not in op:
            return
        name = str(op["req"])
        request = self.session.requests.get(name)
        if op["op"] == "add_request":
            self.names.append(name)
            self.waiting.append(name)
        elif op["op"] == "preempt":
            self.running.remove(name)
            self.waiting.insert(0, name)
        elif request is None:  # it has left
            for line in (self.running, self.waiting):
                if name in line:
                    line.remove(name)
        elif op["op"] == "admit" and request.status is RequestStatus.RUNNING:
            self.waiting.remove(name)
            self.running.append(name)
