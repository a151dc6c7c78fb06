"""Paints preview images: the picture of a page, its title, and the organisation."""

import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from unicodedata import combining, normalize

from PIL import Image, ImageDraw, ImageFont, ImageOps

from jara.domain.content.fields import MEDIA_PATH

SIZE = WIDTH, HEIGHT = 1200, 630
"""The size that social networks show uncropped (Open Graph previews at 1.91 to 1)."""

_BAND, _MARGIN, _MARK = 24, 56, 52
_TEXT_WIDTH = 560
"""The picture has the rest, nearly square, so that little of a 4:3 photo is cut off."""
_TITLE_SIZE, _TITLE_LINES, _TITLE_LEADING, _TITLE_TOP = 52, 4, 60, 152
_WORDS_SIZE, _WORDS_LINES, _WORDS_LEADING = 30, 3, 40
_GROUND, _INK, _QUIET = "#fffdf8", "#13153a", "#50526f"
_MARK_PATH, _BAND_NAME = "/art/mark.svg", "band.svg"
_DISPLAY, _TEXT = "/assets/jara-display-", "/assets/source-sans-3-"
_BOLD: Mapping[str, tuple[int, ...]] = {_DISPLAY: (800, 88), _TEXT: (600,)}
"""Weight, and width where a font has that axis."""
_GLUE, _BREAK = re.compile("[\u00a0\u202f]"), re.compile(r"[^\S\u00a0\u202f]+")
_UNKNOWN = "\uffff"
"""A character in no font; its glyph is the one that a font draws for missing characters."""


class Preview(NamedTuple):
    """The content of an image; the picture is an address or an SVG drawing."""

    title: str
    words: str
    picture: str
    organisation: str


class PreviewPainter:
    """Paints with the drawings and fonts of the website."""

    def __init__(self, files: Mapping[str, bytes], media: Path) -> None:
        self._files = files
        self._media = media
        self._fonts = {
            family: [
                files[address]
                for address in sorted(files)
                if address.startswith(family) and address.endswith(".woff2")
            ]
            for family in (_DISPLAY, _TEXT)
        }

    def files_for(self, preview: Preview) -> Mapping[str, bytes]:
        """Return the drawings and fonts that an image needs."""
        fonts = tuple(address for address in self._files if address.endswith(".woff2"))
        wanted = {*fonts, _MARK_PATH, self._band(), preview.picture}
        return {address: data for address, data in self._files.items() if address in wanted}

    def _band(self) -> str:
        return next(address for address in self._files if address.endswith(_BAND_NAME))

    def paint(self, preview: Preview) -> bytes:
        """Return the image as PNG.

        Text in a script that no font of the site has is left out.
        """
        image = Image.new("RGB", SIZE, _GROUND)
        picture = self._picture(preview.picture)
        left = _TEXT_WIDTH + _BAND
        image.paste(ImageOps.fit(picture, (WIDTH - left, HEIGHT)), (left, 0))
        strip = self._drawing(self._band(), width=_BAND * 40).rotate(90, expand=True)
        image.paste(strip, (_TEXT_WIDTH, 0))
        room = _TEXT_WIDTH - 2 * _MARGIN
        words = _Writer(image, self._fonts[_TEXT], _WORDS_SIZE, _BOLD[_TEXT])
        mark = self._drawing(_MARK_PATH, width=_MARK)
        image.paste(mark, (_MARGIN, _MARGIN), mark)
        for name in words.lines(preview.organisation, room - _MARK - 16, 1):
            words.write(name, (_MARGIN + _MARK + 16, _MARGIN + 6), _INK)
        title = _Writer(image, self._fonts[_DISPLAY], _TITLE_SIZE, _BOLD[_DISPLAY])
        for number, line in enumerate(title.lines(preview.title, room, _TITLE_LINES)):
            title.write(line, (_MARGIN, _TITLE_TOP + number * _TITLE_LEADING), _INK)
        notes = words.lines(preview.words, room, _WORDS_LINES)
        top = HEIGHT - _MARGIN - len(notes) * _WORDS_LEADING
        for number, line in enumerate(notes):
            words.write(line, (_MARGIN, top + number * _WORDS_LEADING), _QUIET)
        return _png(image)

    def _picture(self, address: str) -> Image.Image:
        if address.startswith("<svg"):
            return _rendered(address, WIDTH)
        if address.startswith(MEDIA_PATH):
            # By name alone: an address with dots must lead to no other folder.
            path = self._media / Path(address).name
            if path.is_file():
                with Image.open(path) as photo:
                    return photo.convert("RGB")
        return self._drawing(address if address in self._files else _MARK_PATH, width=WIDTH)

    def _drawing(self, address: str, *, width: int) -> Image.Image:
        return _rendered(self._files[address].decode(), width)


class _Writer:
    """Writes in one size, each character in the first font that has it."""

    def __init__(
        self, image: Image.Image, fonts: Iterable[bytes], size: int, axes: tuple[int, ...]
    ) -> None:
        self._draw = ImageDraw.Draw(image)
        self._fonts = [ImageFont.truetype(BytesIO(data), size) for data in fonts]
        for font in self._fonts:
            font.set_variation_by_axes(list(axes))
        self._missing = [bytes(font.getmask(_UNKNOWN)) for font in self._fonts]

    def lines(self, text: str, width: int, count: int) -> list[str]:
        """Wrap a text, with '…' where it is cut; no lines if a character is in no font."""
        words = [_GLUE.sub(" ", word) for word in _BREAK.split(normalize("NFC", text).strip())]
        if any(self._font_of(sign) is None for word in words for sign in word):
            return []
        lines: list[str] = []
        for word in words:
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        shown = lines[:count]
        if len(lines) > count:
            shown[-1] += "…"
        return [self._cut(line, width) for line in shown]

    def width(self, text: str) -> float:
        """Return the width of a text."""
        return sum(font.getlength(run) for font, run in self._runs(text))

    def write(self, text: str, place: tuple[int, int], colour: str) -> None:
        """Write a line from its top left corner."""
        left, top = place
        for font, run in self._runs(text):
            ascent, _ = font.getmetrics()
            self._draw.text((left, top + ascent), run, fill=colour, font=font, anchor="ls")
            left += round(font.getlength(run))

    def _cut(self, line: str, width: int) -> str:
        while self.width(line) > width:
            line = f"{line.rstrip('…')[:-1].rstrip()}…"
        return line

    def _font_of(self, sign: str) -> ImageFont.FreeTypeFont | None:
        for font, missing in zip(self._fonts, self._missing, strict=True):
            if combining(sign) or bytes(font.getmask(sign)) != missing:
                return font
        return None

    def _runs(self, text: str) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
        """Split a line by font; a combining mark stays with the letter before it."""
        current, run = self._fonts[0], ""
        for sign in text:
            font = current if combining(sign) or sign == " " else self._font_of(sign) or current
            if font is not current and run:
                yield current, run
                run = ""
            current, run = font, run + sign
        if run:
            yield current, run


def _rendered(svg: str, width: int) -> Image.Image:
    return Image.open(BytesIO(rendered_svg(svg, width=width)))


def rendered_svg(svg: str, *, width: int, height: int | None = None) -> bytes:
    """Return a drawing as PNG, as large as fits into width and height; text in it is left out.

    Raises:
        ValueError: it cannot be drawn.
    """
    import resvg_py  # noqa: PLC0415 - 4 MB, needed only when somebody shares a link

    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    )


def _png(image: Image.Image) -> bytes:
    target = BytesIO()
    image.save(target, "PNG", optimize=False, compress_level=6)
    return target.getvalue()
