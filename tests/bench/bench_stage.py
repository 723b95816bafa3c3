"""How fast the stage is in a headless browser: key to painted frame, pictures a second in play.

    python tests/bench/bench_stage.py [--rounds N]

Reported, never asserted: a shared machine varies by half. "Painted" is the first task after the
animation frame that follows the key; pictures a second counts the step numbers seen frame by frame
while the stage plays at its highest speed.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.conftest import BROWSER_ARGS
from tests.setup_browser import find_browser

APP = Path(__file__).with_name("stage_app.py")
WATCH = """() => {
  window.__painted = [];
  document.addEventListener("keydown", (event) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.__painted.push(performance.now() - event.timeStamp);
    channel.port2.postMessage(0);
  }), true);
  const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot);
  window.__stage = roots.find((root) => root?.querySelector(".stage"));
}"""
FASTEST = """() => {
  const speed = __stage.querySelector(".under select");
  speed.value = "Infinity";
  speed.onchange();
}"""
# frames a second, and step numbers seen a second
COUNT = """() => new Promise((done) => {
  const step = __stage.querySelector(".count b"), seen = new Set(), start = performance.now();
  let frames = 0;
  (function look() {
    frames++; seen.add(step.textContent);
    const spent = performance.now() - start;
    if (spent < 4000) requestAnimationFrame(look);
    else done([frames, seen.size].map((n) => 1000 * n / spent));
  })();
})"""


def keys(page: Page, key: str, rounds: int) -> dict[str, float]:
    """Milliseconds from the key to the painted frame, one press after the other."""
    page.evaluate("window.__painted = []")
    for done in range(rounds):
        page.keyboard.press(key)
        page.wait_for_function("n => window.__painted.length > n", arg=done)
        page.wait_for_timeout(90)  # a hand's pace: the next key finds the page at rest
    times = sorted(page.evaluate("window.__painted"))
    return {
        "median_ms": round(statistics.median(times), 1),
        "p90_ms": round(times[int(0.9 * len(times))], 1),
    }


def measure(page: Page, url: str, rounds: int) -> dict[str, object]:
    page.goto(url)
    page.wait_for_selector(".stage .said:not(:empty)", timeout=120_000)
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    result: dict[str, object] = {
        key: keys(page, key, rounds) for key in ("ArrowRight", "ArrowLeft")
    }
    result["seek to either end"] = {k: keys(page, k, max(3, rounds // 4)) for k in ("End", "Home")}
    page.evaluate(FASTEST)
    page.keyboard.press(" ")
    frames, pictures = page.evaluate(COUNT)
    result["play"] = {"frames_per_s": round(frames, 1), "pictures_per_s": round(pictures, 1)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=24)
    rounds = parser.parse_args().rounds
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(APP),
        "--server.port",
        str(port),
        "--server.address",
        "127.0.0.1",
        "--server.headless",
        "true",
        "--browser.gatherUsageStats",
        "false",
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.25)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=find_browser(), args=BROWSER_ARGS)
            report: dict[str, object] = {
                "cpus": os.cpu_count(),
                "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
            }
            for blocks in (32, 512, 8192):
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                report[f"{blocks} blocks"] = measure(
                    page, f"http://127.0.0.1:{port}/?blocks={blocks}", rounds
                )
                page.close()
            browser.close()
        print(json.dumps(report, indent=1))
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
