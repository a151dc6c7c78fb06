"""Receives claims: what a volunteer paid for the organisation, with photos of the receipt."""

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from jara.domain.claim import (
    CLAIMS_A_YEAR,
    REPAY_CHARS_MAX,
    YEAR,
    Bought,
    describe_twice,
    parse_claimed,
)
from jara.domain.currency import books_currency
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.field_report import ReportState, plain_text
from jara.domain.iban import has_iban_form, is_iban
from jara.records.field import Claim, FieldLink, FieldReport
from jara.services.context import Context
from jara.services.field import arriving
from jara.services.field.arriving import ExpectedPhoto, SentReport, refusal
from jara.services.field.partners import Caller, admit
from jara.services.rate_limits import Limits
from jara.store.unit_of_work import UnitOfWork

_OLDEST = timedelta(days=400)
"""A receipt may be of the last year's end."""


class Twice(Conflict):
    """The claimant claimed the same before, or has to say that it was paid twice."""

    code = "claim_twice"


class ClaimForm(NamedTuple):
    """A claim as a phone sends it."""

    currency: str  # the code of the currency that was paid
    amount: str  # in that currency, such as ``45.50``
    spent_on: date  # the day of the receipt
    shop: str  # who was paid
    purpose: str  # what it was for, by name
    repay_to: str  # where to pay it back: an account number, an address for Interac, a phone number
    cost: str = ""
    """What it cost in the currency of the books; empty if that is the same or not known."""
    rate_source: str = ""  # where the rate is from
    note: str = ""
    again: bool = False  # whether the same was paid twice
    written_at: datetime | None = None  # when, by the phone's clock
    photos: tuple[ExpectedPhoto, ...] = ()


def receive_claim(
    context: Context, limits: Limits, caller: Caller, key: str, form: ClaimForm
) -> SentReport:
    """Take a claim, without its photos; the same one again changes nothing.

    Raises:
        InvalidInput: a value breaks a rule.
        Twice: the claimant claimed the same before.
        ReportDiffers: another claim has this key.
        TooManyWaiting: too many claims of the link wait.
        LinkUnknown: as `admit` and `open_link`, also for its other refusals.
    """
    admit(context, limits, caller)
    arriving.check_photos(form.photos)

    def make(work: UnitOfWork, link: FieldLink, report_id: str) -> tuple[FieldReport, Claim]:
        if not link.opens_claims:
            raise Conflict("This link is for reports from a project; ask for one for claims.")
        report = arriving.plain_report(context, link, report_id, form.shop, form.note, form)
        claim = _claim(context, work, report_id, form)
        _require_once(context, work, report, claim, form)
        return report, claim

    return arriving.receive_once(context, caller, key, form, make)


def row_of(claim_id: str) -> str:
    """Return what the encryption of an account number is about."""
    return f"claim {claim_id}"


def _claim(context: Context, work: UnitOfWork, claim_id: str, form: ClaimForm) -> Claim:
    currency, minor = _amount(form.currency, form.amount)
    cents: int | None = minor
    if currency != books_currency():
        cents = _cost(form) if form.cost.strip() else None
    today = context.today()
    if not today - _OLDEST <= form.spent_on <= today:
        raise refusal("spentOn", "The day of a receipt is within the last {days} days.", days=400)
    if form.purpose not in {one.name for one in work.field.purposes()}:
        raise refusal("purpose", "'{purpose}' cannot be claimed any more.", purpose=form.purpose)
    if not plain_text(form.shop).strip():
        raise refusal("shop", "Say who was paid.")
    return Claim(
        report=claim_id,
        currency=currency,
        minor=minor,
        cents=cents,
        rate_source=" ".join(form.rate_source.split()) if currency != books_currency() else "",
        spent_on=form.spent_on,
        purpose=form.purpose,
        repay_to=context.vault.seal(_repay_to(form.repay_to), about=row_of(claim_id)),
    )


def _cost(form: ClaimForm) -> int:
    """Return what a foreign amount cost in the currency of the books."""
    if not form.rate_source.strip():
        raise refusal("rateSource", "Say where the rate is from.")
    return _amount(books_currency(), form.cost)[1]


def _amount(currency: str, text: str) -> tuple[str, int]:
    try:
        return parse_claimed(currency, text)
    except InvalidInput as error:
        named = currency.upper()
        raise refusal("amount", "This is not an amount in {currency}.", currency=named) from error


def _repay_to(text: str) -> str:
    """Return where to pay back; an account number with a wrong digit is refused."""
    plain = " ".join(plain_text(text).split())
    if not 0 < len(plain) <= REPAY_CHARS_MAX:
        raise refusal("repayTo", "Say where to pay it back.")
    squeezed = plain.replace(" ", "").upper()
    if has_iban_form(squeezed) and not is_iban(squeezed):
        raise refusal("repayTo", "'{text}' is not an IBAN; a digit may be wrong.", text=plain)
    return plain


def _require_once(
    context: Context, work: UnitOfWork, report: FieldReport, claim: Claim, form: ClaimForm
) -> None:
    """Ask about what was claimed before, and refuse more than a person may send in a year."""
    earlier = work.field.reports_of(report.partner, report.project)
    since = context.now() - YEAR
    if sum(one.received_at > since for one in earlier) >= CLAIMS_A_YEAR:
        raise Conflict(
            "You have sent {count} claims within a year; please ask the organisation.",
            count=CLAIMS_A_YEAR,
        )
    if form.again:
        return
    hashes = [photo.sha256 for photo in form.photos]
    alike = Purchases(work, earlier).like(report.id, arriving.bought_of(claim, report), hashes)
    for other in alike.values():
        raise Twice(describe_twice(other))


class Purchases:
    """What was claimed until now, but for what was refused."""

    def __init__(self, work: UnitOfWork, reports: Iterable[FieldReport]) -> None:
        """Read the purchases of some claims."""
        claims, self._photos = work.field.claims(), work.field.claim_photos()
        self._bought = {
            one.id: arriving.bought_of(claims[one.id], one)
            for one in reports
            if one.state is not ReportState.REFUSED
        }
        self._marks = {name: bought.mark for name, bought in self._bought.items()}

    def like(self, claim_id: str, bought: Bought, hashes: Collection[str]) -> dict[str, Bought]:
        """Return the other claims with the same day, amount and shop, or with the same photo."""
        mark, photos = bought.mark, self._photos.get(claim_id, set()) | set(hashes)
        return {
            name: other
            for name, other in self._bought.items()
            if name != claim_id
            and (self._marks[name] == mark or photos & self._photos.get(name, set()))
        }
