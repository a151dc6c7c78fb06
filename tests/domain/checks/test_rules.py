"""The verifier's rules on stored entries."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from jara.domain.checks.entries import StoredEntry
from jara.domain.checks.rules import LogRules

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
        values = (index, f"e{index}", day, "gift", "Gift", None, None, None, None, None, None)
        self.rows.append(StoredEntry(*values, text, True))

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


def test_what_is_no_entry_is_left_to_other_checks() -> None:
    """Postings that cannot be read, and a leaf of another type: neither stops the check."""
    books = Books()
    books.policy(1, "2020-01-01", WEIGHTS)
    books.gift(2, "2026-03-01", LATER)
    books.spoil()
    books.gift(3, "2026-03-01", LATER)
    rules = LogRules([], lambda _: {"t": "policy"})
    rules.add_leaf(1)

    assert books.faults() == ["leaf 3"]
    assert (rules.below_zero(), list(rules.findings())) == ([], [])
