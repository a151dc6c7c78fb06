"""What operators do with reports from the field: read, publish, refuse."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from hashlib import sha256
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from jara.documents import Document
from jara.domain.content.fields import MEDIA_PATH, parse_number
from jara.domain.content.fields import Document as ContentDocument
from jara.domain.content.kinds import PROJECTS, UPDATES, kind_of
from jara.domain.content.schema import measures_of, milestones_of
from jara.domain.content.translations import LANGUAGE
from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.domain.field_report import UNDECIDED, Consent, ReportState
from jara.domain.language import Language
from jara.domain.measures import Number, find_measure
from jara.domain.projects import find_milestone
from jara.records.content import ContentItem
from jara.records.field import FieldPhoto, FieldReport
from jara.services.audit import record_act
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.projects import milestones
from jara.services.projects.milestones import Evidence
from jara.store.unit_of_work import UnitOfWork

KeepPhoto = Callable[[str, bytes], Callable[[], None]]
"""Stores a photo where the website serves it; returns what takes back what was stored."""

_NAME = re.compile(r"([0-9a-f]{64})\.[a-z]+", re.ASCII)

MISSING_DAYS = 3
"""After how long a report with missing photos is brought to an operator's attention."""


class ReportRow(NamedTuple):
    """A report in the list of operators."""

    id: str
    received_on: date
    partner: str
    project: str
    title: str
    photos: int
    milestone: str | None
    state: ReportState


class ReportPhoto(NamedTuple):
    """A photo of a report: its name, its SHA-256 as published, or why it is unusable."""

    name: str
    sha256: str
    fault: str
    data: bytes | None = None


class ReportView(NamedTuple):
    """A report as operators read it: what the partner wrote, and what became of it.

    ``lost`` are the milestone and the measures in it that the project no longer has, ``replaced``
    the values of the same day that its numbers would replace.
    """

    report: FieldReport
    partner: str
    photos: tuple[ReportPhoto, ...]
    published: Document | None
    lost: tuple[str, ...] = ()
    replaced: Mapping[str, Number] = MappingProxyType({})


class Edited(NamedTuple):
    """What an operator changes before publishing; None leaves what the partner wrote."""

    title: str | None = None
    text: str | None = None
    language: Language | None = None
    """The language of title and text, if it is not the partner's."""
    day: date | None = None
    milestone: str | None = None
    """The milestone that the update tells of; empty for none."""
    numbers: Mapping[str, str] = MappingProxyType({})
    """Values of measures instead of those that the partner sent."""
    without_numbers: bool = False
    without_photos: bool = False
    without_missing: bool = False
    """Whether photos that have not arrived are given up."""
    completes: bool = False
    """Whether its milestone is marked as complete as well."""


def list_reports(context: Context, *, undecided_only: bool) -> list[ReportRow]:
    """Return the reports, oldest first."""
    with context.store.read() as work:
        names = {one.id: one.name for one in work.field.partners()}
        return [
            ReportRow(
                report.id,
                context.zone.day_of(report.received_at),
                names[report.partner],
                report.project,
                report.title,
                len(work.field.photos(report.id)),
                report.milestone,
                report.state,
            )
            for report in work.field.reports(undecided_only=undecided_only)
        ]


def count_waiting(work: UnitOfWork) -> int:
    """Return the number of complete reports that wait for an operator."""
    reports = work.field.reports(undecided_only=True)
    return sum(report.state is ReportState.WAITING for report in reports)


def count_missing(work: UnitOfWork, now: datetime) -> int:
    """Return the number of reports whose photos have not all arrived in `MISSING_DAYS`."""
    reports = work.field.reports(undecided_only=True)
    since = now - timedelta(days=MISSING_DAYS)
    return sum(
        report.state is ReportState.ARRIVING and report.received_at < since for report in reports
    )


def show_report(context: Context, text: str, *, on: date | None = None) -> ReportView:
    """Return a report by its id, or a unique beginning of it, with its photos.

    `on` is the day of its update; when it was written by default.

    Raises:
        NotFound: there is no such report.
    """
    with context.store.read() as work:
        report = work.field.find_report(text)
        photos = report_photos(work, report.id)
        partner = work.field.partner(report.partner).name
        updates = {item.id: dict(item.doc) for item in work.content.all(UPDATES)}
        project = work.content.find(PROJECTS, report.project)
        day = (on or context.zone.day_of(report.written_at)).isoformat()
    published = updates.get(report.update_id or "")
    return ReportView(
        report, partner, photos, published, _lost(project, report), _values_on(project, day)
    )


