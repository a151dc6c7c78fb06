"""Photos and documents: recognised by their first bytes, named by their SHA-256.

A photo is re-encoded from its pixels, upright and small enough for a page: the camera's
metadata (place, time, device, names) is dropped, and so is anything hidden in the file. A PDF
is evidence as it was signed, so it stays byte for byte.
"""

import hashlib
import os
import warnings
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageCms, ImageOps

from jara.domain.content.fields import MEDIA_PATH
from jara.domain.errors import InvalidInput, Unavailable
from jara.files.pdf import PDF, check_pdf

MEDIA_BYTES_MAX = 16 << 20
PIXELS_MAX = 50_000_000
"""The pixel limit, above any phone's; a small file that decompresses into more is an attack."""
EDGE_PIXELS_MAX = 2560
"""The longest edge of a stored photo: enough to read a photographed receipt."""

EDGE_SENT_MAX = 20_000
"""The longest edge of a photo that is sent: a line of a million pixels is an attack."""

FIELD_PIXELS_MAX = 12_000_000
"""The pixel limit of a photo from the field, which the phone has scaled down already."""

_QUALITY = 85


class _Format(NamedTuple):
    """A photo format: its name in Pillow, and its suffix in the media folder."""

    name: str
    suffix: str
    has_alpha: bool


_JPEG = _Format("JPEG", "jpg", has_alpha=False)
_PNG = _Format("PNG", "png", has_alpha=True)
_WEBP = _Format("WEBP", "webp", has_alpha=True)


class Media(NamedTuple):
    """A file that can be served: its bytes and its name."""

    name: str
    data: bytes
    is_image: bool

    @property
    def media_type(self) -> str:
        """Its type as browsers name it."""
        suffix = self.name.rpartition(".")[2].replace("jpg", "jpeg")
        return f"image/{suffix}" if self.is_image else f"application/{suffix}"

    @property
    def path(self) -> str:
        """Its address on the site."""
        return f"{MEDIA_PATH}{self.name}"


def read_media(data: bytes, name: str) -> Media:
    """Recognise a PDF, PNG, JPEG or WebP by its bytes, and re-encode a photo.

    Raises:
        InvalidInput: it is in another format, damaged, or too large.
    """
    if len(data) > MEDIA_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; such a file has at most 16 MiB.")
    if not data:
        raise InvalidInput(f"{name} is empty.")
    if data.startswith(PDF):
        check_pdf(data, name)
        return _named(data, "pdf")
    kind = _require_format(data, name, "neither PDF, PNG, JPEG nor WebP")
    return _named(_drawn_anew(data, name, kind, PIXELS_MAX), kind.suffix)


def read_field_photo(data: bytes, name: str) -> Media:
    """Recognise a photo that a partner's phone sent, and re-encode it.

    Raises:
        InvalidInput: it is not PNG, JPEG or WebP, damaged, or has too many pixels.
    """
    kind = _require_format(data, name, "neither JPEG, PNG nor WebP")
    return _named(_drawn_anew(data, name, kind, FIELD_PIXELS_MAX), kind.suffix)


def keep_media(media: Media, folder: Path) -> Path:
    """Store a file in the media folder; an existing one stays.

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


def keep_photo(folder: Path, name: str, data: bytes) -> Callable[[], None]:
    """Store a photo that was read before; return what removes it, unless it was there already.

    Raises:
        Unavailable: the folder cannot be written.
    """
    target = folder / name
    is_new = not target.exists()
    keep_media(Media(name, data, is_image=True), folder)
    return partial(target.unlink, missing_ok=True) if is_new else lambda: None


def _named(data: bytes, suffix: str) -> Media:
    digest = hashlib.sha256(data).hexdigest()
    return Media(f"{digest}.{suffix}", data, is_image=suffix != "pdf")


def _require_format(data: bytes, name: str, otherwise: str) -> _Format:
    kind = _format_of(data)
    if kind is None and data[4:8] == b"ftyp":
        raise InvalidInput(f"{name} is a HEIC or AVIF picture; send it as JPEG.")
    if kind is None:
        raise InvalidInput(f"{name} is {otherwise}.")
    return kind


def _format_of(data: bytes) -> _Format | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _PNG
    if data.startswith(b"\xff\xd8"):
        return _JPEG
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _WEBP
    return None


def _drawn_anew(data: bytes, name: str, kind: _Format, pixels_max: int) -> bytes:
    try:
        with warnings.catch_warnings():
            # Pillow warns about odd metadata, which is dropped, and about many pixels, where
            # our own limit is lower.
            warnings.simplefilter("ignore")
            image = Image.open(BytesIO(data), formats=(kind.name,))
            width, height = image.size
            if width * height > pixels_max:
                raise InvalidInput(
                    f"{name} is {width} by {height} pixels; a photo has at most "
                    f"{pixels_max // 10**6} million."
                )
            if max(width, height) > EDGE_SENT_MAX:
                raise InvalidInput(
                    f"{name} is {width} by {height} pixels; an edge has at most {EDGE_SENT_MAX:,}."
                )
            return _encoded(_upright(image, kind), kind)
    except Image.DecompressionBombError:
        raise InvalidInput(f"{name} decompresses into far too many pixels.") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, OverflowError):
        raise InvalidInput(f"{name} is damaged: its picture cannot be read.") from None


def _upright(image: Image.Image, kind: _Format) -> Image.Image:
    """Return the first image of a file, upright and in sRGB."""
    turned = ImageOps.exif_transpose(image)
    wants_alpha = kind.has_alpha and turned.has_transparency_data
    plain = _in_web_colours(turned).convert("RGBA" if wants_alpha else "RGB")
    plain.thumbnail((EDGE_PIXELS_MAX, EDGE_PIXELS_MAX))
    return plain


def _in_web_colours(image: Image.Image) -> Image.Image:
    """Convert a phone's wide colours to sRGB, which browsers assume without a profile."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in {"RGB", "RGBA"}:
        return image
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        turned = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError):
        return image  # a broken profile is dropped; the pixels are usable without it
    return image if turned is None else turned


def _encoded(image: Image.Image, kind: _Format) -> bytes:
    bare = Image.new(image.mode, image.size)  # without the metadata that a copy would carry
    bare.paste(image)
    out = BytesIO()
    bare.save(out, kind.name, quality=_QUALITY, optimize=True)
    return out.getvalue()
