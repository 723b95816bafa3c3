"""What each layer of a decoder keeps: everything, a window, a chunk, a state, or nothing.

Configs say it in a list (`layer_types`, `hybrid_override_pattern`, `no_rope_layers`, ...), in a
period and an offset, or leave it to the code of the model's class. The last is written down
here, one rule per architecture.

Leaves out: heads and sizes. Layers of experts keep nothing of their own: attention is counted.

Source: transformers 5.24.0 (what each configuration class makes of its fields), vLLM 0.33
(model_executor/models; a `sliding_window` holds for every layer if nothing says otherwise).
"""

from __future__ import annotations

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import Fields
from pagedviz.sizing.layer_patterns import Rule, all_of, every, first_of, flags, numbered
from pagedviz.sizing.layer_words import Kinds, LayerKind, read_words

_LETTERS: dict[str, LayerKind] = {"*": "full", "M": "state", "-": "none", "E": "none", "O": "none"}
_LISTS = ("layer_types", "layers_block_type", "attention_layers")


def layer_kinds(fields: Fields, layers: int) -> Kinds:
    """One kind per layer. ConfigError if a list is too short or names an unknown kind.

    >>> layer_kinds(Fields({}, "gemma3_text"), 7)
    ['sliding', 'sliding', 'sliding', 'sliding', 'sliding', 'full', 'sliding']
    >>> layer_kinds(Fields({"hybrid_override_pattern": "M-*-"}, "nemotron_h"), 4)
    ['state', 'none', 'full', 'none']
    """
    for name in _LISTS:
        if (words := fields.words(name, layers)) is not None:
            return read_words(words, name, fields)
    rule = _RULES.get(fields.model_type)
    if rule is not None:
        return rule(fields, layers)
    return ["sliding" if fields.has("sliding_window") and uses_window(fields) else "full"] * layers


def uses_window(fields: Fields) -> bool:
    """Whether the config switches its window on. `use_sliding_window` is the switch."""
    switch = fields.config.get("use_sliding_window")
    if fields.model_type.startswith("qwen") or fields.model_type in ("dots1", "smollm3"):
        return switch is True
    return switch is not False


def _windows_from(fields: Fields, layers: int) -> Kinds:
    """Qwen: from layer `max_window_layers` on, if the window is switched on."""
    if not uses_window(fields):
        return ["full"] * layers
    first = fields.config.get("max_window_layers", 28)
    if type(first) is not int or first < 0:
        raise ConfigError(
            f"{fields.where}max_window_layers must be a whole number, not {shown(first)}"
        )
    return ["full" if i < first else "sliding" for i in range(layers)]


def _llama4(fields: Fields, layers: int) -> Kinds:
    rope = fields.numbers("no_rope_layers", layers) if fields.config.get("no_rope_layers") else None
    if rope is None:
        return every("no_rope_layer_interval", 4, "chunked")(fields, layers)
    return ["chunked" if one else "full" for one in rope]  # 1: positions, and chunks with them


def _period(fields: Fields, layers: int) -> Kinds:
    """Jamba: one attention layer per period; Zamba the same beside a Mamba layer."""
    period = fields.count("period", ("attn_layer_period",), 8 if _jamba(fields) else 6).value
    offset = fields.count("offset", ("attn_layer_offset",), 4).value
    with_attention: LayerKind = "full" if _jamba(fields) else "both"
    kinds: Kinds = [with_attention if i % period == offset else "state" for i in range(layers)]
    return kinds


def _jamba(fields: Fields) -> bool:
    return fields.model_type == "jamba"


def _nemotron_h(fields: Fields, layers: int) -> Kinds:
    pattern = fields.config.get("hybrid_override_pattern")
    if not isinstance(pattern, str):
        raise ConfigError(
            f"{fields.where}hybrid_override_pattern is missing: it says which layers attend"
        )
    fields.check_length("hybrid_override_pattern", len(pattern), layers)
    strange = sorted(set(pattern) - set(_LETTERS))
    if strange:
        raise ConfigError(
            f"{fields.where}hybrid_override_pattern has {shown(strange[0])} in it; known are "
            f"{' '.join(_LETTERS)}"
        )
    return [_LETTERS[letter] for letter in pattern[:layers]]


def _minimax(fields: Fields, layers: int) -> Kinds:
    if fields.has("attn_type_list"):
        return flags("attn_type_list", "full", "state")(fields, layers)
    return ["state" if i % 2 else "full" for i in range(layers)]


