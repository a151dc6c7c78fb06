"""Paying projects, grants and donations: money follows the vote."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from jara.domain.books.account import BANK, Fund
from jara.domain.books.foreign import describe_foreign
from jara.domain.books.journal import Foreign, PostedEntry
from jara.domain.books.spending import Spending, charge_note, spending_entry
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import milestones_of
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.publiclog.leaves import milestones_leaf
from jara.domain.voting.proposal import PAYABLE
from jara.records.journal import CommitmentRecord
from jara.records.operations import Approval
from jara.services.approvals import Handler, salt_of
from jara.services.audit import record_act
from jara.services.books.bank_charges import CHARGE_ACTION, charge_of
from jara.services.books.commitments import require_commitment
from jara.services.books.entry_documents import parse_day, read_foreign, write_foreign
from jara.services.books.outflows import ask_approval
from jara.services.books.papers import attach_papers
from jara.services.books.payment_account import PAID_FROM, payment_account
from jara.services.books.posting import Books, fund_balances
from jara.services.context import Context
from jara.services.projects import tranches
from jara.store.unit_of_work import UnitOfWork


class Payee(StrEnum):
    """The kinds of payee; each has its own group of accounts."""

    PROJECTS = "projects"
    GRANTS = "grants"
    DONATIONS = "donations"


class Disbursement(NamedTuple):
    """A payment to a payee."""

    payee: Payee
    slug: str
    cents: int
    proposal: str | None = None  # the passed proposal that allows it; required for projects
    day: date | None = None  # the day of the payment; today when None
    foreign: Foreign | None = None  # the amount in the payee's currency
    external_id: str | None = None  # the bank's id, so that it is posted only once
    note: str | None = None
    charge_cents: int = 0  # the bank's charge; the funds that pay card fees pay it, not the payee
    milestone: str | None = None  # the id of the project's milestone that it pays
    paid_from: str | None = None  # the account that the money leaves; None for the organisation's


def disburse(context: Context, payment: Disbursement) -> PostedEntry | Approval:
    """Pay a project from the money held for its proposal, or a grant or donation from `projects`.

    The bank's charge is an entry of its own in the same transaction.

    Returns:
        The entry, or the approval it waits for.

    Raises:
        InvalidInput: a project without a proposal, or a proposal for something else.
        NotFound: there is no such proposal, or nothing was promised to it.
        Conflict: the proposal has not passed, decided on another project, or less is left of
            its milestone or of those that are unlocked.
        FundOverdrawn: the money held for it, or in the fund, is not enough.
    """
    with context.store.write() as work:
        payment = payment._replace(paid_from=payment_account(work, payment.paid_from))
        spending, available = _funded(context, work, payment)
        day = payment.day or context.today()
        entry = spending_entry(day, spending, available_cents=available)
        entry = replace(entry, milestone=payment.milestone)
        books = Books(context, work)
        charges = (
            [charge_of(books, spending.paid_from, cents=payment.charge_cents, day=day)]
            if payment.charge_cents
            else []
        )
        waiting = ask_approval(
            context,
            work,
            [entry, *charges],
            action=tranches.PAY_ACTION,
            payload=_document(payment),
            why=payment.note or entry.description,
        )
        if waiting is not None:
            return waiting
        posted = books.post(entry, salt=salt_of(context))
        if payment.milestone is not None:
            work.commitments.add_tranche(posted.index, payment.milestone)
        before, after = {}, {"account": spending.account, "cents": payment.cents}
        if spending.fund is Fund.COMMITTED:
            record = require_commitment(work, spending.reference or "")
            commitment = record.commitment.pay(payment.cents)
            work.commitments.put(CommitmentRecord(commitment, record.decided_at))
            before = {"heldCents": record.commitment.held}
            after |= {"heldCents": commitment.held, "proposal": commitment.proposal}
        why = payment.note or ""
        if payment.foreign is not None:
            after["foreign"] = describe_foreign(payment.foreign, payment.cents)
        record_act(
            context, work, tranches.PAY_ACTION, posted.id, why=why, before=before, facts=after
        )
        for charge in charges:
            noted = replace(charge, note=charge_note(posted.id))
            charged = books.post(noted, salt=salt_of(context, 1))
            record_act(context, work, CHARGE_ACTION, charged.id)
        attach_papers(context, work, posted.index)
    return posted


def _funded(context: Context, work: UnitOfWork, payment: Disbursement) -> tuple[Spending, int]:
    """Return the available money: the amount held for the proposal, or the fund's balance."""
    if payment.payee is Payee.PROJECTS:
        if payment.proposal is None:
            raise InvalidInput("A project is paid for a passed proposal; say which: --proposal.")
        proposal = work.proposals.find(payment.proposal).proposal
        if proposal.status not in PAYABLE:
            raise Conflict(
                f"The proposal '{proposal.slug}' is {proposal.status}; "
                "only one that passed has money."
            )
        _require_its_project(context, work, payment, proposal.id)
        commitment = require_commitment(work, proposal.id).commitment
        commitment.pay(payment.cents)
        fund, available, reference = Fund.COMMITTED, commitment.held, proposal.id
    elif payment.proposal is not None:
        raise InvalidInput(f"No proposal decides on {payment.payee}; omit --proposal.")
    else:
        fund, reference = Fund.PROJECTS, payment.slug
        available = fund_balances(work)[fund]
    spending = Spending(
        account=f"expenses:{payment.payee}:{payment.slug}",
        fund=fund,
        cents=payment.cents,
        reference=reference,
        foreign=payment.foreign,
        external_id=payment.external_id,
        note=payment.note,
        paid_from=payment.paid_from or BANK,
    )
    return spending, available


