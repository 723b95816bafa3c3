# ruff: noqa: E501
"""Shapes of well-known models, as text: one line each, read by `models`.

Columns: id | name | repository | parameters | type | layers, heads, KV heads, hidden size, head
size, context. "-" where the config has no such field. Fields beyond these stand in EXTRA.

Source: the config.json of each repository. Parameters are counted from the whole shape with
transformers 5.20 (meta device), except where SAID says otherwise. Mixture-of-experts models
count every expert: all of them are in memory.
"""

from __future__ import annotations

from collections.abc import Mapping

ROWS = """
granite-3.3-8b|Granite 3.3 8B|ibm-granite/granite-3.3-8b-instruct|8170864640|granite|40 32 8 4096 - 131072
granite-3.3-8b-fp8|Granite 3.3 8B, FP8|ibm-granite/granite-3.3-8b-instruct-FP8|8170864640|granite|40 32 8 4096 - 131072
granite-4.2-8b|Granite 4.2 8B|ibm-granite/granite-4.2-8b|8.38e9|granite|40 32 8 4096 - 131072
granite-4.2-8b-fp8|Granite 4.2 8B, FP8|ibm-granite/granite-4.2-8b-fp8|8.38e9|granite|40 32 8 4096 - 131072
granite-4.1-30b|Granite 4.1 30B|ibm-granite/granite-4.1-30b|30e9|granite|64 32 8 4096 - 131072
llama-2-7b|Llama 2 7B|meta-llama/Llama-2-7b-hf|6738415616|llama|32 32 32 4096 - 4096
llama-2-13b|Llama 2 13B|meta-llama/Llama-2-13b-hf|13015864320|llama|40 40 40 5120 - 4096
llama-2-70b|Llama 2 70B|meta-llama/Llama-2-70b-hf|68976648192|llama|80 64 8 8192 - 4096
llama-3.1-8b|Llama 3.1 8B|meta-llama/Llama-3.1-8B-Instruct|8030261248|llama|32 32 8 4096 - 131072
llama-3.1-70b|Llama 3.1 70B|meta-llama/Llama-3.1-70B-Instruct|70553706496|llama|80 64 8 8192 - 131072
llama-3.1-405b|Llama 3.1 405B|meta-llama/Llama-3.1-405B-Instruct|405853388800|llama|126 128 8 16384 - 131072
llama-3.2-1b|Llama 3.2 1B|meta-llama/Llama-3.2-1B-Instruct|1235814400|llama|16 32 8 2048 64 131072
llama-3.2-3b|Llama 3.2 3B|meta-llama/Llama-3.2-3B-Instruct|3212749824|llama|28 24 8 3072 128 131072
llama-4-scout|Llama 4 Scout|meta-llama/Llama-4-Scout-17B-16E-Instruct|109e9|llama4_text|48 40 8 5120 128 10485760
mistral-7b-v0.1|Mistral 7B v0.1|mistralai/Mistral-7B-v0.1|7241732096|mistral|32 32 8 4096 - 32768
mistral-7b-v0.3|Mistral 7B v0.3|mistralai/Mistral-7B-Instruct-v0.3|7248023552|mistral|32 32 8 4096 - 32768
mistral-nemo-12b|Mistral Nemo 12B|mistralai/Mistral-Nemo-Instruct-2407|12247782400|mistral|40 32 8 5120 128 131072
mistral-small-24b|Mistral Small 24B|mistralai/Mistral-Small-24B-Instruct-2501|23572403200|mistral|40 32 8 5120 128 32768
mixtral-8x7b|Mixtral 8x7B|mistralai/Mixtral-8x7B-v0.1|46702792704|mixtral|32 32 8 4096 - 32768
mixtral-8x22b|Mixtral 8x22B|mistralai/Mixtral-8x22B-v0.1|140630071296|mixtral|56 48 8 6144 - 65536
qwen2.5-7b|Qwen2.5 7B|Qwen/Qwen2.5-7B-Instruct|7615616512|qwen2|28 28 4 3584 - 32768
qwen2.5-14b|Qwen2.5 14B|Qwen/Qwen2.5-14B-Instruct|14770033664|qwen2|48 40 8 5120 - 32768
qwen2.5-32b|Qwen2.5 32B|Qwen/Qwen2.5-32B-Instruct|32763876352|qwen2|64 40 8 5120 - 32768
qwen2.5-72b|Qwen2.5 72B|Qwen/Qwen2.5-72B-Instruct|72706203648|qwen2|80 64 8 8192 - 32768
qwen3-0.6b|Qwen3 0.6B|Qwen/Qwen3-0.6B|596049920|qwen3|28 16 8 1024 128 40960
qwen3-4b|Qwen3 4B|Qwen/Qwen3-4B|4022468096|qwen3|36 32 8 2560 128 40960
qwen3-8b|Qwen3 8B|Qwen/Qwen3-8B|8190735360|qwen3|36 32 8 4096 128 40960
qwen3-14b|Qwen3 14B|Qwen/Qwen3-14B|14768307200|qwen3|40 40 8 5120 128 40960
qwen3-32b|Qwen3 32B|Qwen/Qwen3-32B|32762123264|qwen3|64 64 8 5120 128 40960
qwen3-30b-a3b|Qwen3 30B-A3B|Qwen/Qwen3-30B-A3B|30532122624|qwen3_moe|48 32 4 2048 128 40960
qwen3-235b-a22b|Qwen3 235B-A22B|Qwen/Qwen3-235B-A22B|235093634560|qwen3_moe|94 64 4 4096 128 40960
qwen3-next-80b|Qwen3-Next 80B-A3B|Qwen/Qwen3-Next-80B-A3B-Instruct|79674391296|qwen3_next|48 16 2 2048 256 262144
gemma-2-9b|Gemma 2 9B|google/gemma-2-9b-it|9241705984|gemma2|42 16 8 3584 256 8192
gemma-2-27b|Gemma 2 27B|google/gemma-2-27b-it|27227128320|gemma2|46 32 16 4608 128 8192
gemma-3-1b|Gemma 3 1B|google/gemma-3-1b-it|999885952|gemma3_text|26 4 1 1152 256 32768
gemma-3-4b|Gemma 3 4B, text|google/gemma-3-4b-it|3880263168|gemma3_text|34 8 4 2560 256 131072
gemma-3-12b|Gemma 3 12B, text|google/gemma-3-12b-it|11766034176|gemma3_text|48 16 8 3840 256 131072
gemma-3-27b|Gemma 3 27B, text|google/gemma-3-27b-it|27009346304|gemma3_text|62 32 16 5376 128 131072
phi-3.5-mini|Phi-3.5 mini|microsoft/Phi-3.5-mini-instruct|3821079552|phi3|32 32 32 3072 - 131072
phi-4|Phi-4 14B|microsoft/phi-4|14659507200|phi3|40 40 10 5120 - 16384
gpt-oss-20b|gpt-oss 20B|openai/gpt-oss-20b|20914757184|gpt_oss|24 64 8 2880 64 131072
gpt-oss-120b|gpt-oss 120B|openai/gpt-oss-120b|116829156672|gpt_oss|36 64 8 2880 64 131072
deepseek-v2-lite|DeepSeek-V2-Lite|deepseek-ai/DeepSeek-V2-Lite|15706484224|deepseek_v2|27 16 16 2048 - 163840
deepseek-v3|DeepSeek-V3|deepseek-ai/DeepSeek-V3|671026404352|deepseek_v3|61 128 128 7168 - 163840
deepseek-v3.2|DeepSeek-V3.2|deepseek-ai/DeepSeek-V3.2-Exp|671026404352|deepseek_v32|61 128 128 7168 - 163840
minimax-m2|MiniMax-M2|MiniMaxAI/MiniMax-M2|228689748992|minimax_m2|62 48 8 3072 128 196608
glm-4-9b|GLM-4 9B|THUDM/GLM-4-9B-0414|9400279040|glm4|40 32 2 4096 128 32768
glm-4.5-air|GLM-4.5 Air|zai-org/GLM-4.5-Air|106852245504|glm4_moe|46 96 8 4096 128 131072
command-r|Command R 35B|CohereForAI/c4ai-command-r-v01|34980831232|cohere|40 64 64 8192 - 131072
command-r7b|Command R7B|CohereForAI/c4ai-command-r7b-12-2024|8028033024|cohere2|32 32 8 4096 - 132096
olmo-2-7b|OLMo 2 7B|allenai/OLMo-2-1124-7B|7298617344|olmo2|32 32 32 4096 - 4096
smollm3-3b|SmolLM3 3B|HuggingFaceTB/SmolLM3-3B|3075098624|smollm3|36 16 4 2048 - 65536
falcon-7b|Falcon 7B|tiiuae/falcon-7b|6921720704|falcon|32 71 - 4544 - 2048
gpt-neox-20b|GPT-NeoX 20B|EleutherAI/gpt-neox-20b|20554567680|gpt_neox|44 64 - 6144 - 2048
opt-13b|OPT 13B|facebook/opt-13b|12853473280|opt|40 40 - 5120 - 2048
gpt2|GPT-2 124M|openai-community/gpt2|124439808|gpt2|12 12 - 768 - 1024
jamba-1.5-mini|Jamba 1.5 Mini|ai21labs/AI21-Jamba-1.5-Mini|51570323328|jamba|32 32 8 4096 - 262144
"""

