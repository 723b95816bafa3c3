"""Where the app's own files lie: the only module that knows the layout of the repository."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
ASSETS: Final = ROOT / "assets"  # everything the browser needs; nothing comes from outside
GOLDEN: Final = ROOT / "tests" / "golden"  # recorded traces: read by the tests and by the app
