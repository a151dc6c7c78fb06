"""A member's statement: what they paid in a period, and where those dollars went."""

from __future__ import annotations

from jara.domain.books.foreign import describe_foreign
from jara.domain.counts import count_of
from jara.domain.reports.statement import Statement, StatementLine, TraceFund
from jara.reports.document import (
    Block,
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
from jara.reports.words import (
    FUND_NAMES,
    NO_FIGURE,
    long_date,
    money,
    period_name,
    short_date,
)

RECEIPT_ENGLISH = (
    "This is a receipt for your records. It is not an official donation receipt and cannot "
    "be used for a tax credit."
)
RECEIPT_FRENCH = (
    "Ce reçu est pour vos dossiers. Ce n'est pas un reçu officiel de don et il ne donne droit "
    "à aucun crédit d'impôt."
)
"""The notice on each receipt and statement, in both languages."""


def build_statement(statement: Statement) -> Document:
    """Build a member's statement as a document."""
    kept = statement.paid_cents - statement.refunded_cents
    payments = count_of(len(statement.lines), "payment", "payments")
    return Document(
        title="Statement of contributions",
        subtitle=period_name(statement.period),
        organisation=statement.organisation,
        blocks=(
            Notice(RECEIPT_ENGLISH),
            Notice(RECEIPT_FRENCH, "fr"),
            Paragraph(f"For {statement.member_name}, contributor {statement.member_key}."),
            Figures(
                (
                    Figure(money(statement.paid_cents), "Paid", f"in {payments}"),
                    Figure(money(statement.refunded_cents), "Refunded"),
                    Figure(money(kept), "Kept"),
                )
            ),
            Section("Your payments", (_payments(statement),)),
            Section("Where your dollars went", _trace(statement)),
            Section("From", (Paragraph(_sender(statement)),)),
        ),
        books=statement.books,
    )


def _sender(statement: Statement) -> str:
    """Return the imprint, or else the address, after the name unless it begins with it."""
    if statement.imprint:
        return statement.imprint
    if statement.address.startswith(statement.organisation):
        return statement.address
    return f"{statement.organisation}, {statement.address}"


def _payments(statement: Statement) -> Block:
    first, last = statement.period.first, statement.period.end
    table = Table(
        "Payments received, US dollars",
        (
            Column("Date"),
            Column("Kind"),
            Column("Reference"),
            Column("Card fee, included", is_number=True),
            Column("Refunded", is_number=True),
            Column("Amount", is_number=True),
        ),
        tuple(_payment_row(line) for line in statement.lines),
        (
            "Total",
            "",
            "",
            "",
            money(statement.refunded_cents),
            money(statement.paid_cents),
        ),
    )
    return table_or_sentence(
        table, f"No payment was received from {long_date(first)} to {long_date(last)}."
    )


def _payment_row(line: StatementLine) -> tuple[str, ...]:
    return (
        short_date(line.day),
        line.kind.capitalize(),
        line.reference,
        NO_FIGURE if line.fee_cents is None else money(line.fee_cents),
        money(line.refunded_cents),
        money(line.amount_cents),
    )


def _trace(statement: Statement) -> tuple[Block, ...]:
    if not statement.trace:
        return (Paragraph("There is no payment to follow in this period."),)
    columns = ("Received", "Refunded", "Paid out", "Waiting")
    lines = statement.trace
    overview = Table(
        "Your money in each fund, US dollars",
        (Column("Fund"), *(Column(heading, is_number=True) for heading in columns)),
        tuple(_fund_row(line) for line in lines),
        (
            "Total",
            money(sum(line.received_cents for line in lines)),
            money(sum(line.refunded_cents for line in lines)),
            money(sum(line.paid_cents for line in lines)),
            money(sum(line.waiting_cents for line in lines)),
        ),
    )
    return (
        Paragraph(
            "The oldest money in each fund is spent first. What was paid out, what waits and what "
            "was refunded add up to what you gave, to the cent."
        ),
        overview,
        _destinations(lines),
        *_abroad(lines),
    )


def _abroad(lines: tuple[TraceFund, ...]) -> tuple[Block, ...]:
    """List the payments in other currencies that the money contributed to."""
    rows = tuple(
        (
            short_date(payment.day),
            payment.project,
            f"{money(payment.whole_cents)} = {describe_foreign(foreign, payment.whole_cents)}",
            money(payment.cents),
        )
        for line in lines
        for payment in line.paid
        for foreign in ([] if payment.foreign is None else [payment.foreign])
    )
    if not rows:
        return ()
    heads = (Column("Date"), Column("For"), Column("The whole payment"))
    table = Table(
        "Of this, paid in another currency",
        (*heads, Column("Your part, US dollars", is_number=True)),
        rows,
    )
    return (table,)


def _fund_row(line: TraceFund) -> tuple[str, ...]:
    return (
        FUND_NAMES[line.fund],
        money(line.received_cents),
        money(line.refunded_cents),
        money(line.paid_cents),
        money(line.waiting_cents),
    )


def _destinations(lines: tuple[TraceFund, ...]) -> Block:
    totals: dict[tuple[str, str, str], int] = {}
    for line in lines:
        for payment in line.paid:
            key = (FUND_NAMES[line.fund], payment.project, payment.account)
            totals[key] = totals.get(key, 0) + payment.cents
    table = Table(
        "What your dollars paid for, US dollars",
        (Column("For"), Column("Fund"), Column("Account"), Column("Your part", is_number=True)),
        tuple(
            (project, fund, account, money(cents))
            for (fund, project, account), cents in totals.items()
        ),
        ("Total", "", "", money(sum(totals.values()))),
    )
    return table_or_sentence(table, "None of it has been spent yet: it waits in its funds.")
