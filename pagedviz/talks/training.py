"""Thirty minutes of training, with exercises: what to ask the class, and what should come out.

The answers were taken from the pages themselves (tests open every view). Leaves out: installing
and running vLLM.
"""

from pagedviz.talks.talk import Stop, Talk

TRAINING = Talk(
    "training",
    "Thirty minutes of training",
    (
        Stop(
            "/?scene=2&beat=1",
            "Why memory runs out",
            "2 minutes. Ask before the third beat: how much of the aisle does an average chat use? "
            "Answer: 499 of 2,048 places, 24.4 percent.",
            presses=5,
        ),
        Stop(
            "/allocator?preset=one-visitor&step=0&quiz=1",
            "A shelf only when the last one is full",
            "3 minutes. Step with the arrow keys; the picture stops and asks, a press shows the "
            "answer. Let hands be raised first. When does the next shelf come? With the first box "
            "that finds the last shelf full, not before.",
        ),
        Stop(
            "/allocator?preset=three-visitors&step=0",
            "Three visitors",
            "3 minutes. Let the class say aloud which shelf comes next: it is always the head of "
            "the queue. Point at a shelf: list and shelf light up together.",
            presses=4,
        ),
        Stop(
            "/allocator?preset=three-visitors&step=23&quiz=1",
            "Exercise: refused",
            "2 minutes. A press asks, the next one shows it: C needs 18 shelves and the queue has "
            "17. Nothing happens at all: it is all or nothing, and C waits. What would help? Fewer "
            "boxes, a larger room, or that A or B leaves.",
            presses=1,
        ),
        Stop(
            "/allocator?preset=preemption&step=38&quiz=1",
            "Exercise: sent back to the door",
            "2 minutes. Who has to go? Whoever came last. Asked often: is the work lost? What kept "
            "its label on a shelf is found again; the rest is worked out anew. vLLM today swaps "
            "nothing out.",
            presses=2,
        ),
        Stop(
            "/reservation?preset=mixed&step=53",
            "The old way beside the new",
            "3 minutes. The same visitors on both sides. Exercise: read off who waits on the left. "
            "Then press End: all are home sooner on the right.",
        ),
        Stop(
            "/reservation?preset=truckload&step=0",
            "Exercise: where is there no gain?",
            "2 minutes. When everybody fills nearly the whole aisle, both sides do about the same. "
            "Honest answer to: is paging always better? No, it helps where lengths differ or are "
            "unknown.",
        ),
        Stop(
            "/prefix?preset=time-stamp&step=2&quiz=1",
            "Exercise: where do you put the time?",
            "3 minutes. The picture asks how much each of them finds. Then let the class move the "
            "time from the front to the end of the text and see the labels agree again. Rule: what "
            "changes belongs at the end.",
            presses=6,
        ),
        Stop(
            "/prefix?preset=chunks-3000&step=3&quiz=1",
            "Whole chunks on Spyre",
            "2 minutes. 2,500 of 3,000 tokens are the same: vLLM finds 2,496, a Spyre card with "
            "chunks of 1,024 reuses 1,984. Ask: what with chunks of 512? All 2,496.",
            presses=1,
        ),
        Stop(
            "/attention?step=0",
            "Scattered, and still exact",
            "3 minutes. Step through one block. Then press M: every block moves, the answer stays "
            "the same to the last bit. Press Z for the numbers.",
            presses=5,
        ),
        Stop(
            "/spyre?part=limit",
            "How many fit",
            "2 minutes. Exercise: how many with 8,192 boxes each? 16. And with 4,097? 31, since "
            "one more would pass 131,072.",
        ),
        Stop(
            "/spyre?part=mix&mix=one-long&step=0&quiz=1",
            "One long one changes it for all",
            "2 minutes. 1 of 30,000 beside 31 short ones: how many write together? Only 4. Ask "
            "why: the longest row counts for everybody at the table.",
            presses=3,
        ),
        Stop(
            "/spyre?part=differ",
            "Published, and what the software does",
            "1 minute. Close with what you would look up: which release, how many cards, which "
            "model.",
        ),
    ),
    minutes=30,
    about="For a class with the app open: look, predict, step, check. The picture asks before some "
    "steps; exercises and their answers are in the notes.",
)
