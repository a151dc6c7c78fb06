"""Plans of years: imported in versions, published, and asked before a payment."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.account import PAYEE_PARENTS, AccountType, account_type
from jara.domain.books.journal import JournalEntry
from jara.domain.books.plan import (
    OverPlan,
    Place,
    PlanLine,
    check_lines,
    compare_plan,
    place_of,
    planned_sums,
)
from jara.domain.content.kinds import KINDS
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import missing_name
from jara.domain.papers import PaperKind
from jara.records.journal import PlanRecord
from jara.services.audit import record_act, require_operator
from jara.services.books.balances import totals_of
from jara.services.books.papers import PaperFile, store_papers
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

OVER_PLAN = "overPlan"
"""Payload key of an act that waits: the places of the plan that it leaves over their amounts."""


class Plan(NamedTuple):
    """A version of a year's plan with its lines."""

    record: PlanRecord
    lines: tuple[PlanLine, ...]


def import_plan(
    context: Context,
    year: int,
    lines: Sequence[PlanLine],
    *,
    decided_on: date | None,
    minutes: PaperFile | None = None,
    why: str = "",
) -> Plan:
    """Add a plan of a year as its newest version; earlier ones stay.

    `minutes` is the document that decided it, which is stored encrypted.

    Raises:
        InvalidInput: lines contradict each other, or nothing differs from the newest version.
        NotFound: there is no such account or payee.
    """
    with context.store.write() as work:
        require_operator(context, work, "plan.import")
        named = {line.account: _find_account(work, line.account) for line in lines}
        lines = [line._replace(account=named[line.account]) for line in lines]
        check_lines(lines, year)
        earlier = work.plans.of_year(year)
        if earlier and work.plans.lines(earlier[-1]) == list(lines):
            raise InvalidInput(
                f"This is version {earlier[-1].version} of the plan of {year} already."
            )
        number, name = len(earlier) + 1, "" if minutes is None else minutes.hash
        store_papers(context, work, [] if minutes is None else [minutes], PaperKind.MINUTES)
        plan = PlanRecord(year, number, decided_on, name, context.operator, context.now())
        work.plans.put(plan)
        work.plans.add_lines(plan, lines)
        facts = {"version": plan.version, "lines": len(lines)}
        record_act(context, work, "plan.import", str(year), why=why, facts=facts)
    return Plan(plan, tuple(lines))


def publish_plan(context: Context, year: int, *, shown: bool = True) -> PlanRecord:
    """Show members the newest version of a year's plan beside the books, or no plan any more.

    Raises:
        NotFound: the year has no plan.
    """
    with context.store.write() as work:
        plans = work.plans.of_year(year)
        if not plans:
            raise NotFound(f"There is no plan of {year}; see `jara plan import --help`.")
        for plan in plans:
            at = context.now() if shown and plan is plans[-1] else None
            if at != plan.published_at:
                work.plans.put(plan._replace(published_at=at))
        facts = {"version": plans[-1].version, "shown": shown}
        record_act(context, work, "plan.publish", str(year), facts=facts)
        return work.plans.of_year(year)[-1]


def show_plan(context: Context, year: int, version: int | None = None) -> Plan:
    """Return a version of a year's plan, by default the newest.

    Raises:
        NotFound: there is none.
    """
    with context.store.read() as work:
        return read_plan(work, year, version)


def list_plans(context: Context, year: int | None = None) -> list[PlanRecord]:
    """Return every version of the plans of a year, or of all years, oldest first."""
    with context.store.read() as work:
        return work.plans.of_year(year)


def read_plan(work: UnitOfWork, year: int, version: int | None = None) -> Plan:
    """Return a version of a year's plan; see `show_plan`."""
    plans = [one for one in work.plans.of_year(year) if version in {None, one.version}]
    if not plans:
        named = "plan" if version is None else f"version {version} of the plan"
        raise NotFound(f"There is no {named} of {year}; see `jara plan import --help`.")
    return Plan(plans[-1], tuple(work.plans.lines(plans[-1])))


