"""The rules of the books that strangers check, applied to the stored entries.

The verifier of bundles has these rules, and this runs its program: what `jara ledger verify` calls
good, `jara_verify.py` never refuses.
"""

import json
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jara import jara_verify
from jara.domain.checks.books import Finding
from jara.domain.checks.entries import StoredEntry
from jara.domain.publiclog.leaves import LeafType

LeafOf = Callable[[int], dict[str, Any]]
"""Returns the leaf at an index of the log."""

_ALIKE_MAX = 4096
"""How many different entries are remembered as good; most entries repeat one of them."""


class _Findings(jara_verify.Report):
    """Collects the verifier's failures."""

    def __init__(self, subject: str = "The entry in ") -> None:
        super().__init__(len)
        self.all: list[Finding] = []
        self._subject = subject

    def fail(self, check: str, message: object) -> None:
        super().fail(check, message)
        where, _, what = str(message).partition(": ")
        subject = f"{self._subject}{where}"
        message = f"{subject[0].upper()}{subject[1:]} breaks a rule: {what}."
        self.all.append(Finding(check, where, message))


class LogRules:
    """The rules of splits, refunds and reversals.

    Args:
        policies: the index and the leaf of each fund policy, in the order of the log.
        leaf_of: reads a leaf.
    """

    def __init__(self, policies: Iterable[tuple[int, Mapping[str, Any]]], leaf_of: LeafOf) -> None:
        self._report = _Findings()
        self._leaf_of = leaf_of
        known = [(index, dict(leaf)) for index, leaf in policies]
        self._referring = _Books(known, leaf_of, self._report)
        self._others = _Books(known, leaf_of, self._report)
        self._good: set[tuple[str, str, int]] = set()

    def add_leaf(self, index: int) -> None:
        """Check an entry that refers to another one, in the order of the log."""
        leaf = self._leaf_of(index)
        if leaf.get("t") == LeafType.ENTRY:  # another check reports the others
            self._referring.reach(index)
            self._referring.add_entry(index, leaf)

    def add_row(self, row: StoredEntry) -> None:
        """Check an entry that refers to none, in the order of the log; most repeat another."""
        if row.of is not None or row.reverses is not None or row.kind not in jara_verify.SPLIT:
            return
        self._others.reach(row.log_index)
        policy = self._others.policy_at(row.true_day or row.day)
        key = (row.kind, row.postings, policy)
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
        self._others.add_entry(row.log_index, leaf)
        if len(self._report.all) == before:
            if len(self._good) == _ALIKE_MAX:
                self._good.clear()
            self._good.add(key)

    def findings(self) -> Iterator[Finding]:
        """Return what breaks a rule."""
        return iter(self._report.all)


def check_control(
    organisation: str, leaves: Iterable[tuple[int, dict[str, Any]]]
) -> Iterator[Finding]:
    """Find what one person did alone that needed two: payments, and changes of votes.

    `organisation` is the first key of the log; `leaves` are index and leaf of what operators
    signed, of votes, and of the entries to judge, in the order of the log. The signatures were
    checked before.
    """
    report = _Findings("")
    control = _Control(organisation, report)
    for index, leaf in leaves:
        if leaf["t"] == LeafType.ENTRY:
            control.add_entry(index, leaf)
        elif leaf["t"] in jara_verify.CONTROL:
            control.add(index, leaf)
        else:
            control.add_vote_act(index, leaf)
    control.close()
    yield from report.all


class _Control(jara_verify.Control):
    """The verifier's control, without its slow check of signatures."""

    def _signers(self, _action: str, leaf: Mapping[str, Any], _names: Sequence[str]) -> list[str]:
        return [row["key"] for row in leaf["signatures"]]


class _Leaves:
    """Reads earlier leaves for the verifier."""

    def __init__(self, leaf_of: LeafOf) -> None:
        self.leaf = leaf_of


class _Books(jara_verify.Books):
    """The verifier's books, to which each policy is added in its place of the log."""

    def __init__(
        self, policies: Sequence[tuple[int, dict[str, Any]]], leaf_of: LeafOf, report: _Findings
    ) -> None:
        super().__init__(_Leaves(leaf_of), report)  # type: ignore[arg-type] # it only reads leaves
        self._left = deque(policies)
        self._days: list[tuple[str, int]] = []

    def reach(self, index: int) -> None:
        """Add the policies before an index."""
        while self._left and self._left[0][0] < index:
            place, leaf = self._left.popleft()
            self.add_policy(place, leaf)
            insort(self._days, (str(leaf["from"]), place))

    def policy_at(self, day: str) -> int:
        """Return which of the policies so far is in force on a day, as a number."""
        place = bisect_right(self._days, (day, _LAST))
        return self._days[place - 1][1] if place else -1


_LAST = 2**62
"""Larger than any index of the log."""
