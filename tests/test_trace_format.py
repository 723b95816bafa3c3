"""The page about trace files says what the code does: every key is named, the example runs."""

import json
import re

from pagedviz.conformance.__main__ import main
from pagedviz.paths import ROOT
from pagedviz.timeline.ops import CONFIG, FIELDS, FORMAT
from pagedviz.timeline.play import play
from pagedviz.timeline.run import Run

PAGE = (ROOT / "tests" / "golden" / "README.md").read_text("utf-8")
EXAMPLE = re.search(r"^    \{\n.*?^    \}$", PAGE, re.MULTILINE | re.DOTALL)[0]


def row(name):
    return next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))


def test_every_operation_has_a_row_with_exactly_its_keys():
    for operation, (required, optional) in FIELDS.items():
        keys = row(operation).split("|")[2]
        found = re.findall(r"(\[?)`(\w+)`", keys)
        assert {key for bracket, key in found if not bracket} == set(required), operation
        assert {key for bracket, key in found if bracket} == set(optional), operation


def test_every_key_of_the_configuration_has_its_default():
    for key, (_, default) in CONFIG.items():
        said = row(key).split("|")[3].strip()
        assert said == ("required" if default is None else json.dumps(default)), key


def test_the_example_is_a_run_in_which_b_finds_what_a_left(tmp_path, capsys):
    run = Run.from_json(EXAMPLE, "example.json")
    assert json.loads(EXAMPLE)["format"] == FORMAT
    result = play(run).steps[-1].result
    assert (result["hit_tokens"], result["new_blocks"]) == (4, (2,))
    saved = tmp_path / "saved.json"
    saved.write_text(run.to_json(), "utf-8")
    assert main([str(saved)]) == 0
    assert "agree" in capsys.readouterr().out


def test_results_events_and_states_have_the_fields_the_page_names():
    recorded = json.loads(Run.from_json(EXAMPLE, "example.json").to_json())["steps"]
    for step in recorded:
        said = set(re.findall(r"`(\w+)`", row(step["op"]["op"]).split("|")[3]))
        assert set(step["result"]) <= said, step["op"]
        for key in step["state"]:
            assert f"`{key}`" in PAGE
        for event in step["events"]:
            assert f"`{event['type']}`" in PAGE
