"""The doctor's checks of ballot keys, checkpoints, approvals and backups."""

from collections.abc import Iterator
from datetime import timedelta

from jara.domain.books.outflow import AT_PROVIDER
from jara.domain.control.roles import Role
from jara.domain.control.state import BrokenControl
from jara.domain.control.ways_in import WayIn
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.money import format_cents
from jara.domain.texts import count_of
from jara.services.approvals import CARRYING_OUT
from jara.services.authority import active_operators, limits_in_force, read_control
from jara.services.context import Context
from jara.services.operations.backups import BACKUP_ACTION, votes_without_key
from jara.services.operations.control import describe_missing_limits, describe_outside
from jara.services.operations.diagnosis_setup import (
    CheckResult,
    Environment,
    error,
    fine,
    is_sandbox,
    warning,
)
from jara.services.proposals.closing import KEY_LIFETIME
from jara.services.publiclog.proofs import published_notes
from jara.services.publiclog.signer import describe_signer, read_signer
from jara.services.publiclog.witnesses import LATE_AFTER as WITNESSES_LATE
from jara.services.publiclog.witnesses import read_standing
from jara.services.rate_limits import CEILINGS, Limit
from jara.services.ways_in import describe_way, is_signed, stored_value, ways_offered

BACKUP_LATE = timedelta(days=2)
CEILING_TOLD = timedelta(days=7)
_MACHINE = {Role.SCHEDULER}
KEY_LATE = timedelta(days=1)
"""How late the daily run may destroy a key."""


