"""Which words belong to one register only, for the tests that nobody mixes them."""

# Patterns of what must not stand in the other register.
ENGINE_ONLY = (
    r"(?i:block|token|hash|request|\breq\b|ref_cnt|evict|preempt|cach|prefix|pool|"
    r"alloc|slot|draft|lora|num_|free queue|\[|_)|\bnull\b|None|True|False|\bKV\b"
)
# Numbers are digits in the words of a page about counting; only one, none and no are words.
NUMBER_WORDS = (
    r"(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty)\b"
)
ROOM_ONLY = r"shel[fv]|\bbox|visitor|label|\bdoor\b|\broom\b(?! for req)|guess|thrown"
