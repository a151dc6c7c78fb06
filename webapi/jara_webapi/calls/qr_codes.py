"""QR codes, as a path that the website draws."""

from __future__ import annotations

from itertools import groupby

BORDER = 4
"""Light modules around a code, which scanners need (ISO/IEC 18004)."""


def draw_code(text: str) -> dict[str, object]:
    """Return a QR code: its size in modules with the border, and the path of its dark ones."""
    import segno  # noqa: PLC0415 - few requests need it

    matrix = segno.make(text, error="m", boost_error=False, micro=False, encoding="utf-8").matrix
    runs: list[str] = []
    for row, modules in enumerate(matrix):
        column = 0
        for is_dark, group in groupby(modules, bool):
            width = len(list(group))
            if is_dark:
                runs.append(f"M{column + BORDER} {row + BORDER}h{width}v1h-{width}z")
            column += width
    return {"size": len(matrix) + 2 * BORDER, "path": "".join(runs)}
