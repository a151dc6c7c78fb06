"""The ledger: three rows for everyone, the rest for members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from tempfile import TemporaryFile
from typing import Annotated, TextIO

from jara.bootstrap import Application
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.journal import PostedEntry
from jara.files.ledger.beancount import write_beancount
from jara.files.ledger.csv_file import write_ledger_csv
from jara.files.ledger.file_entry import IdOf, write_entries_json
from jara.files.ledger.journal import write_journal
from jara.records.journal import EntryQuery
from jara.services.books.balances import read_budget
from jara.services.books.policies import show_policies
from jara.services.books.transactions import (
    TransactionQuery,
    budget_row,
    fund_lines,
    list_transactions,
)
from jara.services.organisation import read_identity
from jara_webapi.calls.operations import Access, Call, Reply, Stream, operation
from jara_webapi.schemas.base import Document, Shape, dollars
from jara_webapi.schemas.ledger import Budget, BudgetRow, MemberBudget, Page
from jara_webapi.schemas.public import TransactionsQuery, YearQuery
from jara_webapi.schemas.site import PolicyHistory

Write = Callable[[Iterable[PostedEntry], TextIO, IdOf, str], None]
"""Writes entries; the text is the organisation's name."""
_PIECE_BYTES = 64 * 1024
_PARTS_MAX = 50


class LedgerBudget:
    """A year's budget."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=MemberBudget | Budget, access=Access.OPTIONAL, query=YearQuery, cached=True)
    def on_get(self, call: Call, query: YearQuery) -> Budget:
        """Return a year's available, allocated and unallocated money; the funds only to members."""
        year = query.year or self._app.context.today().year
        budget = read_budget(self._app.context, year)
        figures = budget.total
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
        return MemberBudget(**visible.model_dump(), funds=fund_lines(budget))


class LedgerBudgetRow:
    """The lines behind a row of the budget."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Annotated[Document, Shape(BudgetRow)],
        access=Access.MEMBER,
        query=YearQuery,
        refuses=(404,),
    )
    def on_get(self, call: Call, query: YearQuery, row: str) -> Document:
        """Return the lines behind a row of the budget, by fund and account."""
        del call
        year = query.year or self._app.context.today().year
        return budget_row(self._app.context, row, year)


class LedgerPolicy:
    """How each payment is split."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Annotated[Document, Shape(PolicyHistory)], cached=True)
    def on_get(self, call: Call) -> Document:
        """Return the fund policy in force, and every earlier and later one."""
        del call
        policies = show_policies(self._app.context)
        return {
            **policy_document(policies.in_force),
            "history": [policy_document(one) for one in policies.all],
        }


class LedgerTransactions:
    """The transactions."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Page, access=Access.MEMBER, query=TransactionsQuery)
    def on_get(self, call: Call, query: TransactionsQuery) -> Page:
        """List the transactions, newest first, a page at a time."""
        del call
        page = list_transactions(
            self._app.context,
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
        return Page.model_validate(page, by_alias=True)


class LedgerExport:
    """The whole ledger as a file."""

    def __init__(self, application: Application, write: Write, name: str) -> None:
        """Use an application's services, with a writer and a file name."""
        self._app = application
        self._write = write
        self._name = name

    @operation(access=Access.MEMBER, media_type="application/octet-stream")
    def on_get(self, call: Call) -> Reply:
        """Download the whole ledger."""
        del call
        headers = {"Content-Disposition": f'attachment; filename="{self._name}"'}
        return Reply(Stream(pieces_of(self._fill), headers))

    def _fill(self, out: TextIO) -> None:
        with self._app.context.store.read() as work:

            def id_of(index: int) -> str:
                return work.journal.get(index).id

            name = read_identity(self._app.context, work).name
            self._write(work.journal.entries(EntryQuery()), out, id_of, name)


def exports(application: Application) -> dict[str, LedgerExport]:
    """Return the export of each format, by its ending."""
    writers: dict[str, Write] = {
        "csv": lambda entries, out, _id_of, _name: write_ledger_csv(entries, out),
        "json": lambda entries, out, id_of, _name: write_entries_json(entries, out, id_of),
        "journal": lambda entries, out, id_of, name: write_journal(
            entries, out, id_of, organisation=name
        ),
        "beancount": lambda entries, out, id_of, name: write_beancount(
            entries, out, id_of, organisation=name
        ),
    }
    return {
        ending: LedgerExport(application, write, f"jara-ledger.{ending}")
        for ending, write in writers.items()
    }


def policy_document(policy: FundPolicy) -> Document:
    """Return a fund policy as a JSON document."""
    return {
        "from": policy.valid_from.isoformat(),
        "weights": {fund.value: weight for fund, weight in policy.weights.items()},
        "feeWeights": {fund.value: weight for fund, weight in policy.fee_weights.items()},
    }


def pieces_of(fill: Callable[[TextIO], None]) -> Iterator[bytes]:
    """Write a text to a temporary file, then pass it on piece by piece.

    A slow client holds no transaction open, and memory does not grow.
    """
    with TemporaryFile("w+", encoding="utf-8", newline="") as file:
        fill(file)
        file.flush()
        file.seek(0)
        while piece := file.buffer.read(_PIECE_BYTES):
            yield bytes(piece)


def _parts(joined: str) -> tuple[str, ...]:
    # Each part is a condition of the query; the limit keeps callers from making it slow.
    return tuple(part for part in joined.split("|")[:_PARTS_MAX] if part)
