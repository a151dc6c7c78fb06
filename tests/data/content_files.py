"""Reads the files of data/ for the tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parents[2] / "data"

KINDS = (
    "claims",
    "donations",
    "events",
    "faqs",
    "field",
    "fixed-costs",
    "grants",
    "past-proposals",
    "projects",
    "proposals",
    "regions",
    "roadmap",
    "team",
)

Item = dict[str, Any]


def load(kind: str) -> list[Item]:
    """Read one file of data/."""
    items = yaml.safe_load((DATA / f"{kind}.yaml").read_text(encoding="utf-8"))
    assert isinstance(items, list)
    return items


def walk(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Yield each scalar of a document with its key."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from walk(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, key)
    else:
        yield key, value


def scalars() -> Iterator[tuple[str, str, object]]:
    """Yield each scalar of every file: kind, key, value."""
    for kind in KINDS:
        for key, value in walk(load(kind)):
            yield kind, key, value


def by_slug(kind: str) -> dict[str, Item]:
    """Return the items of a kind by their slug."""
    return {item["slug"]: item for item in load(kind)}
