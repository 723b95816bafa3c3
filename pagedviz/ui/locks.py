"""Controls that a trainer's link locks or leaves out: `lock=size,seed` and `hide=file`.

A locked control shows its value and cannot be moved; a hidden one is not drawn. What they are set
to comes from the rest of the link. It holds for this window and page until a link says otherwise;
it keeps a class together, and keeps nobody out: an address can be changed by hand.

Leaves out: controls on the stage itself (the prompts, the sliders of the limit), but for the
switch of the quiz, which the stage is told about (`quiz.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import streamlit as st

PAGE, STATE = "locks.page", "locks.of"
QUIZ: Final = "Questions before some steps"
# Page -> name in the link -> what it is called for a trainer, in the order of the page.
LEVERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "allocator": {
            "preset": "Run to start from",
            "shelves": "Number of blocks",
            "size": "Block size",
            "keep": "Prefix caching",
            "arrive": "A request arrives",
            "write": "Write tokens",
            "leave": "Leave",
            "clear": "Clear kept blocks",
            "drive": "Let the scheduler drive",
            "undo": "Undo and redo",
            "empty": "Empty the pool",
            "file": "Save and open files",
            "quiz": QUIZ,
        },
        "reservation": {
            "preset": "Preset",
            "policy": "What is reserved",
            "slots": "Memory",
            "longest": "Longest request",
            "size": "Block size",
            "people": "The requests",
            "sizes": "Row of block sizes",
        },
        "prefix": {
            "preset": "Preset",
            "size": "Block size",
            "shelves": "Number of blocks",
            "chunk": "Chunk size",
            "keep": "Prefix caching",
            "tokenizer": "Tokenizer",
            "quiz": QUIZ,
        },
        "attention": {
            "text": "Sentence",
            "tokens": "Tokens",
            "size": "Block size",
            "heads": "Query heads",
            "kv": "KV heads",
            "dim": "Head size",
            "seed": "Seed",
            "numbers": "How numbers are kept",
        },
        "spyre": {
            "part": "Parts of the page",
            "mix": "Preset of the mix",
            "list": "List of requests",
            "server": "Server",
            "release": "Plugin release",
            "scene": "Scene",
            "other": "The scene's one change",
            "beside": "Stock vLLM beside it",
            "quiz": QUIZ,
        },
        "sizing": {
            "model": "Model",
            "where": "Where it runs",
            "card": "Card or configuration",
            "lengths": "Prompt and answer lengths",
            "own": "Your own model",
            "more": "Everything else",
        },
        "workload": {
            "load": "Traffic",
            "many": "How many, how often",
            "memory": "Memory",
            "size": "Block size",
            "lengths": "Lengths of the traffic",
            "limits": "Limits and clock",
            "paper": "The paper's setting",
        },
    }
)


def on(page: str) -> None:
    """Name the page that is drawn, whose controls are asked for below."""
    st.session_state[PAGE] = page


def arrive(page: str, params: Mapping[str, str]) -> tuple[str, ...]:
    """Take over what a link locks and hides on its page.

    Returns a sentence for each thing that could not be used.
    """
    if not {"lock", "hide"} & set(params):
        return ()
    held, problems = read(page, params)
    st.session_state[STATE] = {**_state(), page: held}
    return problems


def read(page: str, params: Mapping[str, str]) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Name -> "lock" or "hide", and what was wrong. What is hidden needs no lock.

    >>> read("prefix", {"lock": "size,seed", "hide": "size"})[0]
    {'size': 'hide'}
    >>> for problem in read("prefix", {"lock": "size,seed", "hide": "size"})[1]: print(problem)
    lock: there is no control "seed" here; there are preset, size, shelves, chunk, keep,
    tokenizer, quiz
    lock and hide: both name size; it is hidden
    >>> read("glossary", {"lock": "size"})
    ({}, ('lock: this page has no controls that can be locked',))
    """
    known = LEVERS.get(page, {})
    found: dict[str, str] = {}
    problems: list[str] = []
    asked = {how: _names(params.get(how, "")) for how in ("lock", "hide")}
    for how, names in asked.items():
        if names and not known:
            done = "locked" if how == "lock" else "hidden"
            problems.append(f"{how}: this page has no controls that can be {done}")
            continue
        for name in names:
            if name in known:
                found[name] = how
            else:
                there_are = ", ".join(known)
                problems.append(
                    f'{how}: there is no control "{name[:30]}" here; there are {there_are}'
                )
    both = [name for name in asked["lock"] if name in asked["hide"] and name in known]
    if both:
        verb = "it is" if len(both) == 1 else "they are"
        problems.append(f"lock and hide: both name {', '.join(both)}; {verb} hidden")
    return found, tuple(problems)


def locked(name: str) -> bool:
    """Whether this control of the page shows its value and cannot be moved."""
    return _held().get(name) == "lock"


def hidden(name: str) -> bool:
    """Whether this control of the page is not drawn."""
    return _held().get(name) == "hide"


def held(page: str) -> Mapping[str, str]:
    """What holds on a page: name -> "lock" or "hide"."""
    return _state().get(page, {})


def _held() -> Mapping[str, str]:
    return held(st.session_state.get(PAGE, ""))


def _state() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = st.session_state.get(STATE, {})
    return found


def _names(text: str) -> list[str]:
    """The names in a list with commas, each once; a link has 50 at most."""
    return list(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))[:50]
