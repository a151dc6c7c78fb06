"""Which commands of messages a test types: `tests/hints.yaml`."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import yaml

LISTED: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parents[1] / "hints.yaml").read_text("utf-8")
)
KEPT = {name: rows for name, rows in LISTED.items() if "::" in name}
"""The commands that a test types, by the test."""
SLOT = "{}"
"""Stands for a value that the message fills in."""


def is_typed(hint: str, words: Sequence[str]) -> bool:
    """Return whether somebody typed the command of a hint: its words, and values for its slots.

    Options of `jara` itself may stand before them, and others after them. The last word may go on,
    because a hint ends where the message has a sign such as a colon.
    """
    *wanted, last = shlex.split(hint)
    needed = len(wanted)
    return any(
        all(_fits(*pair) for pair in zip(wanted, words[at:], strict=False))
        and (words[at + needed].startswith(last) or _fits(last, words[at + needed]))
        for at in range(len(words) - needed)
    )


def _fits(wanted: str, word: str) -> bool:
    return wanted in {word, SLOT, "…"} or wanted.isupper()
