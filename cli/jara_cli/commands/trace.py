"""``jara trace``: which payments paid for what."""

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.account import PAYEE_PARENTS, is_below
from jara.domain.dates import parse_state
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.services.books.tracing import MemberTrace, ProjectTrace, trace_member, trace_project
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import AtInstant, argument, option
from jara_cli.verbs import Answer, Table, verb

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
_PAID_ABROAD = (Column("cents", "Amount", Kind.CENTS), Column("text", "Abroad"))


app = typer.Typer()


@verb(app, name="trace")
def command(
    context: Context,
    member: Annotated[
        str | None, argument("[MEMBER]", "Email address, id, or key in the books.")
    ] = None,
    project: Annotated[str | None, option("SLUG", "Show who paid for this project.")] = None,
    at: AtInstant = None,
) -> Answer:
    """Show which members' payments paid for what, to the cent.

    Money received first is spent first. Paid, waiting and refunded add up to received.

    Examples:
      jara trace ada@example.org
      jara trace --project clean-water-boreholes
    """
    if (member is None) == (project is None):
        raise InvalidInput("Name a member, or a project with --project.")
    moment = None if at is None else parse_state(at, today=context.today(), zone=context.zone)
    if project is not None:
        return _project_answer(trace_project(context, project, at=moment))
    return _member_answer(trace_member(context, member or "", at=moment))


def _member_answer(trace: MemberTrace) -> Answer:
    document = to_document(trace)
    rows = [
        {"fund": pool, **fund, "paidCents": sum(paid["cents"] for paid in fund["paid"])}
        for pool, fund in document["funds"].items()
    ]
    payees = [
        {**paid, "abroad": _words_of(paid, "wholeCents")}
        for fund in document["funds"].values()
        for paid in fund["paid"]
        if any(is_below(paid["account"], parent) for parent in PAYEE_PARENTS)
    ]
    columns = (*_PAID, _ABROAD) if any(paid["abroad"] for paid in payees) else _PAID
    table = Table("Paid to projects, grants and donations:", payees, columns)
    return Answer(document, view=rows, columns=_FUNDS, tables=[table])


def _words_of(row: Document, key: str) -> str:
    """Return a payment in both currencies, for people."""
    foreign = row.get("foreign")
    if foreign is None:
        return ""
    return f"{format_cents(row[key])} = {foreign['text']} at {foreign['rate']}"


def _project_answer(trace: ProjectTrace) -> Answer:
    document = to_document(trace)
    return Answer(
        document,
        view=[{**row, "abroad": _words_of(row, "cents")} for row in document["payments"]],
        columns=(*_PAYMENTS, _ABROAD) if trace.paid_abroad else _PAYMENTS,
        total={"entry": "Total", "cents": trace.paid_cents, "payers": len(trace.payers)},
        tables=[Table("Paid abroad:", trace.paid_abroad, _PAID_ABROAD)],
    )
