"""A PDF is stored as it came, so it is a whole PDF, nothing else, and runs nothing."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from jara.domain.errors import InvalidInput
from jara.files import pdf
from jara.files.media import read_media
from tests.files.pdf_files import a_pdf, packed

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
        (a_pdf(packed(b"1 0", b"/Type /ObjStm /Filter /LZWDecode")), "packs its objects"),
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
