"""Rules about the source itself that no linter knows."""

import ast
import re
import sys
from pathlib import Path

import pytest

from pagedviz.paths import ASSETS, ROOT
from tests import setup_browser

ADDRESS = re.compile(r"(?:https?|wss?)://[^\s\"'`)<>]+")
# Python may cite an address; it may not put one where a browser fetches it by itself.
FETCHED = re.compile(r"<link\b|@import|\bsrc\s*=\s*[\"']?https?:|url\(\s*[\"']?https?:")


def imported(path: Path) -> set[str]:
    """Names of the modules that a file imports, as written."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_engine_needs_numpy_and_the_standard_library_only():
    allowed = {"numpy", *sys.stdlib_module_names}
    for path in (ROOT / "pagedviz" / "engine").rglob("*.py"):
        foreign = {
            name
            for name in imported(path)
            if name.split(".")[0] not in allowed and not name.startswith("pagedviz.engine")
        }
        assert not foreign, f"{path.relative_to(ROOT)} imports {sorted(foreign)}"


def test_assets_name_no_outside_address():
    for path in ASSETS.rglob("*"):
        if path.suffix in {".js", ".css", ".svg", ".html", ".json"}:
            found = ADDRESS.findall(path.read_text(encoding="utf-8"))
            # An XML namespace is a name that looks like an address; nobody fetches it.
            outside = [url for url in found if not url.startswith("http://www.w3.org/")]
            assert not outside, f"{path.relative_to(ROOT)} names {outside}"


def test_python_and_settings_put_no_outside_address_where_a_browser_fetches_it():
    sources = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]
    sources += (ROOT / "pagedviz").rglob("*.py")
    for path in sources:
        assert not FETCHED.search(path.read_text(encoding="utf-8")), path.relative_to(ROOT)
    settings = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert not ADDRESS.search(settings)


def test_an_old_python_can_read_the_script_that_tells_it_so():
    source = (ROOT / ".ci" / "environment.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))


def test_missing_browser_is_an_error_that_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.delenv("CHROME", raising=False)
    monkeypatch.setattr(setup_browser, "NAMES", ())
    monkeypatch.setattr(setup_browser, "places", list)
    monkeypatch.setattr(setup_browser, "fetched_by_playwright", lambda: tmp_path / "none")
    with pytest.raises(setup_browser.NoBrowserError, match="playwright install chromium"):
        setup_browser.find_browser()


def test_named_browser_that_is_not_there_is_an_error(monkeypatch):
    monkeypatch.setenv("CHROME", "/no/such/browser")
    with pytest.raises(setup_browser.NoBrowserError, match="/no/such/browser"):
        setup_browser.find_browser()
