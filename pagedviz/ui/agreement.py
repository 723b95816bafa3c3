"""One line of fact about the app itself: on how many recorded steps it agrees with vLLM.

Never typed: the recorded traces are replayed once per process, when the line is first shown.
"""

import streamlit as st

from pagedviz.conformance import Agreement, recorded_agreement


@st.cache_resource(show_spinner="Replaying the recorded steps of vLLM ...")
def _agreement() -> Agreement:
    return recorded_agreement()


def agreement_line() -> None:
    """Draw the line; it says so if a trace differs or none is there."""
    found = _agreement()
    if not found.files:
        st.warning("The recorded traces of vLLM are not in this copy: nothing was replayed.")
    elif found.differing:
        st.error(
            f"Differs from vLLM 0.33.0 on {len(found.differing)} of {found.files} recorded "
            f"traces: {', '.join(found.differing)}. Do not trust the picture until that is mended."
        )
    else:
        st.caption(
            f"Agrees with vLLM 0.33.0 on {found.steps:,} recorded steps ({found.files} traces, "
            "replayed by this program: every block table, reference count, hash and free queue)."
        )