def check_votes(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that every open vote has its ballot key, and that old keys are destroyed."""
    lost = votes_without_key(context)
    for title in lost:
        yield error(
            "votes",
            f"The ballot key of '{title}' is missing, or does not open its ballots; withdraw the "
            "vote.",
        )
    kept = list(_kept_too_long(context))
    yield from kept
    if not lost and not kept:
        yield fine("votes", "Every open vote has its ballot key; keys of old votes are destroyed.")


def _kept_too_long(context: Context) -> Iterator[CheckResult]:
    with context.store.read() as work:
        records = [record for record in work.proposals.all() if record.decided_at is not None]
    for record in records:
        proposal, due = record.proposal, (record.decided_at or context.now()) + KEY_LIFETIME
        if context.vault.ballot_key(proposal.id) is None:
            continue
        if record.key_destroyed_at is not None:
            yield error(
                "votes",
                f"The ballot key of '{proposal.slug}' was destroyed but is in the secrets "
                f"folder again: jara votes destroy-key {proposal.id}",
            )
        elif due + KEY_LATE <= context.now():
            yield error(
                "votes",
                f"The ballot key of '{proposal.slug}' was due to be destroyed on {due:%Y-%m-%d}: "
                "jara run daily",
            )


def check_checkpoints(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that the published checkpoints match the log."""
    if context.note_file is None:
        return
    with context.store.read() as work:
        count, text = len(work.log.checkpoints()), published_notes(work)
    wrong = context.note_file.check(text)
    if wrong is None:
        yield fine("checkpoints", f"Published checkpoints of the log: {count:,}.")
    else:
        yield error("checkpoints", wrong)


def check_signer(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that the log's signer signs the log of this database."""
    with context.store.read() as work:
        position, standing = read_signer(context, work)
        sentence = describe_signer(position, standing, work.log.size())
    yield fine("signer", sentence) if position.is_well else error("signer", sentence)


def check_witnesses(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that enough witnesses have seen the log recently, and name the others."""
    with context.store.read() as work:
        standing = read_standing(work)
    for sight in standing.sights:
        if sight.witness.failure:
            yield warning("witnesses", f"The witness {sight.witness.name} {sight.witness.failure}.")
    if standing.is_late(context.now()):
        yield warning(
            "witnesses",
            f"Fewer than {standing.quorum} witnesses have seen the log in the last "
            f"{WITNESSES_LATE.days} days: jara proofs status",
        )
    elif standing.sights:
        yield fine(
            "witnesses",
            f"{standing.seen} of {len(standing.sights)} witnesses have seen the log of "
            f"{standing.size:,} leaves.",
        )


def check_operators(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that operators have keys, and that the log's leaves about them are valid."""
    with context.store.read() as work:
        try:
            control = read_control(context, work)
        except BrokenControl as broken:
            yield error("operators", broken.message)
            return
        names = work.operations.key_names()
    people = {one.person for one in control.keys.values()}
    if control.needs_keys:
        yield fine(
            "operators", f"Enrolled keys: {len(control.keys):,}, of {len(people):,} operators."
        )
        admins = [key for key, one in control.keys.items() if Role.ADMIN in one.roles]
        if len(admins) == 1:
            yield warning(
                "operators",
                f"Only the key of {names.get(admins[0], 'one operator')} may change keys and "
                "limits; if it is lost, nobody ever can. Enrol a second one and keep it apart: "
                "jara operators add NAME --role admin --key FILE",
            )
        if not any(Role.SCHEDULER in one.roles for one in control.keys.values()):
            yield warning(
                "operators",
                "The daily run has no key: jara operators scheduler-key > scheduler.pub, then "
                "jara operators add scheduler --role scheduler --key scheduler.pub",
            )
    else:
        yield warning(
            "operators",
            "No operator has a key, so whoever can open the database may do everything: "
            "jara operators add NAME --key FILE",
        )


def check_ways_in(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that operators signed where payers send their money, and hear of changes."""
    with context.store.read() as work:
        try:
            control = read_control(context, work)
        except BrokenControl:
            return  # the check of the operators reports it
        values = {way: stored_value(context, work, way) for way in WayIn}
        names = work.operations.key_names()
        people = {names.get(key) for key, one in control.keys.items() if one.roles != _MACHINE}
        listed = active_operators(work)
        silent = [name for name, one in listed.items() if name in people and not one.email]
    if not control.needs_keys:
        return
    wrong = [way for way, value in values.items() if not is_signed(control, way, value)]
    for way in wrong:
        now = describe_way(values[way] or {}) or "none"
        yield error(
            "ways in",
            f"No operator signed the value of {way.phrase}: {now}. It is not offered; find out "
            "who changed it, and set it again.",
        )
    old = [way.value for way, value in values.items() if value and not control.ways]
    if old:
        yield warning(
            "ways in",
            f"Not signed, since they were set by an older version: {', '.join(old)}. Set one of "
            "them again; the approvers then sign them all.",
        )
    if silent:
        yield warning(
            "ways in",
            f"Operators without an address hear of no change of the ways to pay: "
            f"{', '.join(silent)}: jara operators address NAME ADDRESS",
        )
    if not (wrong or old):
        yield fine("ways in", "Operators signed where payers send their money.")


def check_approvals(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that approvals are possible, and that no approved action was interrupted."""
    with context.store.read() as work:
        waiting = work.operations.approvals(waiting_only=True)
        listed = len(active_operators(work))
        try:
            control = read_control(context, work)
        except BrokenControl:
            return  # the check of the operators reports it
        missing = describe_missing_limits(context, work)
    if missing is not None:
        yield warning("approvals", f"{missing[0]} Set them: {missing[1]}")
    if outside := describe_outside(context):
        yield warning("approvals", outside)
    limits = limits_in_force(context, control)
    able = len(control.approvers) if control.needs_keys else listed
    if limits.is_set and able < limits.approvals:
        yield warning(
            "approvals",
            f"Acts above the limit need {limits.approvals} people, and {able} may approve: "
            "jara operators add NAME --key FILE",
        )
    if limits.is_set and control.needs_keys and not control.names_funds:
        lacking = "" if control.own is not None else "a limit of a day over all, our accounts and "
        yield warning(
            "approvals",
            f"The limits are of an earlier version, without {lacking}the funds that others decided "
            "on; until they are set again, jara_verify.py does not count what leaves those: "
            "jara operators policy set --limit AMOUNT --why REASON",
        )
    for approval in waiting:
        if approval.state == CARRYING_OUT:
            yield error(
                "approvals",
                f"{approval.id} ({approval.action}) was interrupted. Finish it: jara approvals "
                f"approve {approval.id}, or, if you did it by hand: jara approvals refuse "
                f"{approval.id} --why REASON",
            )


def check_ways(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check, without cards, that members can pay, and what is left of cards taken before."""
    if context.takes_cards:
        return
    with context.store.read() as work:
        ways = [setting.way for setting in ways_offered(context, work)]
        customers = work.pledges.count_customers()
        rows = work.journal.balances(accounts=sorted(AT_PROVIDER))
    if ways:
        yield fine("ways", f"Members pay by {', '.join(PaymentWay(way).phrase for way in ways)}.")
    else:
        yield error(
            "ways", "There is no way to pay; nobody can join: jara payments ways set --help"
        )
    cents = sum(row.cents for row in rows)
    if customers or cents:
        yield warning(
            "ways",
            f"Cards were taken before: {count_of(customers, 'member')} with a customer at the "
            f"provider, and {format_cents(cents)} there in the books. Erasing a member does not "
            "reach the provider, so delete the customer there; `jara ledger import` books its "
            "reports.",
        )


def check_declined_cards(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check whether declined cards reached the limit for everybody within a week."""
    if not context.takes_cards:
        return
    reached = _reached(context, Limit.DECLINED_ALL)
    if reached is not None:
        yield warning(
            "cards",
            f"Declined cards reached JARA_LIMIT_DECLINED_ALL on {reached} UTC; somebody may be "
            "trying out stolen cards. Look at the payments in Stripe's Radar.",
        )
    else:
        yield fine("cards", "Declined cards stayed below the limit.")


def check_caused_emails(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check whether emails that anybody can cause reached the limit within a week."""
    reached = _reached(context, Limit.MAIL_ALL)
    if reached is not None:
        yield warning(
            "emails",
            f"Emails of one kind reached JARA_LIMIT_MAIL_ALL on {reached} UTC: sign-ups, gifts, "
            "resets or the newsletter were refused. Raise it if many people came; otherwise "
            "somebody floods mailboxes, and the server's log names the networks.",
        )
    else:
        yield fine("emails", "Emails that anybody can cause stayed below the limit.")


def _reached(context: Context, limit: Limit) -> str | None:
    """Return the hour in which a limit for everybody was reached last, if within a week."""
    with context.store.read() as work:
        reached = work.meta.get(CEILINGS[limit])
    is_new = reached is not None and reached[:10] > (context.today() - CEILING_TOLD).isoformat()
    return reached if is_new else None


def check_backup(context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check the age of the last backup, of an open site or with live payments."""
    if is_sandbox(context) and not environment.is_open:
        return
    with context.store.read() as work:
        made = [act.at for act in work.operations.audit(action=BACKUP_ACTION)]
    if not made:
        yield warning("backup", "No backup has been made: jara backup FILE")
    elif context.now() - made[-1] > BACKUP_LATE:
        yield warning("backup", f"The last backup was made on {context.zone.minute(made[-1])}.")
    else:
        yield fine("backup", f"The last backup was made on {context.zone.minute(made[-1])}.")