def public_plan(work: UnitOfWork, year: int) -> Plan | None:
    """Return the version of a year's plan that members see, if they see one."""
    shown = [one for one in work.plans.of_year(year) if one.published_at is not None]
    return Plan(shown[-1], tuple(work.plans.lines(shown[-1]))) if shown else None


def over_plan(work: UnitOfWork, entries: Iterable[JournalEntry]) -> list[OverPlan]:
    """Return the places of a plan that entries which are not booked yet leave over their amounts.

    A year without a plan has none, and neither has money that comes back.
    """
    over: list[OverPlan] = []
    years: dict[int, list[JournalEntry]] = {}
    for entry in entries:
        years.setdefault(entry.day.year, []).append(entry)
    for year, of_year in years.items():
        plans = work.plans.of_year(year)
        if not plans:
            continue
        lines = work.plans.lines(plans[-1])
        asked = _spent(planned_sums(lines), of_year)
        over += _over(work, lines, year, asked)
    return over


def over_plan_by(context: Context, entry_id: str) -> list[OverPlan]:
    """Return the places of the plan that a booked entry left over their amounts."""
    with context.store.read() as work:
        try:
            entry = work.journal.find(entry_id).entry
        except NotFound:  # a refund by card has no entry yet
            return []
        plans = work.plans.of_year(entry.day.year)
        if not plans:
            return []
        lines = work.plans.lines(plans[-1])
        spent = _spent(planned_sums(lines), [entry])
        return _over(work, lines, entry.day.year, spent, is_booked=True)


def read_over(payload: Mapping[str, Any]) -> list[OverPlan]:
    """Return what the payload of an act says about the plan."""
    return [OverPlan(**one) for one in payload.get(OVER_PLAN, ())]


def _spent(planned: Mapping[Place, int], entries: Iterable[JournalEntry]) -> dict[Place, int]:
    """Return by how much entries raise the expenses of each place."""
    sums: Counter[Place] = Counter()
    for entry in entries:
        for posting in entry.postings:
            if account_type(posting.account) is AccountType.EXPENSES:
                place = place_of(planned, posting.account, posting.fund)
                if place is not None:
                    sums[place] += posting.cents
    return {place: cents for place, cents in sums.items() if cents > 0}


def _over(
    work: UnitOfWork,
    lines: Sequence[PlanLine],
    year: int,
    asked: Mapping[Place, int],
    *,
    is_booked: bool = False,
) -> list[OverPlan]:
    if not asked:
        return []
    totals = totals_of(work.journal.balances(by_month=True))
    sums = compare_plan(lines, totals.rows, year)
    reached = {
        place: sums.actual.get(place, 0) + (0 if is_booked else cents)
        for place, cents in asked.items()
    }
    return [
        OverPlan(place.label, year, sums.planned[place], cents)
        for place, cents in sorted(reached.items(), key=lambda one: one[0].label)
        if cents > sums.planned[place]
    ]


def _find_account(work: UnitOfWork, name: str) -> str:
    """Return an account that money can be booked to or below; of a payee, the one that pays it.

    Raises:
        NotFound: the chart has no such account, or there is no such project, grant or donation.
    """
    chart = work.book_settings.chart()
    parent, _, slug = name.rpartition(":")
    if name in PAYEE_PARENTS or name in chart.accounts:
        return name
    if parent not in PAYEE_PARENTS:
        how = "`jara ledger accounts` lists them"
        raise NotFound(missing_name("account", name, [*chart.accounts, *PAYEE_PARENTS], how=how))
    (kind,) = (one for one in KINDS.values() if one.account == parent)
    items = {item.slug: item.account for item in work.content.all(kind.name)}
    if name in items.values() or work.journal.balances(accounts=[name]):
        return name
    if slug not in items:
        how = f"`jara {kind.command} list` lists them"
        raise NotFound(missing_name(kind.name.removesuffix("s"), slug, items, how=how))
    return items[slug]
