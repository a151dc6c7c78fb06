"""``jara field``: what partners report, until an operator decides."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.documents import Document, to_document
from jara.domain.content.excerpt import excerpt
from jara.domain.dates import parse_period
from jara.domain.field_report import UNDECIDED, Consent, ReportState
from jara.files.media import keep_photo
from jara.languages import require_available
from jara.records.field import FieldReport
from jara.services.context import Context
from jara.services.field import publishing
from jara_cli.columns import Column, Kind
from jara_cli.inputs import open_input, target_folder, write_output
from jara_cli.options import Yes, argument, confirm, flag, option
from jara_cli.output import show_line, show_lines
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer(no_args_is_help=True)

Report = Annotated[str, argument("REPORT", "Id of the report, or its first characters.")]
OtherMilestone = Annotated[str | None, option("ID", "Its milestone, if not as sent; or none.")]
OtherNumbers = Annotated[
    list[str] | None, option("ID=VALUE", "Value of a measure, if not as sent.")
]
WithoutNumbers = Annotated[bool, flag("--without-numbers", "Publish nothing that was measured.")]
WithoutPhotos = Annotated[bool, flag("--without-photos", "Publish no photo.")]
WithoutMissing = Annotated[bool, flag("--without-missing", "Give up photos that have not arrived.")]
OtherLanguage = Annotated[str | None, option("CODE", "Its language; default: the partner's.")]

_CONSENT = {
    Consent.YES: "the people in the photos agree",
    Consent.NOBODY: "nobody can be recognised",
    Consent.NO: "not everybody in the photos agrees: they are not published",
}
_CARD = [
    Column("id", "Report", Kind.ID),
    Column("partner", "Partner"),
    Column("project", "Project"),
    Column("state", "State"),
    Column("writtenAt", "Written", Kind.DATE),
    Column("receivedAt", "Received", Kind.DATE),
    Column("milestone", "Milestone"),
    Column("place", "Place"),
    Column("said", "Consent"),
    Column("reason", "Refused"),
    Column("updateId", "Update"),
]
_PHOTOS = [
    Column("file", "Photo", Kind.COMMAND),
    Column("sha256", "SHA-256", Kind.COMMAND),
    Column("fault", "Fault", Kind.SENTENCE),
]
_NUMBERS = [Column("measure", "Measure"), Column("value", "Value")]


@verb(
    app,
    Column("id", "Report", Kind.ID),
    Column("receivedOn", "Received", Kind.DATE),
    Column("partner", "Partner"),
    Column("project", "Project", rank=1),
    Column("title", "Title"),
    Column("photos", "Photos", Kind.COUNT),
    Column("milestone", "Milestone", rank=2),
    Column("state", "State"),
    name="list",
)
def list_command(
    context: Context,
    everything: Annotated[bool, flag("--all", "Include published and refused reports.")] = False,
) -> list[publishing.ReportRow]:
    """List the reports that wait, oldest first.

    Example: jara field list
    """
    return publishing.list_reports(context, undecided_only=not everything)


@verb(app, *_CARD)
def show(
    context: Context,
    report: Report,
    photos: Annotated[str | None, option("FOLDER", "Write the photos into this folder.")] = None,
) -> Answer:
    """Show a report as the partner wrote it, and what was published of it.

    Example: jara field show field_3b9a --photos review
    """
    view = publishing.show_report(context, report)
    return _report_answer(view, write_photos(view.photos, photos))


@verb(app, Column("id", "Update", Kind.ID), Column("project", "Project"), Column("title", "Title"))
def publish(
    application: Application,
    report: Report,
    title: Annotated[str | None, option("TEXT", "Publish under this title.")] = None,
    text: Annotated[str | None, option("FILE", "Publish this text; - is standard input.")] = None,
    language: OtherLanguage = None,
    day: Annotated[
        str | None, option("DATE", "Date of the update; default: when written.", "--date")
    ] = None,
    milestone: OtherMilestone = None,
    number: OtherNumbers = None,
    without_numbers: WithoutNumbers = False,
    without_photos: WithoutPhotos = False,
    without_missing: WithoutMissing = False,
    complete: Annotated[bool, flag("--complete", "Also mark the milestone as complete.")] = False,
    yes: Yes = False,
) -> Answer:
    """Publish a report as an update of its project.

    Its photos go to the media folder under their SHA-256, and become evidence of the
    milestone that it names. What the partner wrote stays beside what you publish.

    Examples:
      jara field publish field_3b9a
      jara field publish field_3b9a --title "Water at 62 metres" \\
          --text edited.txt --language en --complete --yes
    """
    context = application.context
    shown = None if day is None else parse_period(day, today=context.today()).last
    view = publishing.show_report(context, report, on=shown)
    edited = publishing.Edited(
        title=title,
        text=None if text is None else _read_text(text),
        language=None if language is None else require_available(language),
        day=shown,
        milestone="" if milestone == "none" else milestone,
        numbers=dict(map(_number, number or ())),
        without_numbers=without_numbers,
        without_photos=without_photos,
        without_missing=without_missing,
        completes=complete,
    )
    notes = [*_notes(view), *_number_notes(view, edited)]
    named = f"'{show_line(title or view.report.title)}' of {show_line(view.partner)}"
    asked = f"Publish {named} for everybody?"
    confirm(" ".join([*notes, asked]), yes=yes)
    keep = partial(keep_photo, Path(application.settings.media_dir))
    update = publishing.publish_report(context, view.report.id, edited, keep=keep)
    document = {"id": update.id, "report": view.report.id, **update.doc}
    return Answer(document, hints=notes)


@verb(app, Column("id", "Report", Kind.ID), Column("state", "State"), Column("reason", "Reason"))
def refuse(
    context: Context,
    report: Report,
    why: Annotated[str, option("TEXT", "Reason, which the partner reads.")],
    yes: Yes = False,
) -> FieldReport:
    """Refuse a report: the partner reads why, and its photos are deleted.

    Example: jara field refuse field_3b9a --why "Another village."
    """
    view = publishing.show_report(context, report)
    named = f"'{show_line(view.report.title)}' of {show_line(view.partner)}"
    confirm(f"Refuse the report {named} and delete its photos?", yes=yes)
    return publishing.refuse_report(context, view.report.id, reason=why)


def write_photos(photos: Sequence[publishing.ReportPhoto], folder: str | None) -> list[Document]:
    """Return the photos of a report or claim, written into a folder if there is one."""
    rows: list[Document] = [
        {"file": one.name or "not complete", "sha256": one.sha256, "fault": one.fault}
        for one in photos
    ]
    if folder is not None:
        target = target_folder(folder)
        target.mkdir(parents=True, exist_ok=True)
        for row, photo in zip(rows, photos, strict=True):
            if photo.data is not None:
                row["file"] = str(target / photo.name)
                write_output(row["file"], photo.data, private=True)
    return rows


def _number(text: str) -> tuple[str, str]:
    """Read ``households=412``."""
    name, _, value = text.partition("=")
    return name, value


def _read_text(source: str) -> str:
    with open_input(source) as stream:
        return stream.read().decode()


def _report_answer(view: publishing.ReportView, photos: list[Document]) -> Answer:
    report = view.report
    document: Document = {
        **to_document(report, omit={"mark", "key", "partner"}),
        "partner": view.partner,
        "photos": photos,
        "published": view.published,
    }
    numbers = [{"measure": name, "value": value} for name, value in report.numbers.items()]
    said = "" if report.consent is None else _CONSENT[report.consent]
    text = show_lines(f"{report.title}\n\n{report.body}\n")
    return Answer(
        document,
        view={**document, "said": said},
        lead=[*text.splitlines(), "", *_published_lines(view)],
        tables=[Table("Photos:", photos, _PHOTOS), Table("Numbers:", numbers, _NUMBERS)],
        hints=_notes(view),
    )


def _published_lines(view: publishing.ReportView) -> list[str]:
    """Return what was published of a report, as text."""
    if view.published is None:
        return []
    html = str(view.published["content"])
    text = "\n\n".join(excerpt(html, characters=len(html)).paragraphs)
    title = show_line(str(view.published["title"]))
    return [f"Published as '{title}':", "", *show_lines(text).splitlines(), ""]


def _notes(view: publishing.ReportView) -> list[str]:
    report = view.report
    notes = []
    if report.state is ReportState.ARRIVING:
        missing = sum(not (photo.name or photo.fault) for photo in view.photos)
        notes.append(f"Still on the phone: {missing} of {len(view.photos)} photos.")
    if report.consent is Consent.NO and view.photos:
        notes.append("Its photos are not published: not everybody in them agrees.")
    if view.lost and report.state in UNDECIDED:
        notes.append(f"The project no longer has its {' and '.join(view.lost)}: left out.")
    return notes


def _number_notes(view: publishing.ReportView, edited: publishing.Edited) -> Sequence[str]:
    """Return what was measured, as it will be published, and the values that it replaces."""
    before, sent = view.replaced, {} if edited.without_numbers else view.report.numbers
    return [
        f"{name}: {value}" + (f" instead of {before[name]}." if name in before else ".")
        for name, value in {**sent, **edited.numbers}.items()
        if f"measure '{name}'" not in view.lost
    ]
