"""A page with two rooms on one clock: the same visitors with 16 and with 4 boxes a shelf."""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pagedviz.stage.component import stage
from pagedviz.stage.payload import Opening, payload
from pagedviz.timeline.build import add_visitor, leave, new_run, write
from pagedviz.timeline.play import play
from pagedviz.timeline.wire import encode, pack

LAYOUT = (
    ("caption",),
    ("room:0", "room:1"),
    ("queue:0", "queue:1"),
    ("meter:0", "meter:1"),
    ("transport",),
)


def packed(block_size: int) -> str:
    run = add_visitor(new_run(13, block_size), tokens=20)
    run = write(add_visitor(run, tokens=9), None, 2)
    return pack(encode(play(leave(run, "A"))))


st.set_page_config(layout="wide")
stage(payload([packed(16), packed(4)], Opening("two", 4), layout=LAYOUT), key="stage")
