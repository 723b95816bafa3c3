"""A page with nothing but the stage, for the benchmark: `?blocks=512` or `?blocks=8192`.

The run is driven by the engine's scheduler; it is as long as a run may be, or as `steps` says.
"""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pagedviz.stage.component import stage
from pagedviz.stage.payload import Opening, payload
from pagedviz.timeline.build import add_visitor, leave, new_run, write
from pagedviz.timeline.play import play
from pagedviz.timeline.wire import encode, pack


@st.cache_resource
def packed(blocks: int) -> str:
    """A full and busy room of `blocks` blocks of 16: arrivals, answers, departures, shared openings."""
    run = new_run(blocks, 16)
    length = max(40, blocks * 16 // 12)
    turn = 0
    while len(run.ops) < 300:
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
        run = add_visitor(
            run,
            tokens=length + 37 * (turn % 7),
            **({} if turn % 3 else _like(turn, letters, length)),
        )
        run = write(run, None, 1 + turn % 5)
        if turn > 8:
            run = leave(run, _letter(turn - 8, letters))
        turn += 1
    return pack(encode(play(run)))


def _letter(number: int, letters: str) -> str:
    turn, place = divmod(number, len(letters))
    return letters[place] + (str(turn + 1) if turn else "")


def _like(turn: int, letters: str, length: int) -> dict[str, object]:
    return (
        {"share_with": _letter(turn - 1, letters), "share_tokens": length // 2} if turn else {}
    )


st.set_page_config(layout="wide")
blocks = int(st.query_params.get("blocks", "512"))
stage(payload([packed(blocks)], Opening("bench", 20)), key="stage")
