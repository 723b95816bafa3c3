"""The workload page without a browser: what it opens with, levers, large loads, links."""

import re

import pytest

from pagedviz.ui import workload_work
from pagedviz.ui.workload_inputs import PAPER, Inputs
from pagedviz.ui.workload_jobs import JobView
from pagedviz.ui.workload_link import DEFAULT, params
from pagedviz.ui.workload_state import Desk
from pagedviz.ui.workload_words import said
from pagedviz.ui.workload_work import JOB, work_queue
from pagedviz.workload import (
    StepCost,
    WorkloadError,
)
from pagedviz.workload.published import PAPER_SETUP
from tests.workload_page import (
    desk,
    lever,
    opened,
    script,
    texts,
    top,
    wait,
)


@pytest.fixture(autouse=True)
def _nothing_goes_on():
    yield
    work_queue().close()


def test_opens_with_a_load_already_run():
    page = opened()
    assert desk(page).found_key == desk(page).key
    assert "hold a box on shelves" in top(page)
    assert len(page.get("plotly_chart")) == 3
    assert all(chart.proto.alt for chart in page.get("plotly_chart"))
    assert not page.warning
    assert '[["v",' in script(page)
    assert script(page).split("], {")[1].startswith("}]")  # all as it opens: a bare address


def test_published_figures_stand_beside_ours():
    page = opened(words="engine")
    tables = [one.value for one in page.table]
    published = next(t for t in tables if "published: holds tokens" in t.columns)
    assert published.index.tolist()[0] == "paged"
    said = published["published: holds tokens"].str.replace("\xa0", " ").tolist()
    assert said == ["about 96.3 %", "20.4 %", "about 26.8 %", "38.2 %"]
    text = texts(page)
    assert "60 to 80 %" in text
    assert "SOSP 2023" in text
    assert "is not the paper's load" in text


# Levers


def test_a_small_load_is_run_as_soon_as_it_is_set():
    page = opened(words="engine")
    before = top(page)
    lever("number_input", page, "gib").set_value(2.0).run()
    assert not page.exception
    assert desk(page).found.simulation.setup.memory_slots == 2 * 2**30 // 819_200
    assert top(page) != before
    assert '"gib": "2"' in script(page)


def test_another_kind_has_its_own_lengths():
    page = opened(words="engine", prompt="50")
    assert desk(page).inputs.lengths("prompt").mean == 50
    lever("selectbox", page, "load").select("alpaca").run()
    assert desk(page).inputs.lengths("prompt").mean == 19
    assert desk(page).found.simulation.name == "alpaca, seed 0"


def test_shared_beginnings_are_hits_and_lengths_alone_are_not():
    page = opened(words="engine", load="chat")
    assert re.search(r"\*\*Prefix hits:\*\* \d+\.\d", texts(page))
    page = opened(words="engine")
    assert "Prefix hits: cannot be known" in texts(page)
    page = opened(words="engine", load="chat", caching="0")
    assert "none, since prefix caching is off" in texts(page)


def test_what_cannot_be_is_refused_in_words_and_changes_nothing():
    page = opened(words="engine")
    before = desk(page)
    lever("number_input", page, "block_size").set_value(0).run()
    assert page.warning[0].value.startswith("block\\_size: must be from 1 to 4,096, not 0")
    assert desk(page).inputs == before.inputs
    assert lever("number_input", page, "block_size").value == 16
    lever("number_input", page, "gib").set_value(0.000001).run()
    assert "Take 0.0123 GiB" in page.warning[0].value
    lever("number_input", page, "gib").set_value(0.0123).run()  # what is advised works
    assert not page.warning


def test_too_much_memory_is_refused_with_what_would_do():
    tiny = {"model": "own", "kv_bytes": 1000, "block_size": 64}
    with pytest.raises(WorkloadError, match=r"4000 GiB hold .* tokens") as caught:
        Inputs(gib=4000.0, **tiny)
    nearest = float(re.search(r"Take ([\d.]+) GiB", str(caught.value))[1])
    assert Inputs(gib=nearest, **tiny).memory_slots > 60_000_000
    with pytest.raises(WorkloadError, match="at most 4,096 GiB, not nan"):
        Inputs(gib=float("nan"))


def test_in_the_room_a_refusal_has_the_rooms_words():
    page = opened()
    lever("number_input", page, "gib").set_value(0.000001).run()
    text = page.warning[0].value
    assert "boxes; from 16 (one shelf)" in text
    assert "token" not in text


