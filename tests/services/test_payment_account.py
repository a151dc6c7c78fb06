"""The account at the provider: set up, checked, and confirmed by eye (money §1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput, Refused, Unavailable
from jara.services.context import Context
from jara.services.diagnosis import Level
from jara.services.operators import add_operator
from jara.services.payment_account import (
    check_account,
    confirm_by_eye,
    diagnose_account,
    set_up_account,
)
from jara.services.ports.payment_account import AccountCheck, SetupStep
from tests.harness import make_organisation


@dataclass
class FewChecks:
    """An account with one check of each sort."""

    is_silent: bool = False
    runs: list[str] = field(default_factory=list)

    def set_up(self) -> list[SetupStep]:
        """Make one thing."""
        self.runs.append("set_up")
        return [SetupStep("price", "price_1", "made", secret="whsec_1")]

    def checks(self) -> list[AccountCheck]:
        """Return one check of each sort."""
        if self.is_silent:
            raise Unavailable("Stripe could not be reached.")
        return [
            AccountCheck("price", ok=True, message="There."),
            AccountCheck("product", ok=False, message="Missing."),
            AccountCheck("settlement", ok=False, message="In USD.", by_hand=True),
            AccountCheck("mails", ok=False, message="None.", is_grave=False, by_hand=True),
        ]


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return an organisation."""
    return make_organisation(tmp_path)


def acts(context: Context) -> list[tuple[str, str]]:
    """Return what was recorded."""
    with context.store.read() as work:
        return [(row.action, row.subject) for row in work.operations.audit()]


def test_setting_up_is_recorded_without_the_secret(context: Context) -> None:
    """Who set the account up stands in the audit log; the secret stands nowhere."""
    steps = set_up_account(context, FewChecks())

    assert ["whsec_1"] == [step.secret for step in steps]
    assert [("stripe.setup", "account")] == acts(context)
    with context.store.read() as work:
        assert "whsec_1" not in str(work.operations.audit())


def test_only_an_operator_sets_up_or_confirms(context: Context) -> None:
    """Once operators are listed, others are refused and nothing is asked of the provider."""
    account = FewChecks()
    add_operator(context, "tester")
    other = Context(
        **{
            name: getattr(context, name)
            for name in context.__dataclass_fields__
            if name != "operator"
        },
        operator="stranger",
    )

    with pytest.raises(Refused):
        set_up_account(other, account)
    with pytest.raises(Refused):
        confirm_by_eye(other, account, ["mails"])

    assert [] == account.runs


def test_what_only_a_person_sees_counts_once_confirmed(context: Context) -> None:
    """Until then it fails or warns, and says how it is confirmed."""
    account = FewChecks()
    before = check_account(context, account)
    assert [Level.OK, Level.ERROR, Level.ERROR, Level.WARNING] == [r.level for r in before]
    assert "--confirm settlement" in before[2].message
    assert "--confirm" not in before[1].message

    confirm_by_eye(context, account, ["settlement", "mails"])

    after = check_account(context, account)
    assert [Level.OK, Level.ERROR, Level.OK, Level.OK] == [r.level for r in after]
    assert "Confirmed by tester, 2026-11-20." in after[2].message
    assert [("stripe.confirm", "settlement"), ("stripe.confirm", "mails")] == acts(context)


@pytest.mark.parametrize("name", ["product", "nothing"])
def test_what_a_program_sees_cannot_be_confirmed(context: Context, name: str) -> None:
    """The message names what can; nothing of the list is kept."""
    with pytest.raises(InvalidInput, match="there is mails, settlement"):
        confirm_by_eye(context, FewChecks(), ["settlement", name])

    assert [] == acts(context)


def test_a_silent_provider_is_a_finding(context: Context) -> None:
    """The doctor goes on; the status command fails."""
    silent = FewChecks(is_silent=True)

    (result,) = diagnose_account(context, silent)

    assert (Level.ERROR, "Stripe could not be reached.") == (result.level, result.message)
    assert diagnose_account(context, FewChecks()) == check_account(context, FewChecks())
    with pytest.raises(Unavailable):
        check_account(context, silent)
