"""What operators do with claims: approve, refuse, pay back.

Approving books the expense against what is owed to the claimant, and paying back is an entry of
its own. Both are money that goes out, so above a limit each waits for another operator. Nobody
approves or refuses their own claim.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from jara.documents import Document
from jara.domain.bank.statement import squeezed
from jara.domain.books.account import CLAIMS, Fund, is_below
from jara.domain.books.foreign import foreign_payment
from jara.domain.books.journal import PostedEntry
from jara.domain.books.years import BookingDay, booking_day
from jara.domain.claim import (
    Debt,
    account_of_claimant,
    claim_entry,
    number_of,
    repayment_entry,
)
from jara.domain.currency import books_currency
from jara.domain.errors import Conflict, InvalidInput, Refused
from jara.domain.field_report import UNDECIDED, ReportState
from jara.domain.lookup import fold
from jara.domain.money import format_cents
from jara.domain.papers import PaperKind
from jara.records.bank import BankLine
from jara.records.field import Claim, FieldReport, Partner
from jara.records.operations import Approval
from jara.services.approvals import Handler, salt_of
from jara.services.audit import record_act
from jara.services.authority import active_operators
from jara.services.bank.answering import claims_of_line, waiting_line
from jara.services.bank.booking import LineBooker, match_line
from jara.services.books.bookkeeping import refuse_votes_money, require_covered, require_promised
from jara.services.books.entry_documents import parse_day
from jara.services.books.outflows import ask_approval
from jara.services.books.papers import PaperFile, attach_papers, store_papers
from jara.services.books.payment_account import PAID_FROM, payment_account
from jara.services.books.posting import Books, fund_balances
from jara.services.context import Context
from jara.services.field.arriving import bought_of
from jara.services.field.claimants import DECIDED_EMAIL, find_purpose
from jara.services.field.publishing import photo_data
from jara.services.notices.emails import queue_email
from jara.store.unit_of_work import UnitOfWork

APPROVE_ACTION, PAY_ACTION, REFUSE_ACTION = "claims.approve", "claims.pay", "claims.refuse"
CLAIM = "claim"
"""The key of a claim's id in what waits for approval."""


class OwnClaim(Refused):
    """An operator decides on their own claim."""

    code = "own_claim"


class Decision(NamedTuple):
    """How a claim is booked; None takes what its purpose and the claimant say."""

    account: str | None = None  # the expense account
    fund: Fund | None = None
    cents: int | None = None  # what it cost in the currency of the books
    rate_source: str | None = None  # where the rate is from
    why: str = ""  # the reason, stored with the entry for ever; the purpose by default


def find_claim(work: UnitOfWork, text: str) -> tuple[FieldReport, Claim]:
    """Return a claim by its id or number, or a unique beginning of it.

    Raises:
        NotFound: there is no such claim.
        Conflict: several match.
    """
    plain = text.replace("claim-", "claim_", 1)
    report = work.field.find_report(plain, of_claims=True)
    claim = work.field.claim(report.id)
    assert claim is not None  # noqa: S101 - stored together
    return report, claim


