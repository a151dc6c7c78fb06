"""Maintenance of the installation, recorded in the audit log."""

from __future__ import annotations

from jara.services.audit import record_act, record_unattended, require_operator
from jara.services.ballots.participation import move_old_lists
from jara.services.context import Context
from jara.services.members.contributors import renew_handles
from jara.services.notices.outbox import MailRun, send_due
from jara.services.operations.retention import wipe_erased
from jara.services.organisation import (
    LOG_ORIGIN,
    REWRITES_DUE,
    keep_index_key,
    require_own_secrets,
)
from jara.services.ports.outside import MailSender


def record_creation(context: Context) -> None:
    """Record who created the organisation, as the first row of the audit log."""
    with context.store.write() as work:
        record_unattended(context, work, "organisation.init", work.meta.get(LOG_ORIGIN) or "")


def record_copy(context: Context, source: str, *, size: int, root: str) -> None:
    """Record in a copied database who copied it, from where, and its log."""
    with context.store.write() as work:
        record_unattended(context, work, "database.copy", source, logSize=size, root=root)


def upgrade(context: Context) -> list[str]:
    """Bring the schema to this version and return the steps taken.

    Lists of voters that an earlier version stored while the ballot key exists become tokens, and
    the database is rewritten. The next run completes an interrupted one.

    Raises:
        Unavailable: such lists exist, and the secrets folder belongs to another database.
    """
    steps = context.store.migrate()
    with context.store.write() as work:
        if keep_index_key(context, work):
            record_unattended(context, work, "keys.make", "index.key")
        renewed = renew_handles(context, work)
        if steps:
            record_unattended(context, work, "database.migrate", steps[-1], steps=steps)
        if work.ballots.open_participations():
            require_own_secrets(context, work)
            renewed += move_old_lists(context, work)
        if renewed:  # so that no page keeps the old rows
            work.meta.count_up(REWRITES_DUE)
    wipe_erased(context)
    return steps


def send_now(context: Context, sender: MailSender) -> MailRun:
    """Send every email that is due.

    Raises:
        Refused: operators are listed, and the acting one may not.
    """
    with context.store.write() as work:
        require_operator(context, work, "mail.send")
    run = send_due(context, sender)
    if run.sent or run.failed:
        with context.store.write() as work:
            facts = {"sent": run.sent, "failed": run.failed}
            record_act(context, work, "mail.send", "outbox", facts=facts)
    return run
