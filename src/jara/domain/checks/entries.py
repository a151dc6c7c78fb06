"""Checks of the entries as they are stored."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, Posting
from jara.domain.books.trace_rows import Nets, Pool, TraceRows, net
from jara.domain.checks.books import Finding, check_entry_balances
from jara.domain.checks.log import check_bytes, read_leaf
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.publiclog import canonical, leaves
from jara.domain.publiclog.leaves import LeafType, entry_id
from jara.domain.time_zone import UTC_ZONE, TimeZone

Leaf = Mapping[str, Any]

_SALT = re.compile(rb'"salt":"([0-9a-f]+)","t":')
_KINDS = frozenset(EntryKind)
_LATER = re.compile(rb'"(proposal|milestone|posted)":"')
_NO_POSTINGS = b'"postings":[]'


class StoredPosting(NamedTuple):
    """A stored row of the postings; a tuple, since there are millions."""

    entry: int
    account: str
    fund: str
    cents: int
    day: str


class StoredEntry(NamedTuple):
    """A stored row of the entries, with the text of its postings."""

    log_index: int
    id: str
    day: str
    kind: str
    description: str
    external_id: str | None
    member_key: str | None
    reverses: int | None
    of: int | None
    true_day: str | None
    foreign: str | None  # the original amount in another currency, as JSON
    reference: str | None
    milestone: str | None
    postings: str  # account, fund and cents of each as JSON, joined without escaping the names
    is_of_its_day: bool  # whether every posting has the day of the entry
    booked_at: str = ""  # the instant when it was posted

    @property
    def nets(self) -> Nets:
        """The net amounts in each pool of the trace."""
        return _nets_of(self.postings)

    def checked(self) -> "StoredEntry":
        """Return the row itself, or raise ValueError if its kind is unknown."""
        if self.kind not in _KINDS:
            raise ValueError(f"'{self.kind}' is not a kind of entry")
        return self

    def is_logged(self, digest: bytes, body: bytes, zone: TimeZone = UTC_ZONE) -> bool:
        """Return whether a leaf has exactly the bytes that this row implies.

        Matching bytes are canonical and need no parsing. An invalid account or fund can fake
        a match, since names are not escaped; `check_entry` finds those.
        """
        salt = _SALT.search(body)
        if salt is None or self.id != entry_id(digest) or not self.is_of_its_day:
            return False
        try:
            leaf = self.leaf(salt[1].decode(), (), later=_LATER.findall(body), zone=zone)
            rest = canonical.encode(leaf)
        except (InvalidInput, ValueError):
            return False
        # Quotes inside a text are escaped, so this can only match the field itself.
        return rest.replace(_NO_POSTINGS, b'"postings":[%b]' % self.postings.encode()) == body

    def leaf(
        self,
        salt: str,
        postings: Sequence[StoredPosting],
        *,
        later: Container[bytes],
        zone: TimeZone = UTC_ZONE,
    ) -> dict[str, Any]:
        """Return the leaf that this row and its postings imply, given the leaf's salt.

        `later` are the fields in the leaf that leaves of 0.2.0 lack.
        """
        leaf: dict[str, Any] = {
            "day": self.day,
            "description": self.description,
            "kind": self.kind,
            "postings": [[p.account, p.fund, p.cents] for p in postings],
            "salt": salt,
            "t": LeafType.ENTRY.value,
        }
        if self.external_id is not None:
            leaf["ref"] = leaves.external_reference(bytes.fromhex(salt), self.external_id)
        optional = {"reverses": self.reverses, "of": self.of, "true_day": self.true_day}
        optional |= {leaves.PROPOSAL: self.reference} if b"proposal" in later else {}
        optional |= {leaves.MILESTONE: self.milestone} if b"milestone" in later else {}
        optional |= {leaves.POSTED: self._posted(zone)} if b"posted" in later else {}
        leaf.update({key: value for key, value in optional.items() if value is not None})
        if self.foreign is not None:
            leaf["foreign"] = leaves.foreign_fields(json.loads(self.foreign), bytes.fromhex(salt))
        return leaf

    def _posted(self, zone: TimeZone) -> str:
        try:
            return f"{zone.day_of(datetime.fromisoformat(self.booked_at))}"
        except ValueError:
            return self.booked_at  # it differs from any day


@lru_cache(maxsize=4096)
def _nets_of(postings: str) -> Nets:
    """Return the nets of an entry's postings text; cached, since most entries repeat older ones.

    Raises:
        ValueError: the text is not one of postings; an account or a fund may contain quotes.
    """
    try:
        return net(json.loads(f"[{postings}]"))
    except (RecursionError, TypeError) as error:
        raise ValueError(f"its postings cannot be read: {error}") from None


def check_entry_columns(
    index: int,
    logged: tuple[bytes, bytes] | None,
    row: StoredEntry | None,
    postings: Sequence[StoredPosting],
    zone: TimeZone = UTC_ZONE,
) -> Iterator[Finding]:
    """Find differences between an entry's rows and its leaf, and leaves that are not canonical.

    `logged` are hash and bytes of the leaf; it and the row are None if missing.
    """
    if logged is None:
        yield _columns(index, "has rows, but no leaf in the log")
        return
    digest, body = logged
    if row is None:
        yield from check_bytes(index, body, LeafType.ENTRY)
        yield _columns(index, "is in the log, but has no row")
    elif not row.is_logged(digest, body, zone):
        yield from check_bytes(index, body, LeafType.ENTRY)
        for difference in _differences(digest, read_leaf(body), row, postings, zone):
            yield _columns(index, difference)


def check_entry(entry: str, postings: Sequence[StoredPosting]) -> Iterator[Finding]:
    """Find problems within an entry: malformed postings or an imbalance."""
    try:
        values = tuple(Posting(p.account, Fund(p.fund), p.cents) for p in postings)
    except (ValueError, InvalidInput) as error:
        yield Finding("entry_balances", entry, f"The entry {entry} is malformed: {error}")
    else:
        yield from check_entry_balances([(entry, values)])


def check_payments(
    received: Iterable[tuple[int, int, int]], returned: Iterable[tuple[int, int, int]]
) -> Iterator[Finding]:
    """Find payments whose amount, or returned amount, differs from their entries.

    `received` are the log index of the payment, the stored amount, and the amount its entry
    received; `returned` the same of what was returned, by its refunds and disputes.
    """
    templates = (
        (received, "is stored as {}; its entry received {}."),
        (returned, "has {} stored as returned; its entries return {}."),
    )
    for rows, template in templates:
        for index, kept, booked in rows:
            what = template.format(format_cents(kept), format_cents(booked))
            yield Finding("payments", f"leaf {index}", f"The payment at log index {index} {what}")


def check_amounts(
    kept: Mapping[str, int], summed: Mapping[str, int], *, what: str
) -> Iterator[Finding]:
    """Find proposals with a stored amount that differs from their entries, or from the log.

    `kept` is the stored amount of each proposal, in cents, `summed` what its entries or leaves add
    up to, and `what` says what the amount is, such as "held".
    """
    for proposal in sorted({*kept, *summed}):
        here, booked = kept.get(proposal, 0), summed.get(proposal, 0)
        if here != booked:
            yield Finding(
                "commitments",
                proposal,
                f"For the proposal {proposal} {format_cents(here)} is stored as {what}; by its "
                f"entries and the log it is {format_cents(booked)}.",
            )


def check_trace(pool: Pool, stored: TraceRows, rebuilt: TraceRows) -> Iterator[Finding]:
    """Find differences between the stored trace of a pool and one rebuilt from the entries."""
    lots = zip_longest(
        stored.lots_between(1, stored.lot_count), rebuilt.lots_between(1, rebuilt.lot_count)
    )
    segments = zip_longest(
        stored.segments_between(0, stored.used_cents),
        rebuilt.segments_between(0, rebuilt.used_cents),
    )
    for what, sides in (("lot", lots), ("segment", segments)):
        for place, (kept, again) in enumerate(sides, start=1):
            if kept != again:
                yield _trace(pool, f"{what} {place} is stored as {kept}; the entries give {again}")
                break
    if stored.hole_nodes() != rebuilt.hole_nodes():
        yield _trace(pool, "the sums of its holes differ from the entries")


def _differences(
    digest: bytes, leaf: Leaf, row: StoredEntry, postings: Sequence[StoredPosting], zone: TimeZone
) -> Iterator[str]:
    if row.id != entry_id(digest):
        yield f"is stored under the id '{row.id}'; its leaf gives '{entry_id(digest)}'"
    try:
        later = [name.encode() for name in leaf]
        expected = row.leaf(str(leaf.get("salt")), postings, later=later, zone=zone)
    except json.JSONDecodeError as error:
        yield f"has a foreign amount that is not JSON: {error}"
        return
    except ValueError:
        yield "has a leaf without a readable salt"
        return
    for key in sorted({*leaf, *expected}):
        row_says, leaf_says = expected.get(key), leaf.get(key)
        if row_says != leaf_says:
            yield f"has '{row_says}' as '{key}' in its row and '{leaf_says}' in its leaf"
    if not row.is_of_its_day:
        yield "has a posting with a different day"


def _columns(index: int, what: str) -> Finding:
    return Finding("entry_columns", f"leaf {index}", f"The entry at log index {index} {what}.")


def _trace(pool: Pool, what: str) -> Finding:
    return Finding("trace", pool.value, f"In the trace of '{pool}', {what}.")
