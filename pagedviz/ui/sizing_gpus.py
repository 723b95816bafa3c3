"""Typical cards and how much memory each has, for those who do not want to type it.

The figure is what the driver lists (nvidia-smi, in MiB), with error correction on where the card
has it. vLLM sees up to 1 % less; whoever wants it exactly types the total that vLLM's own message
names.

Leaves out: cards that share the computer's memory, and slices of a card (MIG).

Source: nvidia-smi of each card, as many public logs show it.
"""

from __future__ import annotations

from dataclasses import dataclass

MIB = 2**20
SOURCE = "as nvidia-smi lists it; vLLM sees up to 1 % less"
OWN = "own"


@dataclass(frozen=True, slots=True)
class Gpu:
    """One card: its key in a link, its name (with the maker's own GB), its memory in MiB."""

    key: str
    name: str
    mib: int

    @property
    def memory(self) -> int:
        """Bytes.

        >>> GPU_BY_KEY["h100"].memory
        85520809984
        """
        return self.mib * MIB


GPUS = (
    Gpu("l4", "NVIDIA L4 24 GB", 23_034),
    Gpu("rtx4090", "NVIDIA RTX 4090 24 GB", 24_564),
    Gpu("a100-40", "NVIDIA A100 40 GB", 40_960),
    Gpu("l40s", "NVIDIA L40S 48 GB", 46_068),
    Gpu("a100-80", "NVIDIA A100 80 GB", 81_920),
    Gpu("h100", "NVIDIA H100 80 GB", 81_559),
    Gpu("h200", "NVIDIA H200 141 GB", 143_771),
    Gpu("b200", "NVIDIA B200 180 GB", 183_359),
)
GPU_BY_KEY = {gpu.key: gpu for gpu in GPUS}
