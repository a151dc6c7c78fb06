"""Preview images: one size, title on the left, picture on the right, all glyphs."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from jara.domain.errors import Unavailable
from jara.files.preview_image import SIZE, Preview, PreviewPainter
from jara.files.preview_program import PaintingProgram

_FONTS = Path(__file__).parents[2] / "webui" / "src" / "styles" / "fonts"
_RED, _GREEN, _GROUND = (255, 0, 0), (0, 128, 0), (255, 253, 248)
TEXT_WIDTH = 560
SCENE = "/assets/art-1/school.svg"
PHOTO = f"/media/{'a' * 64}.png"


def plain(colour: str, *, width: int = 100) -> bytes:
    """Return a drawing of one colour."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 100">'
        f'<rect width="{width}" height="100" fill="{colour}"/></svg>'
    ).encode()


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one photo."""
    folder = tmp_path_factory.mktemp("media")
    Image.new("RGB", (40, 30), _GREEN).save(folder / PHOTO.removeprefix("/media/"))
    return folder


def site_files() -> dict[str, bytes]:
    """Return the site's fonts and three drawings."""
    fonts = {f"/assets/{path.name}": path.read_bytes() for path in _FONTS.glob("*.woff2")}
    drawings = {
        SCENE: plain("red"),
        "/assets/art-1/band.svg": plain("blue", width=4000),
        "/art/mark.svg": plain("black"),
    }
    return {**fonts, **drawings}


@pytest.fixture(scope="module")
def painter(media: Path) -> PreviewPainter:
    """A painter with the site's fonts, three drawings and one photo."""
    return PreviewPainter(site_files(), media)


def painted(painter: PreviewPainter, title: str, picture: str = SCENE) -> Image.Image:
    """Paint a preview and decode it."""
    data = painter.paint(Preview(title, "Project", picture, "Jara"))
    return Image.open(BytesIO(data)).convert("RGB")


def titled(image: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the bounding box of the title's pixels."""
    part = image.crop((0, 140, TEXT_WIDTH, 420))
    ink = part.convert("L").point(lambda value: 255 if value < 128 else 0)
    return ink.getbbox()


def test_the_picture_stands_beside_the_title(painter: PreviewPainter) -> None:
    """The image has the size that social networks show uncropped."""
    image = painted(painter, "A school")

    assert image.size == SIZE
    assert image.getpixel((1190, 10)) == _RED
    assert image.getpixel((10, 600)) == _GROUND
    assert titled(image) is not None


def test_a_photo_of_this_site_is_shown(painter: PreviewPainter) -> None:
    """A photo that is missing or on another site is replaced by a drawing."""
    assert painted(painter, "A school", PHOTO).getpixel((900, 100)) == _GREEN
    gone = painted(painter, "A school", f"/media/{'b' * 64}.png")
    assert gone.getpixel((900, 100)) == (0, 0, 0)


def test_a_long_title_stays_inside(painter: PreviewPainter) -> None:
    """The title has at most four lines, and an overlong word is cut."""
    for title in ("Boreholes and tanks " * 12, "W" * 90):
        box = titled(painted(painter, title))

        assert box is not None
        left, _, right, bottom = box
        assert left >= 50
        assert right <= TEXT_WIDTH - 50
        assert bottom < 270


def test_an_amount_stays_on_one_line(painter: PreviewPainter) -> None:
    """French amounts contain spaces that do not break."""
    words = ["Paid" + "s" * length for length in range(20)]

    assert any(
        painted(painter, f"{word} 24 070 $").tobytes()
        != painted(painter, f"{word} 24\u00a0070\u00a0$").tobytes()
        for word in words
    )


@pytest.mark.parametrize("title", ["Ọmọ ilé-ìwé", "École à Kédougou", "Ọmọ Ẹ̀kọ́"])
def test_west_african_and_french_signs_are_drawn(painter: PreviewPainter, title: str) -> None:
    """The extended Latin font is used where the basic one has no glyph."""
    assert titled(painted(painter, title)) is not None


@pytest.mark.parametrize("title", ["مدرسة", "ትምህርት ቤት", "学校"])
def test_a_title_without_glyphs_is_left_out(painter: PreviewPainter, title: str) -> None:
    """Without glyphs for the title, the image has only the picture."""
    assert titled(painted(painter, title)) is None


def test_another_process_paints_the_same(painter: PreviewPainter, media: Path) -> None:
    """The server paints in a process of low priority, which gets what it needs."""
    preview = Preview("Clean water", "Project", PHOTO, "Jara")

    assert PaintingProgram(site_files(), media).paint(preview) == painter.paint(preview)


def test_an_image_that_cannot_be_painted_is_refused(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that fails or takes too long is ended, and the visitor may come again."""
    preview = Preview("Clean water", "Project", "<svg", "Jara")
    with pytest.raises(Unavailable, match="could not be drawn"):
        PaintingProgram(site_files(), media).paint(preview)
    monkeypatch.setattr("jara.files.preview_program.SECONDS_MAX", 0.01)
    with pytest.raises(Unavailable, match="could not be drawn"):
        PaintingProgram(site_files(), media).paint(preview._replace(picture=SCENE))


def test_an_address_leads_to_no_other_folder(painter: PreviewPainter, media: Path) -> None:
    """Dots in an address do not name a picture elsewhere."""
    Image.new("RGB", (40, 30), _GREEN).save(media.parent / "secret.png")
    image = painted(painter, "Wells", "/media/../secret.png")

    assert image.getpixel((1100, 300)) != _GREEN
