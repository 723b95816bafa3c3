"""pagedviz: how PagedAttention hands out an AI model's working memory, step by step.

The packages below import in one direction only: `engine` <- `timeline`, `conformance` <-
`stage`, `charts` <- `ui`. The README lists them; import-linter keeps it so.
"""

__version__ = "0.1.0"
