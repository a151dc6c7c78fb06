"""``jara trace``: which payments paid for what."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

import typer

from jara.domain.books.account import PAYEE_PARENTS, is_below
from jara.domain.books.foreign import foreign_document, sum_document
from jara.domain.dates import parse_instant
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.services.books.tracing import (
    MemberTrace,
    PaidFor,
    ProjectTrace,
    trace_member,
    trace_project,
)
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import AtInstant, JsonFlag
from jara_cli.output import emit, note

_FUNDS = (
    Column("fund", "Fund"),
    Column("receivedCents", "Received", Kind.CENTS),
    Column("paidCents", "Paid out", Kind.CENTS),
    Column("waitingCents", "Waiting", Kind.CENTS),
    Column("refundedCents", "Refunded", Kind.CENTS),
)
_PAID = (
    Column("date", "Date", Kind.DATE),
    Column("account", "For"),
    Column("entry", "Entry", Kind.ID),
    Column("cents", "Amount", Kind.CENTS),
)
_PAYMENTS = (
    Column("date", "Date", Kind.DATE),
    Column("entry", "Entry", Kind.ID),
    Column("cents", "Amount", Kind.CENTS),
    Column("payers", "Payers", Kind.COUNT),
    Column("uncoveredCents", "Uncovered", Kind.CENTS),
)
_ABROAD = Column("abroad", "Abroad", Kind.SENTENCE)


def command(
    ctx: typer.Context,
    member: Annotated[
        str | None,
        typer.Argument(metavar="[MEMBER]", help="Email address, id, or key in the books."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="SLUG", help="Show who paid for this project."),
    ] = None,
    at: AtInstant = None,
    as_json: JsonFlag = False,
) -> None:
    """Show which members' payments paid for what, to the cent.

    Money received first is spent first. Paid, waiting and refunded add up to received.

    \b
    Examples:
      jara trace ada@example.org
      jara trace --project clean-water-boreholes
    """
    if (member is None) == (project is None):
        raise InvalidInput("Name a member, or a project with --project.")
    context = open_application(ctx).context
    moment = None if at is None else _read_moment(at, today=context.today())
    if project is not None:
        _show_project(trace_project(context, project, at=moment), as_json=as_json)
    else:
        _show_member(trace_member(context, member or "", at=moment), as_json=as_json)


def _read_moment(text: str, *, today: date) -> int | datetime:
    """Read a size of the log, or an instant."""
    if text.isascii() and text.isdigit():
        return int(text[:18])  # no log has that many leaves
    return parse_instant(text, today=today)


def _show_member(trace: MemberTrace, *, as_json: bool) -> None:
    document: dict[str, Any] = {
        "member": trace.member,
        "receivedCents": trace.received_cents,
        "refundedCents": trace.refunded_cents,
        "funds": {
            pool: {
                "receivedCents": fund.received_cents,
                "refundedCents": fund.refunded_cents,
                "waitingCents": fund.waiting_cents,
                "paid": [_paid_document(paid) for paid in fund.paid],
            }
            for pool, fund in trace.funds.items()
        },
    }
    rows = [
        {"fund": pool, **fund, "paidCents": sum(paid["cents"] for paid in fund["paid"])}
        for pool, fund in document["funds"].items()
    ]
    emit(document, as_json=as_json, columns=_FUNDS, rows=rows)
    payees = [
        paid
        for fund in document["funds"].values()
        for paid in fund["paid"]
        if any(is_below(paid["account"], parent) for parent in PAYEE_PARENTS)
    ]
    if payees and not as_json:
        note("Paid to projects, grants and donations:")
        rows = [{**paid, "abroad": _words_of(paid, "wholeCents")} for paid in payees]
        columns = (*_PAID, _ABROAD) if any(row["abroad"] for row in rows) else _PAID
        emit(document, as_json=False, columns=columns, rows=rows)


def _paid_document(paid: PaidFor) -> dict[str, Any]:
    document = {
        "account": paid.account,
        "project": paid.project,
        "entry": paid.entry,
        "date": paid.day,
        "cents": paid.cents,
    }
    if paid.foreign is None:
        return document
    foreign = foreign_document(paid.foreign, paid.whole_cents)
    return {**document, "wholeCents": paid.whole_cents, "foreign": foreign}


def _words_of(row: dict[str, Any], key: str) -> str:
    """Return a payment in both currencies, for people."""
    foreign = row.get("foreign")
    if foreign is None:
        return ""
    return f"{format_cents(row[key])} = {foreign['text']} at {foreign['rate']}"


def _show_project(trace: ProjectTrace, *, as_json: bool) -> None:
    rows = [
        {
            "entry": payment.entry,
            "date": payment.day,
            "cents": payment.cents,
            "payers": payment.payers,
            "uncoveredCents": payment.uncovered_cents,
            **(
                {}
                if payment.foreign is None
                else {"foreign": foreign_document(payment.foreign, payment.cents)}
            ),
        }
        for payment in trace.payments
    ]
    abroad = [sum_document(total) for total in trace.paid_abroad]
    document = {
        "project": trace.project,
        "paidCents": trace.paid_cents,
        **({"paidAbroad": abroad} if abroad else {}),
        "payments": rows,
        "payers": [{"member": key, "cents": cents} for key, cents in trace.payers.items()],
    }
    emit(
        document,
        as_json=as_json,
        columns=(*_PAYMENTS, _ABROAD) if abroad else _PAYMENTS,
        rows=[{**row, "abroad": _words_of(row, "cents")} for row in rows],
        total={"entry": "Total", "cents": trace.paid_cents, "payers": len(trace.payers)},
    )
    if not as_json:
        for total in abroad:
            note(f"Paid abroad: {format_cents(total['cents'])} = {total['text']}")
