"""``jara ledger balance``, ``register``, ``show`` and ``budget``."""

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.account import AccountType
from jara.domain.books.budget import YearBudget, YearFigures
from jara.domain.books.foreign import public_amount
from jara.domain.books.journal import PostedEntry, total_of
from jara.domain.dates import parse_last_day, parse_year
from jara.domain.errors import InvalidInput
from jara.files.ledger.file_entry import entry_document
from jara.services.books.balances import (
    EntryStory,
    read_balances,
    read_budget,
    read_register,
    show_entry,
)
from jara.services.books.papers import list_documents
from jara.services.context import Context
from jara.services.reports.spending import signers_of_entry
from jara_cli.columns import Column, Kind, spell_key
from jara_cli.options import At, FromDay, PeriodOptions, ToDay, Year, argument, foreign_text, option
from jara_cli.verbs import Answer, verb

app = typer.Typer(rich_markup_mode=None)

POSTINGS = (
    Column("account", "Account"),
    Column("fund", "Fund"),
    Column("cents", "Amount", Kind.CENTS),
)
_BUDGET = (
    Column("fund", "Fund"),
    Column("availableCents", "Available", Kind.CENTS),
    Column("receivedCents", "Received", Kind.CENTS),
    Column("spentCents", "Spent", Kind.CENTS),
    Column("heldCents", "Held", Kind.CENTS),
    Column("unallocatedCents", "Unallocated", Kind.CENTS),
    Column("promisedShare", "Promised", Kind.PERCENT),
    Column("actualShare", "Actual", Kind.PERCENT),
)
_BY = ("fund", "month", "year")
_LISTS = frozenset({"postings", "bankLines", "documents"})


@verb(app)
def balance(
    context: Context,
    accounts: Annotated[
        list[str] | None, argument("[ACCOUNT]...", "Accounts, with their sub-accounts.")
    ] = None,
    at: At = None,
    by: Annotated[str, option("KEY,…", "Break down by fund, month or year.")] = "",
) -> Answer:
    """Show the balance of each account, without its sub-accounts.

    Examples:
      jara ledger balance
      jara ledger balance assets --at 2025 --by fund
    """
    keys = _split_keys(by)
    day = None if at is None else parse_last_day(at, today=context.today())
    balances = read_balances(context, accounts or [], at=day, by=keys)
    rows = [
        {
            "account": row.account,
            **{key: getattr(row, key) for key in _BY if key in keys},
            "cents": row.cents,
        }
        for row in balances
    ]
    total = sum(row.cents for row in balances)
    titles = {"fund": "Fund", "month": "Month", "year": "Year"}
    return Answer(
        {"at": day or context.today(), "balances": rows, "totalCents": total},
        view=rows,
        total={"account": "Total", "cents": total},
        columns=[
            Column("account", "Account"),
            *(Column(key, titles[key]) for key in _BY if key in keys),
            Column("cents", "Balance", Kind.CENTS),
        ],
    )


@verb(
    app,
    Column("date", "Date", Kind.DATE),
    Column("id", "Entry", Kind.ID),
    Column("description", "Description"),
    Column("reference", "Reference"),
    Column("cents", "Amount", Kind.CENTS),
    Column("balanceCents", "Balance", Kind.CENTS),
)
def register(
    context: Context,
    account: Annotated[str, argument("ACCOUNT", "Such as assets:bank.")],
    from_day: FromDay = None,
    to_day: ToDay = None,
    member: Annotated[
        str | None, option("MEMBER", "Only entries of this member, and their sum.")
    ] = None,
) -> Answer:
    """Show the entries of an account and its sub-accounts, with the balance after each.

    Examples:
      jara ledger register assets:bank --from 2026-11
      jara ledger register income:pledges --member ama@example.org
    """
    period = PeriodOptions(from_day, to_day).choose(today=context.today())
    rows = [
        {
            "id": row.line.posted.id,
            "date": row.line.posted.entry.day,
            "description": row.description,
            "kind": row.line.posted.entry.kind,
            "reference": row.line.posted.entry.reference,
            "cents": row.line.cents,
            "balanceCents": row.line.balance_cents,
        }
        for row in read_register(
            context,
            account,
            first_day=None if period is None else period.first,
            last_day=None if period is None else period.last,
            member=member,
        )
    ]
    return Answer({"account": account, "entries": rows}, view=rows)


