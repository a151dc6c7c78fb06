"""The plan report: plan, actual, difference and forecast of a year."""

from collections.abc import Sequence

from jara.domain.books.account import AccountType
from jara.domain.dates import long_date
from jara.domain.reports.plan import PlanReport, PlanRow
from jara.domain.texts import Text, tr
from jara.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    table_or_sentence,
)
from jara.reports.words import FUND_NAMES, NO_FIGURE, TOTAL, money, percent, period_name


def build_plan(report: PlanReport) -> Document:
    """Build the plan report as a document."""
    income, expenses = (
        [row for row in report.rows if row.section == kind]
        for kind in (AccountType.INCOME, AccountType.EXPENSES)
    )
    return Document(
        title="Plan and actual",
        subtitle=period_name(report.period),
        organisation=report.organisation,
        blocks=(
            Section("Overview", _overview(report, income, expenses)),
            Section("Income", (_table("Income by account", income),)),
            Section("Expenses", (_table("Expenses by account", expenses),)),
        ),
        books=report.books,
        imprint=report.imprint,
    )


def _overview(
    report: PlanReport, income: Sequence[PlanRow], expenses: Sequence[PlanRow]
) -> tuple[Block, ...]:
    return (
        Figures(
            (
                Figure(percent(report.gone_tenths), "of the year is over"),
                Figure(money(_sum(income)), "received", _of(income)),
                Figure(money(_sum(expenses)), "spent", _of(expenses)),
            )
        ),
        Paragraph(_source(report)),
        Paragraph(
            "The forecast is what the year comes to if it goes on as until now. A line that names "
            "no fund is for all funds together."
        ),
    )


def _sum(rows: Sequence[PlanRow]) -> int:
    return sum(row.actual_cents for row in rows)


def _of(rows: Sequence[PlanRow]) -> Text:
    return tr("planned: {amount}", amount=money(sum(row.planned_cents or 0 for row in rows)))


def _source(report: PlanReport) -> Text:
    if report.decided_on is None:
        return tr("Version {version} of the plan.", version=report.version)
    return tr(
        "Version {version} of the plan, decided on {day}.",
        version=report.version,
        day=long_date(report.decided_on),
    )


def _table(caption: str, rows: Sequence[PlanRow]) -> Block:
    totals = (
        sum(row.planned_cents or 0 for row in rows),
        sum(row.actual_cents for row in rows),
        sum(row.difference_cents for row in rows),
    )
    comes_to = money(sum(row.forecast_cents for row in rows))
    table = Table(
        caption,
        (
            *columns("Account", "Fund"),
            *figures("Plan", "Actual", "Over or under", "Used", "Forecast"),
        ),
        tuple(_cells(row) for row in rows),
        (TOTAL, "", *map(money, totals), _used(*totals[:2]), comes_to),
    )
    return table_or_sentence(table, "Nothing is planned or booked.")


def _cells(row: PlanRow) -> tuple[str, ...]:
    is_planned = row.planned_cents is not None
    return (
        row.label if is_planned else tr("{account}, not planned", account=row.label),
        "" if row.fund is None else FUND_NAMES[row.fund],
        money(row.planned_cents or 0),
        money(row.actual_cents),
        money(row.difference_cents),
        _used(row.planned_cents, row.actual_cents),
        money(row.forecast_cents),
    )


def _used(planned: int | None, actual: int) -> str:
    return percent(actual * 1000 // planned) if planned else NO_FIGURE
