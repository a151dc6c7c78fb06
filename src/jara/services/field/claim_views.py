"""Claims as operators read them."""

from datetime import date
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.claim import number_of
from jara.domain.field_report import ReportState
from jara.records.field import Claim, FieldReport
from jara.services.books.papers import open_paper
from jara.services.context import Context
from jara.services.field.arriving import bought_of
from jara.services.field.claiming import Purchases, row_of
from jara.services.field.publishing import ReportPhoto, report_photos
from jara.services.field.repaying import find_claim, lines_for, waiting_for
from jara.store.unit_of_work import UnitOfWork


class ClaimRow(NamedTuple):
    """A claim in the list of operators."""

    id: str
    received_on: date
    claimant: str
    amount: str  # as it was paid, for people
    cents: int | None  # in the currency of the books; None until somebody knows the rate
    spent_on: date
    shop: str
    purpose: str
    state: ReportState
    twice: bool  # whether another claim may be for the same purchase
    waits: bool  # whether it waits for another operator's signature


class ClaimView(NamedTuple):
    """A claim as operators read it."""

    row: ClaimRow
    note: str  # what the claimant wrote beside it
    number: str  # what a transfer should name
    rate_source: str  # where the rate of another currency is from
    repay_to: str  # where to pay it back; empty once that is over
    reason: str  # why it was refused
    account: str  # the expense account of its purpose; empty if there is no such purpose any more
    fund: Fund | None
    entry: str  # the id of the entry that books it
    paid_entry: str  # the id of the entry that pays it back
    approval: str  # the id of the approval that it waits for
    twice: tuple[str, ...]  # the claims that may be for the same purchase, with their claimants
    lines: tuple[str, ...]  # the waiting lines of statements that may have paid it
    photos: tuple[ReportPhoto, ...]


def list_claims(context: Context, *, unpaid_only: bool) -> list[ClaimRow]:
    """Return the claims, oldest first; those that are over only if asked for."""
    with context.store.read() as work:
        reports = work.field.reports(of_claims=True)
        over = {ReportState.PAID, ReportState.REFUSED} if unpaid_only else set()
        known = Purchases(work, reports)
        return [_row(context, work, one, known) for one in reports if one.state not in over]


def count_claims(work: UnitOfWork) -> tuple[int, int]:
    """Return how many claims wait for a decision, and how many are approved and not paid."""
    states = [report.state for report in work.field.reports(of_claims=True)]
    return states.count(ReportState.WAITING), states.count(ReportState.APPROVED)


def show_claim(context: Context, text: str) -> ClaimView:
    """Return a claim by its id, or a unique beginning of it, with its photos.

    Raises:
        NotFound: there is no such claim.
    """
    with context.store.read() as work:
        report, claim = find_claim(work, text)
        reports = work.field.reports(of_claims=True)
        names = {one.id: one.name for one in work.field.partners()}
        owners = {one.id: names[one.partner] for one in reports}
        known = Purchases(work, reports)
        alike = known.like(report.id, bought_of(claim, report), ())
        purpose = next((one for one in work.field.purposes() if one.name == claim.purpose), None)
        waiting = waiting_for(work, report.id)
        return ClaimView(
            row=_row(context, work, report, known),
            note=report.body,
            number=number_of(report.id),
            rate_source=claim.rate_source,
            repay_to=_repay_to(context, claim),
            reason=report.reason,
            account="" if purpose is None else purpose.account,
            fund=None if purpose is None else purpose.fund,
            entry="" if claim.entry is None else work.journal.get(claim.entry).id,
            paid_entry="" if claim.paid_entry is None else work.journal.get(claim.paid_entry).id,
            approval="" if waiting is None else waiting.id,
            twice=tuple(f"{one} of {owners[one]}" for one in alike),
            lines=tuple(one.id for one in lines_for(work, report)),
            photos=tuple(_with_data(context, work, one) for one in report_photos(work, report.id)),
        )


def _with_data(context: Context, work: UnitOfWork, photo: ReportPhoto) -> ReportPhoto:
    """Return a photo with its bytes: those of an approved claim are a document of its entry."""
    if photo.data is not None or not photo.sha256:
        return photo
    return photo._replace(data=open_paper(context, work, photo.sha256))


def _repay_to(context: Context, claim: Claim) -> str:
    """Return where to pay a claim back; empty once that is over."""
    if claim.repay_to is None:
        return ""
    return context.vault.unseal(claim.repay_to, about=row_of(claim.report))


def _row(context: Context, work: UnitOfWork, report: FieldReport, known: Purchases) -> ClaimRow:
    claim = work.field.claim(report.id)
    assert claim is not None  # noqa: S101 - stored together
    return ClaimRow(
        id=report.id,
        received_on=context.zone.day_of(report.received_at),
        claimant=work.field.partner(report.partner).name,
        amount=bought_of(claim, report).amount,
        cents=claim.cents,
        spent_on=claim.spent_on,
        shop=report.title,
        purpose=claim.purpose,
        state=report.state,
        twice=bool(known.like(report.id, bought_of(claim, report), ())),
        waits=waiting_for(work, report.id) is not None,
    )
