"""Public traces and bad files, where they lie beside the project (../shared/cases)."""

import json
from math import ceil

import pytest

from pagedviz.paths import ROOT
from pagedviz.workload import SimulationSetup, TraceError, read_trace, simulate
from pagedviz.workload.hits import prefix_hits
from pagedviz.workload.trace import length_sums

CASES = ROOT.parent / "shared" / "cases"
EXPECTED = CASES / "traces" / "EXPECTED.json"

pytestmark = pytest.mark.skipif(
    not EXPECTED.is_file(), reason="no ../shared/cases beside the project; small fixtures are here"
)

FILES = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.is_file() else {}


def read(folder, name):
    return read_trace((CASES / folder / name).read_bytes(), name)


@pytest.mark.parametrize("name", FILES)
def test_sums_of_a_public_trace(name):
    trace, wanted = read("traces", name), FILES[name]
    rows = trace.requests
    total = rows["prompt_tokens"] + rows["output_tokens"]
    found = {
        "rows": len(rows),
        "input_sum": rows["prompt_tokens"].sum(),
        "output_sum": rows["output_tokens"].sum(),
        "input_mean": round(int(rows["prompt_tokens"].sum()) / len(rows), 3),
        "output_mean": round(int(rows["output_tokens"].sum()) / len(rows), 3),
        "input_max": rows["prompt_tokens"].max(),
        "output_max": rows["output_tokens"].max(),
        "total_p50": total.sort_values().iloc[ceil(0.5 * len(rows)) - 1],
        "total_p95": total.sort_values().iloc[ceil(0.95 * len(rows)) - 1],
        "total_max": total.max(),
        "zero_output_rows": (rows["output_tokens"] == 0).sum(),
        "zero_input_rows": (rows["prompt_tokens"] == 0).sum(),
        "span_seconds": round(rows["arrival_s"].max(), 3),
    }
    for size in (16, 64):
        sums = length_sums(trace, size)
        found[f"blocks{size}_sum"] = sums.blocks
        found[f"waste{size}_pct"] = round(100 * sums.waste, 3)
    assert found == {key: wanted.get(key, found[key]) for key in found}
    assert trace.rejected.empty


def test_prefix_hits_of_the_mooncake_trace():
    name = "mooncake_conversation_1000.jsonl"
    trace, wanted = read("traces", name), FILES[name]
    hits = prefix_hits(trace)
    assert hits.ids == wanted["hash_ids_total"]
    assert hits.unique_ids == wanted["hash_ids_unique"]
    assert hits.hit_ids == wanted["prefix_hit_ids_infinite_cache"]
    assert hits.hit_tokens_all_ids == wanted["hit_tokens_all_ids"]
    assert hits.hit_tokens_full_blocks == wanted["hit_tokens_full_blocks_last_token_rule"]
    assert round(hits.token_hit_rate, 6) == wanted["token_hit_rate_full_blocks"]
    # The real block manager, with a memory that never evicts, finds the same.
    setup = SimulationSetup(2**24, 512, 4000, systems=("paged",))
    assert simulate(trace, setup).systems["paged"].hit_tokens == hits.hit_tokens_full_blocks


@pytest.mark.parametrize(
    ("name", "rows", "sums"),
    [
        ("burstgpt_v2_schema_with_api_rows_CONSTRUCTED.csv", 4, (3910, 207)),
        ("vllm_bench_serve_detailed_CONSTRUCTED.json", 6, (5724, 1203)),
        ("llmservingsim_example_trace.jsonl", 10, (120, 591)),
    ],
)
def test_other_traces(name, rows, sums):
    requests = read("traces", name).requests
    assert len(requests) == rows
    assert (requests["prompt_tokens"].sum(), requests["output_tokens"].sum()) == sums


def test_the_conversations_keep_four_of_five():
    trace = read("traces", "sharegpt_schema_CONSTRUCTED.json")
    assert trace.requests.index.tolist() == [1, 2, 4, 5]
    assert trace.rejected.to_dict("records") == [{"row": 3, "column": "", "reason": "has no turns"}]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("01_truncated_config.json", "ends early, at line"),
        ("02_bom_config.json", "one JSON object, not a list"),
        ("10_empty.csv", "is empty"),
        ("10b_header_only.csv", "no data rows"),
        ("10c_whitespace_only.json", "is empty"),
        ("11_zip_renamed.csv", "ZIP archive"),
        ("19_array_of_configs.json", "no columns of a form"),
        ("19b_wrong_file_tokenizer_config.json", "not a list of requests"),
        ("20_html_login_page_saved_as_config.json", "HTML page"),
        ("22_deep_nesting_config.json", "nested too deeply"),
    ],
)
def test_bad_files_that_cannot_be_read(name, said):
    with pytest.raises(TraceError, match=said):
        read("bad", name)


@pytest.mark.parametrize(
    ("name", "rows", "sums", "rejected"),
    [
        ("04_crlf_no_final_newline.csv", [1, 2, 3], (8098, 45), []),
        ("05_utf16_excel_export.csv", [1, 2, 3], (8098, 45), []),
        ("07_nan_inf_negative.csv", [4], (1360, 647), [1, 2, 3, 5]),
        ("09_duplicate_header_mid_file.csv", [1, 2, 3, 5, 6, 7], (16196, 90), []),
        ("15_formula_injection.csv", [1, 2, 3, 4], (3336, 1171), []),
        ("24_nul_bytes.csv", [1, 3], (4918, 37), [2]),
        ("25_latin1_model_names.csv", [1], (472, 18), []),
    ],
)
def test_bad_files_of_which_something_can_be_used(name, rows, sums, rejected):
    trace = read("bad", name)
    assert trace.requests.index.tolist() == rows
    found = (trace.requests["prompt_tokens"].sum(), trace.requests["output_tokens"].sum())
    assert found == sums
    assert trace.rejected["row"].tolist() == rejected