@verb(app, *POSTINGS)
def show(
    context: Context, entry: Annotated[str, argument("ENTRY", "Id, or its first characters.")]
) -> Answer:
    """Show one entry with its postings, its documents, and its lines in bank statements.

    Example: jara ledger show rsty2ynocrfsabcd
    """
    papers = [to_document(one, instant=lambda at: at) for one in list_documents(context, entry)]
    people = to_document(signers_of_entry(context, entry))
    document = {**_entry_document(show_entry(context, entry)), **people, "documents": papers}
    facts = {key: text for key, text in document.items() if key not in _LISTS and text}
    if people["signedBy"]:
        facts["signedBy"] = ", ".join(people["signedBy"])
    if "foreign" in facts:
        facts["foreign"] = foreign_text(facts["foreign"])
    lead = [f"{spell_key(key)}: {text}" for key, text in facts.items()]
    for line in document["bankLines"]:
        undone = " (undone)" if line["undone"] else ""
        lead.append(
            f"Bank line{undone}: {line['file']}, line {line['line']}, {line['date']}: "
            f"{line['text']}"
        )
    lead += [
        f"Document: {one['kind']}, {one['sha256']}{' (erased)' if one['erasedAt'] else ''}"
        for one in papers
    ]
    return Answer(document, view=document["postings"], lead=lead)


@verb(app, *_BUDGET)
def budget(context: Context, year: Year = None) -> Answer:
    """Show what a year received, spent and promised, per fund.

    Example: jara ledger budget --year 2026
    """
    today = context.today()
    chosen_year = today.year if year is None else parse_year(year, today=today).first.year
    document = _budget_document(read_budget(context, chosen_year))
    return Answer(document, view=document["funds"], total=_budget_total(document))


def _split_keys(text: str) -> list[str]:
    keys = [key.strip() for key in text.split(",") if key.strip()]
    unknown = [key for key in keys if key not in _BY]
    if unknown:
        raise InvalidInput(f"'{unknown[0]}' is not valid for --by; use {', '.join(_BY)}.")
    return keys


def _entry_document(story: EntryStory) -> Document:
    """Return all data about an entry."""
    posted = story.posted
    return {
        **entry_document(posted, lambda index: story.ids[index]),
        **_foreign_details(posted),
        "externalId": posted.entry.external_id,
        "member": posted.entry.member_key,
        "bankLines": [
            {
                "id": one.id,
                "file": one.file,
                "line": one.line.line,
                "date": one.line.day,
                "text": one.line.text or one.line.own_ref,
                "undone": is_undone,
            }
            for one, is_undone in story.bank_lines
        ],
        "note": story.note,
        "reversedBy": story.reversed_by,
    }


def _foreign_details(posted: PostedEntry) -> Document:
    """Return an entry's amount in another currency, with its rate and the rate's source."""
    foreign = posted.entry.foreign
    if foreign is None:
        return {}
    amount = public_amount(foreign, total_of(posted.entry, AccountType.EXPENSES))
    return {"foreign": {**to_document(amount), "source": foreign.source}}


def _budget_document(budget: YearBudget) -> Document:
    """Return what ``jara ledger budget`` prints."""
    return {
        "year": budget.year,
        **_figures(budget.total),
        "funds": [
            {
                "fund": row.fund,
                **_figures(row.figures),
                "openingCents": row.figures.opening,
                "receivedCents": row.figures.received,
                "transfersCents": row.figures.transfers,
                "spentCents": row.figures.spent,
                "heldCents": row.figures.held,
                "promisedShare": row.promised_tenths / 10,
                "actualShare": row.actual_tenths / 10,
            }
            for row in budget.funds
        ],
    }


def _budget_total(document: Document) -> Document:
    """Return the last row of the budget's table."""
    sums = {
        key: sum(row[key] for row in document["funds"])
        for key in ("receivedCents", "spentCents", "heldCents")
    }
    return {"fund": "Total", **document, **sums}


def _figures(figures: YearFigures) -> Document:
    return {
        "availableCents": figures.available,
        "allocatedCents": figures.allocated,
        "unallocatedCents": figures.unallocated,
    }
