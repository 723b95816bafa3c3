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
    tallies = (found.vllm, found.spyre, found.spyre_runs) if spyre else (found.vllm,)
    differing = [name for tally in tallies for name in tally.differing]
    if not all(tally.files for tally in tallies):
        st.warning("The recorded traces are not in this copy: nothing was replayed.")
    elif differing:
        files = sum(tally.files for tally in tallies)
        st.error(
            f"Differs from {'what was recorded' if spyre else 'vLLM 0.33.0'} on "
            f"{len(differing)} of {files} recorded traces: {', '.join(differing)}. Do not "
            "trust the picture until that is mended."
        )
    else:
        more = (
            " Spyre's rules: agrees with the plugin (sendnn-inference 2.6.3, vllm-spyre 1.10.0) "
            f"on {found.spyre.agreeing:,} recorded cases and {found.spyre_runs.agreeing:,} "
            "recorded steps."
            if spyre
            else ""
        )
        st.caption(
            f"Agrees with vLLM 0.33.0 on {found.vllm.agreeing:,} recorded steps "
            f"({found.vllm.files} traces, replayed by this program: every block table, "
            f"reference count, hash and free queue).{more}"
        )
