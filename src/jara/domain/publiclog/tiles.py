"""The public log as files that never change, in the C2SP format 'tlog-tiles'.

A tile holds up to 256 hashes of one level of the tree; a level of tiles is eight levels of the
tree. A page holds up to 256 leaves. Full ones never change, and narrower ones are their
beginnings, so any web server can hold them and any cache may keep them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from jara.domain.errors import InvalidInput

WIDTH = 256
"""How many hashes are in a full tile, and leaves in a full page."""

HEIGHT = 8
"""How many levels of the tree a tile spans."""

CHECKPOINT = "checkpoint"
"""The path of the newest signed checkpoint."""

LEVEL_MAX = 63
_PARTIAL = ".p/"
_DIGITS = 3


class MalformedTile(InvalidInput):
    """The path or the numbers do not name a tile."""

    code: ClassVar[str] = "malformed_tile"


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive hashes of one level of the tree: the N-th 256 of them, or their beginning."""

    index: int
    width: int = WIDTH

    def __post_init__(self) -> None:
        if self.index < 0 or not 1 <= self.width <= WIDTH:
            raise MalformedTile(f"A tile {self.index} of {self.width} hashes cannot exist.")

    @property
    def start(self) -> int:
        """The index of its first hash in its level."""
        return self.index * WIDTH

    @property
    def end(self) -> int:
        """The index after its last hash."""
        return self.start + self.width

    @property
    def path(self) -> str:
        """`x001/x234/067` for a full one, with `.p/112` behind for one of 112 hashes."""
        return self.full_path + ("" if self.width == WIDTH else f"{_PARTIAL}{self.width}")

    @property
    def full_path(self) -> str:
        """The path once it is full."""
        digits = str(self.index)
        digits = digits.zfill(-(-len(digits) // _DIGITS) * _DIGITS)
        parts = [digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS)]
        return "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile: the level of tiles, and the span of hashes in it."""

    level: int
    span: Span

    def __post_init__(self) -> None:
        if not 0 <= self.level <= LEVEL_MAX:
            raise MalformedTile(f"There is no level {self.level} of tiles.")

    @property
    def tree_level(self) -> int:
        """The level of its hashes in the tree; level 0 is the leaf hashes."""
        return self.level * HEIGHT

    @property
    def path(self) -> str:
        """Its path, such as `tile/0/x001/234.p/5`."""
        return f"tile/{self.level}/{self.span.path}"


def page_path(page: Span) -> str:
    """Return the path of a page of leaves, such as `leaves/x001/234.p/5`."""
    return f"leaves/{page.path}"


def parse_span(path: str) -> Span:
    """Parse the `<N>[.p/<W>]` of a path.

    Raises:
        MalformedTile: the path is written differently than its tile's.
    """
    number, partial, width = path.partition(_PARTIAL)
    digits = number.replace("/", "").replace("x", "")
    span = Span(_number(digits), _number(width) if partial else WIDTH)
    if span.path != path:
        raise MalformedTile(f"'{path}' is not the path of a tile.")
    return span


def parse_tile(path: str) -> Tile:
    """Parse the `<L>/<N>[.p/<W>]` of a tile's path.

    Raises:
        MalformedTile: the path is written differently than its tile's.
    """
    level, _, span = path.partition("/")
    tile = Tile(_number(level), parse_span(span))
    if str(tile.level) != level:
        raise MalformedTile(f"'{path}' is not the path of a tile.")
    return tile


def new_tiles(known: int, size: int) -> Iterator[Tile]:
    """Yield the tiles of a log of `size` leaves that one of `known` leaves did not have."""
    level = 0
    while size > known:
        yield from (Tile(level, span) for span in new_pages(known, size))
        level, known, size = level + 1, known // WIDTH, size // WIDTH


def new_pages(known: int, size: int) -> Iterator[Span]:
    """Yield the pages of a log of `size` leaves that one of `known` leaves did not have."""
    if size <= known:
        return
    for start in range(known - known % WIDTH, size, WIDTH):
        yield Span(start // WIDTH, min(WIDTH, size - start))


def _number(text: str) -> int:
    # Anything that is spelt differently is found when the path is written again.
    if not (text.isascii() and text.isdigit() and len(text) <= 20):  # noqa: PLR2004 - 2^64
        raise MalformedTile(f"'{text}' is not a number of a tile.")
    return int(text)
