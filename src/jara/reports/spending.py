"""The spending report: what left, and who signed."""

from jara.domain.reports.spending import SignedPayment, SpendingReport
from jara.domain.texts import tr
from jara.reports.document import (
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    columns,
    figures,
    table_or_sentence,
)
from jara.reports.words import TOTAL, count, money, period_name, short_date


def build_spending(report: SpendingReport) -> Document:
    """Build the spending report as a document."""
    by_person = (
        Section("Spent by one person alone", (_alone(report),)),
        Section("Every payment", (_payments(report),)),
    )
    return Document(
        title="What left, and who signed",
        subtitle=period_name(report.period),
        organisation=report.organisation,
        blocks=(Section("Overview", _overview(report)), *(by_person if report.payments else ())),
        books=report.books,
        imprint=report.imprint,
    )


def _overview(report: SpendingReport) -> tuple[Block, ...]:
    table = Table(
        "By payee",
        (*columns("Payee"), *figures("Payments", "Paid", "By one person alone")),
        tuple(
            (one.label, count(one.payments), money(one.cents), money(one.alone_cents))
            for one in report.payees
        ),
        (
            TOTAL,
            count(sum(one.payments for one in report.payees)),
            money(report.cents),
            money(report.alone_cents),
        ),
    )
    return (
        table_or_sentence(table, "Nothing left in this period."),
        Paragraph(
            "This counts what the limits count: what leaves the organisation's accounts, and what "
            "leaves the money of projects and votes for another fund. What came back later is not "
            "deducted. What the payment provider takes by itself, such as fees, is not included."
        ),
    )


def _alone(report: SpendingReport) -> Block:
    table = Table(
        "What nobody else signed",
        (*columns("Person", "Payee"), *figures("Payments", "Paid")),
        tuple(
            (_name(one.person), one.payee, count(one.payments), money(one.cents))
            for one in report.alone
        ),
    )
    return table_or_sentence(table, "Nobody spent anything alone in this period.")


def _payments(report: SpendingReport) -> Block:
    return Table(
        "By day",
        (*columns("Date", "Payee"), *figures("Paid"), *columns("Asked by", "Signed by", "Reason")),
        tuple(_row(one) for one in report.payments),
    )


def _row(one: SignedPayment) -> tuple[str, ...]:
    others = ", ".join(one.signed_by) or tr("nobody else")
    return (
        short_date(one.day),
        one.payee,
        money(one.cents),
        _name(one.asked_by),
        others,
        one.why or tr("none was given"),
    )


def _name(person: str) -> str:
    return person or tr("no operator")
