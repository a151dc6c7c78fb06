"""The rules of the books that strangers check, applied to the stored entries.

The verifier of bundles has these rules, and this runs its program: what `jara ledger verify` calls
good, `jara_verify.py` never refuses.
"""

from __future__ import annotations

import json
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jara import jara_verify
from jara.domain.checks.books import Finding
from jara.domain.checks.entries import StoredEntry
from jara.domain.publiclog.leaves import LeafType

LeafOf = Callable[[int], dict[str, Any]]
"""Returns the leaf at an index of the log."""


class _Findings(jara_verify.Report):
    """Collects the verifier's failures."""

    def __init__(self) -> None:
        super().__init__(len)
        self.all: list[Finding] = []

    def fail(self, check: str, message: object) -> None:
        super().fail(check, message)
        where, _, what = str(message).partition(": ")
        self.all.append(Finding(check, where, f"The entry in {where} breaks a rule: {what}."))


class LogRules:
    """The rules of splits, refunds and reversals.

    Args:
        policies: the index and the leaf of each fund policy.
        leaf_of: reads a leaf.
    """

    def __init__(self, policies: Iterable[tuple[int, Mapping[str, Any]]], leaf_of: LeafOf) -> None:
        self._report = _Findings()
        self._leaf_of = leaf_of
        self._books = jara_verify.Books(_Leaves(leaf_of), self._report)  # type: ignore[arg-type] # it only reads leaves
        self._policies: list[tuple[str, int]] = []
        self._good: set[tuple[str, str, int]] = set()
        for index, leaf in policies:
            self._books.add_policy(index, dict(leaf))
            insort(self._policies, (str(leaf["from"]), index))

    def add_leaf(self, index: int) -> None:
        """Check an entry that refers to another one, in the order of the log."""
        leaf = self._leaf_of(index)
        if leaf.get("t") == LeafType.ENTRY:  # another check reports the others
            self._books.add_entry(index, leaf)

    def add_row(self, row: StoredEntry) -> None:
        """Check an entry that refers to none; most are like an earlier one."""
        if row.of is not None or row.reverses is not None or row.kind not in jara_verify.SPLIT:
            return
        place = bisect_right(self._policies, (row.true_day or row.day, row.log_index))
        key = (row.kind, row.postings, place)
        if key in self._good:
            return
        before = len(self._report.all)
        try:
            postings = json.loads(f"[{row.postings}]")
        except ValueError:
            return  # `check_entry` reports it
        leaf = {"kind": row.kind, "day": row.day, "postings": postings}
        if row.true_day is not None:
            leaf["true_day"] = row.true_day
        self._books.add_entry(row.log_index, leaf)
        if len(self._report.all) == before:
            self._good.add(key)

    def below_zero(self) -> list[int]:
        """Return the entries that take what a payment gave back below 0, by log index."""
        return list(self._books.unmended())

    def findings(self) -> Iterator[Finding]:
        """Return what breaks a rule, and how to mend it."""
        yield from self._report.all
        for index, fault in self._books.unmended().items():
            yield Finding(
                "refunds",
                f"leaf {index}",
                f"After the entry in leaf {index}, {fault}. `jara ledger mend` corrects it.",
            )


class _Leaves:
    """Reads earlier leaves for the verifier."""

    def __init__(self, leaf_of: LeafOf) -> None:
        self.leaf = leaf_of
