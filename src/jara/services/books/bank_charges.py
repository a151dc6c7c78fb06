"""Bank charges: paid by the funds that pay card fees, never by a payee."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from jara.domain.books.account import BANK
from jara.domain.books.fund_policy import policy_in_force
from jara.domain.books.journal import JournalEntry, PostedEntry
from jara.domain.books.spending import bank_charge_entry
from jara.records.operations import Approval
from jara.services.approvals import Handler, salt_of
from jara.services.audit import record_act
from jara.services.books.entry_documents import parse_day
from jara.services.books.outflows import ask_approval
from jara.services.books.payment_account import PAID_FROM, payment_account
from jara.services.books.posting import Books
from jara.services.context import Context

CHARGE_ACTION = "ledger.bank_charge"


def post_bank_charge(
    context: Context,
    *,
    cents: int,
    day: date | None = None,
    external_id: str | None = None,
    note: str | None = None,
    paid_from: str | None = None,
) -> PostedEntry | Approval:
    """Book a bank charge, split across the funds that pay the card fees.

    It leaves the account `paid_from`, or the organisation's payment account.

    Returns:
        The entry, or the approval it waits for.
    """
    day = day or context.today()
    with context.store.write() as work:
        books = Books(context, work)
        account = payment_account(work, paid_from)
        entry = charge_of(books, account, cents=cents, day=day, external_id=external_id, note=note)
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=CHARGE_ACTION,
            payload={
                "charge_cents": cents,
                "date": day.isoformat(),
                "externalId": external_id,
                "note": note,
                PAID_FROM: account,
            },
            why=note or entry.description,
        )
        if waiting is not None:
            return waiting
        posted = books.post(entry, salt=salt_of(context))
        record_act(context, work, CHARGE_ACTION, posted.id)
    return posted


def charge_of(
    books: Books,
    paid_from: str,
    *,
    cents: int,
    day: date,
    external_id: str | None = None,
    note: str | None = None,
) -> JournalEntry:
    """Return the entry of a bank charge; see `post_bank_charge`."""
    weights = policy_in_force(books.policies, day).fee_weights
    entry = bank_charge_entry(day, cents, weights, paid_from=paid_from, external_id=external_id)
    return replace(entry, note=note)


def _charge_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return post_bank_charge(
        context,
        cents=payload["charge_cents"],
        day=parse_day(payload["date"]),
        external_id=payload["externalId"],
        note=payload["note"],
        paid_from=payload.get(PAID_FROM, BANK),
    )


HANDLERS: Mapping[str, Handler] = {CHARGE_ACTION: _charge_approved}
