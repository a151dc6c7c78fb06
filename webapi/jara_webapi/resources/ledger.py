"""The ledger: three rows for everyone, the rest for members."""

from collections.abc import Callable, Mapping
from io import TextIOWrapper
from typing import Annotated, BinaryIO, TextIO

from jara.documents import to_document, to_json
from jara.files.ledger.beancount import write_beancount
from jara.files.ledger.csv_file import write_ledger_csv
from jara.files.ledger.file_entry import write_entries_json
from jara.files.ledger.journal import write_journal
from jara.services.books.balances import WholeBooks, export_books, read_budget
from jara.services.books.policies import show_policies
from jara.services.books.transactions import (
    BudgetRow,
    Page,
    TransactionQuery,
    budget_row,
    fund_lines,
    list_transactions,
)
from jara.services.context import Context
from jara.services.reports.plan import public_plan_rows
from jara_webapi.calls.operations import (
    Access,
    Call,
    Downloads,
    Endpoint,
    Reply,
    Stream,
    get,
    pieces_of,
)
from jara_webapi.schemas.base import Document, Shape, dollars
from jara_webapi.schemas.public import TransactionsQuery, YearQuery
from jara_webapi.schemas.site import Budget, MemberBudget, PolicyHistory

_PARTS_MAX = 50
_EXPORTS = Downloads()


@get(answer=MemberBudget | Budget, access=Access.OPTIONAL, cached=True)
def budget(context: Context, call: Call, query: YearQuery) -> Budget:
    """Return a year's available, allocated and unallocated money; to members funds and plan too."""
    year = query.year or context.today().year
    money = read_budget(context, year)
    figures = money.total
    visible = Budget(
        year=year,
        available=dollars(figures.available),
        allocated=dollars(figures.allocated),
        unallocated=dollars(figures.unallocated),
        available_cents=figures.available,
        allocated_cents=figures.allocated,
        unallocated_cents=figures.unallocated,
        spent_cents=figures.spent,
        held_cents=figures.held,
    )
    if call.session is None:
        return visible
    return MemberBudget(
        **visible.model_dump(),
        funds=[to_document(line) for line in fund_lines(money)],
        plan=[to_document(row) for row in public_plan_rows(context, year)],
    )


@get(answer=Annotated[Document, Shape(BudgetRow)], access=Access.MEMBER, refuses=(404,))
def lines_of_budget(context: Context, query: YearQuery, row: str) -> BudgetRow:
    """Return the lines behind a row of the budget, by fund and account."""
    return budget_row(context, row, query.year or context.today().year)


@get(answer=Annotated[Document, Shape(PolicyHistory)], cached=True)
def policy(context: Context) -> Document:
    """Return the fund policy in force, and every earlier and later one."""
    policies = show_policies(context)
    return {**to_document(policies.in_force), "history": to_json(policies.all)}


@get(answer=Annotated[Document, Shape(Page)], access=Access.MEMBER)
def transactions(context: Context, query: TransactionsQuery) -> Page:
    """List the transactions, newest first, a page at a time."""
    return list_transactions(
        context,
        TransactionQuery(
            kind=query.kind,
            texts=(query.q, *_parts(query.also)) if query.q else (),
            accounts=_parts(query.accounts),
            first_day=query.first,
            last_day=query.last,
            cursor=query.cursor,
            limit=query.limit,
        ),
    )


def _export(ending: str, write: Callable[[WholeBooks, TextIO], None]) -> Endpoint:
    headers = {"Content-Disposition": f'attachment; filename="jara-ledger.{ending}"'}

    @get(access=Access.MEMBER, media_type="application/octet-stream")
    def export(context: Context) -> Reply:
        """Download the whole ledger."""

        def fill(file: BinaryIO) -> None:
            out = TextIOWrapper(file, encoding="utf-8", newline="")
            with export_books(context, by_day=True) as books:
                write(books, out)
            out.detach()  # it writes what it holds, and leaves the file open

        return Reply(Stream(_EXPORTS.send(pieces_of(fill)), headers))

    return export


_WRITERS: Mapping[str, Callable[[WholeBooks, TextIO], None]] = {
    "csv": lambda books, out: write_ledger_csv(books.entries, out),
    "json": lambda books, out: write_entries_json(books.entries, out, books.id_of),
    "journal": lambda books, out: write_journal(
        books.entries, out, books.id_of, organisation=books.organisation
    ),
    "beancount": lambda books, out: write_beancount(
        books.entries, out, books.id_of, organisation=books.organisation
    ),
}
EXPORTS = {ending: _export(ending, write) for ending, write in _WRITERS.items()}
"""The export of each format, by its ending."""


def _parts(joined: str) -> tuple[str, ...]:
    # Each part is a condition of the query; the limit keeps callers from making it slow.
    return tuple(part for part in joined.split("|")[:_PARTS_MAX] if part)