def approve_claim(context: Context, text: str, decision: Decision) -> PostedEntry | Approval:
    """Book a claim as an expense, and as owed to the claimant.

    Returns:
        The entry, or the approval it waits for.

    Raises:
        NotFound: there is no such claim.
        Conflict: it is decided, waits for an approval, or photos are still on the phone.
        InvalidInput: its rate is not known, or its purpose cannot be claimed any more.
        OwnClaim: the operator is the claimant.
        FundOverdrawn: the fund has less.
    """
    with context.store.write() as work:
        report, claim = find_claim(work, text)
        _require_state(report, ReportState.WAITING)
        _require_no_other(context, work, report.id)
        account, fund = _booked_on(work, claim, decision)
        claim = _with_rate(claim, decision)
        debt = Debt(report.id, account_of_claimant(report.partner), fund, claim.cents or 0)
        books = Books(context, work)
        bought = bought_of(claim, report)
        entry = claim_entry(
            booking_day(claim.spent_on, books.locked_years),
            debt,
            account,
            why=decision.why or claim.purpose,
            foreign=None
            if claim.currency == books_currency()
            else foreign_payment(str(bought.amount), cents=debt.cents, source=claim.rate_source),
        )
        refuse_votes_money(entry)
        require_promised(entry, books.policies)
        require_covered(entry, fund_balances(work))
        context = _with_receipts(context, work, report.id)
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=APPROVE_ACTION,
            payload={
                CLAIM: report.id,
                "purpose": claim.purpose,
                "account": account,
                "fund": fund.value,
                "rateSource": claim.rate_source,
                "why": decision.why,
            },
            why=decision.why or claim.purpose,
        )
        _require_somebody_else(context, work, work.field.partner(report.partner))
        if waiting is not None:
            return waiting
        posted = books.post(entry, salt=salt_of(context))
        attach_papers(context, work, posted.index)
        work.field.delete_data(report.id)
        record_act(context, work, APPROVE_ACTION, report.id, facts={"entry": posted.id})
        work.field.put_claim(claim._replace(entry=posted.index))
        _decide(context, work, report._replace(state=ReportState.APPROVED), claim)
    return posted


def refuse_claim(context: Context, text: str, *, reason: str) -> FieldReport:
    """Refuse a claim; the claimant reads the reason, and photos and account number are deleted.

    Raises:
        NotFound: there is no such claim.
        Conflict: it is approved, paid or refused; an approved one only after its entry is reversed.
        InvalidInput: there is no reason.
        OwnClaim: the operator is the claimant.
    """
    if not reason.strip():
        raise InvalidInput("Say why, for the claimant who reads it: --why.")
    with context.store.write() as work:
        report, claim = find_claim(work, text)
        if report.state is ReportState.APPROVED and claim.entry is not None:
            _require_reversed(work, claim.entry)
        else:
            _require_state(report, *UNDECIDED)
        _require_no_other(context, work, report.id)
        record_act(context, work, REFUSE_ACTION, report.id, why=reason)
        _require_somebody_else(context, work, work.field.partner(report.partner))
        work.field.put_claim(claim._replace(repay_to=None))
        work.field.delete_data(report.id)
        refused = report._replace(state=ReportState.REFUSED, reason=reason.strip())
        return _decide(context, work, refused, claim)


def pay_claim(
    context: Context,
    text: str,
    *,
    line: str | None = None,
    day: date | None = None,
    paid_from: str | None = None,
) -> PostedEntry | Approval:
    """Book that an approved claim is paid back; the account number is removed.

    `line` is the waiting line of a statement that paid it; by default the only one that names it.
    The day of the payment is by default that of the line, or today; the account that the money left
    is that of the line, or the organisation's.

    Returns:
        The entry, or the approval it waits for.

    Raises:
        NotFound: there is no such claim or line.
        Conflict: it is not approved, is paid, or its entry is reversed.
        InvalidInput: the line has another amount.
    """
    with context.store.write() as work:
        report, claim = find_claim(work, text)
        debt = _debt(work, report, claim)
        _require_no_other(context, work, report.id)
        books = Books(context, work)
        shown = _line_of(work, report, claim, line)
        source = payment_account(work, paid_from) if shown is None else shown[1]
        when = BookingDay(day or context.today())
        if shown is not None:
            when = booking_day(shown[0].line.day, books.locked_years)
        entry = repayment_entry(when, debt, paid_from=source, earlier=claim.paid_entry)
        waiting = ask_approval(
            context,
            work,
            [entry],
            action=PAY_ACTION,
            payload={
                CLAIM: report.id,
                "number": number_of(report.id),
                "line": None if shown is None else shown[0].id,
                "day": None if day is None else day.isoformat(),
                PAID_FROM: paid_from,
            },
            why=claim.purpose,
        )
        if waiting is not None:
            return waiting
        posted = books.post(entry, salt=salt_of(context))
        if shown is not None:
            match_line(work, shown[0], posted.index)
            LineBooker(context, work, source).book_fee(shown[0])
        record_act(context, work, PAY_ACTION, report.id, facts={"entry": posted.id})
        work.field.put_claim(claim._replace(paid_entry=posted.index, repay_to=None))
        _decide(context, work, report._replace(state=ReportState.PAID), claim)
    return posted


