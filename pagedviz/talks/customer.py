"""Fifteen minutes with a customer about sizing a Spyre server.

Leaves out: prices and speed, of which the app knows nothing.
"""

from pagedviz.talks.talk import Stop, Talk

CUSTOMER = Talk(
    "spyre-sizing",
    "Fifteen minutes about Spyre sizing",
    (
        Stop(
            "/?scene=6&beat=1",
            "What the card is",
            "1 minute. A PCIe card for Power 11, 75 W; vLLM runs on it in Red Hat AI Inference "
            "Server or OpenShift AI. The drawer it sits in is according to IBM, unconfirmed by a "
            "second source.",
            presses=3,
        ),
        Stop(
            "/spyre?part=limit",
            "How many at once: the published limit",
            "3 minutes. First ask: how long is a typical question with its papers, how long an "
            "answer? Set that length and read off how many. The three squares are IBM's own rows. "
            "Say it now, not when asked: the figure belongs to 8-billion-class models on four "
            "cards.",
        ),
        Stop(
            "/spyre?part=cards",
            "One card, two, four",
            "2 minutes. Find the customer's model and cards. Asked: is it the card's memory? No: "
            "131,072 tokens of an 8B model are 20 GiB, 5 GiB a card of 128 GB. It is the largest "
            "shape that the compiler supports.",
        ),
        Stop(
            "/spyre?part=mix&mix=documents&step=1",
            "A mix of lengths",
            "3 minutes. Put in the customer's own list. The longest one counts for all at the "
            "table; those that do not fit sit out and take turns, they are not thrown out.",
            presses=3,
        ),
        Stop(
            "/spyre?part=run&scene=no-max-tokens&step=1",
            "Say how long an answer may be",
            "2 minutes. Since plugin 2.2 each request is promised its prompt and max_tokens in "
            "blocks. Without max_tokens it is promised the longest there is, and others wait. "
            "Have every client set max_tokens to what an answer needs.",
            presses=4,
        ),
        Stop(
            "/prefix?preset=chunks-3000&step=4",
            "What is the same is kept, by whole chunks",
            "1 minute. Helps when prompts share a long beginning: one chunk at least. Up to Stack "
            "1.1 it has to be switched on; in plugin 2.x it is on.",
        ),
        Stop(
            "/sizing?model=granite-3.3-8b&where=spyre&prompt=3000&answer=500",
            "The customer's model in figures",
            "2 minutes. Type the lengths that were named. Memory and limits only: it says nothing "
            "about speed. Take the sheet along for the offer.",
        ),
        Stop(
            "/spyre?part=differ",
            "Where published and actual differ",
            "1 minute. Leave it on the screen for questions. Promise a test with the customer's "
            "own traffic before a number goes into a contract.",
        ),
    ),
    minutes=15,
    about="From the customer's own lengths to how many at once, with what IBM publishes beside "
    "what the software does.",
)
