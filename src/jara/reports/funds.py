"""The yearly statements and their notes."""

from __future__ import annotations

from jara.domain.books.account import Fund
from jara.domain.currency import books_currency
from jara.domain.reports.funds import (
    CANADIAN,
    RATE_SCALE,
    FundsReport,
    NetAssetsLine,
    OperationsLine,
    SizeLine,
)
from jara.reports.document import (
    Block,
    Column,
    Document,
    Paragraph,
    Section,
    Table,
    table_or_sentence,
)
from jara.reports.words import FUND_NAMES, NO_FIGURE, currency_name, long_date, money, period_name

_RESTRICTIONS = {
    "external": "externally restricted: promised to the givers",
    "internal": "internally restricted",
    "unrestricted": "unrestricted",
}


def build_funds(report: FundsReport) -> Document:
    """Build the statements of one year as a document."""
    return Document(
        title="Financial statements by fund",
        subtitle=period_name(report.period),
        organisation=report.organisation,
        blocks=(
            *_introduction(report),
            Section("Financial position", (_position(report),)),
            Section("Operations by fund", _operations(report)),
            Section("Changes in net assets", (_net_assets(report),)),
            Section("Cash flows", (_cash_flows(report),)),
            Section("Notes", _notes(report)),
            Section("Size of the corporation", build_size_lines(report)),
            Section("Information return T1044", build_return(report)),
        ),
        books=report.books,
        imprint=report.imprint,
    )


def _introduction(report: FundsReport) -> tuple[Block, ...]:
    approved = (
        f"Approved by the directors and signed by {report.approved_by}."
        if report.approved_by
        else "Not yet approved: these statements need a director's signature."
    )
    return (
        Paragraph(
            "Prepared from the books for the members, the treasurer and the public accountant, "
            f"after Part III of the CPA Canada Handbook (ASNPO). Amounts are {currency_name()}, "
            "the currency of the books. They are unaudited unless a report of the public "
            "accountant comes with them."
        ),
        Paragraph(approved),
    )


def _position(report: FundsReport) -> Table:
    rows: list[tuple[str, ...]] = []
    subtotals = []
    for section, title in (("assets", "assets"), ("liabilities", "liabilities")):
        lines = [line for line in report.position if line.section == section]
        rows.extend((line.label, money(line.cents), money(line.prior_cents)) for line in lines)
        subtotals.append(len(rows))
        rows.append(
            (
                f"Total {title}",
                money(sum(line.cents for line in lines)),
                money(sum(line.prior_cents for line in lines)),
            )
        )
    return Table(
        f"At {long_date(report.period.end)}, {currency_name()}",
        (Column("Item"), *_two_years()),
        tuple(rows),
        ("Net assets", money(report.closing_cents), money(report.prior_net_assets_cents)),
        frozenset(subtotals),
    )


def _two_years() -> tuple[Column, Column]:
    return (Column("This year", is_number=True), Column("Last year", is_number=True))


def _operations(report: FundsReport) -> tuple[Block, ...]:
    if not report.operations:
        return (Paragraph("Nothing was received or spent in this year."),)
    funds = [fund for fund in Fund if any(fund in line.by_fund for line in report.operations)]
    revenue = [line for line in report.operations if line.section == "revenue"]
    expenses = [line for line in report.operations if line.section == "expenses"]
    rows = [_operations_row(line, funds) for line in revenue]
    rows.append(_sum_row("Total revenue", revenue, [], funds))
    rows.extend(_operations_row(line, funds) for line in expenses)
    rows.append(_sum_row("Total expenses", expenses, [], funds))
    table = Table(
        f"Revenue and expenses, {currency_name()}",
        (
            Column("Item"),
            *(Column(FUND_NAMES[fund], is_number=True) for fund in funds),
            *_two_years(),
        ),
        tuple(rows),
        _sum_row("Revenue over expenses", revenue, expenses, funds),
        frozenset({len(revenue), len(rows) - 1}),
    )
    return (
        Paragraph("Contributions are shown gross; card and bank fees are an expense."),
        table,
    )


def _operations_row(line: OperationsLine, funds: list[Fund]) -> tuple[str, ...]:
    cells = (money(line.by_fund.get(fund, 0)) for fund in funds)
    return (line.label, *cells, money(line.cents), money(line.prior_cents))


def _sum_row(
    label: str, plus: list[OperationsLine], minus: list[OperationsLine], funds: list[Fund]
) -> tuple[str, ...]:
    """Add up lines for each fund, for the year and for the year before."""

    def in_fund(fund: Fund) -> int:
        earned = sum(line.by_fund.get(fund, 0) for line in plus)
        return earned - sum(line.by_fund.get(fund, 0) for line in minus)

    this_year = sum(line.cents for line in plus) - sum(line.cents for line in minus)
    last_year = sum(line.prior_cents for line in plus) - sum(line.prior_cents for line in minus)
    return (label, *(money(in_fund(fund)) for fund in funds), money(this_year), money(last_year))


