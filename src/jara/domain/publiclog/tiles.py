"""The public log as immutable files, in the C2SP format 'tlog-tiles'.

A tile holds up to 256 hashes of one level of the tree; a level of tiles spans eight levels of
the tree. A page holds up to 256 leaves. Full ones never change, and partial ones are prefixes of
them, so any web server can serve the files and any cache can store them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from jara.domain.errors import InvalidInput

WIDTH = 256
"""The number of hashes in a full tile, and of leaves in a full page."""

HEIGHT = 8
"""The number of tree levels that a tile spans."""

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
    """Consecutive hashes of one level of the tree: the N-th group of 256, or a prefix of it."""

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
        """`x001/x234/067` if it is full, with the suffix `.p/112` if it has 112 hashes."""
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
        MalformedTile: the path is not in canonical form.
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
        MalformedTile: the path is not in canonical form.
    """
    level, _, span = path.partition("/")
    tile = Tile(_number(level), parse_span(span))
    if str(tile.level) != level:
        raise MalformedTile(f"'{path}' is not the path of a tile.")
    return tile


def new_tiles(known: int, size: int) -> Iterator[Tile]:
    """Yield the tiles that a log of `size` leaves has and one of `known` leaves lacks."""
    level = 0
    while size > known:
        yield from (Tile(level, span) for span in new_pages(known, size))
        level, known, size = level + 1, known // WIDTH, size // WIDTH


def new_pages(known: int, size: int) -> Iterator[Span]:
    """Yield the pages that a log of `size` leaves has and one of `known` leaves lacks."""
    if size <= known:
        return
    for start in range(known - known % WIDTH, size, WIDTH):
        yield Span(start // WIDTH, min(WIDTH, size - start))


def _number(text: str) -> int:
    # The callers reject other spellings by comparing the rebuilt path.
    if not (text.isascii() and text.isdigit() and len(text) <= 20):  # noqa: PLR2004 - 2^64
        raise MalformedTile(f"'{text}' is not a number of a tile.")
    return int(text)
