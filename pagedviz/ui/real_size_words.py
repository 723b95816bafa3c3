"""The words of "Run it at real size", in both registers."""

from pagedviz.timeline.captions import Register

ROOM = {
    "lead": "One layer of a real model: every visitor asks one question, and all of the visitor's boxes are read. Once from shelves all over the room, once from one long row.",
    "shape": "Model",
    "own": "Own",
    "num_heads": "Heads that ask",
    "num_kv_heads": "Heads kept (KV)",
    "head_size": "Numbers per head",
    "context": "Boxes per visitor",
    "num_seqs": "Visitors",
    "block_size": "Boxes per shelf",
    "kv_dtype": "Numbers kept as",
    "ahead": "A helper fetches ahead",
    "ahead_help": "Off: both ways are held to one core of this server. On: when shelves are read one by one, a second core fetches the next ones meanwhile. In one long row there is nothing to fetch.",
    "need": "This takes **{total}** of this server's memory while it runs; {limit}.",
    "parts": "How that is reckoned",
    "paged": "boxes on shelves",
    "dense": "the same in one row",
    "table": "the slips",
    "vectors": "questions and answers",
    "working": "at work",
    "too_large": "{total} is too much: {limit}. {nearest}",
    "nearest": "With {context} boxes per visitor it fits{or_seqs}.",
    "or_seqs": ", or with {seqs}",
    "only_seqs": "With {seqs} it fits.",
    "seqs": "visitor|visitors",
    "nothing_fits": "Not even one box fits: choose a smaller model.",
    "missing": "A number is missing. Fill in every field.",
    "run": "Run it",
    "cancel": "Cancel",
    "waiting_one": "Somebody else's run is going on. Yours begins when it is over.",
    "waiting_more": "Somebody else's run is going on, and {n} more wait before yours.",
    "start": "Starting ...",
    "fill": "Putting boxes on shelves: {done} %",
    "warm-up": "Reading once for practice, not counted",
    "repetition": "Reading {done} of {of}: {paged} by shelf, {dense} in one row",
    "sentence": "Shelf by shelf took {ratio} times as long as all boxes in one row: {paged} against {dense}, {n}, {low} to {high}.",
    "repetitions": "reading|readings",
    "of": "{shape}: {heads} heads ask, {kv} are kept, {size} numbers each; {seqs} with {context} boxes each, {block} to a shelf, kept as {dtype}.",
    "here": "Measured on this server during this visit, {where}, at low priority: what else the server did is in the times. The first reading of both is not counted.",
    "one_core": "both ways on the same one core",
    "two_cores": "the shelves with a helper on a second core",
    "cost": "the price of shelves, measured here",
    "difference": "largest difference of all answers",
    "published": "slower, as published for GPUs",
    "source": "Published: attention kernel of vLLM against FasterTransformer's, Kwon et al., SOSP 2023, section 7. A CPU that calculates with numpy is another world: fetching and calculating cost other amounts here, so the two figures cannot be compared.",
    "measure": "",
    "by_paged": "shelf by shelf",
    "by_dense": "in one row",
    "median": "middle time",
    "fastest": "fastest",
    "slowest": "slowest",
    "kv_read": "read from boxes",
    "table_read": "read from slips",
    "error": "off the exact answer (64 bit), first head",
    "fail_too large": "There is no longer enough memory for it. Choose less, and run it again.",
    "fail_memory": "The memory could not be had, so the run was ended. Choose less, and run it again.",
    "fail_killed": "The system ended the run, most likely because memory ran out. Choose less, and run it again.",
    "fail_crashed": "The run broke off for a reason of its own; the server's log says which. Nothing else is touched.",
    "fail_too long": "The run was ended: one may take {seconds} seconds at most. Choose less, and run it again.",
    "fail_left": "The run was ended because nobody was watching for {away} seconds.",
    "fail_full": "Too many runs wait already. Try again in a minute.",
}
ENGINE = {
    "lead": "One layer of a real model, one decode step for every sequence: the paged kernel over blocks in shuffled physical order, and dense attention over contiguous memory.",
    "shape": "Model shape",
    "own": "Own shape",
    "num_heads": "Query heads",
    "num_kv_heads": "KV heads",
    "head_size": "Head size",
    "context": "Context (tokens)",
    "num_seqs": "Sequences",
    "block_size": "block_size",
    "kv_dtype": "KV dtype",
    "ahead": "Copy ahead on a second core",
    "ahead_help": "Off: both kernels are held to one core of this server. On: the paged kernel's helper thread copies the next group of blocks on a second core. Dense attention has nothing to copy.",
    "need": "This takes **{total}** of this server's memory while it runs; {limit}.",
    "parts": "How that is computed",
    "paged": "KV cache in blocks",
    "dense": "the same, contiguous",
    "table": "block tables",
    "vectors": "queries and outputs",
    "working": "working memory",
    "too_large": "{total} is too much: {limit}. {nearest}",
    "nearest": "A context of {context} tokens fits{or_seqs}.",
    "or_seqs": ", or {seqs}",
    "only_seqs": "With {seqs} it fits.",
    "seqs": "sequence|sequences",
    "nothing_fits": "Not even one token fits: choose a smaller shape.",
    "missing": "A number is missing. Fill in every field.",
    "run": "Run it",
    "cancel": "Cancel",
    "waiting_one": "Somebody else's run is going on. Yours starts when it is over.",
    "waiting_more": "Somebody else's run is going on, and {n} more are queued before yours.",
    "start": "Starting the worker ...",
    "fill": "Filling the caches: {done} %",
    "warm-up": "Warm-up, not counted",
    "repetition": "Repetition {done} of {of}: paged {paged}, dense {dense}",
    "sentence": "Paged took {ratio} times as long as dense over contiguous memory: {paged} against {dense}, {n}, {low} to {high}.",
    "repetitions": "repetition|repetitions",
    "of": "{shape}: {heads} query heads, {kv} KV heads x {size}; {seqs} of {context} tokens, block_size {block}, {dtype} KV.",
    "here": "Measured on this server during this visit, {where}, one BLAS thread, low priority: other load is in the times. Kernels in turns, medians, one warm-up of each not counted.",
    "one_core": "both kernels held to the same core",
    "two_cores": "the paged kernel free to copy ahead on a second core",
    "cost": "cost of paging, measured here",
    "difference": "largest absolute difference, paged - dense",
    "published": "slower, as published for GPUs",
    "source": "Published: vLLM's attention kernel against FasterTransformer's, Kwon et al., SOSP 2023, section 7. A CPU in numpy is another world: what a copy costs against arithmetic differs, so the two figures cannot be compared.",
    "measure": "",
    "by_paged": "paged",
    "by_dense": "dense",
    "median": "median",
    "fastest": "fastest",
    "slowest": "slowest",
    "kv_read": "K and V read",
    "table_read": "block tables read",
    "error": "largest difference from float64, first head",
    "fail_too large": "There is no longer enough memory for it. Choose less, and run it again.",
    "fail_memory": "The memory could not be allocated, so the run was ended. Choose less, and run it again.",
    "fail_killed": "The system killed the worker, most likely because memory ran out. Choose less, and run it again.",
    "fail_crashed": "The worker failed; the server's log says why. Nothing else is affected.",
    "fail_too long": "The run was ended: one may take {seconds} seconds at most. Choose less, and run it again.",
    "fail_left": "The run was ended because its page was not open for {away} seconds.",
    "fail_full": "Too many runs are queued already. Try again in a minute.",
}
WORDS: dict[Register, dict[str, str]] = {"room": ROOM, "engine": ENGINE}
TITLE = "Run it at real size"
LIMIT_HALF = "at most {limit} may be used, half of the {available} that is free now"
LIMIT_MOST = "at most {limit} may be used, however much is free"
LIMIT_UNKNOWN = "at most {limit} may be used, since this system does not tell what is free"


