"""The yearly statements and their notes."""

from jara.domain.books.account import Fund
from jara.domain.currency import books_currency
from jara.domain.dates import long_date
from jara.domain.reports.funds import (
    CANADIAN,
    RATE_SCALE,
    FundsReport,
    NetAssetsLine,
    OperationsLine,
    SizeLine,
)
from jara.domain.texts import Text, tr, value
from jara.reports.document import (
    Block,
    Column,
    Document,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    sum_table,
    table_or_sentence,
)
from jara.reports.words import FUND_NAMES, NO_FIGURE, currency_name, money, period_name

_RESTRICTIONS = {
    "external": tr("externally restricted: promised to the givers"),
    "internal": tr("internally restricted"),
    "unrestricted": tr("unrestricted"),
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
        tr("Approved by the directors and signed by {name}.", name=report.approved_by)
        if report.approved_by
        else "Not yet approved: these statements need a director's signature."
    )
    return (
        Paragraph(
            tr(
                "Prepared from the books for the members, the treasurer and the public "
                "accountant, after Part III of the CPA Canada Handbook (ASNPO). Amounts are "
                "{currency}, the currency of the books. They are unaudited unless a report of "
                "the public accountant comes with them.",
                currency=currency_name(),
            )
        ),
        Paragraph(approved),
    )


def _position(report: FundsReport) -> Table:
    rows: list[tuple[str, ...]] = []
    subtotals = []
    for section in ("assets", "liabilities"):
        lines = [line for line in report.position if line.section == section]
        rows.extend((tr(line.label), money(line.cents), money(line.prior_cents)) for line in lines)
        subtotals.append(len(rows))
        rows.append(
            (
                tr(f"Total {section}"),
                money(sum(line.cents for line in lines)),
                money(sum(line.prior_cents for line in lines)),
            )
        )
    return Table(
        tr("At {day}, {currency}", day=long_date(report.period.end), currency=currency_name()),
        (*columns("Item"), *_TWO_YEARS),
        tuple(rows),
        (tr("Net assets"), money(report.closing_cents), money(report.prior_net_assets_cents)),
        frozenset(subtotals),
    )


_TWO_YEARS = figures("This year", "Last year")


def _operations(report: FundsReport) -> tuple[Block, ...]:
    if not report.operations:
        return (Paragraph("Nothing was received or spent in this year."),)
    funds = [fund for fund in Fund if any(fund in line.by_fund for line in report.operations)]
    revenue = [line for line in report.operations if line.section == "revenue"]
    expenses = [line for line in report.operations if line.section == "expenses"]
    rows = [_operations_row(line, funds) for line in revenue]
    rows.append(_sum_row(tr("Total revenue"), revenue, [], funds))
    rows.extend(_operations_row(line, funds) for line in expenses)
    rows.append(_sum_row(tr("Total expenses"), expenses, [], funds))
    table = Table(
        tr("Revenue and expenses, {currency}", currency=currency_name()),
        (*columns("Item"), *figures(*(FUND_NAMES[fund] for fund in funds)), *_TWO_YEARS),
        tuple(rows),
        _sum_row(tr("Revenue over expenses"), revenue, expenses, funds),
        frozenset({len(revenue), len(rows) - 1}),
    )
    return (
        Paragraph("Contributions are shown gross; payment and bank fees are an expense."),
        table,
    )


def _operations_row(line: OperationsLine, funds: list[Fund]) -> tuple[str, ...]:
    cells = (money(line.by_fund.get(fund, 0)) for fund in funds)
    return (tr(line.label), *cells, money(line.cents), money(line.prior_cents))


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
    table = sum_table(
        tr(
            "Each fund's net assets, {currency}; transfers are between funds and add up to nothing",
            currency=currency_name(),
        ),
        ["Fund"],
        ["Opening", "Revenue", "Expenses", "Transfers", "Closing"],
        (([FUND_NAMES[line.fund]], _net_assets_cents(line)) for line in report.net_assets),
    )
    return table_or_sentence(table, "No fund held money in this year.")


def _net_assets_cents(line: NetAssetsLine) -> tuple[int, ...]:
    change = (line.revenue_cents, -line.expenses_cents, line.transfers_cents)
    return (line.opening_cents, *change, line.closing_cents)


def _cash_flows(report: FundsReport) -> Table:
    prior_closing = report.prior_opening_cash_cents + sum(f.prior_cents for f in report.cash_flows)
    rows = (
        (
            tr("Cash at the beginning"),
            money(report.opening_cash_cents),
            money(report.prior_opening_cash_cents),
        ),
        *((tr(f.label), money(f.cents), money(f.prior_cents)) for f in report.cash_flows),
    )
    return Table(
        tr("Why cash changed, {currency}", currency=currency_name()),
        (*columns("Item"), *_TWO_YEARS),
        rows,
        (tr("Cash at the end"), money(report.closing_cash_cents), money(prior_closing)),
    )


