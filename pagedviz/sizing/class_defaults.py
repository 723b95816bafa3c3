"""What a model's configuration class assumes for a field that its config leaves out.

A config inside another one (`text_config`) is saved without the fields that equal the defaults
of its class: that of Gemma 3 4B names neither heads nor KV heads. The engine fills them in, and
so must a figure.

Leaves out: classes that come with a checkpoint's own code; they have no defaults here, and what
their config does not say is an error.

Source: transformers 5.24.0, the configuration classes; "-" where a class has no number of its
own and takes it from another field.
"""

from __future__ import annotations

SOURCE = "transformers 5.24.0"
_FIELDS = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "sliding_window",
)
# model_type, then the fields in that order
_ROWS = """
afmoe 2048 32 16 - 128 1024
apertus 4096 32 32
arcee 2560 32 32
aria_text 4096 32 32
axk1 7168 61 64 64
bamba 4096 32 32 8
biogpt 1024 24 16
bitnet 2560 30 20 5
bloom 64 2 8
codegen 4096 28 16
cohere 8192 40 64
cohere2 8192 40 64 - - 4096
cohere2_moe 8192 40 64 - 128 4096
cwm 6144 64 48 8 128 8192
dbrx 2048 24 16
deepseek_v2 4096 32 32
deepseek_v3 7168 61 128 128
deepseek_v32 7168 61 128 128
diffllama 2048 16 32
dots1 4608 62 32 32 - 4096
emu3_text_model 4096 32 32 8
ernie4_5 1024 18 16 2 128
ernie4_5_moe 2560 28 20 4
ernie4_5_vl_moe_text 2560 28 20 4
exaone 4096 32 32 8
exaone4 4096 32 32 32 - 4096
exaone_moe 4096 32 32 32 - 4096
falcon 4544 32 71
falcon_h1 4096 32 32 8
falcon_mamba 768 32
flex_olmo 4096 32 32
gemma 3072 28 16 16 256
gemma2 2304 26 8 4 256 4096
gemma3_text 2304 26 8 4 256 4096
gemma3n_text 2048 35 8 2 256 512
gemma4_text 2304 30 8 4 256 512
glm 4096 40 32 2 128
glm4 4096 40 32 2 128
glm4_moe 4096 46 96 8
glm4_moe_lite 2048 47 20 20
glm4v_moe_text 4096 46 96 8
glm4v_text 4096 40 32 2
glm_moe_dsa 6144 78 64 64
glm_ocr_text 1024 16 16 8
gpt-sw3 768 12 12
gpt2 768 12 12
gpt_bigcode 768 12 12
gpt_neo 2048 24 16
gpt_neox 6144 44 64
gpt_neox_japanese 2560 32 32
gpt_oss 2880 36 64 8 64 128
gptj 4096 28 16
granite 4096 32 32
granite_swa 2560 24 20 4 - 128
granitemoe 4096 32 32
granitemoe_swa 4096 32 32 - - 128
granitemoehybrid 4096 32 32
granitemoeshared 4096 32 32
helium 2560 24 20 20 128
hunyuan_v1_dense 4096 32 32
hunyuan_v1_moe 4096 32 32
hy_v3 4096 80 64 8 128
hyperclovax 4096 32 32
internlm3 4096 48 32 2 128
jais2 3328 32 26
jamba 4096 32 32 8
jetmoe 2048 12 32 16 128
kimi_linear 2304 27 32 32
lfm2 2560 32 32 8
lfm2_moe 2048 32 32 8
laguna 2048 40 48 8 128 512
llama 4096 32 32
llama4_text 5120 48 40 8 128
longcat_flash 6144 28 64
mamba 768 32
mamba2 4096 64
mimo_v2_flash 4096 48 64 4 192 129
minicpm3 2560 62 40 40
minimax 4096 32 32 8
minimax_m2 3072 62 48 8 128
ministral 4096 32 32 8 - 4096
ministral3 4096 34 32 8 128
mistral 4096 32 32 8 - 4096
mistral4 4096 36 32 32
mixtral 4096 32 32 8
mllama_text_model 4096 40 32 8
molmo2_text 4096 36 32 8 128
mpt 2048 24 16
nanochat 768 12 6
nemotron 6144 32 48
nemotron_h 4096 - 32 8 128
olmo 4096 32 32
olmo2 4096 32 32
olmo3 4096 32 32 - - 4096
olmo_hybrid 3840 32 30
olmoe 2048 16 16
openai-gpt 768 12 12
opt 768 12 12
paddleocr_vl_text 1024 18 16 2 128
persimmon 4096 36 64
phi 2048 24 32
phi3 3072 32 32
phi4_multimodal 3072 32 32 8
phimoe 4096 32 32 8
qwen2 4096 32 32 32 - 4096
qwen2_5_omni_text 3584 28 28 4 - 32768
qwen2_5_vl_text 8192 80 64 8 - 4096
qwen2_moe 2048 24 16 16 - 4096
qwen2_vl_text 8192 80 64 8 - 4096
qwen3 4096 32 32 32 128 4096
qwen3_5_moe_text 2048 40 16 2 256
qwen3_5_text 4096 32 16 4 256
qwen3_moe 2048 24 32 4 - 4096
qwen3_next 2048 48 16 2 256
qwen3_omni_moe_text 2048 28 28 4
qwen3_vl_moe_text 2048 24 16 16
qwen3_vl_text 4096 32 32 32 128
recurrent_gemma 2560 26 10 - - 2048
rwkv 4096 32
sarvam_mla 4096 32 64
sarvam_moe 4096 19 64 4 64
seed_oss 4096 64 80 8 128
smollm3 2048 36 16 4
solar_open 4096 48 64 8 128
stablelm 2560 32 32 32
starcoder2 3072 30 24 2
step3p5 4096 45 64 8 128
vaultgemma 2304 26 8 4 256 4096
voxtral_realtime_text 4096 32 32 8 - 4096
xglm 1024 24 16
youtu 2048 32 16 16
zamba 3712 76 16 16
zamba2 2560 54 32
"""


def class_defaults(model_type: str) -> dict[str, int]:
    """Defaults of the class, only those that are numbers; empty if the class is not known.

    >>> class_defaults("gemma3_text")["num_key_value_heads"]
    4
    >>> class_defaults("llama")  # KV heads: as many as attention heads
    {'hidden_size': 4096, 'num_hidden_layers': 32, 'num_attention_heads': 32}
    """
    for line in _ROWS.strip().splitlines():
        name, *numbers = line.split()
        if name == model_type:
            pairs = zip(_FIELDS, numbers, strict=False)
            return {field: int(number) for field, number in pairs if number != "-"}
    return {}


def known_classes() -> frozenset[str]:
    """Every model_type of the table."""
    return frozenset(line.split()[0] for line in _ROWS.strip().splitlines())
