"""Checks of entries: rows must match leaves, and derived data must match rows.

Each takes unchecked rows from the store and yields a finding for each problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import Any

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.trace_rows import Pool, TraceRows
from jara.domain.checks.finding import Finding
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import (
    LeafType,
    entry_id,
    external_reference,
    foreign_fields,
)

Leaf = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredPosting:
    """A row of the postings, as it is stored."""

    account: str
    fund: str
    cents: int
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """A row of the entries with its postings, as they are stored."""

    index: int
    id: str
    day: str
    kind: str
    description: str
    external_id: str | None
    member_key: str | None
    reverses: int | None
    of: int | None
    true_day: str | None
    foreign: Mapping[str, Any] | None
    postings: tuple[StoredPosting, ...]

    def parsed_postings(self) -> tuple[Posting, ...]:
        """Return the postings as values.

        Raises:
            ValueError: a fund has no such name.
            InvalidInput: an account or an amount is invalid.
        """
        return tuple(Posting(p.account, Fund(p.fund), p.cents) for p in self.postings)

    def parsed(self) -> JournalEntry:
        """Return the entry as a value, as far as the trace needs it.

        Raises:
            ValueError: a kind, a day or a fund is invalid.
            InvalidInput: the postings do not balance, or one is malformed.
        """
        return JournalEntry(
            day=date.fromisoformat(self.day),
            kind=EntryKind(self.kind),
            description=self.description,
            postings=self.parsed_postings(),
            member_key=self.member_key,
            reverses=self.reverses,
            of=self.of,
        )

    def leaf(self, salt: str) -> dict[str, Any]:
        """Return the leaf that this row implies, given the leaf's salt."""
        leaf: dict[str, Any] = {
            "day": self.day,
            "description": self.description,
            "kind": self.kind,
            "postings": [[p.account, p.fund, p.cents] for p in self.postings],
            "salt": salt,
            "t": LeafType.ENTRY.value,
        }
        if self.external_id is not None:
            leaf["ref"] = external_reference(bytes.fromhex(salt), self.external_id)
        optional = {"reverses": self.reverses, "of": self.of, "true_day": self.true_day}
        leaf.update({key: value for key, value in optional.items() if value is not None})
        if self.foreign is not None:
            leaf["foreign"] = foreign_fields(self.foreign, bytes.fromhex(salt))
        return leaf


def check_entry_columns(
    pairs: Iterable[tuple[int, tuple[bytes, Leaf] | None, StoredEntry | None]],
) -> Iterator[Finding]:
    """Find entries whose rows differ from their leaf.

    Args:
        pairs: log index, hash and fields of the leaf, and the rows; None where missing.
    """
    for index, logged, row in pairs:
        if logged is None:
            yield _columns(index, "has rows, but no leaf in the log")
        elif row is None:
            yield _columns(index, "is in the log, but has no row")
        else:
            digest, leaf = logged
            for difference in _differences(digest, leaf, row):
                yield _columns(index, difference)


def check_returned(rows: Iterable[tuple[int, int, int]]) -> Iterator[Finding]:
    """Find payments whose returned money differs from the refunds and disputes of them.

    Args:
        rows: log index of the payment, the stored returned amount, the sum of its entries.
    """
    for index, kept, summed in rows:
        yield Finding(
            "payments",
            f"leaf {index}",
            f"Of the payment at log index {index} {format_cents(kept)} is stored as returned; "
            f"its entries return {format_cents(summed)}.",
        )


def check_received(rows: Iterable[tuple[int, int, int]]) -> Iterator[Finding]:
    """Find payments whose amount differs from that of their entry.

    Args:
        rows: log index, the stored amount, the amount its entry received.
    """
    for index, kept, booked in rows:
        yield Finding(
            "payments",
            f"leaf {index}",
            f"The payment at log index {index} is stored as {format_cents(kept)}; "
            f"its entry received {format_cents(booked)}.",
        )


def check_held(kept: Mapping[str, int], summed: Mapping[str, int]) -> Iterator[Finding]:
    """Find proposals whose stored held amount differs from their entries.

    Args:
        kept: the stored held amount of each proposal, in cents.
        summed: what the entries of each proposal hold in the fund ``committed``.
    """
    for proposal in sorted({*kept, *summed}):
        here, booked = kept.get(proposal, 0), summed.get(proposal, 0)
        if here != booked:
            yield Finding(
                "commitments",
                proposal,
                f"For the proposal {proposal} {format_cents(here)} is stored as held; its "
                f"entries hold {format_cents(booked)}.",
            )


def check_trace(pool: Pool, stored: TraceRows, rebuilt: TraceRows) -> Iterator[Finding]:
    """Find where the stored trace of a pool differs from one rebuilt from the entries."""
    lots = zip_longest(
        stored.lots_between(1, stored.lot_count), rebuilt.lots_between(1, rebuilt.lot_count)
    )
    segments = zip_longest(
        stored.segments_between(0, stored.used_cents),
        rebuilt.segments_between(0, rebuilt.used_cents),
    )
    for what, sides in (("lot", lots), ("segment", segments)):
        for place, (kept, anew) in enumerate(sides, start=1):
            if kept != anew:
                yield _trace(pool, f"{what} {place} is stored as {kept}; the entries give {anew}")
                break
    if stored.hole_nodes() != rebuilt.hole_nodes():
        yield _trace(pool, "the sums of its holes differ from the entries")


def _differences(digest: bytes, leaf: Leaf, row: StoredEntry) -> Iterator[str]:
    if row.id != entry_id(digest):
        yield f"is stored under the id '{row.id}'; its leaf gives '{entry_id(digest)}'"
    try:
        expected = row.leaf(str(leaf.get("salt")))
    except ValueError:
        yield "has a leaf without a readable salt"
        return
    for key in sorted({*leaf, *expected}):
        row_says, leaf_says = expected.get(key), leaf.get(key)
        if row_says != leaf_says:
            yield f"has '{row_says}' as '{key}' in its row and '{leaf_says}' in its leaf"
    if any(posting.day != row.day for posting in row.postings):
        yield "has a posting with a different day"


def _columns(index: int, what: str) -> Finding:
    return Finding("entry_columns", f"leaf {index}", f"The entry at log index {index} {what}.")


def _trace(pool: Pool, what: str) -> Finding:
    return Finding("trace", pool.value, f"In the trace of '{pool}', {what}.")
