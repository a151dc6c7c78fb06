"""Checks of the public log and the data stored with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from jara.domain.books.account import SPLIT_FUNDS
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.checks import log as check_log
from jara.domain.checks.books import Finding
from jara.domain.checks.log import paired, read_leaf
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.publiclog.leaves import LeafType, policy_leaf
from jara.services.authority import read_control
from jara.services.books.verifying_scope import Scope
from jara.services.log_keys import key_chain
from jara.services.organisation import LOG_ORIGIN
from jara.store.unit_of_work import UnitOfWork

_ALL = 2**62
"""Larger than any log, so that leaves beyond the head are read too."""


def log_leaves(scope: Scope) -> Iterable[Finding]:
    """Check the bytes and the hash of every leaf, and the head."""
    log = scope.work.log
    leaves = (
        (leaf.index, leaf.hash, leaf.body, leaf.type) for leaf in log.leaves(scope.start, _ALL)
    )
    origin = scope.work.meta.get(LOG_ORIGIN)
    before = log.frontier(scope.start)
    return check_log.check_leaves(leaves, log.head(), origin, before=before)


def log_nodes(scope: Scope) -> Iterator[Finding]:
    """Check the inner nodes of the tree, level by level."""
    log = scope.work.log
    level = 1
    while log.head().size >> level:
        first = scope.start >> level
        below = (digest for _, digest in log.nodes(level - 1, 2 * first))
        yield from check_log.check_nodes(level, below, log.nodes(level, first), first=first)
        level += 1


def checkpoints(scope: Scope) -> Iterator[Finding]:
    """Check that every signed checkpoint is a prefix of the log."""
    keys = key_chain(scope.context, scope.work)
    for checkpoint in scope.work.log.checkpoints():
        if checkpoint.size < scope.start:
            continue
        yield from check_log.check_checkpoint(
            checkpoint.note,
            size=checkpoint.size,
            root=checkpoint.root,
            root_here=_root_at(scope.work, checkpoint.size),
            keys=keys,
            verifies=scope.context.vault.verifies,
        )


def policies(scope: Scope) -> Iterable[Finding]:
    """Compare the fund policies with their leaves."""
    rows = (
        (index, _policy_leaf(day, weights, fees))
        for index, day, weights, fees in scope.work.inspection.policies()
    )
    leaves = (
        (leaf.index, read_leaf(leaf.body)) for leaf in scope.work.log.leaves_of(LeafType.POLICY)
    )
    return check_log.check_policies(paired(leaves, rows))


def control(scope: Scope) -> Iterable[Finding]:
    """Check that the leaves about operators' keys follow the rules."""
    read_control(scope.context, scope.work)  # a leaf that breaks the rules is an error
    return ()


def _root_at(work: UnitOfWork, size: int) -> bytes | None:
    try:
        return work.log.root(size)
    except NotFound:
        return None


def _policy_leaf(day: str, weights: Any, fees: Any) -> dict[str, Any]:  # noqa: ANN401 - stored JSON
    try:
        return policy_leaf(
            FundPolicy(
                date.fromisoformat(day),
                {fund: weights[fund] for fund in SPLIT_FUNDS},
                {fund: fees[fund] for fund in SPLIT_FUNDS},
            )
        )
    except (ValueError, LookupError, InvalidInput):
        return {}
