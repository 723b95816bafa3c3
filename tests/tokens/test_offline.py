"""No network and no folder of its own: in a fresh Python that may open no socket."""

import json
import subprocess
import sys

from pagedviz.paths import ROOT
from tests.tokens.small_tokenizers import byte_level

PROGRAM = """
import json, socket, sys

def no_network(event, args):
    if event.startswith("socket."):
        raise PermissionError(event)

sys.addaudithook(no_network)
try:
    socket.create_connection(("127.0.0.1", 9))
except PermissionError:
    blocked = True

from pagedviz.tokens import default_tokenizer, from_tokenizer_json
own = from_tokenizer_json(open(sys.argv[1], "rb").read(), "own.json")
print(json.dumps([blocked, default_tokenizer().encode("hello world"),
                  "".join(piece.text for piece in own.pieces("full block"))]))
"""


def test_both_tokenizers_work_without_sockets_caches_or_a_home(tmp_path):
    file = tmp_path / "own.json"
    file.write_bytes(byte_level())
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    settings = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(temporary),
        "HOME": str(temporary),
        # Where tiktoken's own loader would fail if it were asked.
        "TIKTOKEN_CACHE_DIR": str(file / "none"),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(file)],
        cwd=ROOT,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, [15339, 1917], "full block"]
    assert list(temporary.iterdir()) == []
