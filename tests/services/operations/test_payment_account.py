"""The account at the provider: set-up, checks, and confirmation by an operator."""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

import pytest

from jara.domain.errors import Conflict, InvalidInput, Refused, Unavailable
from jara.domain.organisation import PaymentMode
from jara.records.payments import ProviderEvent
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import CheckResult, Level
from jara.services.operations.operators import add_operator
from jara.services.operations.payment_account import (
    check_account,
    confirm_by_eye,
    diagnose_account,
    record_rehearsal,
    require_account,
    set_up_account,
)
from jara.services.ports.payments import AccountCheck, SetupStep


@dataclass
class FewChecks:
    """An account with one check of each sort."""

    is_silent: bool = False
    named: str = "acct_1"
    runs: list[str] = field(default_factory=list)

    def account_id(self) -> str:
        """Name the account."""
        return self.named

    def api_version(self) -> str:
        """Name a version."""
        return "2026-10-28"

    def set_up(self) -> list[SetupStep]:
        """Create one object."""
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


def acts(context: Context) -> list[tuple[str, str]]:
    """Return the recorded acts."""
    return [(row.action, row.subject) for row in context.store.read_once().operations.audit()]


def test_keys_of_another_account_are_refused(context: Context) -> None:
    """The first account used is the organisation's; another account is refused."""
    set_up_account(context, FewChecks())

    with pytest.raises(Conflict, match="acct_1") as caught:
        set_up_account(context, FewChecks(named="acct_2"))
    results = diagnose_account(context, FewChecks(named="acct_2"))

    assert "acct_2" in caught.value.message
    assert [(result.name, result.level) for result in results] == [
        ("stripe", Level.ERROR),
        ("stripe events", Level.OK),
    ]


@pytest.mark.parametrize(
    ("recorded", "level", "said"),
    [
        (None, Level.ERROR, "was not rehearsed with Stripe's version 2026-10-28"),
        (("2025-01-01", date(2026, 11, 1)), Level.ERROR, "was not rehearsed"),
        (("2026-10-28", date(2025, 11, 19)), Level.ERROR, "on 2025-11-19, over a year ago"),
        (("2026-10-28", date(2025, 11, 20)), Level.OK, "on 2025-11-20"),
    ],
)
def test_a_live_organisation_rehearses_once_a_year(
    context: Context, recorded: tuple[str, date] | None, level: Level, said: str
) -> None:
    """The doctor asks for a rehearsal of this API version that is less than a year old."""
    if recorded is not None:
        record_rehearsal(context, version=recorded[0], day=recorded[1])
        assert acts(context) == [("stripe.rehearse", recorded[0])]

    live = diagnose_account(replace(context, payment_mode=PaymentMode.LIVE), FewChecks())

    (result,) = [one for one in live if one.name == "stripe rehearsal"]
    assert (result.level, said in result.message) == (level, True)
    assert ("`jara rehearse stripe`" in result.message) is (level is Level.ERROR)
    assert "stripe rehearsal" not in {one.name for one in diagnose_account(context, FewChecks())}


def test_looking_alone_keeps_no_account(context: Context) -> None:
    """A dry run writes nothing, so later keys may belong to another account."""
    require_account(context, FewChecks(), keep=False)
    require_account(context, FewChecks(named="acct_2"))

    with pytest.raises(Conflict, match="acct_2"):
        require_account(context, FewChecks(), keep=False)


def test_setting_up_is_recorded_without_the_secret(context: Context) -> None:
    """The audit log records the set-up without the secret, which is stored nowhere."""
    steps = set_up_account(context, FewChecks())
    assert isinstance(steps, list)

    assert [step.secret for step in steps] == ["whsec_1"]
    assert acts(context) == [("stripe.account", "account"), ("stripe.setup", "account")]
    assert "whsec_1" not in str(context.store.read_once().operations.audit())


