"""A page with nothing but the stage, for the benchmark: `?blocks=512` or `?blocks=8192`.

The run is driven by the engine's scheduler: 70 requests, some of them with the same beginning.
"""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pagedviz.stage.component import stage
from pagedviz.stage.payload import Opening, payload
from pagedviz.timeline.drive import DriveConfig, drive
from pagedviz.timeline.play import play
from pagedviz.timeline.wire import encode, pack


@st.cache_resource
def packed(blocks: int) -> str:
    """A busy room of `blocks` blocks of 16, driven by the scheduler."""
    tokens = blocks * 16
    config = DriveConfig(
        num_blocks=blocks,
        visitors=70,
        arrivals=1.0,
        prompt=(tokens // 40, tokens // 8),
        answer=(4, 14),
        shared_opening=tokens // 48,
        token_budget=max(64, tokens // 8),
        max_requests=12,
    )
    return pack(encode(play(drive(config))))


st.set_page_config(layout="wide")
blocks = int(st.query_params.get("blocks", "512"))
stage(payload([packed(blocks)], Opening("bench", 20)), key="stage")
