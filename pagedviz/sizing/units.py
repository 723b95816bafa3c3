"""Bytes as text. GB are 10^9 bytes, GiB 2^30; a figure has one of them and says which."""

from __future__ import annotations

GB = 10**9
GIB = 2**30
KIB = 2**10


def gb(size: float) -> str:
    """Bytes in GB, three digits that count.

    >>> gb(1_677_721_600), gb(80 * 10**9), gb(0)
    ('1.68 GB', '80 GB', '0 GB')
    """
    return f"{_three(size / GB)} GB"


def gib(size: float) -> str:
    """Bytes in GiB, three digits that count.

    >>> gib(1_677_721_600), gib(-3 * 2**30)
    ('1.56 GiB', '-3 GiB')
    """
    return f"{_three(size / GIB)} GiB"


def kib(size: float) -> str:
    """Bytes in KiB, as exactly as five decimals allow.

    >>> kib(163_840), kib(70_272)
    ('160 KiB', '68.625 KiB')
    """
    return f"{size / KIB:,.5f}".rstrip("0").rstrip(".") + " KiB"


def both(size: float) -> str:
    """The same size in both units, each named.

    >>> both(1_677_721_600)
    '1.68 GB = 1.56 GiB'
    """
    return f"{gb(size)} = {gib(size)}"


def _three(number: float) -> str:
    places = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    text = f"{number:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
