"""How columns store instants, days and documents."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, TypeVar

from jara.domain.lookup import without_accents

Item = TypeVar("Item")

CHUNK_SIZE = 400
"""Parameters per statement; both engines allow more."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=64)  # one transaction writes the same instant many times
def instant_text(instant: datetime) -> str:
    """Write an instant, in whole seconds of UTC."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_instant(text: str) -> datetime:
    """Read an instant."""
    return datetime.fromisoformat(text)


def optional_instant(text: str | None) -> datetime | None:
    """Read an instant that may be missing."""
    return None if text is None else read_instant(text)


def optional_day(text: str | None) -> date | None:
    """Read a day that may be missing."""
    return None if text is None else date.fromisoformat(text)


def optional_day_text(day: date | None) -> str | None:
    """Write a day that may be missing."""
    return None if day is None else day.isoformat()


def document_text(document: Mapping[str, Any]) -> str:
    """Write a document: compact JSON with its keys in order."""
    return _ENCODER.encode(document)


def read_document(text: str) -> dict[str, Any]:
    """Read a document."""
    document: dict[str, Any] = json.loads(text)
    return document


def chunks(items: Iterable[Item], size: int = CHUNK_SIZE) -> Iterator[Sequence[Item]]:
    """Cut items into pieces that fit into one statement."""
    piece: list[Item] = []
    for item in items:
        piece.append(item)
        if len(piece) == size:
            yield piece
            piece = []
    if piece:
        yield piece


def in_list(name: str, items: Sequence[object]) -> tuple[str, dict[str, object]]:
    """Return the text ``(:n0, :n1)`` for an IN and its parameters."""
    params = {f"{name}{place}": item for place, item in enumerate(items)}
    return "(" + ", ".join(f":{key}" for key in params) + ")", params


def like_part(text: str) -> str:
    """Return the pattern for LIKE ... ESCAPE '!' that finds a text anywhere in `Sql.plain`."""
    escaped = without_accents(text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"
