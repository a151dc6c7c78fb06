"""The checks of the books find every fault, and nothing else."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.balances import sum_by_cell
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import CENTS_MAX, EntryKind, JournalEntry, Posting
from jara.domain.checks.books import (
    Finding,
    check_commitments,
    check_entry_balances,
    check_outside_ids,
    check_totals,
)
from jara.domain.checks.entries import StoredEntry, StoredPosting, check_entry, check_entry_columns
from jara.domain.checks.rules import LogRules
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import entry_id
from jara.domain.publiclog.merkle import leaf_hash
from tests import strategies
from tests.sizes import fewer_examples

BANK = Posting("assets:bank", Fund.STAFF, 500)


def test_an_entry_out_of_balance_is_found() -> None:
    """Too few postings and a fund that does not sum to zero are two findings."""
    balanced = [BANK, Posting("income:gifts", Fund.STAFF, -500)]
    findings = list(check_entry_balances([("E1", [BANK]), ("E2", []), ("E3", balanced)]))

    assert findings == [
        Finding("entry_balances", "E1", "The entry E1 has 1 postings; it needs at least two."),
        Finding("entry_balances", "E1", "The entry E1 is off by $5.00 in the fund 'staff'."),
        Finding("entry_balances", "E2", "The entry E2 has 0 postings; it needs at least two."),
    ]


@given(entry=strategies.entries())
def test_a_balanced_entry_is_left_alone(entry: JournalEntry) -> None:
    """A valid entry has no finding."""
    assert list(check_entry_balances([("E1", entry.postings)])) == []


def test_totals_that_differ_from_the_postings_are_found() -> None:
    """A wrong, a missing and a superfluous total are named with both sums."""
    march = ("assets:bank", Fund.STAFF, "2026-03")
    april = ("assets:bank", Fund.STAFF, "2026-04")
    may = ("assets:bank", Fund.STAFF, "2026-05")

    june = ("assets:bank", Fund.STAFF, "2026-06")

    findings = list(check_totals({march: 5, may: 7, june: 2}, {march: 6, april: 1, june: 2}))

    assert [finding.where for finding in findings] == [
        "assets:bank staff 2026-03", "assets:bank staff 2026-04", "assets:bank staff 2026-05"
    ]  # fmt: skip
    assert findings[0].message == (
        "The total of assets:bank in the fund 'staff' for 2026-03 is $0.05; "
        "its postings sum to $0.06."
    )


@fewer_examples(3)
@given(entries=st.lists(strategies.entries(), max_size=10), data=st.data())
def test_totals_check_law_any_changed_cell_is_found(
    entries: list[JournalEntry], data: st.DataObject
) -> None:
    """Correct totals give no finding; one cent more in one cell gives one."""
    sums = sum_by_cell(entries)
    assert list(check_totals(sums, sum_by_cell(reversed(entries)))) == []

    if sums:
        cell = data.draw(st.sampled_from(sorted(sums)))
        assert len(list(check_totals({**sums, cell: sums[cell] + 1}, sums))) == 1


def test_an_outside_id_posted_twice_is_found() -> None:
    """Both entries are named; entries without an outside id are ignored."""
    ids = [("E1", "txn_1"), ("E2", None), ("E3", "txn_1"), ("E4", None), ("E5", "txn_1")]

    assert list(check_outside_ids(ids)) == [
        Finding("outside_ids", "E3", "'txn_1' is posted twice: as E1 and as E3."),
        Finding("outside_ids", "E5", "'txn_1' is posted twice: as E1 and as E5."),
    ]


def test_commitments_add_up_to_the_committed_fund() -> None:
    """A sum that differs, and a figure below zero, are found."""
    good = [Commitment("prop_01", 500, held=100, paid=400), Commitment("prop_02", 300, held=50)]
    bad = [Commitment("prop_03", 500, held=-5)]

    assert list(check_commitments(good, 150)) == []
    assert [finding.where for finding in check_commitments([*good, *bad], 145)] == ["prop_03"]
    assert list(check_commitments(good, 100)) == [
        Finding(
            "commitments",
            "committed",
            "$1.50 is held for proposals, but the fund 'committed' has $1.00.",
        )
    ]


SALT = "00" * 16
POSTINGS = (Posting("assets:bank", Fund.STAFF, -500), Posting("expenses:staff", Fund.STAFF, 500))
ENTRY = JournalEntry(date(2026, 11, 20), EntryKind.MANUAL, "Stamps", POSTINGS)


def rows_of(entry: JournalEntry) -> list[StoredPosting]:
    """Return the rows of the postings of an entry at index 5."""
    day = entry.day.isoformat()
    return [StoredPosting(5, p.account, p.fund, p.cents, day) for p in entry.postings]


def stored(entry: JournalEntry) -> StoredEntry:
    """Return the row of an entry at index 5, without its id."""
    postings = [[p.account, p.fund, p.cents] for p in entry.postings]
    return StoredEntry(
        log_index=5,
        id="",
        day=entry.day.isoformat(),
        kind=entry.kind,
        description=entry.description,
        external_id=entry.external_id,
        member_key=None,
        reverses=entry.reverses,
        of=entry.of,
        true_day=None,
        foreign=None,
        reference=None,
        milestone=None,
        postings=canonical.encode(postings).decode()[1:-1],
        is_of_its_day=True,
    )


def logged(
    row: StoredEntry, postings: Sequence[StoredPosting]
) -> tuple[StoredEntry, tuple[bytes, bytes]]:
    """Return the row with its id, and hash and bytes of its leaf."""
    body = canonical.encode(row.leaf(SALT, postings, later=()))
    digest = leaf_hash(body)
    return row._replace(id=entry_id(digest)), (digest, body)


@given(entry=strategies.entries())
def test_an_entry_of_the_books_has_no_findings(entry: JournalEntry) -> None:
    """The leaf of a valid entry has the bytes that its row implies."""
    postings = rows_of(entry)
    row, leaf = logged(stored(entry), postings)

    assert row.is_logged(*leaf)
    assert [*check_entry_columns(5, leaf, row, postings), *check_entry(row.id, postings)] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cents", 0),
        ("cents", CENTS_MAX + 1),
        ("cents", 7),
        ("account", "nowhere"),
        ("fund", "party"),
    ],
)
@given(entry=strategies.entries())
def test_a_wrong_posting_is_found(field: str, value: Any, entry: JournalEntry) -> None:
    """A missing amount, an unbalanced entry, and an unknown account or fund are found."""
    first, *others = rows_of(entry)
    changed = first._replace(**{field: value})

    assert changed == first or list(check_entry("an entry", [changed, *others]))


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "e\u0301"},  # not in NFC, which no leaf can hold
        {"description": '"postings":[]'},
        {"kind": "x"},
        {"external_id": "another"},
        {"id": "x"},
        {"is_of_its_day": False},
    ],
)
@given(entry=strategies.entries())
def test_a_row_that_differs_from_its_leaf_is_a_finding(
    changes: dict[str, Any], entry: JournalEntry
) -> None:
    """The finding names the difference, or says that the bytes cannot be made."""
    postings = rows_of(entry)
    row, leaf = logged(stored(entry), postings)
    changed = row._replace(**changes)

    assert not changed.is_logged(*leaf)
    assert list(check_entry_columns(5, leaf, changed, postings))


@given(entry=strategies.entries())
def test_a_posting_that_differs_from_its_leaf_is_a_finding(entry: JournalEntry) -> None:
    """A cent more in the row than in the leaf is named."""
    first, *others = rows_of(entry)
    row, leaf = logged(stored(entry), [first, *others])
    changed = [first._replace(cents=first.cents + 1), *others]

    assert not row._replace(postings=row.postings.replace(str(first.cents), "1.5")).is_logged(*leaf)
    assert list(check_entry_columns(5, leaf, row._replace(postings=""), changed))


@pytest.mark.parametrize(
    "account",
    ['x","staff",5],' + "[" * 100_000, 'x","staff","5"],["y', 'x",["staff"],5],["y', 'x"'],
)
def test_an_account_with_quotes_has_no_nets(account: str) -> None:
    """Quotes in an account name corrupt the text of the postings, so computing the nets fails."""
    row = stored(ENTRY)._replace(postings=f'["{account}","staff",1]')

    with pytest.raises(ValueError, match=r"postings|delimiter|unpack"):
        _ = row.nets


@given(entry=strategies.entries())
def test_the_trace_of_rows_is_the_trace_of_their_entries(entry: JournalEntry) -> None:
    """The trace of the rows is the trace of the entries."""
    assert entry.nets == stored(entry).nets


@given(entry=strategies.entries())
def test_a_description_cannot_pretend_to_be_the_postings(entry: JournalEntry) -> None:
    """Quotes within a description are escaped."""
    text = '"postings":[] "salt":"00","t":'
    row, leaf = logged(stored(entry)._replace(description=text), rows_of(entry))

    assert row.is_logged(*leaf)


WEIGHTS = {"projects": 80, "staff": 7, "marketing": 9, "other": 4}
LATER = {"projects": 50, "staff": 20, "marketing": 20, "other": 10}


@dataclass
class Books:
    """Policies and entries of a log under construction."""

    policies: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    rows: list[StoredEntry] = field(default_factory=list)

    def policy(self, index: int, first: str, weights: dict[str, int]) -> None:
        """Add a policy."""
        leaf = {"from": first, "weights": weights, "fee_weights": weights}
        self.policies.append((index, leaf))

    def gift(self, index: int, day: str, weights: dict[str, int]) -> None:
        """Add a gift of $1.00 that is split by some weights."""
        postings = [
            [account, fund, sign * cents]
            for fund, cents in weights.items()
            for account, sign in (("assets:stripe", 1), ("income:gifts", -1))
        ]
        text = ",".join(json.dumps(one, separators=(",", ":")) for one in postings)
        nones = (None, None, None, None, None, None, None, None)
        self.rows.append(StoredEntry(index, f"e{index}", day, "gift", "Gift", *nones, text, True))

    def spoil(self) -> None:
        """Change the account of the newest entry to one that JSON cannot hold as it is."""
        row = self.rows.pop()
        self.rows.append(row._replace(postings=row.postings.replace("income:gifts", 'a"b')))

    def faults(self) -> list[str]:
        """Return the places of the faults."""
        rules = LogRules(self.policies, lambda _: {})
        for row in self.rows:
            rules.add_row(row)
        return [finding.where for finding in rules.findings()]


@pytest.mark.parametrize(("weights", "faults"), [(WEIGHTS, []), (LATER, ["leaf 2", "leaf 3"])])
def test_a_payment_is_split_by_its_policy(weights: dict[str, int], faults: list[str]) -> None:
    """A fault is found each time, though entries that are alike are checked once."""
    books = Books()
    books.policy(1, "2020-01-01", WEIGHTS)
    for index in (2, 3):
        books.gift(index, "2026-03-01", weights)

    assert books.faults() == faults


def test_a_policy_holds_for_later_entries_only() -> None:
    """One that is added later changes no earlier entry, though it begins before the entry's day."""
    books = Books()
    books.policy(1, "2020-01-01", WEIGHTS)
    books.gift(2, "2026-03-06", WEIGHTS)
    books.policy(3, "2026-03-02", LATER)
    books.gift(4, "2026-03-01", WEIGHTS)
    books.gift(5, "2026-03-06", LATER)
    books.gift(6, "2026-03-06", WEIGHTS)

    assert books.faults() == ["leaf 6"]


def test_each_of_many_different_entries_is_checked() -> None:
    """Only so many are remembered as good; a fault after them is found all the same."""
    books = Books()
    books.policy(1, "2020-01-01", WEIGHTS)
    for index in range(2, 4200):
        books.gift(index, "2026-03-01", {fund: part * index for fund, part in WEIGHTS.items()})
    for index in (4200, 4201):
        books.gift(index, "2026-03-01", LATER)

    assert books.faults() == ["leaf 4200", "leaf 4201"]


def test_unreadable_entries_are_left_to_other_checks() -> None:
    """Postings that cannot be read, and a leaf of another type: neither stops the check."""
    books = Books()
    books.policy(1, "2020-01-01", WEIGHTS)
    books.gift(2, "2026-03-01", LATER)
    books.spoil()
    books.gift(3, "2026-03-01", LATER)
    rules = LogRules([], lambda _: {"t": "policy"})
    rules.add_leaf(1)

    assert books.faults() == ["leaf 3"]
    assert list(rules.findings()) == []
