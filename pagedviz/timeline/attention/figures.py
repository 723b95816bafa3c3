"""Numbers as the captions write them: a real minus sign, few digits, powers of ten raised.

Leaves out: rounding for the tables; those show what was sent.
"""

from __future__ import annotations

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fixed(value: float, digits: int = 3) -> str:
    """With so many digits after the point.

    >>> fixed(-0.5), fixed(float("-inf")), fixed(2.345, 1), fixed(-0.0001)
    ('−0.500', '−∞', '2.3', '0.000')
    """
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    return f"{value:z.{digits}f}".replace("-", "−")  # z: no sign before a zero


def listed(values: object, digits: int = 3) -> str:
    """Several of them, in brackets; the middle is left out when there are many.

    >>> listed([1, 2.5], 1), listed(range(9), 0)
    ('[1.0, 2.5]', '[0, 1, 2, 3, 4, 5, …, 8]')
    """
    texts = [fixed(float(value), digits) for value in values]  # type: ignore[attr-defined]
    if len(texts) > 8:
        texts = [*texts[:6], "…", texts[-1]]
    return f"[{', '.join(texts)}]"


def scientific(value: float, digits: int = 1) -> str:
    """A power of ten with so many digits.

    >>> scientific(5.96e-8), scientific(0), scientific(0.41)
    ('6.0\\xa0·\\xa010⁻⁸', '0', '0.41')
    """
    if value == 0:
        return "0"
    if 0.001 <= abs(value) < 1000:
        # the outer g: 100, not 1e+02
        return f"{float(f'{value:.2g}'):g}".replace("-", "−")
    factor, power = f"{value:.{digits}e}".split("e")
    # spaces that do not break: the two parts stay on one line
    return f"{factor.replace('-', '−')}\u00a0·\u00a010{str(int(power)).translate(_RAISED)}"


def counted(n: int, one: str, many: str) -> str:
    """A number with its noun.

    >>> counted(1, "box", "boxes"), counted(4, "box", "boxes")
    ('1 box', '4 boxes')
    """
    return f"{n:,} {one if n == 1 else many}"
