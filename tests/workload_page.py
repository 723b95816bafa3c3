"""The workload page in Streamlit's own test runner: opened, its levers found, files loaded."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.ui.shell import PAGES
from pagedviz.ui.workload_run import RunTask
from pagedviz.ui.workload_state import SHOP
from pagedviz.ui.workload_work import JOB


def opened(**query):
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page(PAGES["workload"].file)
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def desk(page):
    return page.session_state[SHOP]


def lever(kind, page, name):
    return getattr(page, kind)(key=f"workload.{name}.{desk(page).revision}")


def upload(page, data, name):
    page.file_uploader[0].set_value((name, data, "text/csv")).run()
    assert not page.exception
    return page


def with_file_form(**query):
    page = opened(words="engine", **query)
    return lever("selectbox", page, "load").select("file").run()


def texts(page):
    parts = [page.markdown, page.caption, page.warning, page.info]
    return "\n".join(element.value for part in parts for element in part)


def top(page):
    bodies = [element.proto.body for element in page.get("html")]
    return next(body for body in bodies if "23px" in body)


def script(page):
    bodies = [element.proto.body for element in page.get("html")]
    return next(body for body in bodies if "replaceState" in body)


def run_of(load, setup):
    return RunTask(load, setup).work(lambda done, total: None)


def wait(page):
    for _ in range(1200):
        if JOB not in page.session_state:
            return page.run()
        time.sleep(0.05)
        page.run()
    pytest.fail("still at work")
