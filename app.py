"""The start page: what PagedAttention is, and why one should care, in seven scenes.

`streamlit run app.py` reads this file twice: as the module `app`, which is the server with its
headers, and for each viewer's run as `__main__`, which is the page.
"""

import streamlit as st
from starlette.middleware import Middleware

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.ui import story_link as link
from pagedviz.ui.agreement import agreement_line
from pagedviz.ui.headers import SecurityHeaders
from pagedviz.ui.shell import PAGES, headline, shell, this_is
from pagedviz.ui.story_links import story_links
from pagedviz.ui.story_packed import packed_story, plain_beat
from pagedviz.ui.take import TELLING, take
from pagedviz.ui.words import register, remember_register

LAYOUT = (("chapters",), ("tale", "picture"))
LEAD = {
    "room": "PagedAttention, the memory manager inside vLLM, in 7 scenes and 3 minutes.",
    "engine": "PagedAttention is the KV-cache memory manager inside vLLM: 7 scenes, 3 minutes.",
}
THIS_IS = (
    "Computed here: who gets which block and when, what is shared and kept, what each tail wastes, "
    "which chunks are skipped; by the rules of vLLM and of the Spyre plugin. Made up: the small "
    "rooms and how much each visitor brings. Cited, with the source beside it: dates, the 60 to 80 "
    "percent, the 24 times, the limit of 131,072. Not in here: any measurement of speed."
)

if __name__ == "app":
    app = st.App("app.py", middleware=[Middleware(SecurityHeaders)])
else:
    arrival = shell("start")
    opening = link.arrive(arrival)
    headline(PAGES["start"].question(register()), LEAD[register()])
    stage(
        payload(
            [packed_story()],
            opening,
            layout=LAYOUT,
            known=link.NAMES,
            plain=plain_beat(opening.step),
            panels={"story": {**story_links(), "telling": TELLING}, **take("start")},
        ),
        key="stage",
        on_register=remember_register,
    )
    this_is(THIS_IS)
    agreement_line(spyre=True)
