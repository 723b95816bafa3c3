"""Bytes to text: what encoding it is in, and whether it is text at all.

What it does: knows the beginnings of files that are no tables (archives, spreadsheets, pages of
a web site, pointers to a file elsewhere) and says what they are; decodes UTF-8, UTF-16 and
UTF-32 with and without a mark, and reads the rest as Windows-1252 with a remark.

What it leaves out: unpacking. An archive may hold more than one file.
"""

import codecs

from pagedviz.workload.errors import TraceError

MAX_BYTES = 256 * 2**20

_UNPACK = "Unpack it and load the file inside."
_MAGIC = (
    (b"PK\x03\x04", "is a ZIP archive (or an Excel workbook)", "Unpack it, or save it as CSV."),
    (b"PK\x05\x06", "is an empty ZIP archive", ""),
    (b"\x1f\x8b", "is a GZIP archive", _UNPACK),
    (b"BZh", "is a BZIP2 archive", _UNPACK),
    (b"\xfd7zXZ\x00", "is an XZ archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "is a 7-Zip archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "is a Zstandard archive", _UNPACK),
    (b"PAR1", "is a Parquet file", "Save it as CSV or JSONL."),
    (b"ARROW1", "is an Arrow file", "Save it as CSV or JSONL."),
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook", "Save it as CSV."),
    (b"SQLite format 3", "is a SQLite database", "Export the table as CSV."),
    (b"%PDF", "is a PDF document", "Load the table as CSV."),
    (b"\x89PNG", "is a picture", "Load the table as CSV."),
    (b"\xff\xd8\xff", "is a picture", "Load the table as CSV."),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def to_text(data: bytes, name: str) -> tuple[str, list[str]]:
    """The text of a file, and remarks on how it was read. Raises TraceError if it is none.

    >>> to_text("Modèle".encode("latin-1"), "a.csv")
    ('Modèle', ['Not UTF-8 (byte 4): read as Windows-1252.'])
    >>> to_text(b"PK\\x03\\x04...", "a.csv")
    Traceback (most recent call last):
    ...
    pagedviz.workload.errors.TraceError: a.csv is a ZIP archive (or an Excel workbook). ...
    """
    if not data:
        raise TraceError(name, "is empty: it has 0 bytes")
    if len(data) > MAX_BYTES:
        raise TraceError(
            name, f"has {len(data):,} bytes; at most {MAX_BYTES:,} are read", "Load a part of it."
        )
    for magic, what, advice in _MAGIC:
        if data.startswith(magic):
            raise TraceError(name, what, advice)
    text, notes = _decode(data, name)
    _check_kind(text, name)
    return text, notes


def _decode(data: bytes, name: str) -> tuple[str, list[str]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), []
            except UnicodeDecodeError as error:
                said = encoding.upper().removesuffix("-SIG")
                raise TraceError(
                    name, f"says it is {said}, but byte {error.start + 1:,} is not"
                ) from error
    if (guess := _utf16_without_mark(data)) is not None:
        try:
            return data.decode(guess), ["No byte-order mark: read as UTF-16."]
        except UnicodeDecodeError:
            pass
    try:
        return data.decode(), []
    except UnicodeDecodeError as error:
        text = data.decode("cp1252", errors="replace")
        return text, [f"Not UTF-8 (byte {error.start + 1:,}): read as Windows-1252."]


def _utf16_without_mark(data: bytes) -> str | None:
    """Latin letters in UTF-16 have a zero in every other byte, and always in the same."""
    head = data[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head[1::2]) and even == 0:
        return "utf-16-le"
    if even > 0.4 * len(head[::2]) and odd == 0:
        return "utf-16-be"
    return None


def _check_kind(text: str, name: str) -> None:
    head = text[:1000].lstrip()
    if not head and not text.strip():
        raise TraceError(name, "is empty: it holds only white space")
    if head.startswith("version https://git-lfs"):
        raise TraceError(
            name, "is a Git LFS pointer, not the data", "Fetch the file itself (git lfs pull)."
        )
    if head.startswith("<"):
        lower = head.lower()
        if lower.startswith(("<!doctype html", "<html", "<head", "<body", "<script")):
            raise TraceError(
                name, "is an HTML page (a login page?), not a trace", "Download the file itself."
            )
        raise TraceError(name, "is XML or HTML, not a trace", "Load CSV, JSON or JSONL.")
    if head.startswith("{\\rtf"):
        raise TraceError(name, "is a text document (RTF)", "Save it as plain text.")
