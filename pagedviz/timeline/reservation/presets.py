"""Comparisons to start from; each makes one claim, in both registers, and tests check it.

Leaves out: what happens in them; the stage opens at the run's own `opening`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.timeline.presets import Words
from pagedviz.timeline.reservation.setup import ReservationSetup


@dataclass(frozen=True, slots=True)
class ReservationPreset:
    """A setup with a name and a reason. `sizes`: block sizes to step through, if that is it."""

    id: str
    title: Words
    lead: Words
    setup: ReservationSetup
    sizes: tuple[int, ...] = ()


RESERVATION_PRESETS: tuple[ReservationPreset, ...] = (
    ReservationPreset(
        "mixed",
        Words("Visits of all lengths", "Requests of all lengths"),
        Words(
            "An aisle is promised for the longest visit allowed, and most visits are shorter. "
            "By shelves, more are inside at once, and all are home sooner.",
            "A run of max_model_len slots is reserved per request, and most are shorter. With "
            "blocks, more run at once, and all finish in fewer steps.",
        ),
        ReservationSetup(),
    ),
    ReservationPreset(
        "three-boxes",
        Words("Most brought 3 boxes", "Most prompts have 3 tokens"),
        Words(
            "Most bring 3 boxes and make a few more. An aisle of 128 places is promised to each "
            "all the same, and most of it stays empty.",
            "Most prompts have 3 tokens and answers are short. Each request still reserves 128 "
            "slots, and nearly all of them are never written.",
        ),
        ReservationSetup(mix="three", visitors=30, every=2, seed=4),
    ),
    ReservationPreset(
        "truckload",
        Words("Everyone brings a truckload", "Every request is as long as allowed"),
        Words(
            "Everybody fills nearly the whole aisle. Then the old way is fine: what is promised "
            "is used, and shelves get everybody home hardly sooner.",
            "Every request is close to max_model_len. Then reserving up front is fine: what is "
            "reserved gets used, and paging saves few steps or none.",
        ),
        ReservationSetup(mix="truckload", visitors=12, every=8, seed=2),
    ),
    ReservationPreset(
        "giant",
        Words("One giant", "One giant"),
        Words(
            "One visitor needs the longest visit allowed, all others are short. On the left, "
            "everybody is promised as much as the giant.",
            "One request needs max_model_len tokens, all others are short. The contiguous side "
            "reserves for each as much as for the giant.",
        ),
        ReservationSetup(mix="giant", max_model_len=256, visitors=20, every=3, seed=5),
    ),
    ReservationPreset(
        "block-sizes",
        Words("Shelves of 1 to 256 places", "Block size from 1 to 256"),
        Words(
            "Large shelves leave more places empty on the last one of each visitor; small ones "
            "make long slips. With 128 places a shelf is an aisle, and both rooms do the same.",
            "Large blocks leave a longer unfilled tail per request; small ones make long block "
            "tables. With blocks of 128, one block is max_model_len: both sides do the same.",
        ),
        ReservationSetup(block_size=128),
        sizes=(1, 4, 16, 64, 128, 256),
    ),
    ReservationPreset(
        "known-lengths",
        Words("If lengths were known", "Known lengths (oracle)"),
        Words(
            "Suppose each visit's length were known in advance. No promise is wasted then, but "
            "free pieces are too short for the next, and places wait to be filled.",
            "Suppose output lengths were known. No slot is reserved in vain then, but free runs "
            "are too short for the next request, and reserved slots wait to be written.",
        ),
        ReservationSetup(policy="oracle"),
    ),
    ReservationPreset(
        "chats",
        Words("Chats, an eighth of their size", "Chats at an eighth of their length"),
        Words(
            "Lengths spread as in real chats, divided by 8 so that one can watch: many short "
            "visits and a few long ones.",
            "Log-normal lengths with the ShareGPT means (161 and 338 tokens) divided by 8; so "
            "is max_model_len, from 2,048 to 256.",
        ),
        ReservationSetup(mix="chat", slots=1024, max_model_len=256, visitors=24, every=5, seed=3),
    ),
)


def reservation_preset(key: str) -> ReservationPreset:
    """The preset with this id; KeyError with the known ones if there is none."""
    for preset in RESERVATION_PRESETS:
        if preset.id == key:
            return preset
    known = ", ".join(preset.id for preset in RESERVATION_PRESETS)
    raise KeyError(f"no preset {key!r}; there are {known}")
