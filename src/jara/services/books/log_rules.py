"""The verifier's rules, applied to the stored log."""

from __future__ import annotations

from jara.domain.checks.log import read_leaf
from jara.domain.checks.rules import LogRules
from jara.domain.publiclog.leaves import LeafType
from jara.store.unit_of_work import UnitOfWork


def log_rules(work: UnitOfWork) -> LogRules:
    """Return the rules, applied to every entry that refers to another one."""
    policies = ((leaf.index, read_leaf(leaf.body)) for leaf in work.log.leaves_of(LeafType.POLICY))
    rules = LogRules(policies, lambda index: read_leaf(work.log.leaf(index).body))
    for index in work.inspection.referring():
        rules.add_leaf(index)
    return rules