def test_every_field_that_can_be_refused_has_a_label():
    setups = {"memory_slots", "max_num_batched_tokens", "max_model_len", "bytes_per_token"}
    costs = {"base_s", "prefill_token_s", "decode_request_s"}
    for name in (set(Inputs.__dataclass_fields__) - {"kind"}) | setups | costs:
        for register in ("room", "engine"):
            text = said(WorkloadError(name, "must be 1"), register)
            assert text.endswith(": must be 1."), (name, text)


def test_steps_as_a_clock():
    page = opened(words="engine", clock="steps", stepms="50")
    assert desk(page).inputs.cost() == StepCost.in_steps(0.05)
    assert "steps</b> instead of" in top(page).replace("\xa0", " ")


def test_the_papers_setting():
    assert PAPER.simulation_setup() == PAPER_SETUP
    page = opened(words="engine", load="alpaca")
    page.button(key="workload.paper").click().run()
    assert desk(page).inputs == PAPER
    assert page.button(key="workload.run")  # 2,000 requests are run when one says so
    assert "belong to the setting before" in texts(page)


def test_words_can_be_switched():
    page = opened()
    page.segmented_control(key="workload.words").set_value("engine").run()
    assert not page.exception
    assert "when paged" in top(page)
    assert '"words": "engine"' in script(page)


# Large loads


def test_a_large_load_runs_when_one_says_so():
    page = opened(words="engine", load="alpaca", n="1500")
    assert desk(page).found is None
    assert len(page.get("plotly_chart")) == 0
    assert "1,500 requests take some seconds" in texts(page)
    page.button(key="workload.run").click().run()
    assert "workload.run" not in [button.key for button in page.button]
    wait(page)
    assert not page.exception
    assert len(desk(page).found.simulation.systems["paged"].requests) == 1500
    assert "when paged" in top(page)


def test_cancel_ends_the_work_and_keeps_the_last_result():
    page = opened(words="engine")
    first = desk(page).found
    lever("number_input", page, "num_requests").set_value(100_000).run()
    page.button(key="workload.run").click().run()
    ticket = page.session_state[JOB].ticket
    page.button(key="workload.cancel").click().run()
    assert not page.exception
    assert work_queue().pid(ticket) is None
    page.run()
    assert desk(page).found is not None
    assert desk(page).found.simulation.name == first.simulation.name
    assert page.button(key="workload.run")


def test_a_full_server_is_told(monkeypatch):
    monkeypatch.setattr(workload_work.WorkQueue, "ask", lambda self, task: None)
    page = opened(words="engine", n="5000")
    page.button(key="workload.run").click().run()
    assert "Too much work waits" in page.warning[0].value


@pytest.mark.parametrize("failure", ["killed", "crashed", "too long", "left"])
def test_every_failure_has_a_sentence(monkeypatch, failure):
    view = JobView("failed", failure=failure)
    monkeypatch.setattr(workload_work.WorkQueue, "ask", lambda self, task: "ticket")
    monkeypatch.setattr(workload_work.WorkQueue, "look", lambda self, ticket: view)
    page = opened(words="engine", n="5000")
    page.button(key="workload.run").click().run()
    page.run()
    assert len(page.warning) == 1
    assert "{" not in page.warning[0].value


def test_more_requests_than_are_simulated_are_refused():
    page = opened(words="engine")
    lever("number_input", page, "num_requests").set_value(200_001).run()
    assert "from 1 to 200,000, not 200001" in page.warning[0].value


# Links


def test_a_link_brings_all_inputs_back():
    inputs = Inputs(
        kind="agents", num_requests=150, rate=2.5, seed=7, prompt_mean=99.5, output_ceiling=300,
        shared_tokens=64, turns=3, turn_s=2.0, memory="tokens", slots=9000, block_size=64,
        max_num_seqs=12, budget=512, longest=4096, caching=False, clock="steps", step_ms=12.5,
    )  # fmt: skip
    page = opened(**params(Desk(inputs)))
    assert desk(page).inputs == inputs
    assert not page.warning
    assert params(desk(page)) == params(Desk(inputs))


def test_what_a_link_cannot_have_is_said():
    page = opened(n="many", load="x", gib="nan", words="engine")
    assert "Not all of this link could be used" in page.warning[0].value
    for name in ("n:", "load:", "gib:"):
        assert f"- {name}" in page.warning[0].value
    assert desk(page).inputs == DEFAULT
    page = opened(size="0")
    assert "size: must be from 1 to 4,096, not 0" in page.warning[0].value
    assert desk(page).inputs == DEFAULT


def test_a_link_made_with_a_file_says_so():
    page = opened(load="file", file="traffic.csv", size="32", v="1")
    assert "made with a file (traffic.csv)" in page.info[0].value
    assert desk(page).inputs == Inputs(block_size=32)
    assert desk(page).found is not None
