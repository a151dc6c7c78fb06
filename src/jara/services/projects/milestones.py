"""Projects at work: milestones, evidence, payouts that follow both, measures and their results."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.content.fields import Document
from jara.domain.content.kinds import PROJECTS, kind_of
from jara.domain.content.schema import measured_results, measures_of, milestones_of
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.measures import MeasuredResult, MeasureState, Number, find_measure
from jara.domain.projects import complete_milestone, find_milestone
from jara.records.content import ContentItem
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.projects.disbursing import Disbursement, Payee
from jara.services.projects.tranches import require_payable
from jara.store.unit_of_work import UnitOfWork


class Evidence(NamedTuple):
    """A photo or document that shows what was done, at its place in the media folder."""

    path: str
    is_image: bool


def add_milestone(context: Context, project: str, milestone: Mapping[str, Any]) -> ContentItem:
    """Add a step at the end of a project.

    Raises:
        NotFound: there is no such project.
        InvalidInput: a value breaks a rule, or the id is taken.
    """
    with context.store.write() as work:
        item = work.content.find(PROJECTS, project)
        milestones = [*item.doc.get("milestones", ()), dict(milestone)]
        return put_part(context, work, item, "milestones", milestones)


def finish_milestone(context: Context, project: str, milestone: str, *, on: date) -> ContentItem:
    """Note that a step is done; from then the tranche after it may be paid.

    Raises:
        NotFound: there is no such project or milestone.
        InvalidInput: the day has not come yet.
    """
    if on > context.today():
        raise InvalidInput(f"The milestone '{milestone}' cannot be done on {on}: it is later.")
    with context.store.write() as work:
        return finish_within(context, work, project, milestone, on=on)


def finish_within(
    context: Context, work: UnitOfWork, project: str, milestone: str, *, on: date
) -> ContentItem:
    """Like `finish_milestone`, inside a transaction, for a day that has come."""
    item = work.content.find(PROJECTS, project)
    after = complete_milestone(milestones_of(item.doc), milestone, on=on)
    done = find_milestone(after, milestone)
    changes = {"completed": True, "completedOn": f"{done.completed_on}"}
    return put_part(context, work, item, "milestones", _changed(item, milestone, changes))


def add_evidence(context: Context, project: str, milestone: str, evidence: Evidence) -> ContentItem:
    """Add a photo or a document to a step; adding the same one again changes nothing.

    Raises:
        NotFound: there is no such project or milestone.
    """
    with context.store.write() as work:
        return add_evidence_within(context, work, project, milestone, [evidence])


def add_evidence_within(
    context: Context, work: UnitOfWork, project: str, milestone: str, evidence: Iterable[Evidence]
) -> ContentItem:
    """Like `add_evidence`, for several files inside a transaction."""
    item = work.content.find(PROJECTS, project)
    find_milestone(milestones_of(item.doc), milestone)
    document = next(m for m in item.doc["milestones"] if m["id"] == milestone)
    paths = {key: list(document.get(key, ())) for key in ("images", "evidence")}
    for file in evidence:
        known = paths["images" if file.is_image else "evidence"]
        known += [] if file.path in known else [file.path]
    changes = {key: listed for key, listed in paths.items() if listed}
    return put_part(context, work, item, "milestones", _changed(item, milestone, changes))


def plan_payment(
    context: Context,
    project: str,
    cents: int,
    *,
    proposal: str | None = None,
    milestone: str | None = None,
    day: date | None = None,
) -> Disbursement:
    """Return the payment of a project, by id or slug, once its milestones allow it.

    `proposal` is the passed one that allows it, by default the project's own; `milestone` is the
    step whose tranche it is, None for a payment that is not a tranche. The day is today when None.

    Raises:
        NotFound: there is no such project or milestone.
        Conflict: an earlier step is not complete, less is left of the tranche or of the unlocked
            ones, or the project is paid through another account.
    """
    with context.store.read() as work:
        item = work.content.find(PROJECTS, project)
        account = f"expenses:projects:{item.slug}"
        if item.doc["account"] != account:
            raise Conflict(
                f"The project '{item.slug}' is paid through '{item.doc['account']}'; pay it there."
            )
        allowed = proposal or item.doc.get("proposal")
        if allowed is not None or milestone is not None:
            require_payable(work, item, cents, milestone)
        note = None if milestone is None else f"Tranche '{milestone}'"
        return Disbursement(
            payee=Payee.PROJECTS,
            slug=item.slug,
            cents=cents,
            proposal=allowed,
            day=day,
            note=note,
            milestone=milestone,
        )


def _changed(item: ContentItem, milestone: str, changes: Document) -> list[Document]:
    return [{**m, **changes} if m["id"] == milestone else m for m in item.doc["milestones"]]


def put_part(
    context: Context, work: UnitOfWork, item: ContentItem, key: str, parts: list[Document]
) -> ContentItem:
    """Replace a list in a project's document, such as its milestones.

    Raises:
        InvalidInput: a value breaks a rule.
    """
    editor = ContentEditor(context, work, kind_of(PROJECTS))
    return editor.put(
        editor.complete({**item.doc, key: parts}), published=item.published, position=item.position
    )


class OverdueMeasure(NamedTuple):
    """A measure of a published project whose day has passed without a final value."""

    project: str
    title: str
    measure: str
    due_on: date


def list_results(context: Context, project: str) -> tuple[MeasuredResult, ...]:
    """Return the measures of a project, published or not, as they are today.

    Raises:
        NotFound: there is no such project.
    """
    with context.store.read() as work:
        item = work.content.find(PROJECTS, project)
        lines = work.journal.register(str(item.doc["account"]), first_day=None, last_day=None)
        paid = sum(line.cents for line in lines)
        return measured_results(item.doc, paid_cents=paid, on=context.today())


def overdue_measures(work: UnitOfWork, *, on: date) -> list[OverdueMeasure]:
    """Return the overdue measures of the published projects."""
    return [
        OverdueMeasure(item.slug, str(item.doc["title"]), result.name, result.due_on)
        for item in work.content.all(PROJECTS, published_only=True)
        for result in measured_results(item.doc, paid_cents=0, on=on)
        if result.state is MeasureState.OVERDUE
    ]


def add_measure(context: Context, project: str, measure: Document) -> ContentItem:
    """Add a measure at the end of a project.

    Raises:
        NotFound: there is no such project.
        InvalidInput: a value breaks a rule, or the id is taken.
    """
    with context.store.write() as work:
        item = work.content.find(PROJECTS, project)
        return put_part(context, work, item, "measures", [*item.doc.get("measures", ()), measure])


def add_measurement(
    context: Context, project: str, measure: str, value: Number, *, on: date, note: str = ""
) -> ContentItem:
    """Note what was measured on a day; the value of the same day before is replaced.

    Raises:
        NotFound: there is no such project or measure.
        InvalidInput: the day has not come yet.
    """
    if on > context.today():
        raise InvalidInput(f"'{measure}' cannot be measured on {on}: it is later.")
    with context.store.write() as work:
        item = work.content.find(PROJECTS, project)
        put_measurement(context, work, item, measure, value, on=on, note=note)
        return work.content.find(PROJECTS, item.slug)


def put_measurement(
    context: Context,
    work: UnitOfWork,
    item: ContentItem,
    measure: str,
    value: Number,
    *,
    on: date,
    note: str = "",
) -> ContentItem:
    """Note what was measured, within a transaction.

    Raises:
        NotFound: the project has no such measure.
    """
    find_measure(measures_of(item.doc), measure)
    others = [
        one
        for one in item.doc.get("measurements", ())
        if (one["measure"], one["date"]) != (measure, on.isoformat())
    ]
    new = {"measure": measure, "value": value, "date": on.isoformat(), "note": note or None}
    return put_part(context, work, item, "measurements", [*others, new])