def test_only_an_operator_sets_up_or_confirms(context: Context) -> None:
    """Once operators are listed, others are refused before any request to the provider."""
    account = FewChecks()
    add_operator(context, "tester")
    other = replace(context, operator="stranger")

    with pytest.raises(Refused):
        set_up_account(other, account)
    with pytest.raises(Refused):
        confirm_by_eye(other, account, ["mails"])

    assert account.runs == []


def test_a_manual_check_counts_after_confirmation(context: Context) -> None:
    """A check that needs a person fails or warns until confirmed, and says how to confirm it."""
    account = FewChecks()
    before = check_account(context, account)
    assert [r.level for r in before] == [Level.OK, Level.ERROR, Level.ERROR, Level.WARNING]
    assert "--confirm settlement" in before[2].message
    assert "--confirm" not in before[1].message

    confirm_by_eye(context, account, ["settlement", "mails"])

    after = check_account(context, account)
    assert [r.level for r in after] == [Level.OK, Level.ERROR, Level.OK, Level.OK]
    assert "Confirmed by tester, 2026-11-20." in after[2].message
    assert acts(context) == [("stripe.confirm", "settlement"), ("stripe.confirm", "mails")]


@pytest.mark.parametrize("name", ["product", "nothing"])
def test_an_automatic_check_cannot_be_confirmed_by_hand(context: Context, name: str) -> None:
    """The message names the checks that can be confirmed; nothing from the list is stored."""
    with pytest.raises(InvalidInput, match="these can: mails, settlement"):
        confirm_by_eye(context, FewChecks(), ["settlement", name])

    assert acts(context) == []


def test_a_silent_provider_is_a_finding(context: Context) -> None:
    """The doctor reports a finding and continues; the status command fails."""
    silent = FewChecks(is_silent=True)

    result, events = diagnose_account(context, silent)

    assert (events.name, events.level) == ("stripe events", Level.OK)
    assert (result.level, result.message) == (Level.ERROR, "Stripe could not be reached.")
    assert diagnose_account(context, FewChecks()) == [*check_account(context, FewChecks()), events]
    with pytest.raises(Unavailable):
        check_account(context, silent)


def test_events_that_keep_failing_are_told(context: Context) -> None:
    """Reported are the number, and kind, time and reason of the oldest; not a first failure."""
    event = ProviderEvent("evt_1", "invoice.paid", context.now(), "invoice", "in_1")
    later = event._replace(event_id="evt_2", type="charge.refunded")
    first_heard = context.now()

    def told() -> CheckResult:
        (found,) = (
            one for one in diagnose_account(context, FewChecks()) if one.name == "stripe events"
        )
        return found

    with context.store.write() as work:
        work.provider_events.add(later, at=first_heard + timedelta(hours=1))
        work.provider_events.add(event, at=first_heard)
    assert Level.OK is told().level
    for tries in range(1, 4):
        with context.store.write() as work:
            for one in (event, later):
                work.provider_events.postpone(
                    one.event_id, due_at=first_heard, failure="Stripe could not be reached."
                )
        assert told().level is (Level.WARNING if tries == 3 else Level.OK)

    assert told().ok
    assert (
        told().message == "Events that keep failing: 2; the oldest, invoice.paid, waits since "
        f"{first_heard:%Y-%m-%d %H:%M} UTC: Stripe could not be reached."
    )
    with context.store.write() as work:
        for one in (event, later):
            work.provider_events.done(one.event_id, at=first_heard)
    assert Level.OK is told().level


def test_without_a_database_no_events_are_told(context: Context) -> None:
    """An unreadable database gives one finding about the account, and none about events."""

    class NoDatabase:
        """A database that cannot be opened."""

        def read(self) -> None:
            """Fail."""
            raise Unavailable("The database is damaged.")

    store: Any = NoDatabase()

    (result,) = diagnose_account(replace(context, store=store), FewChecks())

    assert (result.level, result.message) == (Level.ERROR, "The database is damaged.")
