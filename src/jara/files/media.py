"""Photos and documents: known by their first bytes, kept under their SHA-256.

A photo is drawn anew from its pixels, upright and small enough for a page: what the camera
wrote beside the picture (place, time, device, names) is not carried over, nor is anything
that somebody hid in it. A PDF is evidence as it was signed and stays byte for byte.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageCms, ImageOps

from jara.domain.errors import InvalidInput, Unavailable

MEDIA_BYTES_MAX = 16 << 20
PIXELS_MAX = 50_000_000
"""More than any phone takes; a small file that unfolds into more is a trap."""
EDGE_PIXELS_MAX = 2560
"""Of a kept photo: enough to read a receipt that was photographed."""

_PDF = b"%PDF-"
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class _Format:
    """How a format of photos is called by Pillow and in the media folder."""

    name: str
    suffix: str
    has_alpha: bool


_JPEG = _Format("JPEG", "jpg", has_alpha=False)
_PNG = _Format("PNG", "png", has_alpha=True)
_WEBP = _Format("WEBP", "webp", has_alpha=True)


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
    """Recognise a PDF, PNG, JPEG or WebP by its bytes, and draw a photo anew.

    Raises:
        InvalidInput: it is something else, damaged, or too large.
    """
    if len(data) > MEDIA_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; such a file has at most 16 MiB.")
    if data.startswith(_PDF):
        return _named(data, "pdf")
    kind = _format_of(data)
    if kind is None:
        raise InvalidInput(f"{name} is neither PDF, PNG, JPEG nor WebP.")
    return _named(_drawn_anew(data, name, kind), kind.suffix)


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


def _named(data: bytes, suffix: str) -> Media:
    digest = hashlib.sha256(data).hexdigest()
    return Media(f"{digest}.{suffix}", data, is_image=suffix != "pdf")


def _format_of(data: bytes) -> _Format | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _PNG
    if data.startswith(b"\xff\xd8"):
        return _JPEG
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _WEBP
    return None


def _drawn_anew(data: bytes, name: str, kind: _Format) -> bytes:
    try:
        with warnings.catch_warnings():
            # Pillow warns of odd notes, which are not kept, and of many pixels, of which
            # our own limit is lower.
            warnings.simplefilter("ignore")
            image = Image.open(BytesIO(data), formats=(kind.name,))
            width, height = image.size
            if width * height > PIXELS_MAX:
                raise InvalidInput(
                    f"{name} is {width} by {height} pixels; a photo has at most "
                    f"{PIXELS_MAX // 10**6} million."
                )
            return _encoded(_upright(image, kind), kind)
    except Image.DecompressionBombError:
        raise InvalidInput(f"{name} unfolds into far too many pixels.") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, OverflowError):
        raise InvalidInput(f"{name} is damaged: its picture cannot be read.") from None


def _upright(image: Image.Image, kind: _Format) -> Image.Image:
    """Return the first picture of a file, turned as it was held, in the colours of the web."""
    turned = ImageOps.exif_transpose(image)
    wants_alpha = kind.has_alpha and turned.has_transparency_data
    plain = _in_web_colours(turned).convert("RGBA" if wants_alpha else "RGB")
    plain.thumbnail((EDGE_PIXELS_MAX, EDGE_PIXELS_MAX))
    return plain


def _in_web_colours(image: Image.Image) -> Image.Image:
    """Turn a phone's wide colours into those that a picture without a profile has."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in {"RGB", "RGBA"}:
        return image
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        turned = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError):
        return image  # a broken profile is left out; the pixels are good without it
    return image if turned is None else turned


def _encoded(image: Image.Image, kind: _Format) -> bytes:
    bare = Image.new(image.mode, image.size)  # without the notes that a copy would carry
    bare.paste(image)
    out = BytesIO()
    bare.save(out, kind.name, quality=_QUALITY, optimize=True)
    return out.getvalue()
