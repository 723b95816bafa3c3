"""A number that goes into a formula, and where it came from.

Every figure of a plan can name its sources: a field of the config, the default of the model's
class, arithmetic over other values, or what somebody typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Origin = Literal["config", "class default", "derived", "typed", "typical", "cited"]


@dataclass(frozen=True, slots=True)
class Value:
    """One number, its name in words and its origin.

    >>> Value("KV heads", 8, "config", "num_key_value_heads").said
    'KV heads 8: num_key_value_heads in the config'
    >>> Value("head size", 128, "derived", "hidden_size / heads = 4,096 / 32").said
    'head size 128: hidden_size / heads = 4,096 / 32'
    """

    name: str
    value: int | float
    origin: Origin
    source: str  # the field, the class, the arithmetic, or the citation

    @property
    def said(self) -> str:
        """The value and its source as one line."""
        number = f"{self.value:,}"
        if self.origin == "config":
            return f"{self.name} {number}: {self.source} in the config"
        if self.origin == "class default":
            return f"{self.name} {number}: not in the config, {self.source}"
        if self.origin in ("typed", "typical"):
            return f"{self.name} {number}: {self.origin}, {self.source}"
        return f"{self.name} {number}: {self.source}"
