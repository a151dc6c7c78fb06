"""Media: photos lose their metadata, a PDF stays as it is; types are detected by content."""

import hashlib
import struct
import zlib
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, PngImagePlugin

from jara.domain.errors import InvalidInput, Unavailable
from jara.files import pdf
from jara.files.media import EDGE_PIXELS_MAX, MEDIA_BYTES_MAX, keep_media, read_media
from tests.files.pdf_files import a_pdf, packed

SECRET = b"GPS 6.45N 3.39E"
RED, BLUE = (220, 20, 20), (20, 20, 220)
ORIENTATION = 0x0112


def a_picture(size: tuple[int, int] = (40, 20), mode: str = "RGB") -> Image.Image:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    return image.convert(mode)


def photo(kind: str, image: Image.Image | None = None, *, turned: int = 1) -> bytes:
    """Return a photo as a camera writes it, with its location in every metadata format."""
    exif = Image.Exif()
    exif[ORIENTATION] = turned
    exif[0x010E] = SECRET.decode()
    exif.get_ifd(0x8825)[1] = SECRET.decode()  # GPS
    out = BytesIO()
    image = image or a_picture()
    if kind == "PNG":
        notes = PngImagePlugin.PngInfo()
        notes.add_text("Comment", SECRET.decode())
        notes.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        image.save(out, kind, exif=exif, pnginfo=notes)
    elif kind == "JPEG":
        image.save(out, kind, exif=exif, comment=SECRET, xmp=SECRET)
    else:
        image.save(out, kind, exif=exif, xmp=SECRET, lossless=True)
    return out.getvalue()


