"""Operations in, immutable steps out, and the words and the wire for them.

Reading order: `ops` (the language), `run` (a list of operations), `state` and `step` (what
a timeline consists of), `play`, `captions`, `wire`; then where runs come from: `presets`,
`build`, `drive`, `link`.
"""
