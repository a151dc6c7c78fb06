"""Photos and documents: known by their first bytes, kept under their SHA-256.

Photos lose what a camera writes beside the picture: place, time, device, names. The
parts of a file are cut out whole; the picture itself is not touched.
"""

from __future__ import annotations

import hashlib
import os
import struct
from dataclasses import dataclass
from pathlib import Path

from jara.domain.errors import InvalidInput, Unavailable

MEDIA_BYTES_MAX = 16 << 20

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB"}
    | {b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"}
)
_WEBP_DROPPED = frozenset({b"EXIF", b"XMP "})
_WEBP_FLAGS = 0b1100  # the flags of EXIF and XMP in the extended header

_JPEG_START = b"\xff\xd8"
_JPEG_SCAN = 0xDA
_JPEG_END = 0xD9
_JPEG_KEPT = frozenset({0xE0, 0xE2, 0xEE})  # JFIF, the colour profile, Adobe's transform
_JPEG_COMMENT = 0xFE
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})


@dataclass(frozen=True, slots=True)
class Media:
    """A file fit to be shown: its bytes, and the name it is kept and served under."""

    name: str
    data: bytes
    is_image: bool

    @property
    def path(self) -> str:
        """Its address on the site."""
        return f"/media/{self.name}"


def read_media(data: bytes, name: str) -> Media:
    """Recognise a PDF, PNG, JPEG or WebP by its bytes, and clean a photo.

    Raises:
        InvalidInput: it is something else, damaged, or too large.
    """
    if len(data) > MEDIA_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; such a file has at most 16 MiB.")
    try:
        suffix, clean = _clean(data, name)
    except (struct.error, IndexError):
        raise InvalidInput(f"{name} is damaged: it ends before the picture does.") from None
    digest = hashlib.sha256(clean).hexdigest()
    return Media(f"{digest}.{suffix}", clean, is_image=suffix != "pdf")


def keep_media(media: Media, folder: Path) -> Path:
    """Put a file into the media folder, whole; one that is there already stays.

    Raises:
        Unavailable: the folder cannot be written.
    """
    target = folder / media.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            draft = folder / f".{media.name}.{os.getpid()}.part"
            draft.write_bytes(media.data)
            draft.replace(target)
    except OSError as error:
        raise Unavailable(f"'{target}' cannot be written: {error.strerror}.") from error
    return target


def _clean(data: bytes, name: str) -> tuple[str, bytes]:
    if data.startswith(b"%PDF-"):
        return "pdf", data
    if data.startswith(_PNG):
        return "png", strip_png(data)
    if data.startswith(_JPEG_START):
        return "jpg", strip_jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp", strip_webp(data)
    raise InvalidInput(f"{name} is neither PDF, PNG, JPEG nor WebP.")


def strip_png(data: bytes) -> bytes:
    """Return a PNG with the chunks that make the picture, and no other."""
    pieces = [_PNG]
    place = len(_PNG)
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        end = place + length + 12
        kind = data[place + 4 : place + 8]
        if end > len(data):
            raise IndexError(end)
        if kind in _PNG_KEPT:
            pieces.append(data[place:end])
        place = end
        if kind == b"IEND":
            return b"".join(pieces)
    raise IndexError(place)


def strip_jpeg(data: bytes) -> bytes:
    """Return a JPEG without EXIF, XMP, IPTC and comments, and without what follows its end."""
    pieces = [_JPEG_START]
    place = 2
    while True:
        if data[place] != 0xFF:  # noqa: PLR2004 - every segment begins with FF
            raise IndexError(place)
        marker = data[place + 1]
        if marker == 0xFF:  # noqa: PLR2004 - filling bytes
            place += 1
            continue
        if marker == _JPEG_END:
            return b"".join([*pieces, data[place : place + 2]])
        end = place + 2
        if marker not in _JPEG_ALONE:
            end += struct.unpack_from(">H", data, place + 2)[0]
        if marker == _JPEG_SCAN:
            end = _end_of_scan(data, end)
        if end > len(data):
            raise IndexError(end)
        if _is_kept(marker):
            pieces.append(data[place:end])
        place = end


def strip_webp(data: bytes) -> bytes:
    """Return a WebP without its EXIF and XMP chunks."""
    pieces: list[bytes] = []
    place, stop = 12, 8 + struct.unpack_from("<I", data, 4)[0]
    if stop > len(data):
        raise IndexError(stop)
    while place < stop:
        kind = data[place : place + 4]
        (length,) = struct.unpack_from("<I", data, place + 4)
        end = place + 8 + length + length % 2
        if end > stop:
            raise IndexError(end)
        chunk = data[place:end]
        if kind == b"VP8X":
            chunk = chunk[:8] + bytes([chunk[8] & ~_WEBP_FLAGS]) + chunk[9:]
        if kind not in _WEBP_DROPPED:
            pieces.append(chunk)
        place = end
    body = b"WEBP" + b"".join(pieces)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _is_kept(marker: int) -> bool:
    is_application = 0xE0 <= marker <= 0xEF  # noqa: PLR2004 - APP0 to APP15
    return marker in _JPEG_KEPT if is_application else marker != _JPEG_COMMENT


def _end_of_scan(data: bytes, place: int) -> int:
    """Return where the next segment begins after the packed picture."""
    while True:
        place = data.find(b"\xff", place) % (len(data) + 1)  # none left: beyond the end
        following = data[place + 1]
        if following != 0 and following not in _JPEG_ALONE:
            return place
        place += 2
