"""The verifier's rules, applied to the stored log."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import Any

from jara.domain.checks.books import Finding
from jara.domain.checks.log import read_leaf
from jara.domain.checks.rules import LogRules, check_control
from jara.domain.control.state import Control
from jara.domain.publiclog.leaves import LeafType
from jara.store.unit_of_work import UnitOfWork

_ACTS = (
    LeafType.PROPOSAL_OPEN,
    LeafType.PROPOSAL_CORRECT,
    LeafType.PROPOSAL_WITHDRAW,
    LeafType.PROPOSAL_CLOSE,
    LeafType.PROPOSAL_RELEASE,
    LeafType.YEAR,
)


def log_rules(work: UnitOfWork) -> LogRules:
    """Return the rules, applied to every entry that refers to another one."""
    policies = ((leaf.index, read_leaf(leaf.body)) for leaf in work.log.leaves_of(LeafType.POLICY))
    rules = LogRules(policies, lambda index: read_leaf(work.log.leaf(index).body))
    for index in work.inspection.referring():
        rules.add_leaf(index)
    return rules


def control_findings(work: UnitOfWork, control: Control, *, start: int) -> Iterator[Finding]:
    """Find what one person did alone that needed two; entries before an index are not judged."""
    if not control.needs_keys:
        return iter(())
    approved = (
        entry
        for index, count in control.approved.items()
        for entry in work.journal.next_indexes(index, count)
    )
    entries = sorted({*approved, *work.inspection.outgoing(start)})
    kinds = [work.log.control_leaves(), *map(work.log.leaves_of, _ACTS)]
    numbered: list[Iterator[tuple[int, dict[str, Any]]]] = [
        ((leaf.index, read_leaf(leaf.body)) for leaf in leaves) for leaves in kinds
    ]
    numbered.append((index, read_leaf(work.log.leaf(index).body)) for index in entries)
    return check_control(control.organisation, merge(*numbered, key=lambda one: one[0]))
