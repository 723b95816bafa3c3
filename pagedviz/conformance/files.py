"""Finding recorded traces and reading them.

A trace is recognised by its `format`, written into the file, the recordings of the Spyre plugin
by the inputs of their cases: `.json`, or `.json.gz` as the app ships them. Anything else
found on the way is named, never guessed at.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ALLOCATOR_FORMAT = "kv-block-trace/1"
SCHEDULER_FORMAT = "kv-sched-trace/1"
CHUNK_CASES = "cases of Spyre's chunk rule"
ADMISSION_CASES = "cases of Spyre's admission"
DECODE_SETS = "decode sets of Spyre"
SPYRE_STEPS = "steps of a Spyre server"
# form -> what its cases must have for it to be recognised
SPYRE_FORMS = {
    CHUNK_CASES: {"chunk_size", "cached_prefix_blocks"},
    ADMISSION_CASES: {"limits", "running", "waiting"},
    DECODE_SETS: {"limits", "running", "steps"},
    SPYRE_STEPS: {"rig", "requests", "steps"},
}
SUFFIXES = (".json", ".json.gz")


class TraceFileError(ValueError):
    """A file that cannot be read as JSON; the message says what is wrong with it."""


def find_trace_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and those with a trace's ending in the folders named, in order."""
    for path in paths:
        # os.path answers False for a name the system does not even accept; Path raises
        if os.path.isdir(path):
            inside = (found for found in path.rglob("*") if found.name.endswith(SUFFIXES))
            yield from sorted(found for found in inside if os.path.isfile(found))
        else:
            yield path


def read_json(path: Path) -> Any:
    """The content of a .json or .json.gz file; raises TraceFileError if there is none."""
    try:
        data = path.read_bytes()
        if path.name.endswith(".gz"):
            data = gzip.decompress(data)
        return json.loads(data)
    except FileNotFoundError:
        raise TraceFileError("there is no such file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise TraceFileError("cannot be read: it is not gzip, or its end is missing") from None
    except OSError as error:
        raise TraceFileError(f"cannot be read: {error.strerror}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise TraceFileError(f"is not JSON: it makes no sense at {where}") from None
    except UnicodeDecodeError:
        raise TraceFileError("is not JSON: it is not text") from None
    except RecursionError:
        raise TraceFileError("is nested too deeply to be a trace") from None
    except ValueError:  # Python reads whole numbers up to some thousand digits
        raise TraceFileError("has a number of too many digits to be a trace") from None


def trace_format(content: Any) -> str | None:
    """The format a file says it has, or that its cases show; None if neither."""
    if isinstance(content, dict) and isinstance(content.get("format"), str):
        return str(content["format"])
    cases = spyre_cases(content)
    for case in cases if isinstance(cases, list) else ():  # the first may be damaged
        for form, inputs in SPYRE_FORMS.items():
            if isinstance(case, dict) and inputs <= case.keys():
                return form
    return None


def spyre_cases(content: Any) -> Any:
    """The cases of a recording of the Spyre plugin: in a list, or beside a note."""
    return content.get("cases") if isinstance(content, dict) else content
