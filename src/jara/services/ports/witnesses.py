"""Ports of the log's witnesses: the list, their cosignatures, and the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol


class Witness(NamedTuple):
    """A witness of this log.

    Args:
        name: the name in its key.
        key: its published key.
        url: the address to send checkpoints to.
        added_at: when an operator added it.
        seen_size: the last size known to be signed by it.
        tried_at: when it was last asked.
        failure: why it did not sign then; empty if it signed.
    """

    name: str
    key: str
    url: str
    added_at: datetime
    seen_size: int = 0
    tried_at: datetime | None = None
    failure: str = ""


class Cosignature(NamedTuple):
    """A witness's signature of a checkpoint.

    Args:
        size: the size of the checkpoint.
        witness: the name of the witness.
        line: the signature line, with its line feed.
        seen_at: the time in the witness's signature.
    """

    size: int
    witness: str
    line: str
    seen_at: datetime


class WitnessAnswer(NamedTuple):
    """A witness's answer; status 0 means no answer, and the body says why."""

    status: int
    body: str
    media_type: str = ""


OnAnswer = Callable[[str, WitnessAnswer], bytes | None]
"""Called with a name and its answer; returns a follow-up request or None."""


class WitnessNetwork(Protocol):
    """Sends requests to all witnesses in parallel, within seconds."""

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each witness a request, and call `on_answer` for each, even if it does not answer.

        Args:
            urls: the addresses, by name.
            bodies: the requests, by name.
            on_answer: called in this thread for each answer.
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
        """Add a witness, or replace the one with its name."""
        ...

    def remove(self, name: str) -> bool:
        """Remove a witness and its cosignatures; return whether it existed."""
        ...

    def keep(self, cosignature: Cosignature) -> None:
        """Store a cosignature; it replaces an older one by the same witness for the same size."""
        ...

    def cosignatures(self, size: int | None = None) -> list[Cosignature]:
        """Return the cosignatures of one size or all, largest size first."""
        ...

    def newest_size(self, least: int) -> int | None:
        """Return the largest size that at least ``least`` witnesses signed, or None."""
        ...
