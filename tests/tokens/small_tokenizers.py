"""Small tokenizer.json files of the four kinds there are, trained on a page of text."""

import json
from functools import cache

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

PAGE = (
    "The cache holds blocks of tokens. A block is full or not full, and a full block has a hash.",
    "Two prompts that begin with the same text hold the same blocks, und das ist gut so.",
    "def allocate(block, size):\n    return block[:size]\n",
) * 4


@cache
def byte_level(normalizer: str = "") -> bytes:
    """As GPT-2, Llama 3 and Qwen: bytes, spaces as part of the token, places without spaces."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.ByteLevel(trim_offsets=True)
    made.decoder = decoders.ByteLevel()
    if normalizer:
        made.normalizer = getattr(normalizers, normalizer)()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=alphabet, special_tokens=["<|end|>"], show_progress=False
    )
    made.train_from_iterator(PAGE, trainer)
    return made.to_str().encode()


@cache
def sentencepiece_bpe() -> bytes:
    """As Llama 2 and Mistral: "▁" for spaces, bytes for unknown characters, <s> in front."""
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    byte_tokens = [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=500, special_tokens=["<unk>", "<s>", *byte_tokens], show_progress=False
    )
    made.train_from_iterator(PAGE, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", made.token_to_id("<s>"))]
    )
    content = json.loads(made.to_str())
    content["added_tokens"] = content["added_tokens"][:2]
    return json.dumps(content).encode()


@cache
def word_piece() -> bytes:
    """As BERT: lower case, no spaces, a token in front and one behind."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=200, special_tokens=["[UNK]", "[CLS]", "[SEP]"], show_progress=False
    )
    made.train_from_iterator(PAGE, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made.to_str().encode()


@cache
def unigram() -> bytes:
    """As T5: pieces by likelihood."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
    )
    made.train_from_iterator(PAGE, trainer)
    return made.to_str().encode()


KINDS = {
    "byte-level": byte_level,
    "sentencepiece": sentencepiece_bpe,
    "word piece": word_piece,
    "unigram": unigram,
}