def shown(data: bytes) -> Image.Image:
    """Return the pixels that a browser shows."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize(("kind", "suffix"), [("JPEG", "jpg"), ("PNG", "png"), ("WEBP", "webp")])
def test_photos_lose_place_and_time(kind: str, suffix: str) -> None:
    """No metadata of the camera stay."""
    dirty = photo(kind) + SECRET
    media = read_media(dirty, "photo")
    image = shown(media.data)

    assert SECRET in dirty
    assert SECRET not in media.data
    assert not image.getexif()
    assert not {"exif", "xmp", "icc_profile", "comment", "XML:com.adobe.xmp"} & set(image.info)
    assert (image.format, image.size) == (kind, (40, 20))
    assert media.name == f"{hashlib.sha256(media.data).hexdigest()}.{suffix}"
    assert media.is_image
    assert media == read_media(dirty, "the same photo once more")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_stands_upright_though_its_note_is_gone(kind: str) -> None:
    """The pixels are rotated in place of the orientation tag."""
    image = shown(read_media(photo(kind, turned=6), "photo").data).convert("RGB")
    top, bottom = image.getpixel((10, 5)), image.getpixel((10, 35))

    assert image.size == (20, 40)
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[0] > 150 > top[2]
    assert bottom[2] > 150 > bottom[0]


def test_a_large_photo_becomes_small_enough_for_a_page() -> None:
    """The longer edge has at most 2,560 pixels, and the aspect ratio stays."""
    media = read_media(photo("JPEG", a_picture((5120, 2560))), "photo")

    assert shown(media.data).size == (EDGE_PIXELS_MAX, EDGE_PIXELS_MAX // 2)


def test_transparency_stays_where_the_format_has_it() -> None:
    """A transparent background does not become black."""
    clear = Image.new("RGBA", (8, 8), (0, 0, 0, 0))

    assert shown(read_media(photo("PNG", clear), "logo").data).mode == "RGBA"
    assert shown(read_media(photo("PNG"), "photo").data).mode == "RGB"


def test_every_kind_of_pixels_is_drawn() -> None:
    """Grey, palette, 16-bit and CMYK images become what browsers can show."""
    for kind, mode in (("PNG", "1"), ("PNG", "P"), ("PNG", "I;16"), ("JPEG", "L")):
        image = a_picture().convert("L").convert(mode) if mode == "I;16" else a_picture(mode=mode)
        assert shown(read_media(photo(kind, image), "photo").data).mode == "RGB"
    inks = BytesIO()
    a_picture(mode="CMYK").save(inks, "JPEG")
    assert shown(read_media(inks.getvalue(), "photo").data).mode == "RGB"


@pytest.mark.parametrize("broken", [False, True])
def test_colours_are_those_of_the_web(broken: bool) -> None:
    """A colour profile is applied and removed; a broken one is only removed."""
    out = BytesIO()
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    a_picture().save(out, "JPEG", icc_profile=b"none" if broken else profile)
    image = shown(read_media(out.getvalue(), "photo").data)
    left = image.getpixel((5, 10))

    assert "icc_profile" not in image.info
    assert isinstance(left, tuple)
    assert left[0] > 150 > left[2]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_file_that_ends_too_early_is_refused(kind: str) -> None:
    """A truncated picture is refused."""
    whole = photo(kind, a_picture((400, 300)))
    for part in (12, len(whole) // 4, len(whole) // 2):
        with pytest.raises(InvalidInput, match=r"cut\.jpg is damaged"):
            read_media(whole[:part], "cut.jpg")


def a_bomb(edge: int) -> bytes:
    """Return a small PNG that claims to be a square of the given edge in pixels."""
    header = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
    pieces = [b"\x89PNG\r\n\x1a\n"]
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(99))), (b"IEND", b"")):
        pieces += [struct.pack(">I", len(data)), name, data]
        pieces.append(struct.pack(">I", zlib.crc32(name + data)))
    return b"".join(pieces)


@pytest.mark.parametrize("edge", [7_100, 9_500, 100_000])
def test_a_small_file_that_unfolds_into_a_huge_picture_is_refused(edge: int) -> None:
    """The claimed size is checked before anything is decoded."""
    with pytest.raises(InvalidInput, match="pixels"):
        read_media(a_bomb(edge), "photo.png")


def test_files_that_are_not_pictures_are_refused() -> None:
    """The first bytes decide the type, and a web page is none of the types."""
    for data in (b"<html><script>", b"GIF89a", b"RIFF....AVI "):
        with pytest.raises(InvalidInput, match="neither PDF, PNG, JPEG nor WebP"):
            read_media(data, "photo.jpg")
    with pytest.raises(InvalidInput, match="at most 16 MiB"):
        read_media(b"%PDF-" + bytes(MEDIA_BYTES_MAX), "big.pdf")
    with pytest.raises(InvalidInput, match="damaged"):
        read_media(b"\xff\xd8\x00\x00", "photo.jpg")


WHOLE = {kind: photo(kind) for kind in ("JPEG", "PNG", "WEBP")}


@settings(max_examples=300)
@given(st.sampled_from(sorted(WHOLE)), st.integers(0, 10**6), st.binary(max_size=64))
def test_no_bytes_break_the_reader(kind: str, place: int, noise: bytes) -> None:
    """Any file is decoded or refused with one sentence."""
    whole = WHOLE[kind]
    place = 12 + place % (len(whole) - 12)
    try:
        media = read_media(whole[:place] + noise + whole[place + len(noise) :], "photo")
    except InvalidInput:
        return
    assert SECRET not in media.data


def test_a_file_is_kept_once_under_its_hash(tmp_path: Path) -> None:
    """The name is a hash of the content, so the same photo is stored once."""
    media = read_media(photo("PNG"), "photo")
    folder = tmp_path / "media"
    first = keep_media(media, folder)
    stamp = first.stat().st_mtime_ns

    assert (first, stamp) == (keep_media(media, folder), first.stat().st_mtime_ns)
    assert [path.name for path in folder.iterdir()] == [media.name]
    assert media.data == first.read_bytes()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """The message names the file."""
    (tmp_path / "media").write_text("a file, not a folder")
    with pytest.raises(Unavailable, match="cannot be written"):
        keep_media(read_media(photo("PNG"), "photo"), tmp_path / "media")


SCRIPT = b"4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj"


def test_a_pdf_stays_byte_for_byte() -> None:
    """What was signed or printed is what is stored."""
    data = a_pdf(b"5 0 obj\n<< /OpenAction [3 0 R /Fit] >>\nendobj")

    media = read_media(data, "invoice.pdf")

    assert (media.data, media.media_type, media.is_image) == (data, "application/pdf", False)
    assert media.path == f"/media/{media.name}"


@pytest.mark.parametrize(
    "object_",
    [
        SCRIPT,
        b"4 0 obj\n<< /S /J#61vaScript /JS (x) >>\nendobj",
        b"4 0 obj\n<< /S /Launch /F (calc.exe) >>\nendobj",
        b"4 0 obj\n<< /XFA [1 0 R] >>\nendobj",
        b"4 0 obj\n" + packed(b"9 0 << /S /JavaScript >>", b"/Type /ObjStm /Filter /FlateDecode"),
        b"4 0 obj\n" + packed(b" " * (1 << 20) + b"/JavaScript "),
        b"% stream\n" + SCRIPT + b"\n% endstream",
    ],
)
def test_a_pdf_with_a_script_is_refused(object_: bytes) -> None:
    """Also one whose name is spelt in hex, that is compressed, or that hides in a comment."""
    with pytest.raises(InvalidInput, match="holds a script or a form"):
        read_media(a_pdf(object_), "invoice.pdf")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7 not a PDF", "no whole PDF"),
        (a_pdf(end=b""), "no whole PDF"),
        (a_pdf() + b"MZ, a program", "no whole PDF"),
        (a_pdf(b"trailer << /Encrypt 9 0 R >>"), "is encrypted"),
        (a_pdf(*[b"stream\n"] * 60_000), "packs its objects"),
        *(
            (a_pdf(b"4 0 obj\n" + one), "packs its objects")
            for one in (
                packed(b"1 0", b"/Type /ObjStm /Filter /LZWDecode"),
                packed(b"1 0", b"/Type /ObjStm /Filter /ASCIIHexDecode /Note (obj)"),
                packed(b"1 0", b"/Type /ObjStm /Filter /ASCIIHexDecode %obj\n"),
                packed(b"1 0", b"/Type /ObjStm /Filter /ASCIIHexDecode" + b" " * 2100),
                packed(b"1 0", b"/Type /ObjStm /Filter 9 0 R"),
                packed(b"1 0", b"/Type /ObjStm /Filter [/FlateDecode /FlateDecode]"),
                packed(b"1 0", b"/Type /ObjStm /Filter /FlateDecode /DecodeParms 9 0 R"),
                packed(b"1 0", b"/Type /ObjStm /Filter /FlateDecode").replace(
                    zlib.compress(b"1 0")[-4:], b"abcd"
                ),
            )
        ),
    ],
)
def test_what_is_no_plain_pdf_is_refused(data: bytes, said: str) -> None:
    """Each with what to do about it."""
    with pytest.raises(InvalidInput, match=said):
        read_media(data, "invoice.pdf")


def test_a_pdf_that_is_a_zip_is_refused() -> None:
    """A program would open it as one, a person as the other."""
    out = BytesIO(a_pdf())
    with ZipFile(out, "a") as archive:
        archive.writestr("salary.csv", "1")
        archive.comment = b"\n%%EOF"

    with pytest.raises(InvalidInput, match="a ZIP file at once"):
        read_media(out.getvalue(), "invoice.pdf")


def test_a_pdf_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes may unpack to gigabytes."""
    monkeypatch.setattr(pdf, "UNPACKED_BYTES_MAX", 1 << 20)

    with pytest.raises(InvalidInput, match="unpacks into far too much"):
        read_media(a_pdf(packed(bytes(2 << 20))), "invoice.pdf")
