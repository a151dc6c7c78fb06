"""The impact report: what came in, what was promised, where it went, what was decided."""

from __future__ import annotations

from jara.domain.books.foreign import describe_foreign
from jara.domain.counts import count_of
from jara.domain.currency import format_minor
from jara.domain.measures import MeasureState
from jara.domain.money import format_short
from jara.domain.reports.impact import ImpactReport, ProjectProgress
from jara.domain.reports.parts import Payout
from jara.reports.charts import Bar, MonthBar, choose_unit_cents, draw_bars, draw_months
from jara.reports.document import (
    Block,
    Chart,
    Column,
    Document,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Section,
    Table,
    table_or_sentence,
)
from jara.reports.impact_parts import build_promise, build_purposes, build_votes
from jara.reports.words import (
    NO_FIGURE,
    currency_name,
    dollars,
    listing,
    long_date,
    money,
    month_label,
    month_name,
    number,
    period_name,
    short_date,
)


def build_impact(report: ImpactReport) -> Document:
    """Build the impact report as a document."""
    return Document(
        title="Impact report",
        subtitle=period_name(report.period),
        organisation=report.organisation,
        blocks=(
            _headline(report),
            *_late_notice(report),
            Section("Money in", _money_in(report)),
            Section("The promise and what was done", build_promise(report)),
            Section("Money out", _money_out(report)),
            Section("What was decided", build_votes(report.proposals)),
            Section("Projects", (_projects(report), *_results(report))),
            Section("About this report", _about(report)),
        ),
        books=report.books,
        imprint=report.imprint,
    )


def _headline(report: ImpactReport) -> Figures:
    end = long_date(report.period.end)
    return Figures(
        (
            Figure(
                f"{report.changemakers:,}",
                "Changemakers",
                f"who may vote on {end}; they pledge {dollars(report.pledged_monthly_cents)} / mo",
            ),
            Figure(
                dollars(report.kept_cents),
                "Received",
                f"net of refunds, from {count_of(report.givers, 'giver', 'givers')}",
            ),
            Figure(
                dollars(report.disbursed_cents),
                "Paid out",
                f"to projects, grants and donations; {dollars(report.cash_deployed_cents)} ever",
            ),
            Figure(dollars(report.cash_at_hand_cents), "Cash at hand", f"on {end}"),
        )
    )


def _late_notice(report: ImpactReport) -> tuple[Block, ...]:
    if not report.late_entries:
        return ()
    many = len(report.late_entries)
    which = "it; the end of the report names it" if many == 1 else "them; its end names them"
    return (
        Notice(
            f"{count_of(many, 'entry', 'entries')} of this period reached the books only after "
            f"{long_date(report.period.end)}. The figures of this report contain {which}."
        ),
    )


def _money_in(report: ImpactReport) -> tuple[Block, ...]:
    received = report.received
    if received.total_cents == 0 and report.refunds_cents == 0:
        return (Paragraph("Nothing was received in this period."), *_months(report))
    kinds = (
        ("Pledges", received.pledges_cents),
        ("Gifts", received.gifts_cents),
        ("Grants", received.grants_cents),
        ("Other income", received.other_cents),
    )
    rows = [(name, money(cents)) for name, cents in kinds if cents or name != "Other income"]
    rows.append(("Received in all", money(received.total_cents)))
    rows.append(("Refunds and disputes", money(-report.refunds_cents)))
    subtotal = len(rows) - 2
    pledges = count_of(report.contributions, "payment", "payments")
    gifts = count_of(report.gifts, "gift", "gifts")
    return (
        Paragraph(
            f"{pledges} under a pledge and {gifts} came in, "
            f"from {count_of(report.givers, 'giver', 'givers')}."
        ),
        Table(
            "Received, and given back",
            (Column("Kind"), Column(currency_name(capital=True), is_number=True)),
            tuple(rows),
            ("Kept", money(report.kept_cents)),
            frozenset({subtotal}),
        ),
        *_months(report),
    )


def _months(report: ImpactReport) -> tuple[Block, ...]:
    if not report.months:
        return ()
    last = report.months[-1]
    came = last.pledges_cents + last.gifts_cents
    title = "Monthly contributions"
    first = month_name(report.months[0].month)
    span = first if len(report.months) == 1 else f"{first} to {month_name(last.month)}"
    description = (
        f"One column a month, {span}: pledges, gifts on top of them, and below the line what was "
        f"given back. {month_name(last.month)} brought {money(came)}."
    )
    bars = tuple(
        MonthBar(month_label(m.month), m.pledges_cents, m.gifts_cents, m.refunds_cents)
        for m in report.months
    )
    table = Table(
        f"Contributions by month, {currency_name()}",
        (
            Column("Month"),
            Column("Pledges", is_number=True),
            Column("Gifts", is_number=True),
            Column("Given back", is_number=True),
        ),
        tuple(
            (
                month_name(m.month),
                money(m.pledges_cents),
                money(m.gifts_cents),
                money(-m.refunds_cents),
            )
            for m in report.months
        ),
        (
            "Total",
            money(sum(m.pledges_cents for m in report.months)),
            money(sum(m.gifts_cents for m in report.months)),
            money(-sum(m.refunds_cents for m in report.months)),
        ),
    )
    return (
        Chart(title, description, draw_months(title, description, bars, format_short(came)), table),
    )


