"""Sample claims: one paid back, one owed, one refused, and one that waits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.currency import books_currency
from jara.domain.field_report import ReportState
from jara.domain.language import Language
from jara.records.field import Claim, FieldLink, FieldPhoto, FieldReport
from jara.services.books.posting import fund_balances
from jara.services.context import Context
from jara.services.field.claimants import add_purpose, give_link
from jara.services.field.claiming import row_of
from jara.services.field.repaying import Decision, approve_claim, pay_claim, refuse_claim
from jara.services.mailed_codes import hash_of
from jara.services.samples.field import SamplePhoto

_PURPOSES = ("Food for meetings", "Rooms and equipment", "Getting there", "Post")
_ACCOUNT = "expenses:operations"
_PEOPLE = {"Kofi Addo (sample)": "en", "Aminata Diallo (sample)": "fr"}


class SampleClaim(NamedTuple):
    """A claim: the file of its receipt, what that says, and what became of it."""

    photo: str
    claimant: str
    shop: str
    cents: int
    purpose: str
    days_ago: int
    state: ReportState


_KOFI, _AMINATA = _PEOPLE
CLAIMS = (
    SampleClaim(
        *("receipt-rice.jpg", _KOFI, "Makola Market", 3550, "Food for meetings", 9),
        ReportState.PAID,
    ),
    SampleClaim(
        *("receipt-chairs.jpg", _AMINATA, "Party Hire & Sons", 7500, "Rooms and equipment", 7),
        ReportState.APPROVED,
    ),
    SampleClaim(
        *("receipt-taxi.jpg", _KOFI, "City Taxi", 3100, "Getting there", 6),
        ReportState.REFUSED,
    ),
    SampleClaim(
        *("receipt-stamps.jpg", _KOFI, "Post Office 6", 4600, "Post", 4),
        ReportState.WAITING,
    ),
)


def seed_claims(context: Context, photos: Mapping[str, SamplePhoto]) -> None:
    """Let two volunteers claim what they paid, and decide on most of it."""
    for name in _PURPOSES:
        add_purpose(context, name, _ACCOUNT, None)
    links = {
        name: give_link(context, name, language=Language(code)).link
        for name, code in _PEOPLE.items()
    }
    for sample in CLAIMS:
        claim = _send(context, links[sample.claimant], sample, photos[sample.photo])
        with context.store.read() as work:
            is_covered = fund_balances(work)[Fund.OTHER] >= sample.cents
        # In a small demo without money the claims wait.
        if is_covered and sample.state in {ReportState.APPROVED, ReportState.PAID}:
            approve_claim(context, claim, Decision())
        if is_covered and sample.state is ReportState.PAID:
            pay_claim(context, claim)
        if sample.state is ReportState.REFUSED:
            reason = "The hall is on a bus line; ask us before you take a taxi."
            refuse_claim(context, claim, reason=reason)


def _send(context: Context, link: FieldLink, sample: SampleClaim, photo: SamplePhoto) -> str:
    """Store a claim with its photo, as it arrives from a phone; return its id."""
    claim_id, now = f"claim_{hash_of(sample.photo)[:16]}", context.now()
    report = FieldReport(
        id=claim_id,
        key=sample.photo,
        mark="",
        partner=link.partner,
        project="",
        link=link.id,
        state=ReportState.WAITING,
        title=sample.shop,
        body="",
        milestone=None,
        numbers={},
        consent=None,
        place="",
        written_at=now,
        received_at=now,
    )
    shown = FieldPhoto(claim_id, sha256(photo.data).hexdigest(), 0, len(photo.data), photo.name)
    with context.store.write() as work:
        work.field.add_report(report)
        work.field.add_photo(shown)
        work.field.settle_photo(shown, photo.data)
        work.field.put_claim(
            Claim(
                report=claim_id,
                currency=books_currency(),
                minor=sample.cents,
                cents=sample.cents,
                rate_source="",
                spent_on=context.today() - timedelta(days=sample.days_ago),
                purpose=sample.purpose,
                repay_to=context.vault.seal("Sample account 0042", about=row_of(claim_id)),
            )
        )
    return claim_id
