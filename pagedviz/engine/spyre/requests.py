"""A request to a Spyre server: what it asks for, and whether it is let in at all.

The front end refuses a request whose prompt, padded to whole blocks, and answer do not fit the
context. Who names no max_tokens gets all the context that is left, and with it the promise of
that many blocks.

Leaves out: sampling, images, structured output; and everything after the door.

Source: sendnn-inference 2.6.3, platform.py (validate_request, get_max_output_tokens); the same
in vllm-spyre 1.10.0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from pagedviz.engine.errors import OperationError, check_int, check_text
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE


def round_up(tokens: int) -> int:
    """Tokens padded to whole blocks.

    >>> round_up(64), round_up(65)
    (64, 128)
    """
    return cdiv(tokens, BLOCK_SIZE) * BLOCK_SIZE


def default_max_tokens(prompt_len: int, max_model_len: int) -> int:
    """Tokens of answer for a request that names no number; 0 or less if the prompt is too long.

    >>> default_max_tokens(1000, 32_768)
    31744
    """
    return max_model_len - round_up(prompt_len)


@dataclass(frozen=True, slots=True)
class RequestCheck:
    """Whether a request passes the door, and what would. All sizes in tokens."""

    prompt_len: int
    padded_prompt_len: int
    max_tokens: int
    max_model_len: int

    @property
    def legal(self) -> bool:
        """Whether padded prompt and answer fit the context."""
        return self.padded_prompt_len + self.max_tokens <= self.max_model_len

    @property
    def max_tokens_that_fit(self) -> int:
        """The longest answer this prompt can have; 0 if none."""
        return max(0, self.max_model_len - self.padded_prompt_len)

    @property
    def prompt_that_fits(self) -> int:
        """The longest prompt that can have this answer; 0 if none."""
        return max(0, (self.max_model_len - self.max_tokens) // BLOCK_SIZE * BLOCK_SIZE)

    @property
    def blocks_promised(self) -> int:
        """Blocks for prompt and answer together."""
        return cdiv(self.prompt_len + self.max_tokens, BLOCK_SIZE)

    def why_not(self) -> str:
        """One sentence on why it is refused and what would fit; empty if it is legal."""
        if self.legal:
            return ""
        said = (
            f"the prompt of {self.prompt_len:,} tokens takes {self.padded_prompt_len:,} in whole "
            f"blocks, and with max_tokens {self.max_tokens:,} that passes the context of "
            f"{self.max_model_len:,}"
        )
        near = []
        if self.max_tokens_that_fit:
            near.append(f"max_tokens {self.max_tokens_that_fit:,}")
        if self.prompt_that_fits:
            near.append(f"a prompt of {self.prompt_that_fits:,} tokens")
        return f"{said}; try {' or '.join(near)}" if near else said


def check_request(
    prompt_len: int, max_tokens: int | None = None, *, max_model_len: int
) -> RequestCheck:
    """Check a request at the door. Without `max_tokens` it asks for all that is left.

    >>> check_request(32_705, 1, max_model_len=32_768).why_not()
    'the prompt of 32,705 tokens takes 32,768 in whole blocks, and with max_tokens 1 that passes
    the context of 32,768; try a prompt of 32,704 tokens'
    >>> found = check_request(1000, max_model_len=32_768)
    >>> found.legal, found.max_tokens, found.blocks_promised
    (True, 31744, 512)
    """
    check_int("prompt_len", prompt_len, 1, OperationError)
    check_int("max_model_len", max_model_len, 1, OperationError)
    if max_tokens is None:
        # a prompt that leaves no room still has to ask for something to be refused
        max_tokens = max(1, default_max_tokens(prompt_len, max_model_len))
    check_int("max_tokens", max_tokens, 1, OperationError)
    return RequestCheck(prompt_len, round_up(prompt_len), max_tokens, max_model_len)


@dataclass(frozen=True, slots=True)
class SpyreRequest:
    """A request from arrival to its last token, all of it known beforehand.

    >>> a = SpyreRequest("A", 200, max_tokens=50, shared_prefix="manual", shared_tokens=130)
    >>> b = SpyreRequest("B", 300, max_tokens=50, shared_prefix="manual", shared_tokens=150)
    >>> a.prompt_tokens()[:130] == b.prompt_tokens()[:130]
    True
    >>> a.prompt_tokens()[130:200] == b.prompt_tokens()[130:200]
    False
    """

    request_id: str
    prompt_len: int
    max_tokens: int | None = None  # None: all the context that is left
    output_len: int | None = None  # tokens it really writes; None: max_tokens
    arrival_step: int = 0
    shared_prefix: str = ""  # requests that name the same one begin with the same tokens
    shared_tokens: int = 0  # how many of the prompt's tokens are from there
    prompt_token_ids: tuple[int, ...] = ()  # instead of a shared prefix, the tokens themselves

    def __post_init__(self) -> None:
        check_text("request_id", self.request_id, OperationError)
        check_int("prompt_len", self.prompt_len, 1, OperationError)
        if self.max_tokens is not None:
            check_int("max_tokens", self.max_tokens, 1, OperationError)
        if self.output_len is not None:
            check_int("output_len", self.output_len, 1, OperationError)
        check_int("arrival_step", self.arrival_step, 0, OperationError)
        check_int("shared_tokens", self.shared_tokens, 0, OperationError)
        wrong = ""
        if self.shared_tokens > self.prompt_len:
            wrong = (
                f"shares {self.shared_tokens:,} tokens of a prompt of {self.prompt_len:,}; "
                f"at most {self.prompt_len:,}"
            )
        elif self.shared_tokens and not self.shared_prefix:
            wrong = "shares tokens without naming a shared_prefix"
        elif self.prompt_token_ids and self.shared_prefix:
            wrong = "has prompt_token_ids and a shared_prefix; give one of the two"
        elif self.prompt_token_ids and len(self.prompt_token_ids) != self.prompt_len:
            wrong = (
                f"has {len(self.prompt_token_ids):,} prompt_token_ids and "
                f"prompt_len {self.prompt_len:,}"
            )
        elif (
            self.output_len is not None
            and self.max_tokens is not None
            and self.output_len > self.max_tokens
        ):
            wrong = (
                f"writes {self.output_len:,} tokens, more than its max_tokens; "
                f"at most {self.max_tokens:,}"
            )
        if wrong:
            raise OperationError(f"request {self.request_id!r} {wrong}")

    def prompt_tokens(self) -> Sequence[int]:
        """Token ids of the prompt: those given, or made up, the same in every run."""
        if self.prompt_token_ids:
            return self.prompt_token_ids
        shared, own = _ids("shared", self.shared_prefix), _ids("own", self.request_id)
        common = self.shared_tokens
        return [
            *range(shared, shared + common),
            *range(own + common, own + self.prompt_len),
        ]

    def output_token(self, number: int) -> int:
        """Token id of the answer's token `number`, counted from 0."""
        return _ids("answer", self.request_id) + number


def _ids(kind: str, name: str) -> int:
    """The first of two million ids that belong to this name alone."""
    digest = sha256(f"{kind}\0{name}".encode()).digest()
    return int.from_bytes(digest[:5]) << 21
