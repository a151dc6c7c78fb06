"""Ports of the log's witnesses: those it knows, what they signed, and how to reach them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol


class Witness(NamedTuple):
    """A witness of this log.

    Args:
        name: the name in its key.
        key: its published key.
        url: where it takes checkpoints.
        added_at: when an operator added it.
        seen_size: the size that it signed last, as far as is known.
        tried_at: when it was asked last.
        failure: why it did not sign then; empty if it did.
    """

    name: str
    key: str
    url: str
    added_at: datetime
    seen_size: int = 0
    tried_at: datetime | None = None
    failure: str = ""


class Cosignature(NamedTuple):
    """What a witness signed.

    Args:
        size: the size of the checkpoint.
        witness: the name of the witness.
        line: the signature line, with its line feed.
        seen_at: the time that the witness signed.
    """

    size: int
    witness: str
    line: str
    seen_at: datetime


class WitnessAnswer(NamedTuple):
    """The answer of a witness; the status 0 is none, and the body says why."""

    status: int
    body: str
    media_type: str = ""


HearAnswer = Callable[[str, WitnessAnswer], bytes | None]
"""Takes a name and its answer; returns a further request, or None."""


class WitnessNetwork(Protocol):
    """Reaches witnesses, all at the same time, within seconds."""

    def offer(self, urls: Mapping[str, str], bodies: Mapping[str, bytes], hear: HearAnswer) -> None:
        """Send each witness a request, and call `hear` for each, even without an answer.

        Args:
            urls: the addresses, by name.
            bodies: the requests, by name.
            hear: called in this thread for each answer.
        """
        ...


class WitnessRepository(Protocol):
    """The witnesses that the organisation chose, and their cosignatures."""

    def all(self) -> list[Witness]:
        """Return the witnesses by name."""
        ...

    def count(self) -> int:
        """Return how many witnesses there are."""
        ...

    def put(self, witness: Witness) -> None:
        """Add a witness, or replace the one of its name."""
        ...

    def remove(self, name: str) -> bool:
        """Remove a witness and its cosignatures; return whether it existed."""
        ...

    def keep(self, cosignature: Cosignature) -> None:
        """Store a cosignature; a newer one replaces the same witness's of the same size."""
        ...

    def cosignatures(self, size: int | None = None) -> list[Cosignature]:
        """Return the cosignatures, newest size first; or those of one size."""
        ...

    def newest_size(self, least: int) -> int | None:
        """Return the newest size that at least ``least`` witnesses signed, or None."""
        ...
