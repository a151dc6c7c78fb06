"""Photos lose what the camera wrote; files are known by their bytes, not by their name."""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput, Unavailable
from jara.files.media import MEDIA_BYTES_MAX, keep_media, read_media

SECRET = b"GPS 6.45N 3.39E"


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*extra: bytes) -> bytes:
    """Return a PNG of one pixel."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixel = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(extra) + pixel + chunk(b"IEND", b"")


def segment(marker: int, data: bytes) -> bytes:
    """Return a segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(*extra: bytes, tail: bytes = b"") -> bytes:
    """Return the frame of a JPEG; its packed picture holds stuffed and restart bytes."""
    tables = segment(0xE0, b"JFIF\0") + segment(0xDB, bytes(64)) + segment(0xC0, bytes(9))
    scan = segment(0xDA, bytes(6)) + b"\x12\xff\x00\x34\xff\xd0\x56"
    return b"\xff\xd8" + b"".join(extra) + tables + scan + scan + b"\xff\xd9" + tail


def webp(*extra: tuple[bytes, bytes], flags: int = 0b1100) -> bytes:
    """Return an extended WebP with more chunks."""
    chunks = [(b"VP8X", bytes([flags]) + bytes(9)), (b"VP8 ", b"abc"), *extra]
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
        for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    ("dirty", "clean", "suffix"),
    [
        (
            png(chunk(b"eXIf", SECRET), chunk(b"tEXt", SECRET), chunk(b"iTXt", SECRET)) + SECRET,
            png(),
            "png",
        ),
        (
            jpeg(
                segment(0xE1, b"Exif\0\0" + SECRET),
                segment(0xED, SECRET),
                segment(0xFE, SECRET),
                tail=SECRET,
            ),
            jpeg(),
            "jpg",
        ),
        (webp((b"EXIF", SECRET), (b"XMP ", SECRET)), webp(flags=0), "webp"),
    ],
)
def test_photos_lose_place_and_time(dirty: bytes, clean: bytes, suffix: str) -> None:
    """Nothing of what the camera wrote beside the picture is kept (trust §4)."""
    media = read_media(dirty, "photo")

    assert clean == media.data
    assert SECRET not in media.data
    assert f"{hashlib.sha256(clean).hexdigest()}.{suffix}" == media.name
    assert media.is_image
    assert media == read_media(media.data, "again")


def test_a_document_is_kept_as_it_is() -> None:
    """A PDF is evidence and stays byte for byte."""
    media = read_media(b"%PDF-1.7\n...", "minutes.pdf")

    assert (b"%PDF-1.7\n...", False) == (media.data, media.is_image)
    assert f"/media/{media.name}" == media.path


def test_colour_profiles_stay_and_filling_bytes_go_through() -> None:
    """What the picture needs is not cut out."""
    profile = segment(0xE2, b"ICC_PROFILE\0")
    assert profile in read_media(jpeg(profile), "photo").data
    filled = jpeg().replace(b"\xff\xdb", b"\xff\xff\xdb", 1)
    assert jpeg() == read_media(filled, "photo").data


@pytest.mark.parametrize("whole", [png(), jpeg(), webp((b"EXIF", SECRET))])
def test_a_file_that_ends_too_early_is_refused(whole: bytes) -> None:
    """Every cut is noticed, and none is an endless loop."""
    for length in range(12, len(whole)):
        with pytest.raises(InvalidInput):
            read_media(whole[:length], "cut.jpg")


def test_what_is_not_a_picture_is_refused() -> None:
    """The first bytes say what a file is; a page of a website is none of them."""
    for data in (b"", b"<html><script>", b"GIF89a", b"RIFF....AVI "):
        with pytest.raises(InvalidInput, match="neither PDF, PNG, JPEG nor WebP"):
            read_media(data, "photo.jpg")
    with pytest.raises(InvalidInput, match="at most 16 MiB"):
        read_media(b"%PDF-" + bytes(MEDIA_BYTES_MAX), "big.pdf")
    with pytest.raises(InvalidInput, match="damaged"):
        read_media(b"\xff\xd8\x00\x00", "photo.jpg")
    broken = bytearray(webp())
    struct.pack_into("<I", broken, 16, 1 << 20)
    with pytest.raises(InvalidInput, match="damaged"):
        read_media(bytes(broken), "photo.webp")


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"RIFF\x20\0\0\0WEBP"]), st.binary())
def test_no_bytes_whatever_break_the_reader(start: bytes, rest: bytes) -> None:
    """Law: a file is either cleaned or refused in a sentence."""
    try:
        media = read_media(start + rest, "photo")
    except InvalidInput:
        return
    assert media == read_media(media.data, "again")


def test_a_file_is_kept_once_under_its_hash(tmp_path: Path) -> None:
    """The name is the content, so the same photo twice is one file."""
    media = read_media(png(), "photo")
    folder = tmp_path / "media"
    first = keep_media(media, folder)
    stamp = first.stat().st_mtime_ns

    assert (first, stamp) == (keep_media(media, folder), first.stat().st_mtime_ns)
    assert [media.name] == [path.name for path in folder.iterdir()]
    assert media.data == first.read_bytes()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """The disk is outside: the message names the file."""
    (tmp_path / "media").write_text("a file, not a folder")
    with pytest.raises(Unavailable, match="cannot be written"):
        keep_media(read_media(png(), "photo"), tmp_path / "media")
