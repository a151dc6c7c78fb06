"""A member's statement: what they paid in a period, and where that money went."""

from __future__ import annotations

from collections.abc import Mapping

from jara.domain.books.foreign import describe_foreign
from jara.domain.books.journal import EntryKind
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
    currency_name,
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

_OTHER_REFUNDS = (
    "Refunds of other periods: what went back of these payments later, less what went back in this "
    "period of earlier payments. Each refund stands in the statement of its own day."
)
_RETURNS: Mapping[str, str] = {
    EntryKind.REFUND: "Refund",
    EntryKind.REFUND_FAILURE: "Refund that failed",
    EntryKind.DISPUTE: "Dispute",
    EntryKind.DISPUTE_REVERSAL: "Dispute won",
    EntryKind.REVERSAL: "Correction",
}


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
            Section("Your payments", (_payments(statement), *_returns(statement))),
            Section("Where your money went", _trace(statement)),
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
        f"Payments received, {currency_name()}",
        (
            Column("Date"),
            Column("Kind"),
            _reference(statement),
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
            money(sum(line.refunded_cents for line in statement.lines)),
            money(statement.paid_cents),
        ),
    )
    return table_or_sentence(
        table, f"No payment was received from {long_date(first)} to {long_date(last)}."
    )


def _reference(statement: Statement) -> Column:
    """Return the column of the entries, each of which leads to its public page."""
    link = f"{statement.site_url}/ledger/entries/" if statement.site_url else ""
    return Column("Reference", link=link)


def _returns(statement: Statement) -> tuple[Block, ...]:
    """List what went back of earlier payments."""
    if not statement.returns:
        return ()
    table = Table(
        f"Refunds of earlier payments, {currency_name()}",
        (
            Column("Date"),
            Column("Kind"),
            _reference(statement),
            Column("Paid on"),
            Column("Amount", is_number=True),
        ),
        tuple(
            (
                short_date(one.day),
                _RETURNS[one.kind],
                one.reference,
                long_date(one.paid_on),
                money(-one.cents),
            )
            for one in statement.returns
        ),
        ("Total", "", "", "", money(-sum(one.cents for one in statement.returns))),
    )
    return (table,)


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
    lines = statement.trace
    uses = {
        "Received": [line.received_cents for line in lines],
        "Refunded": [line.refunded_cents for line in lines],
        "Paid out": [line.paid_cents for line in lines],
        "Waiting": [line.waiting_cents for line in lines],
    }
    others = [line.other_refunds_cents for line in lines]
    if any(others):
        uses["Refunds of other periods"] = others
    overview = Table(
        f"Your money in each fund, {currency_name()}",
        (Column("Fund"), *(Column(heading, is_number=True) for heading in uses)),
        tuple(
            (FUND_NAMES[line.fund], *map(money, cents))
            for line, *cents in zip(lines, *uses.values(), strict=True)
        ),
        ("Total", *(money(sum(cents)) for cents in uses.values())),
    )
    return (
        Paragraph(
            "The oldest money in each fund is spent first. What was paid out, what waits and what "
            "was refunded add up to what you gave, to the cent."
        ),
        overview,
        *([Paragraph(_OTHER_REFUNDS)] if any(others) else []),
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
        (*heads, Column(f"Your part, {currency_name()}", is_number=True)),
        rows,
    )
    return (table,)


def _destinations(lines: tuple[TraceFund, ...]) -> Block:
    totals: dict[tuple[str, str, str], int] = {}
    for line in lines:
        for payment in line.paid:
            key = (FUND_NAMES[line.fund], payment.project, payment.account)
            totals[key] = totals.get(key, 0) + payment.cents
    table = Table(
        f"What your money paid for, {currency_name()}",
        (Column("For"), Column("Fund"), Column("Account"), Column("Your part", is_number=True)),
        tuple(
            (project, fund, account, money(cents))
            for (fund, project, account), cents in totals.items()
        ),
        ("Total", "", "", money(sum(totals.values()))),
    )
    return table_or_sentence(table, "None of it has been spent yet: it waits in its funds.")
