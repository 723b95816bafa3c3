"""Each published form, read from a few lines written here."""

import json

import pytest

from pagedviz.workload import TraceError, WorkloadError, read_trace
from pagedviz.workload.hits import prefix_hits

AZURE = (
    b"TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    b"2023-11-16 18:17:03.9799600,4808,10\r\n"
    b"2023-11-16 18:17:04.0319600,3180,8\r\n"
    b"2023-11-16 18:17:04.0780000,110,27"
)


def lengths(trace):
    rows = trace.requests
    return list(zip(rows["prompt_tokens"].tolist(), rows["output_tokens"].tolist(), strict=True))


def test_azure_has_seven_digits_and_no_last_line_end():
    trace = read_trace(AZURE, "azure.csv")
    assert lengths(trace) == [(4808, 10), (3180, 8), (110, 27)]
    assert trace.requests["arrival_s"].tolist() == pytest.approx([0, 0.052, 0.09804], abs=1e-9)
    assert trace.requests.index.tolist() == [1, 2, 3]
    assert not trace.knows_prefixes
    assert any("prefix hits cannot be known" in note for note in trace.notes)


def test_dates_with_offsets_and_mixed_fractions_in_one_column():
    trace = read_trace(
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n"
        b"2024-05-12 00:00:00+00:00,1,1\n"
        b"2024-05-12 00:00:00.250000+00:00,2,2\n"
        b"2024-05-12T01:00:01+01:00,3,3\n",
        "azure2024.csv",
    )
    assert trace.requests["arrival_s"].tolist() == [0, 0.25, 1]


def test_a_column_put_in_between_changes_nothing():
    trace = read_trace(
        b"TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2025-01-01 00:00:00,9,20,30\n", "x.csv"
    )
    assert lengths(trace) == [(20, 30)]


def test_burstgpt_with_failed_requests():
    trace = read_trace(
        b"Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,"
        b"Log Type\n"
        b"19440300.0,8b74,4,ChatGPT,1150,90,1240,Conversation log\n"
        b"19440301.0,,1,ChatGPT,300,0,300,API log\n"
        b"19440301.5,,0,GPT-4,0,0,0,API log\n",
        "BurstGPT_3.csv",
    )
    assert trace.form == "BurstGPT"
    assert lengths(trace) == [(1150, 90), (300, 0), (0, 0)]
    assert trace.requests["arrival_s"].tolist() == [0, 1, 1.5]
    assert len(trace.usable) == 1
    assert any("2 rows have no output tokens" in note for note in trace.notes)


def mooncake(*rows):
    names = ("timestamp", "input_length", "output_length", "hash_ids")
    return "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows).encode()


def test_mooncake_is_in_milliseconds_and_knows_its_prefixes():
    data = mooncake((0, 1100, 5, [0, 1, 2]), (3000, 1024, 6, [0, 1]), (3000, 513, 7, [0, 9]))
    trace = read_trace(data, "mooncake.jsonl")
    assert trace.requests["arrival_s"].tolist() == [0, 3, 3]
    assert trace.requests["block_hashes"].tolist() == [(0, 1, 2), (0, 1), (0, 9)]
    assert trace.hash_block_size == 512
    hits = prefix_hits(trace)
    assert (hits.hit_ids, hits.hit_tokens_all_ids) == (3, 1024 + 512)
    assert hits.hit_tokens_full_blocks == 512 + 512


def test_mooncake_with_too_few_ids_is_named():
    data = mooncake((0, 6758, 5, list(range(14))), (1, 6758, 5, [0, 1]), (2, 10, 5, "no"))
    trace = read_trace(data, "mooncake.jsonl")
    assert trace.rejected.to_dict("records") == [
        {
            "row": 2,
            "column": "hash_ids",
            "reason": "has 2 ids of blocks of 512; 6,758 prompt tokens need 14",
        },
        {"row": 3, "column": "hash_ids", "reason": "is not a list of whole numbers"},
    ]


def test_llmservingsim_is_in_nanoseconds_and_compares_token_ids():
    rows = [
        {"input_toks": 17, "output_toks": 7, "arrival_time_ns": 5 * 10**8, "input_tok_ids": ids}
        for ids in (list(range(17)), [*range(16), 99])
    ]
    data = "\n".join(map(json.dumps, rows)).encode()
    trace = read_trace(data, "x.jsonl")
    assert trace.requests["block_hashes"].tolist() == [(0, 1), (0, 2)]
    assert prefix_hits(trace).hit_tokens_full_blocks == 16


def test_agentic_rows_without_lengths_are_named():
    rows = b'{"input_toks": 1, "output_toks": 1, "arrival_time_ns": 0}\n{"sub_requests": []}\n'
    trace = read_trace(rows, "x.jsonl")
    assert trace.rejected["row"].unique().tolist() == [2]
    assert "is empty" in trace.rejected["reason"].tolist()