def report_photos(work: UnitOfWork, report_id: str) -> tuple[ReportPhoto, ...]:
    """Return the photos of a report or claim; those that were decided have no data."""
    return tuple(
        ReportPhoto(one.name, one.name.partition(".")[0], one.fault, photo_data(work, one))
        for one in work.field.photos(report_id)
    )


def photo_data(work: UnitOfWork, photo: FieldPhoto) -> bytes | None:
    """Return the bytes of a photo; None for one that has not arrived or was decided.

    Raises:
        Unavailable: its name is not their SHA-256, so another program changed the row.
    """
    data = work.field.photo_data(photo)
    named = _NAME.fullmatch(photo.name)
    if data is not None and (named is None or named[1] != sha256(data).hexdigest()):
        raise Unavailable("Another program changed a photo in the database.")
    return data


def _lost(project: ContentItem, report: FieldReport) -> tuple[str, ...]:
    steps = {one.id for one in milestones_of(project.doc)}
    measures = {one.id for one in measures_of(project.doc)}
    milestone = [f"milestone '{report.milestone}'"] if report.milestone else []
    return (
        *(said for said in milestone if report.milestone not in steps),
        *(f"measure '{name}'" for name in report.numbers if name not in measures),
    )


def _values_on(project: ContentItem, day: str) -> dict[str, Number]:
    measured = project.doc.get("measurements", ())
    return {one["measure"]: one["value"] for one in measured if one["date"] == day}


def publish_report(context: Context, text: str, edited: Edited, *, keep: KeepPhoto) -> ContentItem:
    """Publish a report as an update of its project; its photos become evidence.

    What the partner wrote stays with the report. What the project lost meanwhile, a milestone or a
    measure, is left out. `text` is the id of the report, or a unique beginning of it. `keep` stores
    a photo, once everything else is written; an error takes all photos back.

    Raises:
        NotFound: there is no such report, or the project has no such milestone or measure.
        Conflict: it was published or refused before, or some of its photos have not arrived.
        InvalidInput: a value breaks a rule.
    """
    with ExitStack() as stored:
        with context.store.write() as work:
            update, photos = _publish_within(context, work, text, edited)
            for name, data in photos:
                stored.callback(keep(name, data))
        stored.pop_all()
    return update


def _publish_within(
    context: Context, work: UnitOfWork, text: str, edited: Edited
) -> tuple[ContentItem, Sequence[tuple[str, bytes]]]:
    """Publish a report within a transaction; return the update, and the photos to store."""
    stored = _undecided(work, text)
    _require_photos(work, stored, edited)
    report = _as_told(work, stored, edited)
    record_act(
        context,
        work,
        "reports.field.publish",
        report.id,
        facts={"project": report.project, "milestone": report.milestone},
    )
    shown = edited.day or context.zone.day_of(report.written_at)
    if shown > context.today():
        raise InvalidInput(f"The update cannot be dated {shown}: it is later.")
    photos = [] if edited.without_photos else _photos_to_publish(work, report)
    addresses = [f"{MEDIA_PATH}{name}" for name, _ in photos]
    editor = ContentEditor(context, work, kind_of(UPDATES))
    update = editor.put(
        editor.complete(_update(work, report, edited, shown, addresses)),
        published=True,
        position=editor.next_position(),
        is_news=not _tells_milestone(work, report, edited),
    )
    _put_numbers(context, work, report, shown)
    if report.milestone is not None:
        evidence = [Evidence(address, is_image=True) for address in addresses]
        milestones.add_evidence_within(context, work, report.project, report.milestone, evidence)
        if edited.completes:
            milestones.finish_within(context, work, report.project, report.milestone, on=shown)
    elif edited.completes:
        raise InvalidInput("There is no milestone to complete; name one with --milestone.")
    _decide(context, work, stored._replace(state=ReportState.PUBLISHED, update_id=update.id))
    return update, photos


