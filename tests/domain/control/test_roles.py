"""Roles: the acts that need them, and the roles that exclude each other."""

from __future__ import annotations

import pytest

from jara.domain.control.roles import Role, parse_roles, roles_for
from jara.domain.errors import InvalidInput


@pytest.mark.parametrize(
    ("action", "roles"),
    [
        ("projects.pay", {"admin", "bookkeeper"}),
        ("projects.edit", {"admin", "editor"}),
        ("proposals.open", {"admin", "editor"}),
        ("proposals.close", {"admin", "bookkeeper", "scheduler"}),
        ("votes.seal", {"admin", "bookkeeper", "scheduler"}),
        ("votes.destroy-early", {"admin", "bookkeeper"}),
        ("approvals.approve", {"admin", "approver"}),
        ("approvals.refuse", {"admin", "approver", "bookkeeper"}),
        ("operators.add", {"admin"}),
        ("stripe.setup", {"admin"}),
        ("proofs.rotate-key", {"admin"}),
        ("proofs.signer-reset", {"admin"}),
        ("proofs.checkpoint", {"admin", "bookkeeper", "scheduler"}),
        ("ledger.post", {"admin", "bookkeeper"}),
    ],
)
def test_an_act_needs_a_role(action: str, roles: set[str]) -> None:
    """An admin may do everything; an auditor may do nothing."""
    assert roles_for(action) == roles


def test_roles_are_read() -> None:
    """Several words are read as several roles."""
    assert parse_roles(["editor", "approver"]) == {Role.EDITOR, Role.APPROVER}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["king"], "'king' is not a role; they are admin, bookkeeper"),
        (["scheduler", "bookkeeper"], "the role 'scheduler' has no other role"),
        (["auditor", "editor"], "the role 'auditor' has no other role"),
    ],
)
def test_roles_that_exclude_each_other(words: list[str], sentence: str) -> None:
    """The key of the daily run pays nothing; an auditor changes nothing."""
    with pytest.raises(InvalidInput, match=sentence):
        parse_roles(words)
