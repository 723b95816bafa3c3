"""Bytes per value that an engine keeps the cache in, if nobody asks for another type.

vLLM on a GPU: 16 bits, also for a checkpoint with FP8 or 4-bit weights, unless the checkpoint
itself names an FP8 scheme for the cache. Spyre: FP8 for an FP8 checkpoint, else fp16. A model
saved in float32 is served in 16 bits by both.

Leaves out: what a flag asks for (--kv-cache-dtype); that is the caller's number.

Source: vLLM 0.33, utils/torch_utils.py (resolve_kv_cache_dtype_string) and
model_executor/layers/attention (kv_cache_scheme); sendnn-inference 2.6.3, model_loader/spyre.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pagedviz.sizing.values import Value

Engine = Literal["vllm", "spyre"]


def default_bytes(config: Mapping[str, object], engine: Engine) -> tuple[Value, list[str]]:
    """The bytes per value with their origin, and what is worth saying about them.

    >>> fp8 = {"quantization_config": {"quant_method": "fp8"}}
    >>> default_bytes(fp8, "vllm")[0].value, default_bytes(fp8, "spyre")[0].value
    (2, 1)
    """
    method = quant_config(config)
    notes: list[str] = []
    name = "bytes per value"
    if engine == "spyre":
        if is_fp8(method):
            return Value(name, 1, "derived", "FP8 checkpoint, so Spyre keeps the cache in FP8"), []
        if method:
            notes.append(
                f"The checkpoint is quantized ({_said(method)}), and not to FP8: whether the Spyre "
                "plugin loads it is not known here."
            )
        return Value(name, 2, "derived", "fp16, as Spyre keeps it"), notes
    if asks_for_fp8_cache(method):
        source = "the checkpoint names an FP8 scheme for its cache, which vLLM follows"
        return Value(name, 1, "derived", source), notes
    if method:
        notes.append(
            f"The weights are quantized ({_said(method)}); that does not make the cache smaller: "
            "vLLM keeps it in 16 bits unless --kv-cache-dtype asks for less."
        )
    dtype = config.get("torch_dtype", config.get("dtype"))
    if isinstance(dtype, str) and dtype.removeprefix("torch.") in ("float32", "float"):
        notes.append(
            "The checkpoint is saved in float32; vLLM serves it, and keeps its cache, in 16 bits."
        )
    return Value(name, 2, "derived", "16 bits, vLLM's choice if nothing asks for less"), notes


def quant_config(config: Mapping[str, object]) -> Mapping[str, object]:
    """`quantization_config` of a config or of the model inside it; empty if there is none."""
    inner = config.get("text_config")
    for place in (config, inner if isinstance(inner, Mapping) else {}):
        for name in ("quantization_config", "compression_config"):
            if isinstance(found := place.get(name), Mapping) and found:
                return found
    return {}


def is_fp8(method: Mapping[str, object]) -> bool:
    """Whether the weights are in FP8.

    >>> group = {"weights": {"type": "float", "num_bits": 8}}
    >>> is_fp8({"quant_method": "compressed-tensors", "config_groups": {"group_0": group}})
    True
    >>> is_fp8({"quant_method": "awq", "bits": 4})
    False
    """
    name = str(method.get("quant_method", "")).lower().replace("_", "-")
    algorithm = str(_modelopt(method).get("quant_algo", "")).upper()
    if name in ("fp8", "fbgemm-fp8") or algorithm.startswith("FP8"):
        return True
    if name != "compressed-tensors":
        return False
    groups = method.get("config_groups")
    members = list(groups.values()) if isinstance(groups, Mapping) else []
    weights = [one.get("weights") for one in members if isinstance(one, Mapping)]
    return any(_is_float8(one) for one in weights)


def asks_for_fp8_cache(method: Mapping[str, object]) -> bool:
    """Whether the checkpoint itself names an FP8 cache."""
    inner = _modelopt(method)
    for place in (inner, method):
        scheme = place.get("kv_cache_scheme") or place.get("kv_cache_quant_algo")
        if isinstance(scheme, str) and scheme.lower().startswith("fp8"):
            return True
        if _is_float8(scheme):
            return True
    return False


def _modelopt(method: Mapping[str, object]) -> Mapping[str, object]:
    inner = method.get("quantization")
    return inner if isinstance(inner, Mapping) else method


def _is_float8(scheme: object) -> bool:
    if not isinstance(scheme, Mapping):
        return False
    return scheme.get("num_bits") == 8 and scheme.get("type") == "float"


def _said(method: Mapping[str, object]) -> str:
    name = method.get("quant_method") or _modelopt(method).get("quant_algo") or "an unnamed method"
    return str(name)[:40]
