"""Which architectures are known, and by which rule each is read.

A config names its architecture in `model_type`; checkpoints with code of their own also under
`architectures`. A name that is in none of the lists below is not known, and no figure is made
for it: an unknown layer may keep more, less or nothing.

Leaves out: the rules themselves (`layer_kinds`, `attention`, `mla`, `states`,
`encoder_decoder`).

Source: transformers 5.24.0 (model types), vLLM 0.33 model_executor/models/registry.py
(architectures), the published configs of models with code of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pagedviz.sizing.class_defaults import known_classes

Rule = Literal["decoder", "latent", "encoder-decoder", "encoder-only"]

# Decoders whose code comes with the checkpoint, or that older libraries knew.
_OWN_CODE_TEXT = """
RefinedWeb RefinedWebModel aquila arctic baichuan bailing_moe chatglm deci deepseek grok-1
hunyuan internlm internlm2 jais mimo minicpm minicpmv minicpmo minimax_text_01 minimax_m1
MiniMaxText01 MiniMaxM1 molmo nemotron-nas nemotron_nas openelm orion phi-msft phi3_v
phi3small phi4mm plamo2 qwen skywork solar stablelm_epoch step1 telechat telechat2 xverse yi
Yi h2ovl persimmon mistral3_text llama_nemotron pangu_embedded iquestcoder
bailing_moe_v2 step3_text hunyuan_vl_text tulu teleflm
glm4_moe_text
"""
_OWN_CODE = frozenset(_OWN_CODE_TEXT.split())

_LATENT_TEXT = """
deepseek_v2 deepseek_v3 deepseek_v32 deepseek_mtp kimi_k2 glm4_moe_lite glm_moe_dsa axk1
longcat_flash pangu_ultra_moe mistral4 sarvam_mla youtu deepseek_vl_v2
"""
LATENT = frozenset(_LATENT_TEXT.split())
_ENCODER_DECODER_TEXT = """
t5 mt5 umt5 longt5 switch_transformers bart mbart pegasus pegasus_x bigbird_pegasus blenderbot
blenderbot-small m2m_100 nllb-moe marian plbart led mvp whisper speech_to_text moonshine
prophetnet xlm-prophetnet fsmt seamless_m4t byt5 florence2_language
"""
ENCODER_DECODER = frozenset(_ENCODER_DECODER_TEXT.split())
_ENCODER_ONLY_TEXT = """
albert bert bert-generation big_bird camembert canine clip convbert data2vec-text deberta
deberta-v2 distilbert electra ernie ernie_m esm eurobert flaubert fnet funnel gte ibert
jina_embeddings_v3 layoutlm layoutlmv2 layoutlmv3 layoutxlm longformer luke markuplm
megatron-bert mobilebert modernbert mpnet mra new nezha nomic_bert nystromformer rembert
roberta roberta-prelayernorm roc_bert roformer siglip siglip2 splinter squeezebert tapas vit
wav2vec2 hubert xlm xlm-roberta xlm-roberta-xl xmod yoso openai_privacy_filter
xlm-roberta-flash modernvbert colmodernvbert hf_colbert neomme
"""
ENCODER_ONLY = frozenset(_ENCODER_ONLY_TEXT.split())
# A model of pictures or sound around a decoder -> the decoder's type if the config names none.
_WRAPPERS_TEXT = """
aria:aria_text aya_vision:cohere2 cohere2_vision:cohere2 deepseek_vl:llama
deepseek_vl_v2:deepseek_v2 ernie4_5_vl_moe:ernie4_5_vl_moe_text exaone4_5:exaone4
fuyu:persimmon gemma3:gemma3_text gemma3n:gemma3n_text gemma4:gemma4_text
gemma4_unified:gemma4_text hunyuan_vl:hunyuan_vl_text step3_vl:step3_text step3p7:step3p5
glm4v:glm4v_text glm46v:glm4v_text glm4v_moe:glm4v_moe_text glm_ocr:glm_ocr_text
granite_speech:granite got_ocr2:qwen2 idefics2:mistral idefics3:llama internvl:qwen2
janus:llama kimi_vl:deepseek_v3 kimi_k25:deepseek_v3 lfm2_vl:lfm2 llama4:llama4_text
llava:llama llava_next:llama llava_next_video:llama llava_onevision:qwen2
llava_next_mistral:mistral mistral3:mistral mllama:mllama_text_model molmo2:molmo2_text
ovis2:qwen2 paligemma:gemma pixtral_model:mistral qwen2_5_omni:qwen2_5_omni_text
qwen2_5_omni_thinker:qwen2_5_omni_text qwen2_5_vl:qwen2_5_vl_text qwen2_audio:qwen2
qwen2_vl:qwen2_vl_text qwen3_5:qwen3_5_text qwen3_5_moe:qwen3_5_moe_text
qwen3_omni_moe:qwen3_omni_moe_text qwen3_omni_moe_thinker:qwen3_omni_moe_text
qwen3_vl:qwen3_vl_text qwen3_vl_moe:qwen3_vl_moe_text qwen3_asr:qwen3 smolvlm:llama
video_llava:llama vipllava:llama voxtral:llama paddleocr_vl:paddleocr_vl_text
granite_docling:llama internvl_chat:qwen2 NVLM_D:qwen2 h2ovl_chat:mistral chameleon:llama
emu3:llama audioflamingo3:qwen2 perception_lm:llama lighton_ocr:qwen3
mistral_large_3:deepseek_v3
"""
WRAPPERS: Mapping[str, str] = dict(pair.split(":") for pair in _WRAPPERS_TEXT.split())
# Older or private names -> the type that reads the same way.
_ALIASES_TEXT = """
Yi:llama yi:llama aquila:llama internlm:llama xverse:llama skywork:llama tulu:llama
llama_nemotron:llama stablelm_epoch:stablelm phi-msft:phi solar:llama byt5:t5
RefinedWeb:falcon RefinedWebModel:falcon minimax_text_01:minimax
minimax_m1:minimax MiniMaxText01:minimax MiniMaxM1:minimax gemma3_text_model:gemma3_text
kimi_k2:deepseek_v3 deepseek_mtp:deepseek_v3 pangu_ultra_moe:deepseek_v3
nemotron_nas:nemotron-nas gpt-sw3:gpt2 qwen2_vl:qwen2_vl_text qwen2_5_vl:qwen2_5_vl_text
exaone-moe:exaone_moe gemma4_unified_text:gemma4_text glm4_moe_text:glm4_moe
"""
ALIASES: Mapping[str, str] = dict(pair.split(":") for pair in _ALIASES_TEXT.split())


def rule_of(model_type: str) -> Rule | None:
    """How an architecture is read; None if it is not known.

    >>> rule_of("llama"), rule_of("deepseek_v3"), rule_of("bert"), rule_of("acme_retnet_v9")
    ('decoder', 'latent', 'encoder-only', None)
    """
    if model_type in ENCODER_ONLY:
        return "encoder-only"
    if model_type in ENCODER_DECODER:
        return "encoder-decoder"
    if model_type in LATENT:
        return "latent"
    if model_type in known_classes() or model_type in _OWN_CODE:
        return "decoder"
    return None


def type_of_architecture(architecture: str) -> str | None:
    """The model_type behind a class name in `architectures`; None if it is not known.

    >>> type_of_architecture("LlamaForCausalLM"), type_of_architecture("GPTNeoXForCausalLM")
    ('llama', 'gpt_neox')
    >>> type_of_architecture("AcmeForCausalLM") is None
    True
    """
    name = re.sub(r"(For[A-Z]\w*|LMHeadModel|Model|Decoder)$", "", architecture)
    plain = _plain(name)
    special = {"rw": "falcon", "gpt2": "gpt2", "chatglm": "chatglm", "xlmroberta": "xlm-roberta"}
    if plain in special:
        return special[plain]
    every = (
        *sorted(known_classes()),
        *sorted(_OWN_CODE),
        *sorted(LATENT),
        *sorted(ENCODER_DECODER),
        *sorted(ENCODER_ONLY),
    )
    return next((one for one in every if _plain(one) in (plain, plain + "text")), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
