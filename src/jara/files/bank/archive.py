"""What a file is that holds no statement itself: a ZIP of statements, or something else."""

import io
import re
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from zipfile import BadZipFile, ZipFile

from jara.domain.errors import InvalidInput

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ENTRY = b"PK\x01\x02"
_FILES_MAX = 1000
"""More than two years of daily statements."""
_JSON = re.compile(rb"\{\s*(?:\"|$)|\[\s*\{")
_IS_LOCKED = 1
_BROKEN = (
    BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError, ValueError, LookupError
)  # fmt: skip
"""What the library raises for a file that it cannot unpack."""
_KINDS = (
    (b"%PDF", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a document of Excel or Word"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"{\\rtf", "a document in RTF"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"!type:", "a file of QIF, which has no balances and no references"),
    (b"01,", "a file of BAI2"),
)
_PACKED = ((b"\x1f\x8b", "gzip"), (b"7z\xbc\xaf", "7-Zip"), (b"Rar!", "RAR"))
_OFFICE = {
    "[Content_Types].xml": "a document of Excel or Word",
    "mimetype": "a document of LibreOffice",
}


def is_zip(data: bytes) -> bool:
    """Return whether a file is a ZIP."""
    return data.startswith(_ZIP)


def kind_of(data: bytes) -> str:
    """Return what a file is that cannot be a statement; empty if it may be one."""
    start = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()[:16].lower()
    if _JSON.match(start):
        return "JSON, such as that of GoCardless or Plaid"
    return next((kind for mark, kind in _KINDS if start.startswith(mark.lower())), "")


def require_statement(data: bytes, name: str) -> None:
    """Require that a file may be a statement.

    Raises:
        InvalidInput: it is something else; the message says what.
    """
    for mark, program in _PACKED:
        if data.startswith(mark):
            raise InvalidInput(f"{name} is compressed with {program}; unpack it first.")
    kind = kind_of(data)
    if kind:
        raise _refusal(name, kind)


def unpacked(data: bytes, name: str, *, bytes_max: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file in a ZIP, in the order of the names.

    Raises:
        InvalidInput: it is broken or locked, holds another ZIP, or too much.
    """
    left = bytes_max
    try:
        if data.count(_ENTRY) > _FILES_MAX:
            raise InvalidInput(f"{name} holds more than {_FILES_MAX:,} files; import it in parts.")
        with ZipFile(io.BytesIO(data)) as archive:
            files = {info.filename: info for info in archive.infolist() if not info.is_dir()}
            office = next((kind for part, kind in _OFFICE.items() if part in files), "")
            if office:
                raise _refusal(name, office)
            for inner, info in sorted(files.items()):
                if _is_hidden(inner):
                    continue
                if info.flag_bits & _IS_LOCKED:
                    raise InvalidInput(f"{name} is locked with a password; unpack it first.")
                with archive.open(info) as file:
                    content = file.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise InvalidInput(
                        f"{name} holds more than {bytes_max >> 20} MiB; import it in parts, such "
                        "as months."
                    )
                if is_zip(content):
                    raise InvalidInput(f"{name} holds another ZIP, {inner}; unpack it first.")
                yield "".join(sign if sign.isprintable() else "?" for sign in inner), content
    except _BROKEN as error:
        reason = str(error)[:100]
        raise InvalidInput(f"{name} is damaged ({reason}); save it again.") from None


def _is_hidden(name: str) -> bool:
    """Return whether a file describes a folder for macOS or Windows."""
    return any(part.startswith((".", "__MACOSX", "Thumbs.db")) for part in name.split("/"))


def _refusal(name: str, kind: str) -> InvalidInput:
    return InvalidInput(
        f"{name} is {kind}, not a statement; ask the bank for CAMT.053, MT940, OFX or CSV."
    )