def test_vidur_may_have_no_arrivals():
    trace = read_trace(
        b"num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n3,5,8,.6\n", "v.csv"
    )
    assert lengths(trace) == [(3, 5)]
    assert any("no times of arrival" in note for note in trace.notes)


BENCH = {"total_input_tokens": 30, "completed": 1, "failed": 1, "request_throughput": 1.0}


def test_a_benchmark_result_with_lengths():
    found = {**BENCH, "input_lens": [10, 20], "output_lens": [7, 0], "start_times": [100.5, 102]}
    trace = read_trace(json.dumps(found).encode(), "bench.json")
    assert lengths(trace) == [(10, 7), (20, 0)]
    assert trace.requests["arrival_s"].tolist() == [0, 1.5]
    assert any("1 row has no output tokens" in note for note in trace.notes)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "--save-detailed"),
        ({"input_lens": [1]}, "output_lens is missing"),
        ({"input_lens": [1], "output_lens": [1, 2]}, "input_lens 1, output_lens 2"),
    ],
)
def test_a_benchmark_result_without_lengths_says_what_to_do(more, said):
    with pytest.raises(TraceError, match=said):
        read_trace(json.dumps(BENCH | more).encode(), "bench.json")


def turns(*said):
    return [{"from": role, "value": text} for role, text in said]


def test_conversations_count_the_first_answer_to_a_person():
    human, gpt = ("human", "hello world"), ("gpt", "hello world hello world")
    records = [
        {"conversations": turns(human, gpt, ("human", "more"), ("gpt", "x"))},
        {"conversations": turns(("gpt", "hello world"), human, gpt)},
        {"conversations": turns(("system", "hello world"), human, gpt)},
        {"items": turns(("user", "hello world"), ("assistant", "hello world"))},
        {"conversations": []},
        {"conversations": turns(human)},
        {"conversations": [{"from": "human"}]},
        {"something": 1},
        7,
    ]
    trace = read_trace(json.dumps(records).encode(), "sg.json")
    # "hello world" is 2 tokens of cl100k_base, the line break between two turns is one more
    assert lengths(trace) == [(2, 4), (5, 4), (5, 4), (2, 2)]
    assert dict(zip(trace.rejected["row"], trace.rejected["reason"], strict=True)) == {
        5: "has no turns",
        6: "has no answer to a person",
        7: "turn 1 has no text or nobody who says it: {'from': 'human'}",
        8: "has no list of turns (conversations or items)",
        9: "is not an object",
    }
    assert trace.knows_prefixes


# ---- columns named by the user

OWN = b"when,in,out\n1500,10,20\n500,11,21\n"
NAMES = {"prompt_tokens": "in", "output_tokens": "out"}


@pytest.mark.parametrize(
    ("unit", "seconds"),
    [("s", [1000, 0]), ("ms", [1, 0]), ("us", [0.001, 0]), ("ns", [1e-6, 0])],
)
def test_own_columns_with_a_unit(unit, seconds):
    trace = read_trace(OWN, "own.csv", NAMES | {"arrival_s": "when", "arrival_unit": unit})
    assert lengths(trace) == [(10, 20), (11, 21)]
    assert trace.requests["arrival_s"].tolist() == pytest.approx(seconds)
    assert any("not in the order of arrival" in note for note in trace.notes)


def test_own_columns_without_arrival_and_in_jsonl():
    trace = read_trace(b'{"in": 1, "out": 2}\n{"in": "3", "out": 4}\n', "own.jsonl", NAMES)
    assert lengths(trace) == [(1, 2), (3, 4)]
    assert trace.requests["arrival_s"].tolist() == [0, 0]


def test_own_columns_with_block_ids():
    data = b'{"in": 5, "out": 2, "ids": [4, 9]}'
    columns = NAMES | {"block_hashes": "ids", "hash_block_size": "4"}
    trace = read_trace(data + b"\n" + data, "own.jsonl", columns)
    assert prefix_hits(trace).hit_tokens_full_blocks == 4


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        ({"prompt_tokens": "in"}, TraceError, "needs a column for output_tokens"),
        (NAMES | {"prompt_tokens": "input"}, TraceError, 'no column "input" for prompt_tokens'),
        (NAMES | {"arrival_s": "when"}, WorkloadError, "arrival_unit must be one of"),
        (NAMES | {"arrival_s": "when", "arrival_unit": "min"}, WorkloadError, "not 'min'"),
        (NAMES | {"tokens": "in"}, WorkloadError, "columns has no 'tokens'"),
        (NAMES | {"block_hashes": "in"}, WorkloadError, "hash_block_size must be"),
    ],
)
def test_columns_that_are_not_said_or_not_there(columns, error, said):
    with pytest.raises(error, match=said):
        read_trace(OWN, "own.csv", columns)


def test_an_unknown_form_names_the_columns_to_choose_from():
    with pytest.raises(TraceError, match="Say which column holds") as caught:
        read_trace(OWN, "own.csv")
    assert caught.value.columns == ("when", "in", "out")
