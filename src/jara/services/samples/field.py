"""Sample partners with their reports from the field, and sample claims."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.content.kinds import PROJECTS, UPDATES
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.field_report import Consent, ReportState
from jara.domain.language import Language
from jara.records.field import Claim, FieldLink, FieldPhoto, FieldReport, Partner
from jara.services.audit import record_act
from jara.services.books.posting import fund_balances
from jara.services.context import Context
from jara.services.field.claimants import add_purpose, give_link
from jara.services.field.claiming import row_of
from jara.services.field.partners import LINK_DAYS
from jara.services.field.repaying import Decision, approve_claim, pay_claim, refuse_claim
from jara.services.mailed_codes import draw_code, hash_of
from jara.services.samples.words import in_own_words
from jara.store.unit_of_work import UnitOfWork

_PUBLISHED_AFTER = timedelta(hours=20)


class SamplePhoto(NamedTuple):
    """A photo of a sample report that waits: its name in the media folder, and its bytes."""

    name: str
    data: bytes


def seed_partner(
    context: Context, document: Mapping[str, Any], photos: Mapping[str, SamplePhoto]
) -> bool:
    """Add a partner with its link and its reports; return whether it was added.

    It is not if it or another of its name is there already, or its project is not. Nobody has the
    code of the link.

    Raises:
        InvalidInput: a value is missing or invalid.
    """
    document = _in_language(document, context.rules.language)
    try:
        with context.store.write() as work:
            link_id = f"link_{document['id']}"
            is_known = any(link.id == link_id for link in work.field.links()) or any(
                partner.name == document["name"] for partner in work.field.partners()
            )
            project = work.content.get(PROJECTS, str(document["project"]))
            if is_known or project is None:
                return False
            partner = Partner(
                f"partner_{document['id']}",
                str(document["name"]),
                Language(document["language"]),
                context.now(),
            )
            record_act(context, work, "partners.add", partner.id, facts={"sample": True})
            work.field.put_partner(partner)
            link = FieldLink(
                id=link_id,
                partner=partner.id,
                project=project.slug,
                proof=hash_of(draw_code(context)),
                made_at=context.now(),
                last_day=context.today() + LINK_DAYS,
                sample=True,
            )
            work.field.put_link(link)
            for report in document.get("reports", ()):
                own = _in_language(report, partner.language)
                _add_report(context, work, link, own, photos)
            return True
    except KeyError as error:
        raise InvalidInput(f"A sample partner has no {error}.") from error
    except ValueError as error:
        raise InvalidInput(f"Invalid sample partner: {error}.") from error


def _in_language(document: Mapping[str, Any], language: Language) -> Mapping[str, Any]:
    """Return a document with the texts that it has in a language."""
    return {**document, **document.get(language, {})}


def remove_partners(context: Context) -> int:
    """Remove the links of sample partners with their reports; return how many there were.

    A partner who was given another link stays, with what came through that.
    """
    with context.store.write() as work:
        links = [link for link in work.field.links() if link.sample]
        for link in links:
            record_act(context, work, "partners.remove", link.partner)
            work.field.remove_link(link)
    return len(links)


def _add_report(
    context: Context,
    work: UnitOfWork,
    link: FieldLink,
    document: Mapping[str, Any],
    photos: Mapping[str, SamplePhoto],
) -> None:
    update = None
    if "update" in document:
        update = work.content.get(UPDATES, str(document["update"]))
        if update is None:
            return  # the demo publishes it later, or an operator removed it
    now = context.now()
    day = context.today() if update is None else date.fromisoformat(str(update.doc["date"]))
    written_at = now if update is None else context.zone.start_of(day)
    key = f"{link.id}/{document['id']}"
    report = FieldReport(
        id=f"field_{hash_of(key)[:16]}",
        key=key,
        mark="",
        partner=link.partner,
        project=link.project,
        link=link.id,
        state=ReportState.WAITING if update is None else ReportState.PUBLISHED,
        title=str(document["title"]),
        body=str(document["text"]),
        milestone=document.get("milestone"),
        numbers={name: str(value) for name, value in document.get("numbers", {}).items()},
        consent=Consent(document.get("consent", Consent.NOBODY)),
        place="",
        written_at=written_at,
        received_at=written_at,
        decided_at=None if update is None else written_at + _PUBLISHED_AFTER,
        update_id=None if update is None else update.id,
    )
    work.field.add_report(report)
    for number, photo in enumerate(_photos_of(document, update and update.doc, photos)):
        sent_hash = sha256(photo.data).hexdigest() if photo.data else photo.name.partition(".")[0]
        shown = FieldPhoto(report.id, sent_hash, number, len(photo.data), photo.name)
        work.field.add_photo(shown)
        work.field.settle_photo(shown, photo.data or None)


def _photos_of(
    document: Mapping[str, Any], update: Mapping[str, Any] | None, photos: Mapping[str, SamplePhoto]
) -> Iterable[SamplePhoto]:
    """Return the photos that wait; of a published report only their names are left."""
    if update is None:
        return [photos[name] for name in document.get("photos", ())]
    images = update.get("images") or ()
    return [SamplePhoto(str(path).rpartition("/")[2], b"") for path in images]


_PURPOSES = ("Food for meetings", "Rooms and equipment", "Getting there", "Post")
_NO_TAXI = "The hall is on a bus line; ask us before you take a taxi."
_ACCOUNT = "expenses:operations"
_PEOPLE = {"Kofi Addo": "en", "Aminata Diallo": "fr"}


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
        *("receipt-taxi.jpg", _KOFI, "City Taxi", 3100, "Getting there", 6), ReportState.REFUSED
    ),
    SampleClaim(
        *("receipt-stamps.jpg", _KOFI, "Post Office 6", 4600, "Post", 4), ReportState.WAITING
    ),
)


def seed_claims(context: Context, photos: Mapping[str, SamplePhoto]) -> None:
    """Let two volunteers claim what they paid, and decide on most of it."""
    for name in _PURPOSES:
        add_purpose(context, in_own_words(context, name), _ACCOUNT, None)
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
            refuse_claim(context, claim, reason=in_own_words(context, _NO_TAXI))


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
    account = in_own_words(context, "Sample account 0042")
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
                purpose=in_own_words(context, sample.purpose),
                repay_to=context.vault.seal(account, about=row_of(claim_id)),
            )
        )
    return claim_id
