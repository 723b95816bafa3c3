#!/usr/bin/env python3
"""Make the virtual environment that `make run` and `make test` use, when it is needed.

    python3 .ci/environment.py app      # .venv with requirements.txt
    python3 .ci/environment.py tests    # the same, with tests/requirements.txt too

Does nothing when .venv is there and the requirement files have not changed since.
Standard library only, and syntax that an old Python can read, so that it can say that it is
too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
FILES = {
    "app": ["requirements.txt"],
    "tests": ["requirements.txt", os.path.join("tests", "requirements.txt")],
}


def say(text):
    """Print at once: the next program's output must not overtake it."""
    print("pagedviz: " + text, flush=True)


def quiet(*command):
    """Exit status of a command whose output nobody needs."""
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def use_new_enough_python():
    """Start over with a newer Python from the PATH if this one is too old."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        newer = shutil.which("python3.%d" % minor)
        # A version manager may have the name on the PATH and nothing behind it: ask.
        if newer and quiet(newer, "-c", "") == 0:
            sys.exit(subprocess.call([newer, *sys.argv]))
    sys.exit(
        "pagedviz needs Python %d.%d or newer; %s is Python %d.%d and no newer one was found.\n"
        "Install one, or name it: make run PYTHON=/path/to/python3.12"
        % (*OLDEST, sys.executable, *sys.version_info[:2])
    )


def debian_root():
    """Whether packages can be installed with apt-get without asking anybody."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def have_venv():
    """Whether Python can make an environment with pip (Debian ships that apart)."""
    return quiet(sys.executable, "-c", "import venv, ensurepip") == 0


def need_venv():
    """Get Debian's python3-venv where that is possible, else say what is missing."""
    if have_venv():
        return
    package = "python%d.%d-venv" % sys.version_info[:2]
    if debian_root():
        say("installing %s" % package)
        subprocess.call(["apt-get", "update", "-qq"])
        subprocess.call(["apt-get", "install", "-y", "-qq", package])
    if not have_venv():
        sys.exit(
            "This Python (%s) has no venv module with pip.\n"
            "On Debian and Ubuntu: sudo apt-get install %s. Elsewhere: install Python from "
            "python.org or your system's full package." % (sys.executable, package)
        )


def stamp(what):
    """What the environment was made from: Python, place and the requirement files."""
    digest = hashlib.sha256()
    digest.update(("%s %s %s" % (sys.version_info[:2], sys.base_prefix, VENV)).encode())
    for name in FILES[what]:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def main(what):
    """Bring .venv up to date for `what`: "app" or "tests"."""
    use_new_enough_python()
    python = os.path.join(BIN, "python.exe" if os.name == "nt" else "python")
    note = os.path.join(VENV, "pagedviz-" + what)
    wanted = stamp(what)
    if os.path.exists(note) and os.path.exists(python):
        with open(note) as file:
            if file.read() == wanted:
                return
    need_venv()
    # A folder that was moved, or whose Python is gone or another, cannot be repaired.
    probe = "import sys, pip; sys.exit(sys.version_info[:2] != %r)" % (sys.version_info[:2],)
    works = os.path.exists(python) and quiet(python, "-c", probe) == 0
    if not works:
        say("making .venv with Python %d.%d" % sys.version_info[:2])
        subprocess.check_call([sys.executable, "-m", "venv", "--clear", VENV])
    say("installing " + " and ".join(FILES[what]) + " (once, until they change)")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for name in FILES[what]:
        install += ["-r", os.path.join(ROOT, name)]
    if subprocess.call(install) != 0:
        sys.exit("pip could not install the packages; its message is above.")
    with open(note, "w") as file:
        file.write(wanted)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in FILES:
        sys.exit(__doc__)
    main(sys.argv[1])