def describe_claim(work: UnitOfWork, payload: Mapping[str, Any]) -> Document:
    """Return whose claim waits, for whoever approves; the name is not in what they sign."""
    report, claim = find_claim(work, payload[CLAIM])
    return {
        "person": work.field.partner(report.partner).name,
        "shop": report.title,
        "amount": bought_of(claim, report).amount,
        "date": claim.spent_on,
    }


def _with_receipts(context: Context, work: UnitOfWork, claim_id: str) -> Context:
    """Store the photos of a claim as documents of its entry; an approval has them already."""
    if context.approved is not None:
        return context
    files = []
    for photo in work.field.photos(claim_id):
        data, suffix = photo_data(work, photo), photo.name.rpartition(".")[2]
        if data is not None:
            files.append(PaperFile(f"image/{suffix.replace('jpg', 'jpeg')}", data))
    return replace(context, papers=store_papers(context, work, files, PaperKind.RECEIPT))


def _booked_on(work: UnitOfWork, claim: Claim, decision: Decision) -> tuple[str, Fund]:
    account, fund = decision.account, decision.fund
    if account is None or fund is None:
        purpose = find_purpose(work, claim.purpose)
        account, fund = account or purpose.account, fund or purpose.fund
    if is_below(account, CLAIMS):
        raise InvalidInput(f"'{account}' is what is owed; name the account of the expense.")
    return account, fund


def _with_rate(claim: Claim, decision: Decision) -> Claim:
    """Return a claim with its cost in the currency of the books."""
    if claim.currency == books_currency():
        if decision.cents not in {None, claim.cents}:
            raise InvalidInput("The claim has another amount; refuse it, and ask for a new one.")
        return claim
    cents = decision.cents or claim.cents
    source = (decision.rate_source or claim.rate_source).strip()
    if cents is None or not source:
        raise InvalidInput(
            f"Nobody has said what it cost in {books_currency()}: --amount 34.50 "
            '--rate-source "card statement of 3 November".'
        )
    return claim._replace(cents=cents, rate_source=source)


def _debt(work: UnitOfWork, report: FieldReport, claim: Claim) -> Debt:
    """Return what is owed for a claim, as it was booked.

    Raises:
        Conflict: it is not approved, is paid, or its entry is reversed.
    """
    if report.state is ReportState.PAID and claim.paid_entry is not None:
        _require_reversed(work, claim.paid_entry)
    else:
        _require_state(report, ReportState.APPROVED)
    assert claim.entry is not None  # noqa: S101 - stored together with the state
    booked = work.journal.get(claim.entry)
    if work.journal.reversal_of(claim.entry) is not None:
        raise Conflict(
            f"The entry {booked.id} of {report.id} is reversed; refuse the claim: "
            f"jara claims refuse {report.id} --why REASON"
        )
    owed = next(one for one in booked.entry.postings if one.cents < 0)
    return Debt(report.id, owed.account, owed.fund, -owed.cents)


def _require_reversed(work: UnitOfWork, index: int) -> None:
    if work.journal.reversal_of(index) is None:
        booked = work.journal.get(index)
        raise Conflict(
            f"It is booked as {booked.id}; reverse that first: "
            f"jara ledger reverse {booked.id} --why REASON"
        )


def lines_for(work: UnitOfWork, report: FieldReport) -> list[BankLine]:
    """Return the waiting lines that may have paid a claim."""
    if report.state is not ReportState.APPROVED:
        return []
    return [
        line
        for account in work.bank.accounts()
        for line in work.bank.waiting(account.number)
        if report.id in claims_of_line(work, line)
    ]


