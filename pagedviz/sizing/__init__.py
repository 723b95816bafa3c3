"""From a model's config to how many requests its memory serves.

Reading order: `values` (a number and its origin), `layer_groups`, `geometry` (the figures),
`kv_geometry` (reads a config), `json_file` (reads a file), `models` (known shapes); then
`lengths`, `gpu_plan`, `spyre_plan`, `old_plan`, `headline`.
"""

from pagedviz.sizing.errors import ConfigError, UnknownArchitectureError
from pagedviz.sizing.geometry import KVGeometry
from pagedviz.sizing.json_file import read_config
from pagedviz.sizing.kv_geometry import kv_geometry, manual_geometry

__all__ = [
    "ConfigError",
    "KVGeometry",
    "UnknownArchitectureError",
    "kv_geometry",
    "manual_geometry",
    "read_config",
]
