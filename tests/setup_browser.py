"""Find a Chromium for the browser tests, or get one.

    python tests/setup_browser.py      # prints the path of the browser it found

Looked for, in this order: the CHROME environment variable, Chromium and Chrome on the PATH,
their usual places on macOS and Windows, one that Playwright has fetched before. If there is
none: as root on Debian it is installed with apt-get, else Playwright fetches its own.
Edge is Chromium too and will do.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW_TO = (
    "The browser tests need Chromium, Chrome or Edge, and none was found.\n"
    "  Debian, Ubuntu:  sudo apt-get install chromium\n"
    "  any system:      python -m playwright install chromium\n"
    "  installed in an unusual place:  set CHROME to the path of the program"
)


class NoBrowserError(RuntimeError):
    """No Chromium is on this machine; the message says how to get one."""


def places() -> list[Path]:
    """Usual places of Chrome, Chromium and Edge outside of the PATH."""
    if sys.platform == "darwin":
        apps = ("Chromium", "Google Chrome", "Microsoft Edge")
        roots = (Path("/Applications"), Path.home() / "Applications")
        return [root / f"{app}.app/Contents/MacOS/{app}" for root in roots for app in apps]
    if sys.platform == "win32":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = tuple(Path(os.environ[name]) for name in variables if name in os.environ)
        programs = (
            "Google/Chrome/Application/chrome.exe",
            "Chromium/Application/chrome.exe",
            "Microsoft/Edge/Application/msedge.exe",
        )
        return [root / program for root in roots for program in programs]
    return [Path("/snap/bin/chromium"), Path("/opt/google/chrome/chrome")]


def fetched_by_playwright() -> Path:
    """Where Playwright keeps, or would keep, a Chromium of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def find_browser() -> Path:
    """Path of the browser to use.

    Raises NoBrowserError if there is none, or if CHROME names something that is not there.
    """
    named = os.environ.get("CHROME")
    if named:
        program = shutil.which(named)
        if program is None:
            raise NoBrowserError(f"CHROME is set to {named!r}, which is not a program here")
        return Path(program)
    for name in NAMES:
        program = shutil.which(name)
        if program is not None:
            return Path(program)
    for place in [*places(), fetched_by_playwright()]:
        if place.exists():
            return place
    raise NoBrowserError(HOW_TO)


def get_browser() -> Path:
    """Like find_browser, but installs a Chromium if there is none."""
    try:
        return find_browser()
    except NoBrowserError:
        if os.environ.get("CHROME"):
            raise
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        print("pagedviz: installing chromium for the browser tests", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
        with contextlib.suppress(NoBrowserError):
            return find_browser()
    print("pagedviz: fetching Chromium for the browser tests", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find_browser()


if __name__ == "__main__":
    try:
        print(f"pagedviz: browser tests use {get_browser()}")
    except NoBrowserError as problem:
        sys.exit(str(problem))
