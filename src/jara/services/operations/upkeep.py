"""Maintenance of the installation: upgrades, sending now, retention times.

The daily run deletes what is older than its retention time. Two times are declared elsewhere:
ballot keys (`closing.KEY_LIFETIME`) and interrupted registrations (`recovery.GIVEN_UP_AFTER`).
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from jara.domain.errors import Unavailable
from jara.domain.own_values import PARTS
from jara.domain.voting.proposal import ProposalStatus
from jara.records.journal import BalanceRow
from jara.services.audit import record_act, record_unattended, require_operator
from jara.services.authority import limits_in_force, read_control
from jara.services.context import Context
from jara.services.field.partners import KEYED, keyed_proof
from jara.services.members.address_changes import forget_changes
from jara.services.members.sessions import SESSION_LIFE
from jara.services.news.fan_out import fan_out_news
from jara.services.notices.newsletter import CONFIRMATION_LIFE
from jara.services.notices.outbox import MailRun, send_due
from jara.services.notices.returned_emails import EMAILS_KEPT
from jara.services.organisation import LOG_ORIGIN, REWRITES_DUE, adopt_settings
from jara.services.payments.events import EVENTS_KEPT
from jara.services.payments.gift_promises import GIFT_PROMISES_KEPT
from jara.services.ports.outside import MailSender
from jara.services.publiclog.receipts import name_promise_key
from jara.services.ways_in import adopt_donate_link
from jara.store.seals import SEALS_DUE, seal_every_row
from jara.store.unit_of_work import UnitOfWork

RECORDS_KEPT_YEARS = 6
"""Kept for so many years after the end of their own year: operators' notes, texts and names of
bank lines, hashed addresses of givers without an account. Entries hold no personal data and are
never deleted."""

_WIPED = "erasures.wiped"


def delete_expired(context: Context, sender: MailSender) -> dict[str, int]:
    """Delete everything past its retention time; return the count of each kind."""
    now, records = context.now(), records_begin(context.today())
    with context.store.write() as work:
        counts = {
            "letters": work.outbox.erase_before(now - EMAILS_KEPT)
            + work.returned_emails.erase_before(now - EMAILS_KEPT),
            "expired": work.access.forget_expired(now)
            + forget_changes(context, work)
            + work.sessions.forget_unused(context.today() - SESSION_LIFE),
            "gifts": work.gift_promises.forget(before=now - GIFT_PROMISES_KEPT),
            "events": work.provider_events.erase_before(now - EVENTS_KEPT),
            "readers": work.access.forget_unconfirmed(now - CONFIRMATION_LIFE),
            "notes": work.journal.forget_notes(records),
            "bankTexts": work.bank.forget_texts(records),
            "givers": work.contributors.forget_strangers(records),
        }
    emails = context.store.read_once().outbox.all
    return {**counts, "copies": sender.keep_only(lambda: {email.id for email in emails()})}


def wipe_erased(context: Context) -> bool:
    """Rewrite the database if something was erased since the last time; return whether it was.

    Deleted rows leave copies in the free space of database pages, which only a rewrite removes.
    """
    with context.store.read() as work:
        erasures, wiped = work.meta.get(REWRITES_DUE), work.meta.get(_WIPED)
    if erasures is None or erasures == wiped:
        return False
    context.store.wipe()
    # Store the count read before, so that the next run wipes members erased meanwhile.
    with context.store.write() as work:
        work.meta.put(_WIPED, erasures)
    return True


def records_begin(today: date) -> date:
    """Return the first day whose records are kept."""
    return date(today.year - RECORDS_KEPT_YEARS, 1, 1)


def record_creation(context: Context) -> None:
    """Record who created the organisation, as the first row of the audit log."""
    with context.store.write() as work:
        record_unattended(context, work, "organisation.init", work.meta.get(LOG_ORIGIN) or "")


class CopiedDatabase(NamedTuple):
    """What is equal in a database and its copy: the log, and the balances."""

    size: int
    root: str
    balances: list[BalanceRow]


def record_copy(
    source: UnitOfWork, copy: Context, *, source_name: str, name: str
) -> CopiedDatabase:
    """Compare a database with its copy, and record in the copy who made it, and from where.

    Raises:
        Unavailable: they differ.
    """
    with copy.store.read() as work:
        expected, copied = _read_copied(source), _read_copied(work)
    if copied != expected:
        raise Unavailable(f"'{name}' differs from '{source_name}'; delete it and copy again.")
    with copy.store.write() as work:
        record_unattended(
            copy, work, "database.copy", source_name, logSize=copied.size, root=copied.root
        )
    return copied


def _read_copied(work: UnitOfWork) -> CopiedDatabase:
    return CopiedDatabase(work.log.size(), work.log.root().hex(), work.journal.balances())


def upgrade(context: Context, retired: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """Bring the schema to this version and return the steps taken.

    An open vote whose receipts nobody can sign any more gets a new key. The next run completes an
    interrupted one. `retired` are values that were settings up to 0.2.0, by the option that
    replaces each: they are stored unless the organisation has its own. With limits that happens
    in the upgrade from 0.2.0 alone, because later they need another operator.
    """
    steps = context.store.migrate()
    with context.store.write() as work:
        if steps:
            record_unattended(context, work, "database.migrate", steps[-1], steps=steps)
        if work.proposals.all(ProposalStatus.OPEN) and name_promise_key(context, work):
            record_unattended(context, work, "keys.make", "promise.key")
        _adopt_settings(context, work, retired)
        _seal_older_rows(context, work)
    wipe_erased(context)
    return steps


def _seal_older_rows(context: Context, work: UnitOfWork) -> None:
    """Seal the rows anew after a step that asks for it; partners' links get keyed hashes."""
    if not work.meta.get(SEALS_DUE):
        return
    for link in work.field.links():
        if not link.proof.startswith(KEYED):
            work.field.put_link(link._replace(proof=keyed_proof(context, link.proof)))
    count = seal_every_row(work.sql, context.vault.seal_row)
    work.meta.put(SEALS_DUE, "")
    record_unattended(context, work, "database.seal", "rows", rows=count)


def _adopt_settings(context: Context, work: UnitOfWork, retired: Mapping[str, str]) -> None:
    if not retired:
        return
    control, is_upgrade = read_control(context, work), bool(work.meta.get(SEALS_DUE))
    if limits_in_force(context, control).is_set and not is_upgrade:
        return
    if is_upgrade or not control.needs_keys:
        given = {PARTS[option]: text for option, text in retired.items() if option in PARTS}
    else:
        given = {}  # the link to donate has its signature in the log
    facts = {part.value: text for part, text in adopt_settings(work, given).items()}
    if url := adopt_donate_link(work, retired.get("donate-url", "")):
        facts["donateUrl"] = url
    if facts:
        record_unattended(context, work, "organisation.adopt", "organisation", **facts)


def send_now(context: Context, sender: MailSender, *, and_refused: bool = False) -> MailRun:
    """Send the news of now and every email that is due, and try those once more that were refused.

    Raises:
        Refused: operators are listed, and the acting one may not.
    """
    with context.store.write() as work:
        require_operator(context, work, "mail.send")
        if and_refused:
            work.outbox.retry_refused(at=context.now())
    fan_out_news(context)
    run = send_due(context, sender)
    if run.sent or run.failed:
        with context.store.write() as work:
            facts = {"sent": run.sent, "failed": run.failed}
            record_act(context, work, "mail.send", "outbox", facts=facts)
    return run