def _kimi(fields: Fields, layers: int) -> Kinds:
    linear = fields.config.get("linear_attn_config")
    numbers = linear.get("full_attn_layers") if isinstance(linear, dict) else None
    if not isinstance(numbers, list):
        raise ConfigError(
            f"{fields.where}linear_attn_config.full_attn_layers is missing: it says which layers "
            "attend"
        )
    return ["full" if i + 1 in numbers else "state" for i in range(layers)]  # counted from 1


def _gpt_neo(fields: Fields, layers: int) -> Kinds:
    found = fields.config.get("attention_types") or [[["global", "local"], layers // 2]]
    words: list[str] = []
    try:
        for names, times in found:  # type: ignore[attr-defined]
            words += list(names) * int(times)
    except (TypeError, ValueError):
        raise ConfigError(
            f"attention_types must be pairs of names and a number, not {shown(found)}"
        ) from None
    fields.check_length("attention_types", len(words), layers)
    return read_words(words[:layers], "attention_types", fields)


def _recurrent(fields: Fields, layers: int) -> Kinds:
    blocks = fields.config.get("block_types") or ["recurrent", "recurrent", "attention"]
    if not isinstance(blocks, list) or not blocks:
        raise ConfigError(f"block_types must be a list of words, not {shown(blocks)}")
    found = read_words([str(blocks[i % len(blocks)]) for i in range(layers)], "block_types", fields)
    return ["sliding" if kind == "full" else kind for kind in found]


def _plamo2(fields: Fields, layers: int) -> Kinds:
    step = fields.count("Mamba step", ("mamba_step",), 2).value
    half = int(step) // 2
    if layers <= half:
        few: Kinds = ["state"] * (layers - 1)
        return [*few, "full"]
    return ["full" if i % step == half else "state" for i in range(layers)]


def _lfm2(fields: Fields, layers: int) -> Kinds:
    if fields.has("full_attn_idxs"):
        return numbered("full_attn_idxs", "full", "state")(fields, layers)
    raise ConfigError(f"{fields.where}layer_types is missing: it says which layers attend")


def _hybrid_ids(fields: Fields, layers: int) -> Kinds:
    return numbered("hybrid_layer_ids", "both", "state")(fields, layers)


def _bamba(fields: Fields, layers: int) -> Kinds:
    if fields.has("attn_layer_indices"):
        return numbered("attn_layer_indices", "full", "state")(fields, layers)
    return ["state"] * layers


_RULES: dict[str, Rule] = {
    **dict.fromkeys(("gemma2", "vaultgemma", "gpt_oss"), every("sliding_window_pattern", 2)),
    **dict.fromkeys(("gemma3_text", "gemma4_text"), every("sliding_window_pattern", 6)),
    "gemma3n_text": every("sliding_window_pattern", 5),
    **dict.fromkeys(
        ("cohere2", "cohere2_moe", "exaone4", "exaone_moe", "olmo3"),
        every("sliding_window_pattern", 4),
    ),
    "afmoe": every("global_attn_every_n_layers", 4),
    **dict.fromkeys(("granite_swa", "granitemoe_swa", "cwm"), first_of("window_pattern", 4)),
    **dict.fromkeys(
        ("qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen2_vl_text", "qwen2_5_vl_text"),
        _windows_from,
    ),
    **dict.fromkeys(("mistral", "mixtral", "ministral", "phi3", "phimoe"), all_of("sliding")),
    **dict.fromkeys(("starcoder2", "voxtral_realtime_text"), all_of("sliding")),
    **dict.fromkeys(
        ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "olmo_hybrid"),
        every("full_attention_interval", 4, "state"),
    ),
    "llama4_text": _llama4,
    "mimo_v2_flash": flags("hybrid_layer_pattern", "sliding", "full"),
    "jamba": _period,
    "zamba": _period,
    "zamba2": _hybrid_ids,
    "nemotron_h": _nemotron_h,
    "bamba": _bamba,
    "granitemoehybrid": all_of("state"),
    "falcon_h1": all_of("both"),
    **dict.fromkeys(("mamba", "mamba2", "falcon_mamba", "rwkv"), all_of("state")),
    **dict.fromkeys(("lfm2", "lfm2_moe"), _lfm2),
    "kimi_linear": _kimi,
    "minimax": _minimax,
    "gpt_neo": _gpt_neo,
    "recurrent_gemma": _recurrent,
    "plamo2": _plamo2,
}
