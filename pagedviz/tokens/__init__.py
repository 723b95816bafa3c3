"""Text in, tokens out: which piece of the text each token holds, without any network.

Reading order: `piece` (what a tokenizer is), `byte_pieces` (bytes of tokens back to text),
`cl100k` (the tokenizer the app starts with), `tokenizer_json` (the user's own; `other_file` says
what a wrong file is instead), `checked_text` (what may be typed), `visible` (how it is shown).

Leaves out: chat templates. The text is cut as it is typed; a server's chat template puts
more tokens around it.
"""

from pagedviz.tokens.checked_text import MAX_CHARACTERS, Checked, check_text
from pagedviz.tokens.cl100k import default_tokenizer
from pagedviz.tokens.errors import TextError, TokenizerError
from pagedviz.tokens.piece import Piece, Tokenizer
from pagedviz.tokens.tokenizer_json import MAX_FILE_BYTES, from_tokenizer_json
from pagedviz.tokens.visible import visible

__all__ = [
    "MAX_CHARACTERS",
    "MAX_FILE_BYTES",
    "Checked",
    "Piece",
    "TextError",
    "Tokenizer",
    "TokenizerError",
    "check_text",
    "default_tokenizer",
    "from_tokenizer_json",
    "visible",
]
