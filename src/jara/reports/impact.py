"""The impact report: what came in, what was promised, where it went, what was decided."""

from functools import partial

from jara.domain.books.foreign import describe_foreign
from jara.domain.currency import format_minor
from jara.domain.dates import long_date
from jara.domain.measures import MeasureState
from jara.domain.reports.impact import ImpactReport, ProjectProgress
from jara.domain.reports.parts import Payout
from jara.domain.texts import Text, as_written, count_of, listing, tr
from jara.reports.charts import Bar, MonthBar, choose_unit_cents, draw_bars, draw_months
from jara.reports.document import (
    Block,
    Chart,
    Document,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    sum_table,
    table_or_sentence,
)
from jara.reports.impact_parts import build_promise, build_purposes, build_votes
from jara.reports.words import (
    NO_FIGURE,
    bare_money,
    count,
    currency_name,
    dollars,
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
    end, pledged = long_date(report.period.end), dollars(report.pledged_monthly_cents)
    givers, ever = count_of(report.givers, "giver"), dollars(report.cash_deployed_cents)
    # Some of their givers may not vote: who has no confirmed address, for example.
    paid_on = tr("on {day}: {amount} / mo", day=end, amount=pledged)
    paid = tr("to projects, grants and donations; {amount} ever", amount=ever)
    return Figures(
        (
            Figure(count(report.changemakers), "Paid pledges", paid_on),
            Figure(
                dollars(report.kept_cents),
                "Received",
                tr("net of refunds, from {givers}", givers=givers),
            ),
            Figure(dollars(report.disbursed_cents), "Paid out", paid),
            Figure(dollars(report.cash_at_hand_cents), "Cash at hand", tr("on {day}", day=end)),
        )
    )


_LATE_ENTRY = (
    "{count} entry of this period reached the books only after {day}. The figures of this report "
    "contain it; the end of the report names it."
)
_LATE_ENTRIES = (
    "{count} entries of this period reached the books only after {day}. The figures of this "
    "report contain them; its end names them."
)


def _late_notice(report: ImpactReport) -> tuple[Block, ...]:
    many, day = len(report.late_entries), long_date(report.period.end)
    template = _LATE_ENTRY if many == 1 else _LATE_ENTRIES
    return (Notice(tr(template, count=many, day=day)),) if many else ()


def _money_in(report: ImpactReport) -> tuple[Block, ...]:
    received = report.received
    if received.total_cents == 0 and report.refunds_cents == 0:
        return (Paragraph("Nothing was received in this period."), *_months(report))
    rows = [
        (tr("Pledges"), money(received.pledges_cents)),
        (tr("Gifts"), money(received.gifts_cents)),
        (tr("Grants"), money(received.grants_cents)),
    ]
    if received.other_cents:
        rows.append((tr("Other income"), money(received.other_cents)))
    rows.append((tr("Received in all"), money(received.total_cents)))
    rows.append((tr("Refunds and disputes"), money(-report.refunds_cents)))
    came_in = tr(
        "{pledges} under a pledge and {gifts} came in, from {givers}.",
        pledges=count_of(report.contributions, "payment"),
        gifts=count_of(report.gifts, "gift"),
        givers=count_of(report.givers, "giver"),
    )
    table = Table(
        "Received, and given back",
        (*columns("Kind"), *figures(currency_name(capital=True))),
        tuple(rows),
        (tr("Kept"), money(report.kept_cents)),
        frozenset({len(rows) - 2}),
    )
    return (Paragraph(came_in), table, *_months(report))


def _months(report: ImpactReport) -> tuple[Block, ...]:
    if not report.months:
        return ()
    last = report.months[-1]
    came = last.pledges_cents + last.gifts_cents
    first_month, last_month = month_name(report.months[0].month), month_name(last.month)
    span: Text = first_month
    if len(report.months) > 1:
        template = "{first_month} to {last_month}"
        span = tr(template, first_month=first_month, last_month=last_month)
    description = tr(
        "One column a month, {span}: pledges, gifts on top of them, and below the line what was "
        "given back. {month} brought {amount}.",
        span=span,
        month=last_month,
        amount=money(came),
    )
    bars = tuple(
        MonthBar(month_label(m.month), m.pledges_cents, m.gifts_cents, m.refunds_cents)
        for m in report.months
    )
    table = sum_table(
        tr("Contributions by month, {currency}", currency=currency_name()),
        ["Month"],
        ["Pledges", "Gifts", "Given back"],
        (
            ([month_name(m.month)], (m.pledges_cents, m.gifts_cents, -m.refunds_cents))
            for m in report.months
        ),
    )
    return (
        Chart(
            "Monthly contributions",
            description,
            partial(draw_months, months=bars, last=dollars(came)),
            table,
        ),
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
    paid = [tr("{name} {amount}", name=name, amount=money(cents)) for name, cents in ranked]
    description = tr(
        "One thread is {unit}, or a part of it. {list}.",
        unit=dollars(choose_unit_cents(max(cents for _, cents in ranked))),
        list=listing(paid),
    )
    bars = tuple(Bar(as_written(name), cents, bare_money(cents)) for name, cents in ranked)
    chart = Chart(
        "Paid out by project", description, partial(draw_bars, bars=bars), _payouts(report)
    )
    return (chart, *_abroad(report), *build_purposes(report))


def _abroad(report: ImpactReport) -> tuple[Block, ...]:
    """Describe payments in other currencies, in both currencies."""
    sums = [
        tr(
            "{dollars} = {amount}",
            dollars=money(total.cents),
            amount=format_minor(total.currency, total.amount_minor),
        )
        for total in report.paid_abroad
    ]
    sentence = tr("In other currencies: {list}.", list=listing(sums))
    return (Paragraph(sentence),) if sums else ()


def _payouts(report: ImpactReport) -> Table:
    titles = {record.id: record.title for record in report.proposals}
    return sum_table(
        "Every payout of the period",
        ["Date", "For", "Allowed by"],
        [currency_name(capital=True)],
        ((_payout_words(payout, titles), [payout.cents]) for payout in report.disbursements),
    )


def _payout_words(payout: Payout, titles: dict[str, str]) -> tuple[str, ...]:
    allowed, paid = NO_FIGURE, payout.title
    if payout.proposal is not None:
        allowed = tr("Vote: {title}", title=titles.get(payout.proposal, payout.proposal))
    if payout.foreign is not None:
        foreign = describe_foreign(payout.foreign, payout.cents)
        paid = tr("{title} = {foreign}", title=paid, foreign=foreign)
    return (short_date(payout.day), paid, allowed)


def _projects(report: ImpactReport) -> Block:
    table = sum_table(
        tr("Projects and their milestones, {currency}", currency=currency_name()),
        ["Project", "Status", "Milestones"],
        ["Paid in this period", "Paid ever"],
        (
            (
                (project.title, tr(project.status), _milestones(project)),
                (project.paid_in_period_cents, project.paid_cents),
            )
            for project in report.projects
        ),
    )
    return table_or_sentence(table, "There was no project in this period.")


_STATES = {
    MeasureState.OPEN: tr("open"),
    MeasureState.REACHED: tr("reached"),
    MeasureState.MISSED: tr("missed"),
    MeasureState.OVERDUE: tr("overdue: to be measured"),
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
                *columns("Project", "Measure"),
                *figures("Before", "Target", "Measured"),
                *columns("By", "State"),
                *figures("Cost per unit"),
            ),
            rows,
        ),
        Paragraph(
            "The cost per unit is what the project was paid, divided by the change since before."
        ),
    )


