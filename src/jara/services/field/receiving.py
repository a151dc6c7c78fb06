"""The page of a link, and the reports from the field that are sent with it."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import measures_of, milestones_of
from jara.domain.currency import DECIMALS, books_currency
from jara.domain.errors import Conflict
from jara.domain.field_report import TEXT_CHARS_MAX, TITLE_CHARS_MAX, Consent, Place, plain_text
from jara.domain.measures import Measure
from jara.domain.projects import Milestone
from jara.records.content import ContentItem
from jara.records.field import FieldLink, FieldReport
from jara.services.context import Context
from jara.services.field import arriving
from jara.services.field.arriving import ExpectedPhoto, SentReport, refusal
from jara.services.field.partners import Caller, admit, open_link
from jara.services.rate_limits import Limits
from jara.store.unit_of_work import UnitOfWork


class MeasuredNumber(NamedTuple):
    """A measured value, by the name of its measure."""

    measure: str
    value: str


class ReportForm(NamedTuple):
    """A report as a phone sends it."""

    title: str
    text: str  # what happened
    milestone: str | None = None  # the id of the milestone that was reached
    numbers: tuple[MeasuredNumber, ...] = ()
    consent: Consent | None = None  # whether the people in the photos agree; needed with photos
    latitude: float | None = None  # where, in degrees, if the partner wants it shown
    longitude: float | None = None  # as well
    written_at: datetime | None = None  # when, by the phone's clock
    photos: tuple[ExpectedPhoto, ...] = ()


class OpenMilestone(NamedTuple):
    """A milestone that is not complete."""

    id: str
    title: str
    due_on: date


class AskedMeasure(NamedTuple):
    """A measure of the project, whose value a partner may report."""

    id: str
    name: str
    unit: str


class ClaimChoices(NamedTuple):
    """What the form of a claim offers: the books' currency, all others, and the purposes."""

    currency: str
    currencies: tuple[str, ...]
    purposes: tuple[str, ...]


class FieldPage(NamedTuple):
    """What the holder of a link sees: the project's name, and their own reports or claims.

    A link for claims has no project, and ``claims`` instead.
    """

    partner: str
    language: str
    project: str
    project_title: str
    last_day: date
    milestones: tuple[OpenMilestone, ...]
    measures: tuple[AskedMeasure, ...]
    reports: tuple[SentReport, ...]
    claims: ClaimChoices | None


def read_field_page(context: Context, limits: Limits, caller: Caller) -> FieldPage:
    """Return what a link opens.

    Raises:
        LinkUnknown: there is no such link.
        LinkExpired: its last day is over.
        LinkRevoked: it was revoked.
        TooManyRequests: the link, or its network with unknown links, is used too often.
    """
    admit(context, limits, caller)
    with context.store.read() as work:
        link, partner = open_link(context, work, caller)
        reports = work.field.reports_of(link.partner, link.project)
        page = FieldPage(
            partner=partner.name,
            language=partner.language,
            project=link.project,
            project_title="",
            last_day=link.last_day,
            milestones=(),
            measures=(),
            reports=tuple(arriving.sent_report(context, work, report) for report in reports),
            claims=None,
        )
        if link.opens_claims:
            return page._replace(claims=_choices(work))
        doc = work.content.find(PROJECTS, link.project).for_reader(partner.language).doc
        return page._replace(
            project_title=str(doc["title"]),
            milestones=tuple(_milestone(one) for one in milestones_of(doc) if not one.completed),
            measures=tuple(AskedMeasure(one.id, one.name, one.unit) for one in measures_of(doc)),
        )


def _choices(work: UnitOfWork) -> ClaimChoices:
    own = books_currency()
    others = sorted(DECIMALS.keys() - {own})
    return ClaimChoices(own, tuple(others), tuple(one.name for one in work.field.purposes()))


def receive_report(
    context: Context, limits: Limits, caller: Caller, key: str, form: ReportForm
) -> SentReport:
    """Take a report, without its photos; the same one again changes nothing.

    Raises:
        InvalidInput: a value breaks a rule.
        ReportDiffers: another report has this key.
        TooManyWaiting: too many reports of the project wait.
        LinkUnknown: as `admit` and `open_link`, also for its other refusals.
    """
    admit(context, limits, caller)
    _check_form(form)

    def make(work: UnitOfWork, link: FieldLink, report_id: str) -> tuple[FieldReport, None]:
        if link.opens_claims:
            raise Conflict("This link is for claims; a report needs the link of a project.")
        project = work.content.find(PROJECTS, link.project)
        return _report(context, link, project, report_id, form), None

    return arriving.receive_once(context, caller, key, form, make)


def _report(
    context: Context, link: FieldLink, project: ContentItem, report_id: str, form: ReportForm
) -> FieldReport:
    if form.milestone not in {None, *(one.id for one in milestones_of(project.doc))}:
        raise refusal(
            "milestone",
            "The project has no milestone '{milestone}'.",
            milestone=str(form.milestone),
        )
    _check_numbers(form, {one.id: one for one in measures_of(project.doc)})
    place = (
        ""
        if form.latitude is None or form.longitude is None
        else str(Place.near(form.latitude, form.longitude))
    )
    return arriving.plain_report(context, link, report_id, form.title, form.text, form)._replace(
        milestone=form.milestone,
        numbers={number.measure: number.value for number in form.numbers},
        consent=form.consent,
        place=place,
    )


def _check_form(form: ReportForm) -> None:
    for name, text, longest in (
        ("title", form.title, TITLE_CHARS_MAX),
        ("text", form.text, TEXT_CHARS_MAX),
    ):
        if not 0 < len(plain_text(text).strip()) <= longest:
            raise refusal(name, "Write 1 to {most} characters.", most=str(longest))
    arriving.check_photos(form.photos)
    if form.photos and form.consent is None:
        raise refusal(
            "consent", "Say whether the people in the photos agree that everybody sees them."
        )
    if len({number.measure for number in form.numbers}) < len(form.numbers):
        raise refusal("numbers", "Send one value for each measure.")


def _check_numbers(form: ReportForm, measures: Mapping[str, Measure]) -> None:
    """Refuse values of unknown measures, and those below zero of what is counted from zero on."""
    for number in form.numbers:
        measure = measures.get(number.measure)
        if measure is None:
            raise refusal(
                "numbers", "The project has no measure '{measure}'.", measure=number.measure
            )
        if number.value.startswith("-") and min(measure.baseline, measure.target) >= 0:
            raise refusal("numbers", "The value {value} is below zero.", value=number.value)


def _milestone(milestone: Milestone) -> OpenMilestone:
    return OpenMilestone(milestone.id, milestone.title, milestone.due_on)
