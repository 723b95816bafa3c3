"""Scene 1: a model keeps notes on every token, and nobody knows how many there will be.

Leaves out: how attention uses them (that is the attention page's).
"""

from __future__ import annotations

from typing import Final

from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import LONGEST, WEIGHTS, llama
from pagedviz.tokens import default_tokenizer

QUESTION: Final = "Why does the cache keep growing?"
ANSWER: Final = " Each"  # how it begins


def growth() -> Scene:
    """The first scene; its tokens are those of the tokenizer the app starts with."""
    tokenizer = default_tokenizer()
    asked = tokenizer.pieces(QUESTION)
    pieces = [piece.text.strip() for piece in asked + tokenizer.pieces(ANSWER)]
    n, model = len(asked), llama()
    size = model.bytes_per_token
    field = model.kv_heads * model.head_size * model.bytes_per_value
    left = LONGEST - n - 1
    beats = (
        Beat(
            Words("a question", "a prompt"),
            Words(
                f"Someone asks a question; the model reads it in {lit('tok', f'{n} pieces')}.",
                f"A prompt arrives; it is {lit('tok', f'{n} tokens')} long.",
            ),
            source=both(f"Cut by {tokenizer.name}; LLaMA's own tokenizer cuts elsewhere."),
            line=f"prompt_token_ids = {[piece.id for piece in asked]}",
            shows={"tokens": n, "reads": True},
        ),
        Beat(
            Words("notes", "keys and values"),
            Words(
                f"Of every piece it keeps {lit('box', 'a box of notes')}, to read it only once.",
                f"Every layer keeps {lit('box', 'a key and a value')} for each token: "
                "together, the KV cache.",
            ),
            source=Words(
                "The field calls all of them together the KV cache.",
                "A layer is one of the model's stages. The key says what a token offers to later "
                "ones, the value what they get from it.",
            ),
            line=f"prefill: {n} tokens -> {n} (key, value) pairs in every layer",
            shows={"tokens": n, "boxes": n, "reads": True},
        ),
        Beat(
            Words("where they stand", "where it lies"),
            Words(
                f"The boxes stand in {lit('mem', 'the memory of the accelerator')}, "
                f"beside {lit('model', 'the model')} itself.",
                f"The cache lies in {lit('mem', 'the memory of the accelerator')}, "
                f"beside {lit('model', 'the weights')}.",
            ),
            calc=both(
                f"LLaMA-13B: {WEIGHTS:,} numbers × {model.bytes_per_value} B "
                f"= {WEIGHTS * model.bytes_per_value // 10**9} GB"
            ),
            line="accelerator memory = weights + KV cache + some workspace",
            shows={"tokens": n, "boxes": n, "memory": True},
        ),
        Beat(
            Words("one more word", "decode"),
            Words(
                f"For each further word it opens {lit('box', 'all the boxes')} so far, "
                f"{lit('newbox', 'the newest')} too.",
                f"Each decode step reads {lit('box', 'all keys and values')} so far, "
                f"{lit('newbox', 'the newest')} too.",
            ),
            line=f"decode: query of token {n + 1} against {n + 1} keys -> token {n + 2}",
            shows={"tokens": n + 1, "boxes": n + 1, "next": True},
        ),
        Beat(
            Words("its weight", "its size"),
            Words(
                f"A box is heavy: for LLaMA-13B {lit('size', 'each one')} takes {size:,} bytes.",
                f"For LLaMA-13B {lit('size', 'each token')} takes {size:,} bytes of cache.",
            ),
            calc=both(
                f"2 × {model.layers} layers × {model.kv_heads} heads × {model.head_size} "
                f"× {model.bytes_per_value} B = {size:,} B"
            ),
            source=both("2 for key and value; the model's own shape, in numbers of 16 bits."),
            line="2 · num_layers · num_kv_heads · head_size · bytes per value",
            shows={"tokens": n + 1, "boxes": n + 1, "opened": True},
            labels={
                "opened": Words(
                    f"the newest box, opened: {model.layers} layers",
                    f"the newest token: {model.layers} layers",
                ),
                "field": both(
                    f"each field: {model.kv_heads} heads × {model.head_size} numbers "
                    f"× {model.bytes_per_value} B = {field:,} B"
                ),
                "sum": both(f"2 × {model.layers} fields = {size:,} B"),
                "all": Words(
                    f"{n + 1} boxes so far: {(n + 1) * size / 1e6:.1f} MB",
                    f"{n + 1} tokens so far: {(n + 1) * size / 1e6:.1f} MB",
                ),
            },
        ),
        Beat(
            Words("no end known", "length unknown"),
            Words(
                f"It may need {lit('unk', f'5 more boxes or {left:,}')}: "
                "nobody knows until it stops.",
                f"It may write {lit('unk', f'5 more tokens or {left:,}')}: "
                "nobody knows until it stops.",
            ),
            calc=both(f"{LONGEST:,} at most − {n + 1} so far = {left:,}"),
            line="until the end-of-sequence token, max_tokens or max_model_len",
            shows={"tokens": n + 1, "boxes": n + 1, "unknown": True},
        ),
    )
    return Scene(
        Words("A memory that grows with every word", "The KV cache grows with every token"),
        Words("Memory grows", "The cache grows"),
        "growth",
        beats,
        shows={"pieces": pieces, "asked": n, "layers": model.layers},
        labels={
            "question": Words("the question", "the prompt"),
            "so_far": Words("the question, and the answer so far", "prompt, and output so far"),
            "read": Words(
                f"all {n + 1} are opened to write the next",
                f"all {n + 1} are read to compute the next",
            ),
            "reads": Words(
                f"the model reads them: LLaMA-13B in {model.layers} stages",
                f"prefill, through the model: {model.layers} layers in LLaMA-13B",
            ),
            "model": Words("the model", "weights"),
            "notes": Words("the boxes", "KV cache"),
            "memory": both("memory of the accelerator, not to scale"),
            "tok": Words("one piece of text", "one token"),
            "box": Words("one box: the notes on one piece", "key and value of one token"),
            "unk": Words("perhaps one more box, perhaps not", "perhaps one more token"),
        },
    )
