"""What is left of a number after a stay in a smaller cache.

What it does: rounds to float16 and to FP8 (E4M3) and back to float32, which is all an
attention kernel sees of a quantised cache. E4M3 has 4 bits of exponent and 3 of mantissa:
eight numbers from one power of two to the next, 448 the largest, 2**-9 the smallest.

What it leaves out: the bits themselves; scales per head or per token; E5M2; bfloat16.

Source: OCP 8-bit Floating Point Specification (OFP8) 1.0, section 5 (E4M3: bias 7, no
infinities); vLLM 0.33.0, csrc/quantization, whose conversion into the cache divides by the
scale and saturates (__NV_SATFINITE). Its k_scale and v_scale are 1.0 unless a checkpoint
brings its own.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagedviz.engine.attention_inputs import Floats, finite_number
from pagedviz.engine.errors import AttentionError, shown

E4M3_MAX = 448.0  # 1.75 * 2**8; the pattern above it means NaN
_MANTISSA_BITS = 3
_LOWEST_EXPONENT = -6  # below 2**-6 the steps stay 2**-9 wide: subnormal numbers


def round_to_float16(x: ArrayLike) -> NDArray[np.float32]:
    """What is read back from a float16 cache. Beyond 65,504 that is infinity.

    >>> round_to_float16([0.1, 2049.0])
    array([9.9975586e-02, 2.0480000e+03], dtype=float32)
    """
    with np.errstate(over="ignore", under="ignore"):
        return _floats(x).astype(np.float16).astype(np.float32)


def round_to_e4m3(x: ArrayLike, scale: float = 1.0) -> NDArray[np.float32]:
    """What is read back from an FP8 (E4M3) cache: E4M3(x / scale) * scale.

    The nearest of E4M3's numbers, of two as near the one with an even mantissa. What lies
    beyond 448 * scale, infinity too, becomes just that. NaN stays NaN, and -0.0 keeps its
    sign. Raises AttentionError unless `scale` is above 0.

    >>> round_to_e4m3([0.1, -17.0, 19.0, 1e4]).tolist()
    [0.1015625, -16.0, 20.0, 448.0]
    >>> round_to_e4m3([17.0], scale=0.5).tolist()  # 34 becomes 32
    [16.0]
    """
    values = _floats(x)
    if finite_number("scale", scale) <= 0.0:
        raise AttentionError(f"scale must be a finite number above 0, not {shown(scale)}")
    wide = values.dtype.type(scale)
    with np.errstate(all="ignore"):
        scaled = np.clip(values / wide, -E4M3_MAX, E4M3_MAX)
        # frexp's mantissa is in [0.5, 1): its exponent is one more than that of the leading bit
        exponent = np.maximum(np.frexp(scaled)[1] - 1, _LOWEST_EXPONENT)
        # a power of two: the division is exact, and rint takes halves to the even neighbour
        step = np.ldexp(values.dtype.type(1), exponent - _MANTISSA_BITS)
        rounded = np.rint(scaled / step) * step
        result: NDArray[np.float32] = (rounded * wide).astype(np.float32)
    return result


def e4m3_scale(x: ArrayLike) -> float:
    """The usual scale for a whole tensor, max |x| / 448: its largest number just fits.

    1.0 for a tensor of zeros, or an empty one, as without a scale. Raises AttentionError if
    it holds infinity or NaN.

    >>> e4m3_scale([1.0, -896.0])
    2.0
    """
    values = _floats(x)
    if not np.isfinite(values).all():
        raise AttentionError("x holds infinity or NaN: there is no scale for that")
    largest = float(np.max(np.abs(values), initial=0.0))
    return largest / E4M3_MAX if largest else 1.0


def _floats(x: ArrayLike) -> Floats:
    """`x` in float32, or float64 if that is what it is: rounded once, not twice."""
    array = np.asarray(x)
    if array.dtype.kind not in "fiu":
        raise AttentionError(f"x must hold numbers, not {array.dtype}")
    return array.astype(np.result_type(array.dtype, np.float32))
