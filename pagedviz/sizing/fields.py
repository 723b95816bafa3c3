"""Numbers out of a config, each checked, each with its origin.

Configs name the same thing in many ways (num_hidden_layers, n_layer, num_layers, ...). `Fields`
takes the first name that is there, and otherwise the default of the model's class. Every wrong
number of a config is named in one message, not the first alone.

Leaves out: what the numbers mean.

Source: the names as vLLM 0.33 looks for them (transformers_utils/model_arch_config_convertor.py)
and as the configuration classes of transformers 5.24 map them (attribute_map).
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.values import Value

MOST_LAYERS = 10_000
MOST = 10**9  # of anything else; more is a slip, and lists are made of some of these

LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads")
HIDDEN = ("hidden_size", "n_embd", "n_embed", "d_model", "model_dim")
KV_HEADS = (
    "n_head_kv",
    "num_kv_heads",
    "num_key_value_heads",
    "multi_query_group_num",
    "num_attention_groups",
    "kv_n_heads",
    "n_kv_heads",
)
HEAD_SIZE = ("head_dim", "attention_head_dim", "kv_channels", "hidden_size_per_head", "d_kv")
CONTEXT = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "model_max_length",
    "max_sequence_length",
    "max_target_positions",
    "n_ctx",
)
# Fields that may be 0 or null for "none".
MAY_BE_ZERO = frozenset(
    ("sliding_window", "num_kv_shared_layers", "attention_chunk_size", "num_nextn_predict_layers")
)
_STATE_TEXT = """
mamba_d_state mamba_d_conv mamba_n_heads mamba_d_head mamba_n_groups
mamba_ngroups mamba_num_heads mamba_head_dim mamba_headdim n_mamba_heads mamba_d_ssm
state_size ssm_state_size conv_kernel n_groups conv_L_cache lru_width conv1d_width
linear_num_key_heads linear_num_value_heads linear_key_head_dim linear_value_head_dim
linear_conv_kernel_dim attention_hidden_size
"""
STATE = tuple(_STATE_TEXT.split())
_OTHER_TEXT = """
kv_lora_rank qk_rope_head_dim qk_nope_head_dim v_head_dim index_head_dim global_head_dim
num_global_key_value_heads swa_num_key_value_heads swa_head_dim swa_v_head_dim encoder_layers
decoder_layers encoder_attention_heads decoder_attention_heads num_decoder_layers
max_source_positions attn_layer_period attn_layer_offset full_attention_interval
global_attn_every_n_layers no_rope_layer_interval decoder_num_hidden_layers
decoder_num_attention_heads decoder_num_key_value_heads attention_window_size window_size
"""
OTHER = tuple(_OTHER_TEXT.split())
ZERO_TOO = MAY_BE_ZERO | {"attn_layer_offset", "qk_rope_head_dim", "qk_nope_head_dim"}
SHAPE = (*LAYERS, *HEADS, *HIDDEN, *KV_HEADS, *HEAD_SIZE)
COUNTS = frozenset((*CONTEXT, *SHAPE, *STATE, *OTHER, *MAY_BE_ZERO))
# A list, or one word, where a number is usual: each is understood where it belongs.
_LISTS = frozenset((*KV_HEADS, "num_attention_heads", "mamba_d_head", "sliding_window"))
_WORDS = frozenset((("mamba_d_head", "auto"),))


def check_numbers(config: Mapping[str, object], where: str = "") -> tuple[dict[str, object], str]:
    """The config with text numbers made numbers, and a note about them. ConfigError names all
    that is wrong.

    >>> check_numbers({"num_hidden_layers": "32"})
    ({'num_hidden_layers': 32}, 'num_hidden_layers was text in the config and is read as a number')
    >>> check_numbers({"num_hidden_layers": -32, "head_dim": True})
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: num_hidden_layers must be a whole number of at least 1,
    not -32; head_dim must be a whole number of at least 1, not True
    """
    clean = dict(config)
    wrong: list[str] = []
    texts: list[str] = []
    for name in config:
        if name not in COUNTS or config[name] is None:
            continue
        value = config[name]
        if name in CONTEXT and (value == -1 or (type(value) is float and value > MOST)):
            clean[name] = None  # ways to say that there is no limit
            continue
        if (name in _LISTS and isinstance(value, list)) or (name, str(value)) in _WORDS:
            continue
        if isinstance(value, str) and _is_digits(value):
            value = int(value)
            texts.append(where + name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        least = 0 if name in ZERO_TOO else 1
        most = MOST_LAYERS if name in LAYERS or name.endswith("_layers") else MOST
        if type(value) is not int or value < least:
            wrong.append(
                f"{where}{name} must be a whole number of at least {least}, not {shown(value)}"
            )
        elif value > most:
            wrong.append(f"{where}{name} {shown(value)} is more than the {most:,} that is possible")
        else:
            clean[name] = value
    if wrong:
        raise ConfigError("; ".join(wrong))
    if not texts:
        return clean, ""
    verb = "was text in the config and is read as a number"
    if len(texts) > 1:
        verb = "were text in the config and are read as numbers"
    return clean, f"{', '.join(texts)} {verb}"


def _is_digits(value: object) -> bool:
    text = value.strip() if isinstance(value, str) else ""
    return text.isascii() and text.isdigit() and len(text) <= 18


class Fields:
    """A checked config, asked by name. `origin` remembers what was taken, in order.

    >>> fields = Fields({"n_layer": 12}, "gpt2", {"num_attention_heads": 12})
    >>> fields.count("layers", LAYERS).said
    'layers 12: n_layer in the config'
    >>> fields.count("heads", HEADS, default="num_attention_heads").said
    'heads 12: not in the config, class default of gpt2'
    """

    def __init__(
        self,
        config: Mapping[str, object],
        model_type: str,
        defaults: Mapping[str, int] | None = None,
        where: str = "",
    ) -> None:
        self.config = config
        self.model_type = model_type
        self.defaults = dict(defaults or {})
        self.where = where  # "text_config." when the numbers are in there
        self.values: list[Value] = []
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.unknowns: list[str] = []
        self.unsure = False

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.config.get(name) is not None

    def keep(self, value: Value) -> Value:
        """Remember a value once, and return it."""
        if value not in self.values:
            self.values.append(value)
        return value

    def find(
        self, name: str, fields: tuple[str, ...], default: str | int | None = None
    ) -> Value | None:
        """The first of `fields` that is there; else the class default; else None.

        default: the name of a default of the model's class, or a number its class always has.
        """
        for field in fields:
            value = self.config.get(field)
            if type(value) is int:
                return self.keep(Value(name, value, "config", self.where + field))
        said = f"class default of {self.model_type}"
        if isinstance(default, int):
            return self.keep(Value(name, default, "class default", said))
        if default is not None and default in self.defaults:
            return self.keep(Value(name, self.defaults[default], "class default", said))
        return None

    def count(self, name: str, fields: tuple[str, ...], default: str | int | None = None) -> Value:
        """The same, and ConfigError if there is none."""
        if (value := self.find(name, fields, default)) is None:
            raise ConfigError(
                f"the config names no {name}: {self.where}{fields[0]} is missing "
                f"(model_type {shown(self.model_type)}); add it, or type the model's shape in"
            )
        return value

    def derive(self, name: str, value: int, source: str) -> Value:
        """A value that was worked out."""
        return self.keep(Value(name, value, "derived", source))

    def numbers(self, field: str, layers: int) -> list[int] | None:
        """A list with one whole number of at least 0 per layer; None if the field is no list."""
        found = self.config.get(field)
        if not isinstance(found, list):
            return None
        if any(type(one) is not int or one < 0 or one > MOST for one in found):
            raise ConfigError(
                f"{self.where}{field} must be a list of whole numbers, not {shown(found)}"
            )
        self.check_length(field, len(found), layers)
        return list(found[:layers])

    def words(self, field: str, layers: int) -> list[str] | None:
        """A list with one word per layer; None if the field is no list."""
        found = self.config.get(field)
        if not isinstance(found, list):
            return None
        if any(not isinstance(one, str) for one in found):
            raise ConfigError(f"{self.where}{field} must be a list of words, not {shown(found)}")
        self.check_length(field, len(found), layers)
        return list(found[:layers])

    def check_length(self, field: str, length: int, layers: int) -> None:
        """ConfigError if a list is shorter than the layers; a warning if it is longer."""
        if length < layers:
            raise ConfigError(
                f"{self.where}{field} has {length:,} entries for {layers:,} layers; one is wrong"
            )
        if length > layers:
            self.warnings.append(
                f"{self.where}{field} has {length:,} entries for {layers:,} layers; "
                f"the first {layers:,} are used."
            )