_LATENT = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128}
_FP8 = {"quantization_config": {"quant_method": "fp8"}}
_COMPRESSED = {"weights": {"type": "float", "num_bits": 8}}
_FP8_GRANITE = {
    "quantization_config": {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": _COMPRESSED},
    }
}
_MXFP4 = {"quantization_config": {"quant_method": "mxfp4"}}
EXTRA: Mapping[str, Mapping[str, object]] = {
    "granite-3.3-8b-fp8": _FP8_GRANITE,
    "granite-4.2-8b-fp8": _FP8_GRANITE,
    "llama-4-scout": {"attention_chunk_size": 8_192, "no_rope_layer_interval": 4},
    "mistral-7b-v0.1": {"sliding_window": 4_096},
    "mistral-7b-v0.3": {"sliding_window": None},
    "mistral-nemo-12b": {"sliding_window": None},
    "mistral-small-24b": {"sliding_window": None},
    "mixtral-8x7b": {"sliding_window": None},
    "mixtral-8x22b": {"sliding_window": None},
    "qwen3-next-80b": {"full_attention_interval": 4},
    "gemma-2-9b": {"sliding_window": 4_096},
    "gemma-2-27b": {"sliding_window": 4_096},
    "gemma-3-1b": {"sliding_window": 512, "sliding_window_pattern": 6},
    "gemma-3-4b": {"sliding_window": 1_024, "sliding_window_pattern": 6},
    "gemma-3-12b": {"sliding_window": 1_024, "sliding_window_pattern": 6},
    "gemma-3-27b": {"sliding_window": 1_024, "sliding_window_pattern": 6},
    "phi-3.5-mini": {"sliding_window": 262_144},
    "gpt-oss-20b": {"sliding_window": 128, **_MXFP4},
    "gpt-oss-120b": {"sliding_window": 128, **_MXFP4},
    "deepseek-v2-lite": _LATENT,
    "deepseek-v3": {**_LATENT, **_FP8},
    "deepseek-v3.2": {**_LATENT, **_FP8, "index_head_dim": 128, "index_topk": 2_048},
    "minimax-m2": _FP8,
    "command-r7b": {"sliding_window": 4_096, "sliding_window_pattern": 4},
    "falcon-7b": {"multi_query": True, "new_decoder_architecture": False},
    "jamba-1.5-mini": {"attn_layer_period": 8, "attn_layer_offset": 4},
}
# Parameters that were not counted from the shape.
SAID: Mapping[str, str] = {
    "granite-4.2-8b": "about, from the shape of granite-4-8b-dense, which the Spyre plugin takes it for",
    "granite-4.2-8b-fp8": "about, from the shape of granite-4-8b-dense, which the Spyre plugin takes it for",
    "granite-4.1-30b": "from its name",
    "llama-4-scout": "published, all experts",
    "deepseek-v3.2": "that of DeepSeek-V3; the indexer adds a little",
}
# Shapes that are not from the repository's own config.json.
_PLUGIN = "sendnn-inference 2.6.3, config/model_configs.yaml"
SHAPE_FROM: Mapping[str, str] = {
    "granite-4.2-8b": _PLUGIN,
    "granite-4.2-8b-fp8": _PLUGIN,
    "granite-4.1-30b": _PLUGIN,
}
# Bytes of the weights where they are not parameters x one size: 4.25 bits for the experts
# (24 or 36 layers x 32 or 128 experts x 3 x 2,880 x 2,880), 2 bytes for the rest.
WEIGHTS: Mapping[str, int] = {"gpt-oss-20b": 13_761_264_768, "gpt-oss-120b": 65_248_815_744}
# The names under which the Spyre plugin's table has the same shape.
SPYRE_NAMES: Mapping[str, str] = {
    "granite-3.3-8b": "ibm-granite/granite-3.3-8b-instruct",
    "granite-3.3-8b-fp8": "ibm-granite/granite-3.3-8b-instruct-FP8",
    "granite-4.2-8b": "ibm-granite/granite-4.2-8b",
    "granite-4.2-8b-fp8": "ibm-granite/granite-4.2-8b-fp8",
    "granite-4.1-30b": "ibm-granite/granite-4.1-30b",
    "llama-3.1-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "mistral-small-24b": "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
}
