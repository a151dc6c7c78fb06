"""The account at the payment provider: setup, checks, and manual confirmations."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from jara.domain.control.ways_in import WayIn
from jara.domain.errors import Conflict, InvalidInput, JaraError
from jara.domain.organisation import PaymentMode
from jara.records.operations import Approval
from jara.services.audit import record_act, require_operator
from jara.services.authority import read_control
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import CheckResult, Level
from jara.services.organisation import PAYMENT_ACCOUNT, require_payment_mode
from jara.services.ports.payments import AccountCheck, PaymentAccount, SetupStep
from jara.services.ways_in import account_value, change_way, is_signed, stored_value
from jara.store.unit_of_work import UnitOfWork

ATTEMPTS_MANY = 3
"""After this many failed attempts, an event is reported."""

_CONFIRMED = "payments_confirmed_{}"
_REHEARSED = "payments_rehearsed"
_REHEARSED_FOR = timedelta(days=365)


SET_ACTION = "stripe.account"
_ACCOUNT = re.compile(r"acct_[A-Za-z0-9]{1,64}", re.ASCII)


def set_up_account(
    context: Context, account: PaymentAccount, *, why: str = ""
) -> list[SetupStep] | Approval:
    """Create what is missing at the provider, and record what was done; safe to repeat.

    The account of the keys becomes the organisation's, unless it has one. If operators have
    keys, that waits for their approval first.

    Raises:
        Refused: other operators are listed, but not this one.
        Unavailable: the provider did not answer.
    """
    require_payment_mode(context.store, context.payment_mode)
    found = account.account_id()
    with context.store.write() as work:
        is_new = stored_value(context, work, WayIn.ACCOUNT) is None
        waiting = _set_account(context, work, found, why=why) if is_new else None
    if waiting is not None:
        return waiting
    with context.store.write() as work:
        require_operator(context, work, "stripe.setup")
    require_account(context, account)
    steps = account.set_up()
    with context.store.write() as work:
        facts = {step.name: step.action for step in steps}
        record_act(context, work, "stripe.setup", "account", facts=facts)
    return steps


def set_account(context: Context, account_id: str, *, why: str = "") -> Approval | None:
    """Set the account that the organisation's payments go to; operators with keys approve it.

    Raises:
        InvalidInput: it is not the id of an account.
        Conflict: payments are the sandbox's.
    """
    if context.payment_mode.is_sandbox:
        raise Conflict("This organisation is a sandbox; its payments go to no account.")
    if _ACCOUNT.fullmatch(account_id) is None:
        raise InvalidInput(f"'{account_id}' is not an account's id like acct_1MTfjCQ9PRzxEwkZ.")
    with context.store.write() as work:
        return _set_account(context, work, account_id, why=why)


def _set_account(context: Context, work: UnitOfWork, found: str, *, why: str) -> Approval | None:
    value = account_value(context, found)
    return change_way(context, work, WayIn.ACCOUNT, value, action=SET_ACTION, why=why)


def require_account(context: Context, account: PaymentAccount, *, keep: bool = True) -> None:
    """Check that the keys are those of the organisation's account.

    The first one seen is stored, unless operators have keys: then `set_up_account` asks them.
    Without ``keep`` nothing is written.

    Raises:
        Conflict: they are of another account, or of one that operators did not sign.
        Unavailable: the provider did not answer.
    """
    require_payment_mode(context.store, context.payment_mode)
    account_id = account.account_id()
    with context.store.read() as work:
        stored_id, control = work.meta.get(PAYMENT_ACCOUNT), read_control(context, work)
    named = stored_id or account_id
    if not is_signed(control, WayIn.ACCOUNT, account_value(context, named)):
        raise Conflict(
            f"Operators have not signed that payments go to the account {named}: jara stripe setup"
        )
    if stored_id is None and keep:
        with context.store.write() as work:
            work.meta.put(PAYMENT_ACCOUNT, account_id)
    elif stored_id not in {None, account_id}:
        raise Conflict(
            f"This organisation's payments go to the account {stored_id}, and the keys are those "
            f"of {account_id}: set the three JARA_STRIPE_ settings to the keys of {stored_id}."
        )


def check_account(context: Context, account: PaymentAccount) -> list[CheckResult]:
    """Check the account; settings without an API count once an operator confirmed them.

    Raises:
        Conflict: the keys are of another account.
        Unavailable: the provider did not answer.
    """
    require_account(context, account)
    checks = account.checks()
    with context.store.read() as work:
        confirmed = {check.name: work.meta.get(_CONFIRMED.format(check.name)) for check in checks}
    return [_result(check, confirmed[check.name]) for check in checks]


def diagnose_account(context: Context, account: PaymentAccount) -> list[CheckResult]:
    """Check the account for the doctor; an unreachable provider is a finding."""
    stored = _check_stored(context, account)
    try:
        return [*check_account(context, account), *stored]
    except JaraError as error:
        return [CheckResult("stripe", Level.ERROR, error.message), *stored]


def _check_stored(context: Context, account: PaymentAccount) -> list[CheckResult]:
    """Check what the database knows of the account; return none without a database."""
    try:
        return [*_check_rehearsal(context, account), _check_events(context)]
    except JaraError:
        return []  # the doctor's own checks report it


def confirm_by_eye(context: Context, account: PaymentAccount, names: Sequence[str]) -> None:
    """Record that an operator confirmed settings that have no API.

    Raises:
        InvalidInput: there is no such setting.
    """
    checks = {check.name: check for check in account.checks() if check.by_hand}
    for name in names:
        if name not in checks:
            raise InvalidInput(
                f"'{name}' cannot be confirmed; these can: {', '.join(sorted(checks))}."
            )
    with context.store.write() as work:
        authority = require_operator(context, work, "stripe.confirm")
        for name in names:
            work.meta.put(_CONFIRMED.format(name), f"{authority.name}, {context.today()}")
            what = {"what": checks[name].message}
            record_act(context, work, "stripe.confirm", name, facts=what)


def record_rehearsal(context: Context, *, version: str, day: date) -> None:
    """Record that the rehearsal with an API version of the provider held."""
    with context.store.write() as work:
        require_operator(context, work, "stripe.rehearse")
        work.meta.put(_REHEARSED, f"{version} {day}")
        record_act(context, work, "stripe.rehearse", version, facts={"day": str(day)})


def _check_rehearsal(context: Context, account: PaymentAccount) -> Iterator[CheckResult]:
    """Check that a live organisation rehearsed what it relies on, within the last year."""
    if context.payment_mode is not PaymentMode.LIVE:
        return
    with context.store.read() as work:
        rehearsed, _, day = (work.meta.get(_REHEARSED) or "").partition(" ")
    name, version = "stripe rehearsal", account.api_version()
    if rehearsed != version:
        message = f"What Jara relies on was not rehearsed with Stripe's version {version}."
    elif context.today() - date.fromisoformat(day) > _REHEARSED_FOR:
        message = f"The last rehearsal with Stripe was on {day}, over a year ago."
    else:
        yield CheckResult(name, Level.OK, f"Rehearsed with version {version} on {day}.")
        return
    how = "With a key of test mode: `jara rehearse stripe`, then `jara rehearse record`."
    yield CheckResult(name, Level.ERROR, f"{message} {how}")


def _check_events(context: Context) -> CheckResult:
    """Look for stored events that keep failing."""
    with context.store.read() as work:
        failing = [one for one in work.provider_events.failures() if one.attempts >= ATTEMPTS_MANY]
    if not failing:
        return CheckResult("stripe events", Level.OK, "No event keeps failing.")
    oldest = failing[0]
    return CheckResult(
        "stripe events",
        Level.WARNING,
        f"Events that keep failing: {len(failing):,}; the oldest, {oldest.event.type}, waits since "
        f"{context.zone.minute(oldest.received_at)}: {oldest.failure}",
    )


def _result(check: AccountCheck, confirmed: str | None) -> CheckResult:
    name = f"stripe {check.name}"
    if check.ok:
        return CheckResult(name, Level.OK, check.message)
    if check.by_hand and confirmed is not None:
        return CheckResult(name, Level.OK, f"{check.message} Confirmed by {confirmed}.")
    how = f" To be confirmed: jara stripe setup --confirm {check.name}" if check.by_hand else ""
    level = Level.ERROR if check.is_grave else Level.WARNING
    return CheckResult(name, level, check.message + how)
