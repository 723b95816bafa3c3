"""States of fixed size: what a Mamba, linear-attention or convolution layer keeps per sequence.

Two arrays for most: a short history of the convolution, and the recurrent state. vLLM keeps both
in the model's 16-bit type unless the model or an option says otherwise; where a model's releases
differ, the precision is not known and the bytes are not told as one number.

Leaves out: further states that prefix caching keeps as checkpoints.

Source: vLLM 0.33, model_executor/layers/mamba/mamba_utils.py (shapes and types), and
model_executor/models/config.py (mamba_ssm_cache_dtype of Nemotron-H, mamba_ssm_dtype of Qwen3.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import HEADS, HIDDEN, Fields
from pagedviz.sizing.layer_groups import StateGroup, StatePart

_WIDEST = 64  # times the hidden size; published models have 1 to 2
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "auto": 2}


def read_state(fields: Fields, layers: int) -> StateGroup:
    """The state of `layers` layers.

    >>> fields = Fields({"hidden_size": 2560, "state_size": 16, "conv_kernel": 4, "expand": 2},
    ...                 "mamba")
    >>> read_state(fields, 64).bytes  # 64 x (3 x 5,120 x 2 + 5,120 x 16 x 2)
    12451840
    """
    rule = _RULES.get(fields.model_type)
    if rule is None:
        raise ConfigError(
            f"layers without attention in a {shown(fields.model_type)}: how much they keep is "
            "not known; type the model's shape in"
        )
    return rule(fields, layers)


def _number(fields: Fields, name: str, *names: str, default: int | None = None) -> int:
    return int(fields.count(name, names, default).value)


def _inner(fields: Fields, expand: str) -> int:
    """Channels of a state: the hidden size times a factor, which need not be whole."""
    hidden = int(fields.count("hidden size", HIDDEN, "hidden_size").value)
    times = fields.config.get(expand, 2)
    if isinstance(times, bool) or not isinstance(times, int | float) or not 0 < times <= _WIDEST:
        raise ConfigError(
            f"{fields.where}{expand} must be above 0 and at most {_WIDEST}, not {shown(times)}"
        )
    channels = int(times * hidden)
    return int(fields.derive("state channels", channels, f"{times} x {hidden:,}").value)


def _mamba1(fields: Fields, layers: int) -> StateGroup:
    own = fields.model_type in ("mamba", "falcon_mamba")  # no "mamba_" before the names
    if own and (found := fields.find("state channels", ("intermediate_size",))):
        channels = int(found.value)
    else:
        channels = _inner(fields, "expand" if own else "mamba_expand")
    kernel = _number(fields, "convolution", "conv_kernel" if own else "mamba_d_conv", default=4)
    state = _number(fields, "state size", "state_size" if own else "mamba_d_state", default=16)
    return StateGroup(
        "Mamba",
        layers,
        (
            StatePart("convolution history", channels, kernel - 1, 2),
            StatePart("recurrent state", channels, state, 2),
        ),
    )


def _mamba2(fields: Fields, layers: int) -> StateGroup:
    kind = fields.model_type
    heads = _number(
        fields,
        "state heads",
        "mamba_num_heads",
        "mamba_n_heads",
        "n_mamba_heads",
        *(("num_heads",) if kind == "mamba2" else ()),
        default=128,
    )
    kernel = _number(fields, "convolution", "mamba_d_conv", "conv_kernel", default=4)
    state = _number(
        fields,
        "state size",
        "mamba_d_state",
        "ssm_state_size",
        "state_size",
        default=128 if kind in ("mamba2", "nemotron_h") else 64 if kind == "zamba2" else 256,
    )
    groups = _number(
        fields,
        "state groups",
        "mamba_n_groups",
        "mamba_ngroups",
        "n_groups",
        default=8 if kind in ("mamba2", "nemotron_h") else 1,
    )
    size_names: tuple[str, ...] = ("mamba_head_dim", "mamba_d_head", "mamba_headdim")
    size_names += ("head_dim",) if kind == "mamba2" else ()
    size_names += ("hidden_size_per_head",) if kind == "plamo2" else ()
    found = fields.find("state head size", size_names)
    if found is None:
        if fields.has("mamba_d_ssm"):
            channels = _number(fields, "state channels", "mamba_d_ssm")
        else:
            channels = _inner(fields, "mamba_expand" if kind != "mamba2" else "expand")
        if channels % heads:
            raise ConfigError(f"{channels:,} state channels are no multiple of {heads:,} heads")
        size = channels // heads
        fields.derive("state head size", size, f"{channels:,} / {heads:,}")
    else:
        size = int(found.value)
    parts = [StatePart("convolution history", heads, size * (kernel - 1), 2)]
    if kind != "plamo2":  # its convolution runs over the channels alone
        history = 2 * state * (kernel - 1)
        parts.append(StatePart("convolution of groups", groups, history, 2, replicates=True))
    parts.append(StatePart("recurrent state", heads, size * state, _ssm_bytes(fields)))
    return StateGroup("Mamba-2", layers, tuple(parts))


def _ssm_bytes(fields: Fields) -> int | None:
    """Bytes per value of the recurrent state; None where nothing says it."""
    for name in ("mamba_ssm_cache_dtype", "mamba_ssm_dtype"):
        said = fields.config.get(name)
        if isinstance(said, str) and said in _BYTES:
            return _BYTES[said]
        if said is not None:
            raise ConfigError(
                f"{fields.where}{name} {shown(said)} is not known; known are {', '.join(_BYTES)}"
            )
    return None if fields.model_type == "nemotron_h" else 2


def _delta_net(fields: Fields, layers: int) -> StateGroup:
    key_heads = _number(fields, "linear K heads", "linear_num_key_heads", default=16)
    value_heads = _number(fields, "linear V heads", "linear_num_value_heads", default=32)
    key = _number(fields, "linear K size", "linear_key_head_dim", default=128)
    value = _number(fields, "linear V size", "linear_value_head_dim", default=128)
    kernel = _number(fields, "convolution", "linear_conv_kernel_dim", default=4)
    return StateGroup(
        "gated delta net",
        layers,
        (
            StatePart("convolution of K", key_heads, 2 * key * (kernel - 1), 2),
            StatePart("convolution of V", value_heads, value * (kernel - 1), 2),
            StatePart("recurrent state", value_heads, value * key, _ssm_bytes(fields)),
        ),
    )


def _kda(fields: Fields, layers: int) -> StateGroup:
    inner = fields.config.get("linear_attn_config")
    if not isinstance(inner, Mapping):
        raise ConfigError(f"{fields.where}linear_attn_config is missing")
    inside = Fields(inner, fields.model_type, where="linear_attn_config.")
    heads = _number(inside, "linear heads", "num_heads")
    size = _number(inside, "linear head size", "head_dim")
    kernel = _number(inside, "convolution", "short_conv_kernel_size", default=4)
    for value in inside.values:
        fields.keep(value)
    return StateGroup(
        "Kimi delta attention",
        layers,
        (
            StatePart("convolution history", heads, 3 * size * (kernel - 1), 2),
            StatePart("recurrent state", heads, size * size, 4),  # float32 whatever is asked
        ),
    )


def _lightning(fields: Fields, layers: int) -> StateGroup:
    heads = _number(fields, "attention heads", *HEADS)
    size = fields.find("linear head size", ("head_dim",))
    hidden = int(fields.count("hidden size", HIDDEN, "hidden_size").value)
    each = int(size.value) if size else hidden // heads
    return StateGroup(
        "lightning attention", layers, (StatePart("recurrent state", heads, each * each, 2),)
    )


def _short_convolution(fields: Fields, layers: int) -> StateGroup:
    hidden = int(fields.count("hidden size", HIDDEN, "hidden_size").value)
    length = _number(fields, "convolution", "conv_L_cache", default=3)
    return StateGroup(
        "short convolution", layers, (StatePart("convolution history", hidden, length - 1, 2),)
    )


def _rglru(fields: Fields, layers: int) -> StateGroup:
    found = fields.find("recurrent width", ("lru_width",))
    width = int(found.value if found else fields.count("hidden size", HIDDEN, "hidden_size").value)
    kernel = _number(fields, "convolution", "conv1d_width", default=4)
    return StateGroup(
        "gated linear recurrence",
        layers,
        (
            StatePart("convolution history", width, kernel - 1, 2),
            StatePart("recurrent state", width, 1, None),
        ),
    )


def _rwkv(fields: Fields, layers: int) -> StateGroup:
    hidden = int(fields.count("hidden size", HIDDEN, "hidden_size").value)
    found = fields.find("attention channels", ("attention_hidden_size",))
    channels = int(found.value) if found else hidden
    return StateGroup(
        "RWKV",
        layers,
        (
            StatePart("last inputs", hidden, 2, None),
            StatePart("recurrent state", channels, 3, None),
        ),
    )


_RULES: dict[str, Callable[[Fields, int], StateGroup]] = {
    **dict.fromkeys(("mamba", "falcon_mamba", "jamba", "zamba"), _mamba1),
    **dict.fromkeys(
        ("mamba2", "bamba", "granitemoehybrid", "falcon_h1", "nemotron_h", "zamba2", "plamo2"),
        _mamba2,
    ),
    **dict.fromkeys(("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "olmo_hybrid"), _delta_net),
    "kimi_linear": _kda,
    "minimax": _lightning,
    **dict.fromkeys(("lfm2", "lfm2_moe"), _short_convolution),
    "recurrent_gemma": _rglru,
    "rwkv": _rwkv,
}
