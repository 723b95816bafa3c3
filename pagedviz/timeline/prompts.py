"""Prompts side by side become a run: each arrives in turn, some leave, who waits is tried again.

The rules at the door are those of `hand.py`. When a prompt leaves is the visitor's choice:
with `leaves = k` it goes as soon as k others have had their turn after it came in, whether
they came in or were told to wait (otherwise two who wait for each other would stay for ever).

A prompt may have an answer, which it writes at once after coming in. As in vLLM the last
token of an answer is never stored: nothing is computed from it.

Leaves out: cutting text into tokens (`pagedviz.tokens`), answers that nobody wrote down
beforehand, and why a prompt shares or does not (`sharing.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.hand import Hand
from pagedviz.timeline.ops import MAX_REQUEST_TOKENS
from pagedviz.timeline.run import Run
from pagedviz.timeline.step import letter


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as tokens. RunError if it cannot be one.

    >>> Prompt((7, 8), ("Hello", " there"), leaves=1).num_tokens
    2
    """

    text_tokens: tuple[int, ...]
    pieces: tuple[str, ...]  # what to show for each token
    salt: str = ""  # "" = none
    adapter: str = ""  # name of a LoRA adapter; "" = none
    leaves: int | None = None  # after so many others have had their turn; None = stays
    answer_tokens: tuple[int, ...] = ()  # what it writes
    answer_pieces: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.text_tokens:
            raise RunError("is empty", source="This text", advice="Type at least one word.")
        if len(self.text_tokens) + len(self.answer_tokens) > MAX_REQUEST_TOKENS:
            raise RunError(
                f"is {len(self.text_tokens) + len(self.answer_tokens):,} long; the limit is "
                f"{MAX_REQUEST_TOKENS:,}",
                source="This text",
                advice="Make it shorter.",
            )
        for tokens, pieces, field in (
            (self.text_tokens, self.pieces, "pieces"),
            (self.answer_tokens, self.answer_pieces, "answer_pieces"),
        ):
            if len(pieces) != len(tokens):
                raise RunError(
                    f"{len(pieces)} for {len(tokens)} tokens", source="prompt", field=field
                )
        if self.leaves is not None and (isinstance(self.leaves, bool) or self.leaves < 0):
            raise RunError(
                f"must be None or a whole number from 0, not {self.leaves!r}",
                source="prompt",
                field="leaves",
            )

    @property
    def num_tokens(self) -> int:
        """Length in tokens, without the answer."""
        return len(self.text_tokens)


def prompts_run(
    prompts: Sequence[Prompt],
    *,
    num_blocks: int = 30,
    block_size: int = 16,
    caching: bool = True,
    order: Sequence[int] | None = None,
    title: str = "Prompts side by side",
) -> Run:
    """The run in which the prompts arrive in `order` (places in `prompts`; as they stand).

    The request of prompt i is called `letter(i)`, whatever the order; the timeline gives
    letters by arrival. `num_blocks` includes the null block. Raises RunError.

    >>> same = Prompt(tuple(range(20)), ("x",) * 20, leaves=0)
    >>> [op["op"] for op in prompts_run([same, same], num_blocks=9).ops]
    ['add_request', 'admit', 'free', 'add_request', 'admit', 'free']
    """
    turns = list(range(len(prompts)) if order is None else order)
    if sorted(turns) != list(range(len(prompts))):
        raise RunError(
            f"must name each of the {len(prompts)} prompts once, not {turns!r}",
            source="prompts",
            field="order",
        )
    door = _Door(
        prompts,
        Run(
            title,
            {
                "num_blocks": num_blocks,
                "block_size": block_size,
                "enable_caching": caching,
                "max_model_len": MAX_REQUEST_TOKENS,
            },
            (),
        ),
    )
    for place in turns:
        door.arrive(place)
    return door.hand.run()


class _Door:
    """Lets prompts in, and those out whose time has come."""

    def __init__(self, prompts: Sequence[Prompt], run: Run) -> None:
        self.hand = Hand(run)
        self._prompts = {letter(i): prompt for i, prompt in enumerate(prompts)}
        adapters = sorted({p.adapter for p in prompts if p.adapter})
        self._adapter_ids = {name: i for i, name in enumerate(adapters, 1)}
        # who is in -> those who came in, or to the door, since
        self._since: dict[str, set[str]] = {}

    def arrive(self, place: int) -> None:
        name = letter(place)
        prompt = self._prompts[name]
        op: dict[str, object] = {
            "op": "add_request",
            "req": name,
            "tokens": list(prompt.text_tokens),
        }
        if prompt.salt:
            op["cache_salt"] = prompt.salt
        if prompt.adapter:
            op["lora"] = {
                "name": prompt.adapter,
                "id": self._adapter_ids[prompt.adapter],
                "path": prompt.adapter,
            }
        self.hand.arrive(op)
        self._had_a_turn(name)
        self._come_in()
        while leavers := self._due():
            for leaver in leavers:
                self.hand.do({"op": "free", "req": leaver})
                del self._since[leaver]
            self.hand.let_in(ask_first=False)
            self._come_in()

    def _come_in(self) -> None:
        """Note who came in, in their order."""
        for name in self.hand.running:
            if name not in self._since:
                self._had_a_turn(name)
                self._since[name] = set()
                self._write(name)

    def _write(self, name: str) -> None:
        """The answer in one go, if there is one and as far as there is room."""
        answer = self._prompts[name].answer_tokens
        if answer:
            self.hand.do({"op": "append", "req": name, "tokens": list(answer)})
        if len(answer) > 1:
            self.hand.do({"op": "allocate", "req": name, "num_new_tokens": len(answer) - 1})

    def _had_a_turn(self, name: str) -> None:
        for who, others in self._since.items():
            if who != name:
                others.add(name)

    def _due(self) -> list[str]:
        return [
            name
            for name, others in self._since.items()
            if (leaves := self._prompts[name].leaves) is not None and len(others) >= leaves
        ]