def _net_assets(report: FundsReport) -> Block:
    headings = ("Opening", "Revenue", "Expenses", "Transfers", "Closing")
    lines = report.net_assets
    table = Table(
        f"Each fund's net assets, {currency_name()}; transfers are between funds and add up to "
        "nothing",
        (Column("Fund"), *(Column(heading, is_number=True) for heading in headings)),
        tuple(_net_assets_row(line) for line in lines),
        (
            "Total",
            money(sum(line.opening_cents for line in lines)),
            money(sum(line.revenue_cents for line in lines)),
            money(-sum(line.expenses_cents for line in lines)),
            money(sum(line.transfers_cents for line in lines)),
            money(report.closing_cents),
        ),
    )
    return table_or_sentence(table, "No fund held money in this year.")


def _net_assets_row(line: NetAssetsLine) -> tuple[str, ...]:
    return (
        FUND_NAMES[line.fund],
        money(line.opening_cents),
        money(line.revenue_cents),
        money(-line.expenses_cents),
        money(line.transfers_cents),
        money(line.closing_cents),
    )


def _cash_flows(report: FundsReport) -> Table:
    prior_closing = report.prior_opening_cash_cents + sum(f.prior_cents for f in report.cash_flows)
    rows = (
        (
            "Cash at the beginning",
            money(report.opening_cash_cents),
            money(report.prior_opening_cash_cents),
        ),
        *((f.label, money(f.cents), money(f.prior_cents)) for f in report.cash_flows),
    )
    return Table(
        f"Why cash changed, {currency_name()}",
        (Column("Item"), *_two_years()),
        rows,
        ("Cash at the end", money(report.closing_cash_cents), money(prior_closing)),
    )


def _notes(report: FundsReport) -> tuple[Block, ...]:
    restrictions = Table(
        "Restrictions of the funds",
        (Column("Fund"), Column("Restriction")),
        tuple((FUND_NAMES[n.fund], _RESTRICTIONS[n.restriction]) for n in report.net_assets),
    )
    return (
        Paragraph(
            f"Method: restricted contributions are accounted for by the {report.method}. "
            "Money committed by vote is part of the projects fund's promise and is shown apart."
        ),
        table_or_sentence(restrictions, "No fund held money, so none is restricted."),
        *build_commitments(report),
        Paragraph(
            f"Records of this year are kept until 31 December {report.period.last.year + 6}, six "
            "years after its end."
        ),
    )


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
            f"Commitments to passed proposals, {currency_name()}",
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
    rows = tuple(_size_row(line, cents, cad) for line, cents, cad in report.measured_lines())
    return (
        Paragraph(_rate_sentence(report)),
        Paragraph(f"As the settings say, gifts of changemakers {members} as public sources."),
        Table(
            "Which lines the year's figures reach",
            (
                Column("Measure"),
                *_amount_columns(),
                Column("Line, CAD", is_number=True),
                Column("Reached"),
                Column("What follows above it, and the rule"),
            ),
            rows,
        ),
        Paragraph("These are figures and reminders, not advice: the rules change."),
    )


def _rate_sentence(report: FundsReport) -> str:
    rate = report.rate
    if books_currency() == CANADIAN:
        return "The lines are in Canadian dollars, as the books are."
    if rate is None:
        return (
            "The lines are in Canadian dollars. No exchange rate was given for this year, so the "
            "figures are not compared with them."
        )
    whole, rest = divmod(rate.ten_thousandths, RATE_SCALE)
    return (
        f"Converted at {whole}.{rest:04d} Canadian dollars for {books_currency()} 1: {rate.source}."
    )


def _size_row(line: SizeLine, cents: int, cad: int | None) -> tuple[str, ...]:
    reached = NO_FIGURE if cad is None else "Yes" if cad > line.above_cents else "No"
    return (
        _MEASURES[line.measure],
        *_amounts(cents, cad),
        money(line.above_cents, CANADIAN),
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
                *_amount_columns(),
            ),
            tuple((label, *_amounts(cents, report.in_canadian(cents))) for label, cents in rows),
        ),
    )


def _amount_columns() -> tuple[Column, ...]:
    """Return the columns of an amount: in our currency, and in Canadian dollars if that differs."""
    ours = Column(currency_name(capital=True), is_number=True)
    canadian = Column("Canadian dollars", is_number=True)
    return (canadian,) if books_currency() == CANADIAN else (ours, canadian)


def _amounts(cents: int, canadian: int | None) -> tuple[str, ...]:
    """Return the cells of these columns."""
    shown = NO_FIGURE if canadian is None else money(canadian, CANADIAN)
    return (shown,) if books_currency() == CANADIAN else (money(cents), shown)
