"""Preview images: each is drawn once, by one process at a time, and kept on disk.

A request for an image that is drawn already reads a file. Of the others, a few wait for their
turn; the rest are asked to come again, so that they take no threads from other requests.
"""

import json
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from jara.files.drawing_turns import DrawingTurns
from jara.files.preview_image import Preview
from jara_webapi.pages.site_files import SiteFile

FILES_MAX = 2_000
"""How many images are kept, about 100 kB each; the oldest are deleted."""
INSTEAD_AFTER = 60
"""So many images with a value that a visitor chooses are drawn in an hour, by each process."""
_HOUR = 3600.0
_IN_MEMORY = 32


class Painter(Protocol):
    """What draws an image; it takes about a second."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """The drawings and fonts; with others, all images are drawn again."""
        ...

    def paint(self, preview: Preview) -> bytes:
        """Return the image as PNG."""
        ...


class DrawnImages:
    """The images of one website."""

    def __init__(self, painter: Painter, folder: Path, turns: DrawingTurns) -> None:
        """Keep images in a folder, which the first turn makes; one image is drawn at a time."""
        self._painter = painter
        self._folder = folder
        digests = {name: _digest(data) for name, data in painter.files.items()}
        self._edition = _digest(json.dumps(digests))
        self._turns = turns
        self._chosen: deque[float] = deque()
        self._read = lru_cache(_IN_MEMORY)(self._from_disk)

    def get(self, preview: Preview, instead: Preview | None = None) -> SiteFile:
        """Return an image, drawn now if it never was.

        `instead` is shown in its place if it is not drawn yet, and the hour has drawn its share;
        it is None for an image of which there are only a few.

        Raises:
            Unavailable: too many others are being drawn, or this one cannot be.
        """
        name = _digest(json.dumps([self._edition, *preview]))
        with suppress(FileNotFoundError):
            return self._read(name)
        with self._turns.take():
            with suppress(FileNotFoundError):  # drawn while this request waited
                return self._read(name)
            if instead is None or self._has_room():
                return self._keep(name, self._painter.paint(preview))
        return self.get(instead)

    def _has_room(self) -> bool:
        """Count an image that a visitor chose, unless the hour has drawn its share."""
        now = time.monotonic()
        while self._chosen and now - self._chosen[0] > _HOUR:
            self._chosen.popleft()
        has_room = len(self._chosen) < INSTEAD_AFTER
        if has_room:
            self._chosen.append(now)
        return has_room

    def _from_disk(self, name: str) -> SiteFile:
        try:
            return _image((self._folder / f"{name}.png").read_bytes())
        except OSError as error:  # whatever is wrong with the folder, the image is drawn again
            raise FileNotFoundError from error

    def _keep(self, name: str, data: bytes) -> SiteFile:
        """Write an image whole or not at all; without a place on disk it is only returned."""
        draft = self._folder / f".{name}.{token_hex(4)}"
        with suppress(OSError):
            try:
                draft.write_bytes(data)
                draft.replace(self._folder / f"{name}.png")
            finally:
                draft.unlink(missing_ok=True)
            self._drop_oldest()
        return _image(data)

    def _drop_oldest(self) -> None:
        kept = list(self._folder.glob("*.png"))
        for file in sorted(kept, key=lambda one: one.stat().st_mtime)[:-FILES_MAX]:
            file.unlink(missing_ok=True)


def _digest(data: bytes | str) -> str:
    return sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def _image(data: bytes) -> SiteFile:
    return SiteFile(data, {}, "image/png", _digest(data)[:32])
