"""What projects achieved: measures with their targets, and what was measured."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from jara.domain.content.fields import Document
from jara.domain.content.kinds import PROJECTS
from jara.domain.content.schema import measured_results, measures_of
from jara.domain.errors import InvalidInput
from jara.domain.measures import (
    MeasuredResult,
    MeasureState,
    Number,
    find_measure,
)
from jara.records.content import ContentItem
from jara.services.context import Context
from jara.services.projects.milestones import put_part
from jara.store.unit_of_work import UnitOfWork


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