def _require_photos(work: UnitOfWork, report: FieldReport, edited: Edited) -> None:
    """Refuse to give up photos that are still on the partner's phone."""
    photos = work.field.photos(report.id)
    missing = sum(not photo.is_settled for photo in photos)
    are_wanted = report.consent is not Consent.NO and not edited.without_photos
    if missing and are_wanted and not edited.without_missing:
        raise Conflict(
            f"Still on the phone: {missing} of {len(photos)} photos. Wait, or publish without "
            "them: --without-missing."
        )


def _as_told(work: UnitOfWork, report: FieldReport, edited: Edited) -> FieldReport:
    """Return the report with what the operator changes, and without what the project lost."""
    project = work.content.find(PROJECTS, report.project)
    steps, measures = milestones_of(project.doc), measures_of(project.doc)
    milestone = report.milestone if edited.milestone is None else edited.milestone
    if edited.milestone:
        find_milestone(steps, edited.milestone)
    for name in edited.numbers:
        find_measure(measures, name)
    known = {one.id for one in measures}
    sent = {**({} if edited.without_numbers else report.numbers), **edited.numbers}
    return report._replace(
        milestone=milestone if milestone in {one.id for one in steps} else None,
        numbers={name: value for name, value in sent.items() if name in known},
    )


def _tells_milestone(work: UnitOfWork, report: FieldReport, edited: Edited) -> bool:
    """Return whether the news of a milestone has the update in it: it is told once."""
    project = work.content.find(PROJECTS, report.project)
    open_ones = {one.id for one in milestones_of(project.doc) if not one.completed}
    return edited.completes and report.milestone in open_ones


def refuse_report(context: Context, text: str, *, reason: str) -> FieldReport:
    """Refuse a report; the partner reads the reason, and its photos are deleted.

    Raises:
        NotFound: there is no such report.
        Conflict: it was published or refused before.
        InvalidInput: there is no reason.
    """
    if not reason.strip():
        raise InvalidInput("Say why, for the partner who reads it: --why.")
    with context.store.write() as work:
        report = _undecided(work, text)
        record_act(context, work, "reports.field.refuse", report.id, why=reason)
        refused = report._replace(state=ReportState.REFUSED, reason=reason.strip())
        return _decide(context, work, refused)


def _undecided(work: UnitOfWork, text: str) -> FieldReport:
    report = work.field.find_report(text)
    if report.state in UNDECIDED:
        return report
    became = f" as the update '{report.update_id}'" if report.update_id else ""
    raise Conflict(f"The report {report.id} is {report.state.value} already{became}.")


def _decide(context: Context, work: UnitOfWork, report: FieldReport) -> FieldReport:
    decided = report._replace(decided_at=context.now())
    work.field.put_report(decided)
    work.field.delete_data(report.id)
    return decided


def _photos_to_publish(work: UnitOfWork, report: FieldReport) -> Sequence[tuple[str, bytes]]:
    """Return the names and bytes of the photos that people in them agreed to show."""
    if report.consent is Consent.NO:
        return []
    photos = [(photo.name, photo_data(work, photo)) for photo in work.field.photos(report.id)]
    return [(name, data) for name, data in photos if data is not None]


def _put_numbers(context: Context, work: UnitOfWork, report: FieldReport, on: date) -> None:
    for name, value in report.numbers.items():
        project = work.content.find(PROJECTS, report.project)
        number = parse_number(f"The value of '{name}'", value)
        milestones.put_measurement(context, work, project, name, number, on=on)


def _update(
    work: UnitOfWork, report: FieldReport, edited: Edited, shown: date, images: list[str]
) -> ContentDocument:
    project = work.content.find(PROJECTS, report.project)
    partner = work.field.partner(report.partner)
    return {
        "id": f"{report.project}-{report.id.removeprefix('field_')[:8]}",
        "project": report.project,
        "title": " ".join((edited.title or report.title).split()),
        "author": partner.name,
        "date": shown.isoformat(),
        "content": html_of(edited.text or report.body),
        "milestone": report.milestone,
        "images": images or None,
        "place": report.place or None,
        "sample": project.doc.get("sample"),
        LANGUAGE: edited.language or partner.language,
    }


def html_of(text: str) -> str:
    """Return a text as HTML: a paragraph for each, with its line breaks."""
    paragraphs = [part.strip() for part in text.replace("\r\n", "\n").split("\n\n")]
    return "".join(f"<p>{escape(part).replace(chr(10), '<br>')}</p>" for part in paragraphs if part)
