"""Three minutes for a stakeholder: the story, one beat after the other, and where it leads.

Figures: those of the views it leads through (`pagedviz.facts`). Leaves out: formulas.
"""

from pagedviz.talks.talk import Stop, Talk

STAKEHOLDER = Talk(
    "three-minutes",
    "Three minutes for a stakeholder",
    (
        Stop(
            "/?scene=1&beat=1",
            "Memory grows with every word",
            "An AI model keeps notes on everything it has read, and it needs them for every "
            "further word. Nobody knows at the start how many there will be. 25 seconds.",
            presses=5,
        ),
        Stop(
            "/?scene=2&beat=1",
            "The old way locks an aisle for everybody",
            "Point at the empty part. 1.68 GB for one conversation, three quarters of it unused. "
            "The published range for older systems is 60 to 80 percent. 30 seconds.",
            presses=5,
        ),
        Stop(
            "/?scene=3&beat=1",
            "One shelf at a time",
            "The idea is older than AI: memory in pages, as IBM i has long had it. Stay on the "
            "slip of paper at the end: the shelves may stand anywhere. 30 seconds.",
            presses=5,
        ),
        Stop(
            "/?scene=4&beat=4",
            "What is left over",
            "Only the end of each last shelf is empty. Published: under 4 percent. 20 seconds.",
            presses=1,
        ),
        Stop(
            "/?scene=5&beat=4",
            "The same words are kept once",
            "If all your users begin with the same instructions, these are worked out once. "
            "15 seconds.",
            presses=1,
        ),
        Stop(
            "/?scene=6&beat=8",
            "On IBM Power 11",
            "Three ceilings. Say it honestly: 131,072 belongs to models of 8 billion parameters on "
            "four cards, and the longest visitor counts for all. 30 seconds.",
            presses=3,
        ),
        Stop(
            "/?scene=7&beat=1",
            "What came of it",
            "Up to 24 times Hugging Face Transformers according to the announcement, 2 to 4 times "
            "in the paper; these are figures of 2023, and nothing here measures speed. Ask: which "
            "of your uses has many people with long texts? 20 seconds.",
            presses=4,
        ),
    ),
    minutes=3,
    about="The seven scenes of the story, shortened: why memory decides how many people can use a "
    "model at once.",
)