def _line_of(
    work: UnitOfWork, report: FieldReport, claim: Claim, line: str | None
) -> tuple[BankLine, str] | None:
    """Return the line that paid a claim, and the account of the books that it left."""
    if line is None:
        number = squeezed(number_of(report.id))
        naming = [one for one in lines_for(work, report) if number in one.line.words]
        if len(naming) != 1:
            return None
        line = naming[0].id
    found, account = waiting_line(work, line)
    if found.line.gross_cents != -(claim.cents or 0):
        raise InvalidInput(
            f"The line {found.id} has {format_cents(found.line.gross_cents)}; "
            f"the claim is over {format_cents(claim.cents or 0)}."
        )
    return found, account.ledger


def waiting_for(work: UnitOfWork, claim_id: str) -> Approval | None:
    """Return the approval that a claim waits for."""
    for one in work.operations.approvals(waiting_only=True):
        if one.action in {APPROVE_ACTION, PAY_ACTION} and one.payload[CLAIM] == claim_id:
            return one
    return None


def _require_no_other(context: Context, work: UnitOfWork, claim_id: str) -> None:
    """Require that a claim does not wait for an approval, but for the one that is carried out."""
    waiting = waiting_for(work, claim_id)
    if waiting is not None and (context.approved is None or context.approved.id != waiting.id):
        raise Conflict(
            f"It waits for another operator as {waiting.id}: jara approvals approve {waiting.id}"
        )


def _require_state(report: FieldReport, *states: ReportState) -> None:
    if report.state in states:
        return
    if report.state is ReportState.ARRIVING:
        raise Conflict(f"Photos of {report.id} are still on the phone.")
    raise Conflict(f"The claim {report.id} is {report.state.value}.")


def _require_somebody_else(context: Context, work: UnitOfWork, claimant: Partner) -> None:
    """Require that whoever acts is not the claimant, by name or address.

    With keys the signature says who acts, so this is asked once it is made.
    """
    names = {signed.operator for _, signed in context.signed.acts} or {context.operator}
    operators = active_operators(work)
    for name in names:
        known = operators.get(name)
        address = "" if known is None else known.email
        if fold(name) == fold(claimant.name) or (address and fold(address) == fold(claimant.email)):
            raise OwnClaim(f"'{name}' is the claimant; somebody else decides on this claim.")


def _decide(context: Context, work: UnitOfWork, report: FieldReport, claim: Claim) -> FieldReport:
    """Store what became of a claim, and tell the claimant."""
    decided = report._replace(decided_at=context.now())
    work.field.put_report(decided)
    claimant, bought = work.field.partner(report.partner), bought_of(claim, report)
    values = {
        "firstname": claimant.name,
        "language": claimant.language,
        "state": report.state.value,
        "amountCents": claim.minor,
        "foreign": "" if claim.currency == books_currency() else str(bought.amount),
        "shop": report.title,
        "spentOn": claim.spent_on.isoformat(),
        "reason": report.reason,
    }
    queue_email(context, work, DECIDED_EMAIL, address=claimant.email, values=values)
    return decided


def _approve_approved(context: Context, payload: Mapping[str, Any]) -> object:
    decision = Decision(
        account=payload["account"],
        fund=Fund(payload["fund"]),
        cents=payload["cents"],
        rate_source=payload["rateSource"],
        why=payload["why"],
    )
    return approve_claim(context, payload[CLAIM], decision)


def _pay_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["day"]
    return pay_claim(
        context,
        payload[CLAIM],
        line=payload["line"],
        day=None if day is None else parse_day(day),
        paid_from=payload[PAID_FROM],
    )


HANDLERS: Mapping[str, Handler] = {APPROVE_ACTION: _approve_approved, PAY_ACTION: _pay_approved}
