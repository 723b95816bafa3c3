#!/usr/bin/env python3
"""Report known vulnerabilities of everything installed in .venv, by pip-audit.

    .venv/bin/python .ci/audit.py

A report, not a gate: it ends with 0 whatever it finds. A new entry in a database of advisories is
no fault of the change at hand; it is read, and the bounds in requirements.txt are moved. Without a
way to the database it says that nothing was audited, and not that all is well.
"""

import json
import subprocess
import sys

LIMIT = 180  # seconds


def main() -> None:
    """Ask, and print what came of it."""
    print("pagedviz: audit of the installed packages", flush=True)
    command = [sys.executable, "-m", "pip_audit", "--local", "--format", "json"]
    command += ["--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        packages = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        print(f"  not audited: no answer within {LIMIT} s")
        return
    except (ValueError, KeyError):
        last = done.stderr.strip().splitlines() or ["pip-audit said nothing"]
        print(f"  not audited: {last[-1][:300]}")
        return
    skipped = [one for one in packages if "skip_reason" in one]
    checked = [one for one in packages if "skip_reason" not in one]
    found = [(one, hole) for one in checked for hole in one["vulns"]]
    for one, hole in found:
        names = ", ".join([hole["id"], *hole.get("aliases", ())])
        mended = ", ".join(hole.get("fix_versions", ())) or "no release yet"
        print(f"  {one['name']} {one['version']}: {names}; mended in: {mended}")
    if checked:
        print(f"  {len(checked)} packages checked, {len(found)} known vulnerabilities")
    if skipped:
        names = ", ".join(one["name"] for one in skipped[:5])
        more = ", ..." if len(skipped) > 5 else ""
        print(f"  {len(skipped)} not audited, no advisories to be had of them: {names}{more}")


if __name__ == "__main__":
    main()