def _require_its_project(
    context: Context, work: UnitOfWork, payment: Disbursement, proposal: str
) -> None:
    """Check that a payment goes to the voted project, and that milestones unlock it."""
    for item in work.content.all(PROJECTS):
        if item.doc.get("proposal") == proposal and item.slug != payment.slug:
            raise Conflict(
                f"The proposal '{proposal}' decided on the project '{item.slug}'; its money is "
                f"not for '{payment.slug}'."
            )
        if item.slug != payment.slug:
            continue
        if item.doc.get("milestones") and item.doc.get("proposal") == proposal:
            leaf = milestones_leaf(proposal, milestones_of(item.doc))
            work.log.note_plan(leaf, is_first=True)
        tranches.require_payable(
            work, item, payment.cents, payment.milestone, is_approved=context.approved is not None
        )


def _document(payment: Disbursement) -> dict[str, Any]:
    charge = {"bankChargeCents": payment.charge_cents} if payment.charge_cents else {}
    milestone = {} if payment.milestone is None else {tranches.MILESTONE: payment.milestone}
    return (
        charge
        | milestone
        | {
            tranches.PAYEE: payment.payee.value,
            tranches.SLUG: payment.slug,
            tranches.CENTS: payment.cents,
            "proposal": payment.proposal,
            "day": None if payment.day is None else payment.day.isoformat(),
            "foreign": None if payment.foreign is None else write_foreign(payment.foreign),
            "externalId": payment.external_id,
            "note": payment.note,
            PAID_FROM: payment.paid_from,
        }
    )


def _pay_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day, foreign = payload["day"], payload["foreign"]
    return disburse(
        context,
        Disbursement(
            payee=Payee(payload[tranches.PAYEE]),
            slug=payload[tranches.SLUG],
            cents=payload[tranches.CENTS],
            proposal=payload["proposal"],
            day=None if day is None else parse_day(day),
            foreign=None if foreign is None else read_foreign(foreign),
            external_id=payload["externalId"],
            note=payload["note"],
            charge_cents=payload.get("bankChargeCents", 0),
            milestone=tranches.milestone_of(payload),
            paid_from=payload.get(PAID_FROM, BANK),
        ),
    )


HANDLERS: Mapping[str, Handler] = {tranches.PAY_ACTION: _pay_approved}