def _notes(report: FundsReport) -> tuple[Block, ...]:
    restrictions = Table(
        "Restrictions of the funds",
        columns("Fund", "Restriction"),
        tuple((FUND_NAMES[n.fund], _RESTRICTIONS[n.restriction]) for n in report.net_assets),
    )
    return (
        Paragraph(
            tr(
                "Method: restricted contributions are accounted for by the {method}. Money "
                "committed by vote is part of the projects fund's promise and is shown apart.",
                method=tr(report.method),
            )
        ),
        table_or_sentence(restrictions, "No fund held money, so none is restricted."),
        *build_commitments(report),
        Paragraph(
            tr(
                "Records of this year are kept until 31 December {year}, six years after its end.",
                year=str(report.period.last.year + 6),
            )
        ),
    )


_MEASURES = {
    "grossRevenue": tr("Gross revenue"),
    "publicSources": tr("From public sources"),
    "investmentIncome": tr("Investment income"),
    "totalAssetsBefore": tr("Total assets a year before"),
}


def build_commitments(report: FundsReport) -> tuple[Block, ...]:
    """List commitments to passed proposals that are not yet paid: a note, not a liability."""
    if not report.commitments:
        return (Paragraph("Commitments: nothing was promised to a passed proposal at year end."),)
    return (
        Paragraph(
            "Commitments: the following is promised to proposals that passed. A promise is "
            "neither an expense nor a liability until it is paid."
        ),
        sum_table(
            tr("Commitments to passed proposals, {currency}", currency=currency_name()),
            ["Proposal"],
            ["Goal", "Paid", "Held", "Waiting"],
            (
                ([r.title], (r.goal_cents, r.paid_cents, r.held_cents, r.queued_cents))
                for r in report.commitments
            ),
        ),
    )


def build_size_lines(report: FundsReport) -> tuple[Block, ...]:
    """Compare the year's figures with the thresholds in force at its end."""
    counted = "do not count" if report.changemakers_are_members else "count"
    rows = tuple(_size_row(line, cents, cad) for line, cents, cad in report.measured_lines())
    return (
        Paragraph(_rate_sentence(report)),
        Paragraph(f"As the settings say, gifts of changemakers {counted} as public sources."),
        Table(
            "Which lines the year's figures reach",
            (
                *columns("Measure"),
                *_amount_columns(),
                *figures("Line, CAD"),
                *columns("Reached", "What follows above it, and the rule"),
            ),
            rows,
        ),
        Paragraph("These are figures and reminders, not advice: the rules change."),
    )


def _rate_sentence(report: FundsReport) -> Text:
    rate = report.rate
    if books_currency() == CANADIAN:
        return tr("The lines are in Canadian dollars, as the books are.")
    if rate is None:
        return tr(
            "The lines are in Canadian dollars. No exchange rate was given for this year, so the "
            "figures are not compared with them."
        )
    whole, rest = divmod(rate.ten_thousandths, RATE_SCALE)
    shown = f"{whole}.{rest:04d}"
    return tr(
        "Converted at {rate} Canadian dollars for {unit} 1: {source}.",
        rate=value(shown, "decimal", shown),
        unit=books_currency(),
        source=tr(rate.source),
    )


def _size_row(line: SizeLine, cents: int, cad: int | None) -> tuple[str, ...]:
    reached = NO_FIGURE if cad is None else tr("Yes" if cad > line.above_cents else "No")
    rule = tr(f"{line.consequence} {line.source}")
    return (
        _MEASURES[line.measure],
        *_amounts(cents, cad),
        money(line.above_cents, CANADIAN),
        reached,
        tr("{rule}, since {day}.", rule=rule, day=long_date(line.since)),
    )


def build_return(report: FundsReport) -> tuple[Block, ...]:
    """List the figures that form T1044 asks for."""
    form = report.information_return
    rows = [
        (tr("Received: {kind}", kind=tr(kind.capitalize())), cents)
        for kind, cents in form.received_by_kind.items()
    ]
    rows.append((tr("Received in all"), sum(form.received_by_kind.values())))
    rows.append((tr("Total assets"), form.total_assets_cents))
    rows.append((tr("Total liabilities"), form.total_liabilities_cents))
    rows.append((tr("Pay of staff"), form.staff_pay_cents))
    rows.append((tr("Pay of directors"), form.directors_pay_cents))
    year = str(report.period.last.year + 1)
    filed = "was" if form.filed_before else "was not"
    return (
        Paragraph(
            tr(
                f"Where it is required, it is due on 30 June {{year}}. A return {filed} filed for "
                "an earlier year, and who has filed once files again. A test on gross receipts "
                "and a short form for smaller organisations have been proposed (draft legislation "
                "of January 2026): ask what of it is law for this year.",
                year=year,
            )
        ),
        Table(
            "Figures for the return",
            (*columns("Figure"), *_amount_columns()),
            tuple((label, *_amounts(cents, report.in_canadian(cents))) for label, cents in rows),
        ),
    )


def _amount_columns() -> tuple[Column, ...]:
    """Return the columns of an amount: in our currency, and in Canadian dollars if that differs."""
    ours = [] if books_currency() == CANADIAN else [currency_name(capital=True)]
    return figures(*ours, "Canadian dollars")


def _amounts(cents: int, canadian: int | None) -> tuple[str, ...]:
    """Return the cells of these columns."""
    shown = NO_FIGURE if canadian is None else money(canadian, CANADIAN)
    return (shown,) if books_currency() == CANADIAN else (money(cents), shown)
