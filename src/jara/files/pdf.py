"""Checks a PDF before it is stored byte for byte: it is one, it is nothing else, it runs nothing.

A PDF is not rewritten, because it is evidence as it came. So what a reader could run is looked for
in its bytes and in what its compressed parts unpack to (ISO 32000, 7.3.5, 7.5.7 and 12.6.4).
"""

import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from zipfile import is_zipfile

from jara.domain.errors import InvalidInput

PDF = b"%PDF-"
UNPACKED_BYTES_MAX = 256 << 20
"""What the compressed parts may unpack to together; more is an attack."""

STREAMS_MAX = 50_000
"""How many streams a PDF may have; more in 16 MiB is an attack."""

_PIECE = 1 << 14
"""Bytes that are unpacked at once, to at most a thousand times as many."""
_OVERLAP = 64
"""Bytes of a piece that are searched with the next one: longer than any name, spelt in hex."""
_END = re.compile(rb"%%EOF[\s\0]*\Z")
_STREAM = re.compile(rb"stream\r?\n")


def _name(text: str, after: bytes = rb"(?![A-Za-z0-9])") -> bytes:
    """Return the pattern of a name, each character of which may be written in hex."""
    signs = (b"(?:%s|#(?i:%02x))" % (sign.encode(), ord(sign)) for sign in text)
    return rb"/" + b"".join(signs) + after


_ACTIVE = re.compile(
    b"|".join(
        [
            *map(_name, ("JavaScript", "Launch", "RichMedia", "ImportData", "SubmitForm")),
            _name("XFA", rb"[\s\[]"),
        ]
    )
)
"""What runs, starts a program, sends data, or may hold a script."""
_ENCRYPTED = re.compile(_name("Encrypt", rb"[\s/<]"))
_OBJECTS = re.compile(_name("ObjStm"))
_PACKED = re.compile(
    rb"obj\s*<<((?:\s*/(?:Type\s*/ObjStm|(?:N|First|Length|Extends)\s+\d+(?:\s+\d+\s+R)?"
    rb"|Filter\s*(?:/FlateDecode|\[\s*/FlateDecode\s*\])))*)\s*>>\s*stream\r?\n"
)
"""Packed objects as common programs write them; others are refused, since readers know more."""


def check_pdf(data: bytes, name: str) -> None:
    """Check that a file is a PDF and nothing else, and that it runs nothing.

    Raises:
        InvalidInput: it is not.
    """
    if not data.startswith(PDF) or not _END.search(data[-1024:]) or b"startxref" not in data:
        raise InvalidInput(f"{name} is no whole PDF; save it again.")
    if is_zipfile(BytesIO(data)):
        raise InvalidInput(f"{name} is a PDF and a ZIP file at once; save it as a PDF alone.")
    if _ENCRYPTED.search(data):
        raise InvalidInput(f"{name} is encrypted; save it without a password.")
    for piece in (data, *_unpacked(data, name)):
        if found := _ACTIVE.search(piece):
            what = found[0].rstrip(b" \t\r\n[").decode("latin-1")
            raise InvalidInput(
                f"{name} holds a script or a form that does something ({what}); print it to a "
                "new PDF."
            )


def _unpacked(data: bytes, name: str) -> Iterator[bytes]:
    """Yield what the compressed streams of a PDF unpack to, in overlapping pieces."""
    unusual = InvalidInput(f"{name} packs its objects unusually; print it to a new PDF.")
    packed = {one.end(): one[1] for one in _PACKED.finditer(data) if b"/ObjStm" in one[1]}
    if len(packed) < len(_OBJECTS.findall(data)):
        raise unusual
    left = UNPACKED_BYTES_MAX
    for number, match in enumerate(_STREAM.finditer(data)):
        if number > STREAMS_MAX:
            raise unusual
        unpacker, place, tail = zlib.decompressobj(), match.end(), b""
        while place < len(data) and not unpacker.eof:
            try:
                piece = unpacker.decompress(data[place : place + _PIECE])
            except zlib.error:
                break  # another encoding, such as a photo's
            left -= len(piece)
            if left < 0:
                raise InvalidInput(f"{name} unpacks into far too much; print it to a new PDF.")
            yield tail + piece
            tail, place = piece[-_OVERLAP:], place + _PIECE
        if b"/Filter" in packed.get(match.end(), b"") and not unpacker.eof:
            raise unusual
