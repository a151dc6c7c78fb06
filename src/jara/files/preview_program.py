"""``python -m jara.files.preview_program``: draws one image in another process.

The process has low priority, so that an image takes no time from requests, and limits of time and
memory, so that a hostile drawing ends there. It reads what it needs from standard input, as JSON,
and writes the image.
"""

import json
import os
import resource
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path

from jara.domain.errors import Unavailable
from jara.files.preview_image import Preview, PreviewPainter, rendered_svg

SECONDS_MAX = 20
"""How long one image may take; it usually takes one second."""
_NICE = 15
_MEMORY_BYTES_MAX = 1 << 30


class PaintingProgram:
    """Paints in another process."""

    def __init__(self, files: Mapping[str, bytes], media: Path) -> None:
        """Use the drawings and fonts of the website, and the folder of photos."""
        self.files = {
            address: data for address, data in files.items() if address.endswith((".svg", ".woff2"))
        }
        self._media = media
        self._painter = PreviewPainter(self.files, media)

    def paint(self, preview: Preview) -> bytes:
        """Return the image as PNG.

        Raises:
            Unavailable: it took too long, or could not be painted.
        """
        files = self._painter.files_for(preview)
        task = {
            "preview": preview,
            "media": str(self._media),
            "files": {address: b64encode(data).decode() for address, data in files.items()},
        }
        return _run(task)


def draw_svg(svg: str, *, width: int, height: int) -> bytes:
    """Return a drawing as PNG, as large as fits into width and height; text in it is left out.

    Raises:
        Unavailable: it took too long, or could not be drawn.
    """
    return _run({"svg": svg, "width": width, "height": height})


def _run(task: Mapping[str, object]) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            input=json.dumps(task).encode(),
            capture_output=True,
            check=True,
            timeout=SECONDS_MAX,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Unavailable("The image could not be drawn; try again later.") from error
    return done.stdout


def main() -> None:
    """Draw what standard input says."""
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES_MAX, _MEMORY_BYTES_MAX))
    task = json.load(sys.stdin.buffer)
    if "svg" in task:
        sys.stdout.buffer.write(
            rendered_svg(task["svg"], width=task["width"], height=task["height"])
        )
        return
    files = {address: b64decode(data) for address, data in task["files"].items()}
    painter = PreviewPainter(files, Path(task["media"]))
    sys.stdout.buffer.write(painter.paint(Preview(*task["preview"])))


if __name__ == "__main__":
    main()