def _milestones(project: ProjectProgress) -> Text:
    done, total = project.milestones
    if total == 0:
        return tr("none planned yet")
    return tr("{done} of {total} complete", done=done, total=total)


def _same_again(report: ImpactReport) -> Text:
    if report.period.until is not None:
        last = long_date(report.period.last)
        return tr("The period ends on {day}: a later report will say more.", day=last)
    return tr(
        "It is made from dated facts alone: made again from the same books it is the same, byte "
        "for byte."
    )


def _about(report: ImpactReport) -> tuple[Block, ...]:
    late = Table(
        "Entries of this period that reached the books after its end",
        (*columns("Entry", "Dated", "Booked", "What"), *figures(currency_name(capital=True))),
        tuple(
            (e.entry, short_date(e.day), short_date(e.recorded_on), e.description, money(e.cents))
            for e in report.late_entries
        ),
    )
    covers = tr(
        "It covers {first} to {last}, by the day of each entry in {zone}. Amounts are {currency}. "
        "{again}",
        first=long_date(report.period.first),
        last=long_date(report.period.end),
        zone=report.time_zone,
        currency=currency_name(),
        again=_same_again(report),
    )
    return (
        Paragraph(covers),
        table_or_sentence(late, "Every entry of the period was booked before its end."),
    )
