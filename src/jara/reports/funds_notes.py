"""Notes to the yearly statements: commitments, legal size thresholds, form T1044."""

from __future__ import annotations

from jara.domain.reports.funds import RATE_SCALE, FundsReport, SizeLine
from jara.reports.document import Block, Column, Paragraph, Table
from jara.reports.words import NO_FIGURE, long_date, money

_MEASURES = {
    "grossRevenue": "Gross revenue",
    "publicSources": "From public sources",
    "investmentIncome": "Investment income",
    "totalAssetsBefore": "Total assets a year before",
}
_RETURN_LABELS = {"pledges": "Pledges", "gifts": "Gifts", "grants": "Grants", "other": "Other"}


def build_commitments(report: FundsReport) -> tuple[Block, ...]:
    """List commitments to passed proposals that are not yet paid: a note, not a liability."""
    if not report.commitments:
        return (Paragraph("Commitments: nothing was promised to a passed proposal at year end."),)
    headings = ("Goal", "Paid", "Held", "Waiting")
    records = report.commitments
    return (
        Paragraph(
            "Commitments: the following is promised to proposals that passed. A promise is "
            "neither an expense nor a liability until it is paid."
        ),
        Table(
            "Commitments to passed proposals, US dollars",
            (Column("Proposal"), *(Column(heading, is_number=True) for heading in headings)),
            tuple(
                (
                    r.title,
                    money(r.goal_cents),
                    money(r.paid_cents),
                    money(r.held_cents),
                    money(r.queued_cents),
                )
                for r in records
            ),
            (
                "Total",
                money(sum(r.goal_cents for r in records)),
                money(sum(r.paid_cents for r in records)),
                money(sum(r.held_cents for r in records)),
                money(sum(r.queued_cents for r in records)),
            ),
        ),
    )


def build_size_lines(report: FundsReport) -> tuple[Block, ...]:
    """Compare the year's figures with the thresholds in force at its end."""
    members = "count" if not report.changemakers_are_members else "do not count"
    rows = tuple(_size_row(line, usd, cad) for line, usd, cad in report.measured_lines())
    return (
        Paragraph(_rate_sentence(report)),
        Paragraph(f"As the settings say, gifts of changemakers {members} as public sources."),
        Table(
            "Which lines the year's figures reach",
            (
                Column("Measure"),
                Column("US dollars", is_number=True),
                Column("Canadian dollars", is_number=True, currency="CAD"),
                Column("Line, CAD", is_number=True, currency="CAD"),
                Column("Reached"),
                Column("What follows above it, and the rule"),
            ),
            rows,
        ),
        Paragraph("These are figures and reminders, not advice: the rules change."),
    )


def _rate_sentence(report: FundsReport) -> str:
    rate = report.rate
    if rate is None:
        return (
            "The lines are in Canadian dollars. No exchange rate was given for this year, so the "
            "figures are not compared with them."
        )
    whole, rest = divmod(rate.ten_thousandths, RATE_SCALE)
    return f"Converted at {whole}.{rest:04d} Canadian dollars for one US dollar: {rate.source}."


def _size_row(line: SizeLine, usd: int, cad: int | None) -> tuple[str, ...]:
    reached = NO_FIGURE if cad is None else "Yes" if cad > line.above_cents else "No"
    return (
        _MEASURES[line.measure],
        money(usd),
        NO_FIGURE if cad is None else money(cad),
        money(line.above_cents),
        reached,
        f"{line.consequence} {line.source}, since {long_date(line.since)}.",
    )


def build_return(report: FundsReport) -> tuple[Block, ...]:
    """List the figures that form T1044 asks for."""
    form = report.information_return
    rows = [
        (f"Received: {_RETURN_LABELS.get(kind, kind)}", cents)
        for kind, cents in form.received_by_kind.items()
    ]
    rows.append(("Received in all", sum(form.received_by_kind.values())))
    rows.append(("Total assets", form.total_assets_cents))
    rows.append(("Total liabilities", form.total_liabilities_cents))
    rows.append(("Pay of staff", form.staff_pay_cents))
    rows.append(("Pay of directors", form.directors_pay_cents))
    year = report.period.last.year
    filed = "was" if form.filed_before else "was not"
    return (
        Paragraph(
            f"Where it is required, it is due on 30 June {year + 1}. A return {filed} filed for "
            "an earlier year, and who has filed once files again. A test on gross receipts and "
            "a short form for smaller organisations have been proposed (draft legislation of "
            "January 2026): ask what of it is law for this year."
        ),
        Table(
            "Figures for the return",
            (
                Column("Figure"),
                Column("US dollars", is_number=True),
                Column("Canadian dollars", is_number=True, currency="CAD"),
            ),
            tuple((label, money(cents), _in_canadian(report, cents)) for label, cents in rows),
        ),
    )


def _in_canadian(report: FundsReport, cents: int) -> str:
    return NO_FIGURE if report.rate is None else money(report.rate.convert_cents(cents))