def _money_out(report: ImpactReport) -> tuple[Block, ...]:
    if not report.disbursements:
        nothing = Paragraph("No project, grant or donation was paid in this period.")
        return (nothing, *build_purposes(report))
    totals: dict[str, tuple[str, int]] = {}
    for payout in report.disbursements:
        _, cents = totals.get(payout.account, ("", 0))
        totals[payout.account] = (payout.title, cents + payout.cents)
    ranked = sorted(totals.values(), key=lambda item: (-item[1], item[0]))
    unit = choose_unit_cents(max(cents for _, cents in ranked))
    title = "Paid out by project"
    description = (
        f"One thread is {dollars(unit)}, or a part of it. "
        + listing([f"{name} {money(cents)}" for name, cents in ranked])
        + "."
    )
    bars = tuple(Bar(name, cents, money(cents)) for name, cents in ranked)
    chart = Chart(title, description, draw_bars(title, description, bars), _payouts(report))
    return (chart, *_abroad(report), *build_purposes(report))


def _abroad(report: ImpactReport) -> tuple[Block, ...]:
    """Describe payments in other currencies, in both currencies."""
    sums = [
        f"{money(total.cents)} = {format_minor(total.currency, total.amount_minor)}"
        for total in report.paid_abroad
    ]
    return (Paragraph(f"In other currencies: {listing(sums)}."),) if sums else ()


def _payouts(report: ImpactReport) -> Table:
    titles = {record.id: record.title for record in report.proposals}
    return Table(
        "Every payout of the period",
        (
            Column("Date"),
            Column("For"),
            Column("Allowed by"),
            Column(currency_name(capital=True), is_number=True),
        ),
        tuple(_payout_row(payout, titles) for payout in report.disbursements),
        ("Total", "", "", money(report.disbursed_cents)),
    )


def _payout_row(payout: Payout, titles: dict[str, str]) -> tuple[str, ...]:
    proposal = payout.proposal
    allowed = NO_FIGURE if proposal is None else f"Vote: {titles.get(proposal, proposal)}"
    abroad = payout.foreign
    said = "" if abroad is None else f" = {describe_foreign(abroad, payout.cents)}"
    return (short_date(payout.day), payout.title + said, allowed, money(payout.cents))


def _projects(report: ImpactReport) -> Block:
    table = Table(
        f"Projects and their milestones, {currency_name()}",
        (
            Column("Project"),
            Column("Status"),
            Column("Milestones"),
            Column("Paid in this period", is_number=True),
            Column("Paid ever", is_number=True),
        ),
        tuple(
            (
                project.title,
                project.status,
                _milestones(project),
                money(project.paid_in_period_cents),
                money(project.paid_cents),
            )
            for project in report.projects
        ),
        (
            "Total",
            "",
            "",
            money(sum(project.paid_in_period_cents for project in report.projects)),
            money(sum(project.paid_cents for project in report.projects)),
        ),
    )
    return table_or_sentence(table, "There was no project in this period.")


_STATES = {
    MeasureState.OPEN: "open",
    MeasureState.REACHED: "reached",
    MeasureState.MISSED: "missed",
    MeasureState.OVERDUE: "overdue: to be measured",
}


def _results(report: ImpactReport) -> tuple[Block, ...]:
    rows = tuple(
        (
            project.title,
            f"{result.name}, {result.unit}" if result.unit else result.name,
            number(result.baseline),
            number(result.target),
            NO_FIGURE if result.actual is None else number(result.actual),
            short_date(result.due_on),
            _STATES[result.state],
            NO_FIGURE if result.cost_per_unit_cents is None else money(result.cost_per_unit_cents),
        )
        for project in report.projects
        for result in project.results
    )
    if not rows:
        return ()
    return (
        Table(
            "What was promised and what was measured",
            (
                Column("Project"),
                Column("Measure"),
                Column("Before", is_number=True),
                Column("Target", is_number=True),
                Column("Measured", is_number=True),
                Column("By"),
                Column("State"),
                Column("Cost per unit", is_number=True),
            ),
            rows,
        ),
        Paragraph(
            "The cost per unit is what the project was paid, divided by the change since before."
        ),
    )


def _milestones(project: ProjectProgress) -> str:
    if project.milestones.total == 0:
        return "none planned yet"
    return f"{project.milestones.done} of {project.milestones.total} complete"


def _same_again(report: ImpactReport) -> str:
    if report.period.until is not None:
        return f"The period ends on {long_date(report.period.last)}: a later report will say more."
    return (
        "It is made from dated facts alone: made again from the same books it is the same, byte "
        "for byte."
    )


def _about(report: ImpactReport) -> tuple[Block, ...]:
    first, last = report.period.first, report.period.end
    late = Table(
        "Entries of this period that reached the books after its end",
        (
            Column("Entry"),
            Column("Dated"),
            Column("Booked"),
            Column("What"),
            Column(currency_name(capital=True), is_number=True),
        ),
        tuple(
            (e.entry, short_date(e.day), short_date(e.recorded_on), e.description, money(e.cents))
            for e in report.late_entries
        ),
    )
    return (
        Paragraph(
            f"It covers {long_date(first)} to {long_date(last)}, by the day of each entry in "
            f"{report.time_zone}. Amounts are {currency_name()}. {_same_again(report)}"
        ),
        table_or_sentence(late, "Every entry of the period was booked before its end."),
    )
