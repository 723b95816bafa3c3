"""The words on the attention page around its stage, in both registers."""

from typing import Any

from pagedviz.timeline.captions import Register

ROOM = {
    "lead": "The slip says which shelf comes next, and the hand carries three things from shelf to shelf. Move the boxes: the answer stays the same. Below: your own sentence.",
    "text": "A sentence of your own",
    "text_hint": "empty: made-up boxes",
    "text_help": "Its words become boxes. Their cards and contents are made from them by a small fixed recipe, not by a trained model.",
    "tokens": "A's boxes",
    "size": "Boxes per shelf",
    "heads": "Readers",
    "kv": "Cards per box",
    "kv_help": "Readers may share a card: half as many cards, half as much room.",
    "dim": "Numbers",
    "seed": "Seed",
    "numbers": "Kept as",
    "numbers_help": "How exactly each number is kept on the shelf. Fewer bits, less room, a slightly different answer.",
    "numbers_names": {
        "float32": "32 bits",
        "float64": "64 bits",
        "float16": "16 bits",
        "fp8": "8 bits (FP8)",
    },
    "heat": "Which boxes count",
    "heat_lead": "One row for each reader; the darker, the more a box counts in the answer. Lines: where one shelf ends.",
    "heat_whole": "As it is with the slip in order: one row for each reader; the darker, the more a box counts.",
    "triangle": "One reader, for every box of the text: each line could only look back.",
    "which": "Reader",
    "triangle_title": "What reader {head} looked at, from each box",
    "heat_source": "Worked out here from keys and values made up by a fixed rule, not by a trained model.",
}
ENGINE = {
    "lead": "The block table gives the order, and the online softmax carries a maximum, a sum and an accumulator. Move the blocks: the output stays the same. Below: your own sentence.",
    "text": "A sentence of your own",
    "text_hint": "empty: made-up tokens",
    "text_help": "Its tokens get keys and values from a small fixed random projection with rotary positions, not from a trained model.",
    "tokens": "seq_len",
    "size": "block_size",
    "heads": "Query heads",
    "kv": "KV heads",
    "kv_help": "Grouped-query attention: num_heads / num_kv_heads query heads read one KV head.",
    "dim": "head_size",
    "seed": "Seed",
    "numbers": "KV cache dtype",
    "numbers_help": "float16 and FP8 (E4M3) are computed in float32, as kernels do; what is read back was rounded when it was written.",
    "numbers_names": {
        "float32": "float32",
        "float64": "float64",
        "float16": "float16",
        "fp8": "FP8 (E4M3)",
    },
    "heat": "Attention weights",
    "heat_lead": "One row per query head over token positions, for the newest token's query. Lines: block borders.",
    "heat_whole": "For the intact table: one row per query head over token positions, for the newest token's query.",
    "triangle": "One head, every query of the prompt: the causal mask leaves the lower triangle.",
    "which": "Query head",
    "triangle_title": "Attention weights of head {head}, query by query",
    "heat_source": "Computed here from keys and values of a fixed random projection, not of a trained model.",
}
WORDS: dict[Register, dict[str, Any]] = {"room": ROOM, "engine": ENGINE}
