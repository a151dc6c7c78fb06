"""Sample partners and their reports from the field: published ones, and one that waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.content.kinds import PROJECTS, UPDATES
from jara.domain.errors import InvalidInput
from jara.domain.field_report import Consent, ReportState
from jara.domain.language import Language
from jara.records.field import FieldLink, FieldPhoto, FieldReport, Partner
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.field.partners import LINK_DAYS
from jara.services.mailed_codes import draw_code, hash_of
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

    It is not if it is there already, or its project is not. Nobody has the code of the link.

    Raises:
        InvalidInput: a value is missing or invalid.
    """
    try:
        with context.store.write() as work:
            link_id = f"link_{document['id']}"
            is_known = any(link.id == link_id for link in work.field.links())
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
                _add_report(context, work, link, report, photos)
            return True
    except KeyError as error:
        raise InvalidInput(f"A sample partner has no {error}.") from error
    except ValueError as error:
        raise InvalidInput(f"Invalid sample partner: {error}.") from error


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
    document: Mapping[str, Any],
    update: Mapping[str, Any] | None,
    photos: Mapping[str, SamplePhoto],
) -> Iterable[SamplePhoto]:
    """Return the photos that wait; of a published report only their names are left."""
    if update is None:
        return [photos[name] for name in document.get("photos", ())]
    images = update.get("images") or ()
    return [SamplePhoto(str(path).rpartition("/")[2], b"") for path in images]