def in_bytes(count: int) -> str:
    """A number of bytes as people read it, in powers of 1,024.

    >>> in_bytes(2048), in_bytes(83_886_080), in_bytes(4 * 2**30), in_bytes(100)
    ('2 KiB', '80 MiB', '4 GiB', '100 bytes')
    >>> in_bytes(1_600_000_000)
    '1.49 GiB'
    """
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            digits = 2 if count < 10 * size else 1 if count < 100 * size else 0
            text = f"{count / size:,.{digits}f}"
            return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {unit}"
    return f"{count:,} {'byte' if count == 1 else 'bytes'}"


def in_time(seconds: float) -> str:
    r"""A time, three digits of it.

    >>> in_time(0.0123), in_time(1.5), in_time(0.000045)
    ('12.3\xa0ms', '1.50\xa0s', '0.045\xa0ms')
    """
    number, unit = (seconds, "s") if seconds >= 1 else (seconds * 1000, "ms")
    digits = 3 if number < 1 else 2 if number < 10 else 1 if number < 100 else 0
    return f"{number:,.{digits}f}\N{NO-BREAK SPACE}{unit}"


def in_tens(value: float) -> str:
    r"""A small number as a power of ten, 0 as it is.

    >>> in_tens(6.04e-8), in_tens(0.0)
    ('6.0\xa0·\xa010⁻⁸', '0')
    """
    if value == 0:
        return "0"
    number, power = f"{value:.1e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{number}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{raised}"


def counted(count: int, nouns: str) -> str:
    """A number with its noun, of 'one|many'.

    >>> counted(1, "visitor|visitors"), counted(1200, "visitor|visitors")
    ('1 visitor', '1,200 visitors')
    """
    one, many = nouns.split("|")
    return f"{count:,} {one if count == 1 else many}"
