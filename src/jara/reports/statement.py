"""A member's statement: what they paid in a period, and where that money went."""

from collections.abc import Mapping

from jara.domain.books.foreign import describe_foreign
from jara.domain.books.journal import EntryKind
from jara.domain.currency import written_for
from jara.domain.dates import long_date
from jara.domain.reports.statement import Statement, StatementLine, TraceFund
from jara.domain.texts import Text, as_written, count_of, tr
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
    columns,
    figures,
    sum_table,
    table_or_sentence,
)
from jara.reports.words import (
    FUND_NAMES,
    NO_FIGURE,
    TOTAL,
    currency_name,
    money,
    period_name,
    short_date,
)

RECEIPT_ENGLISH = (
    "This is a receipt for your records. It is not an official donation receipt and cannot "
    "be used for a tax credit."
)
RECEIPT_FRENCH = (
    "Ce reçu est pour vos dossiers. Ce n’est pas un reçu officiel de don et il ne donne droit "
    "à aucun crédit d’impôt."
)
"""The notice on each receipt and statement, in both languages."""

_OTHER_REFUNDS = (
    "Refunds of other periods: what went back of these payments later, less what went back in this "
    "period of earlier payments. Each refund stands in the statement of its own day."
)
_RETURNS: Mapping[str, Text] = {
    EntryKind.REFUND: tr("Refund"),
    EntryKind.REFUND_FAILURE: tr("Refund that failed"),
    EntryKind.DISPUTE: tr("Dispute"),
    EntryKind.DISPUTE_REVERSAL: tr("Dispute won"),
    EntryKind.REVERSAL: tr("Correction"),
}


def build_statement(statement: Statement) -> Document:
    """Build a member's statement as a document."""
    with written_for(statement.country):
        return _document(statement)


def _document(statement: Statement) -> Document:
    kept = statement.paid_cents - statement.refunded_cents
    payments = count_of(len(statement.lines), "payment")
    name, key = statement.member_name, statement.member_key
    return Document(
        title="Statement of contributions",
        subtitle=period_name(statement.period),
        organisation=statement.organisation,
        blocks=(
            Notice(RECEIPT_ENGLISH),
            Notice(RECEIPT_FRENCH, "fr"),
            Paragraph(tr("For {name}, contributor {key}.", name=name, key=key)),
            Figures(
                (
                    Figure(
                        money(statement.paid_cents), "Paid", tr("in {payments}", payments=payments)
                    ),
                    Figure(money(statement.refunded_cents), "Refunded"),
                    Figure(money(kept), "Kept"),
                )
            ),
            Section("Your payments", (_payments(statement), *_returns(statement))),
            Section("Where your money went", _trace(statement)),
            Section("From", (Paragraph(as_written(_sender(statement))),)),
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
    table = Table(
        tr("Payments received, {currency}", currency=currency_name()),
        (
            *columns("Date", "Kind"),
            _reference(statement),
            *figures("Payment fee, included", "Refunded", "Amount"),
        ),
        tuple(_payment_row(line) for line in statement.lines),
        (
            TOTAL,
            "",
            "",
            "",
            money(sum(line.refunded_cents for line in statement.lines)),
            money(statement.paid_cents),
        ),
    )
    return table_or_sentence(
        table,
        tr(
            "No payment was received from {first} to {last}.",
            first=long_date(statement.period.first),
            last=long_date(statement.period.end),
        ),
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
        tr("Refunds of earlier payments, {currency}", currency=currency_name()),
        (*columns("Date", "Kind"), _reference(statement), *columns("Paid on"), *figures("Amount")),
        tuple(
            (
                short_date(one.day),
                tr("Returned by the bank") if one.is_by_bank else _RETURNS[one.kind],
                one.reference,
                long_date(one.paid_on),
                money(-one.cents),
            )
            for one in statement.returns
        ),
        (TOTAL, "", "", "", money(-sum(one.cents for one in statement.returns))),
    )
    return (table,)


def _payment_row(line: StatementLine) -> tuple[str, ...]:
    return (
        short_date(line.day),
        tr(line.kind.capitalize()),
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
    overview = sum_table(
        tr("Your money in each fund, {currency}", currency=currency_name()),
        ["Fund"],
        [*uses],
        (
            ([FUND_NAMES[line.fund]], cents)
            for line, *cents in zip(lines, *uses.values(), strict=True)
        ),
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
            payment.title,
            tr(
                "{dollars} = {amount}",
                dollars=money(payment.whole_cents),
                amount=describe_foreign(payment.foreign, payment.whole_cents),
            ),
            money(payment.cents),
        )
        for line in lines
        for payment in line.paid
        if payment.foreign is not None
    )
    if not rows:
        return ()
    part = tr("Your part, {currency}", currency=currency_name())
    heads = (*columns("Date", "For", "The whole payment"), *figures(part))
    return (Table("Of this, paid in another currency", heads, rows),)


def _destinations(lines: tuple[TraceFund, ...]) -> Block:
    totals: dict[tuple[str, str, str], int] = {}
    for line in lines:
        for payment in line.paid:
            key = (FUND_NAMES[line.fund], payment.title, payment.account)
            totals[key] = totals.get(key, 0) + payment.cents
    table = sum_table(
        tr("What your money paid for, {currency}", currency=currency_name()),
        ["For", "Fund", "Account"],
        ["Your part"],
        (((project, fund, account), [cents]) for (fund, project, account), cents in totals.items()),
    )
    return table_or_sentence(table, "None of it has been spent yet: it waits in its funds.")
