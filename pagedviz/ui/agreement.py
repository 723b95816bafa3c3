"""One line of fact about the app itself: on how many recorded steps it agrees with vLLM.

Never typed: the recordings are replayed once per process, when the line is first shown.
"""

import streamlit as st

from pagedviz.conformance import Agreement, recorded_agreement


@st.cache_resource(show_spinner="Replaying the recorded steps of vLLM ...")
def _agreement() -> Agreement:
    return recorded_agreement()


def agreement_line(spyre: bool = False) -> None:
    """Draw the line; it says so if a trace differs or none is there.

    `spyre`: also speak of the Spyre plugin's recorded answers, on pages that use its rules.
    """
    found = _agreement()
    differing = found.vllm.differing + (found.spyre.differing if spyre else ())
    if not found.vllm.files or (spyre and not found.spyre.files):
        st.warning("The recorded traces are not in this copy: nothing was replayed.")
    elif differing:
        files = found.vllm.files + (found.spyre.files if spyre else 0)
        st.error(
            f"Differs from {'what was recorded' if spyre else 'vLLM 0.33.0'} on "
            f"{len(differing)} of {files} recorded traces: {', '.join(differing)}. Do not "
            "trust the picture until that is mended."
        )
    else:
        more = (
            f" Spyre's chunk rule: agrees with sendnn-inference 2.6.3 on "
            f"{found.spyre.agreeing} recorded cases."
            if spyre
            else ""
        )
        st.caption(
            f"Agrees with vLLM 0.33.0 on {found.vllm.agreeing:,} recorded steps "
            f"({found.vllm.files} traces, replayed by this program: every block table, "
            f"reference count, hash and free queue).{more}"
        )
