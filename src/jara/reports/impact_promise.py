"""The fund split: each fund's promised share beside what it spent."""

from __future__ import annotations

from jara.domain.reports.impact import FundLine, ImpactReport
from jara.reports.charts import SplitBar, draw_split
from jara.reports.document import Block, Chart, Column, Paragraph, Table
from jara.reports.words import FUND_NAMES, NO_FIGURE, listing, money, percent, points


def build_promise(report: ImpactReport) -> tuple[Block, ...]:
    """Build the section that compares the fund split with what was spent."""
    if not report.funds:
        return (Paragraph("No fund policy was in force in this period."),)
    title = "Promised and spent"
    spent = any(line.actual_tenths for line in report.funds)
    shares = "; ".join(
        f"{FUND_NAMES[f.fund]} {_promise_words(f, has_spent=spent)}" for f in report.funds
    )
    description = f"Of every 100 cents, one thread each: {shares}."
    bars = [_split_bar("Promised", [(f, f.promised_tenths) for f in report.funds])]
    if spent:
        actual = [(f, f.actual_tenths) for f in report.funds]
        bars.append(_split_bar("Spent or set aside, less card fees", actual))
    return (
        Chart(title, description, draw_split(title, description, bars), _fund_table(report)),
        *_drift(report, has_spent=spent),
        Paragraph(_fee_sentence(report)),
    )


def _promise_words(line: FundLine, *, has_spent: bool) -> str:
    promised = f"{percent(line.promised_tenths)} promised"
    return (
        f"{promised}, {percent(line.actual_tenths)} spent or set aside" if has_spent else promised
    )


def _split_bar(name: str, shares: list[tuple[FundLine, int]]) -> SplitBar:
    return SplitBar(
        name,
        tuple(tenths for _, tenths in shares),
        tuple(f"{FUND_NAMES[line.fund]} {percent(tenths)}" for line, tenths in shares),
    )


def _fund_table(report: ImpactReport) -> Table:
    columns = (
        "Received",
        "Spent",
        "Of which fees",
        "Held",
        "Promised",
        "Actual",
        "Difference",
    )
    totals = (
        sum(f.received_cents for f in report.funds),
        sum(f.spent_cents for f in report.funds),
        sum(f.fees_cents for f in report.funds),
        sum(f.held_cents for f in report.funds),
    )
    promised = sum(f.promised_tenths for f in report.funds)
    actual = sum(f.actual_tenths for f in report.funds)
    return Table(
        "Each fund, US dollars; shares are of what was spent or set aside, less card fees",
        (Column("Fund"), *(Column(heading, is_number=True) for heading in columns)),
        tuple(_fund_row(line, has_spent=bool(actual)) for line in report.funds),
        (
            "Total",
            *(money(cents) for cents in totals),
            percent(promised),
            percent(actual) if actual else NO_FIGURE,
            "",
        ),
    )


def _fund_row(line: FundLine, *, has_spent: bool) -> tuple[str, ...]:
    drift = points(line.actual_tenths - line.promised_tenths)
    return (
        FUND_NAMES[line.fund],
        money(line.received_cents),
        money(line.spent_cents),
        money(line.fees_cents),
        money(line.held_cents),
        percent(line.promised_tenths),
        percent(line.actual_tenths) if has_spent else NO_FIGURE,
        drift if has_spent else NO_FIGURE,
    )


def _drift(report: ImpactReport, *, has_spent: bool) -> tuple[Block, ...]:
    if not has_spent:
        return (Paragraph("Nothing was spent in this period, so there is no split to compare."),)
    widest = max(report.funds, key=lambda f: abs(f.actual_tenths - f.promised_tenths))
    off = widest.actual_tenths - widest.promised_tenths
    name = FUND_NAMES[widest.fund]
    if off == 0:
        sentence = "Every fund spent exactly the share that was promised."
    else:
        more = "more" if off > 0 else "less"
        sentence = (
            f"The widest gap is in {name}: {points(abs(off)).lstrip('+')} points {more} "
            "than promised."
        )
    note = (Paragraph(f"In the words of {report.organisation}: {report.drift_note}"),)
    return (Paragraph(sentence), *(note if report.drift_note else ()))


def _fee_sentence(report: ImpactReport) -> str:
    if report.fees_cents == 0:
        return "No card or bank fees were paid in this period."
    bearers = listing(
        [f"{FUND_NAMES[f.fund]} {money(f.fees_cents)}" for f in report.funds if f.fees_cents]
    )
    return f"Card and bank fees took {money(report.fees_cents)}. They were paid from: {bearers}."
