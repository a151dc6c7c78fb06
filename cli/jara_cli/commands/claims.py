"""``jara claims``: what volunteers paid for the organisation, and paying it back."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.books.account import parse_fund
from jara.domain.books.journal import PostedEntry
from jara.domain.dates import parse_period
from jara.domain.field_report import ReportState
from jara.domain.money import format_cents, parse_cents
from jara.languages import require_available
from jara.records.field import ClaimPurpose, FieldReport
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.field.claim_views import ClaimRow, ClaimView, list_claims, show_claim
from jara.services.field.claimants import (
    Erased,
    add_purpose,
    end_claims_links,
    erase_claimant,
    give_link,
    list_purposes,
    remove_purpose,
)
from jara.services.field.partners import LinkState, list_links
from jara.services.field.repaying import Decision, approve_claim, pay_claim, refuse_claim
from jara_cli.columns import Column, Kind
from jara_cli.commands.field import write_photos
from jara_cli.commands.partners import Until, code_lines, last_day_of
from jara_cli.options import PaidFrom, Yes, argument, confirm, flag, option
from jara_cli.output import show_line
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import entry_notes, waiting

app = typer.Typer(no_args_is_help=True)
purposes_app = typer.Typer(no_args_is_help=True)
app.add_typer(purposes_app, name="purposes", help="What may be claimed, and what pays for it.")

Claim = Annotated[str, argument("CLAIM", "Id of the claim, or its first characters.")]
Name = Annotated[str, argument("NAME", "Name of the claimant, or its beginning.")]
_LIST = [
    Column("id", "Claim", Kind.ID),
    Column("receivedOn", "Received", Kind.DATE, rank=2),
    Column("claimant", "Claimant"),
    Column("amount", "Amount"),
    Column("spentOn", "Of", Kind.DATE, rank=1),
    Column("shop", "Paid to", rank=1),
    Column("purpose", "For"),
    Column("shown", "State"),
]
_CARD = [
    *_LIST,
    Column("note", "Note", Kind.SENTENCE),
    Column("number", "Number"),
    Column("costCents", "Cost", Kind.CENTS),
    Column("rateSource", "Rate from"),
    Column("repayTo", "Pay back to"),
    Column("account", "Account"),
    Column("fund", "Fund"),
    Column("reason", "Refused"),
    Column("entry", "Entry", Kind.ID),
    Column("paidEntry", "Paid as", Kind.ID),
]
_PHOTOS = [Column("file", "Photo", Kind.COMMAND), Column("fault", "Fault", Kind.SENTENCE)]
_ENTRY = [
    Column("claim", "Claim", Kind.ID),
    Column("state", "State"),
    Column("id", "Entry", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
]
_PURPOSES = [Column("name", "For"), Column("account", "Account"), Column("fund", "Fund")]


@verb(
    app,
    Column("claimant", "Claimant"),
    Column("email", "Email"),
    Column("lastDay", "Until", Kind.DATE),
    Column("address", "Link", Kind.COMMAND),
)
def link(
    context: Context,
    name: Annotated[str, argument("NAME", "Name of the claimant.")],
    email: Annotated[
        str | None, option("ADDRESS", 'Address; the link goes there. "": none.')
    ] = None,
    language: Annotated[str | None, option("CODE", "Language: en or fr.")] = None,
    until: Until = None,
) -> Answer:
    """Make a link with which a volunteer claims what they paid, and email it.

    Whoever has the link can send claims in that name, and see what became of them. A lost link is
    replaced by a new one; `jara claims end` ends the earlier ones.

    Examples:
      jara claims link "Kofi Addo" --email kofi@example.org
      jara claims link "Kofi Addo" --language fr --until 2027-06-30
    """
    made = give_link(
        context,
        name,
        language=None if language is None else require_available(language),
        email=email,
        last_day=last_day_of(context, until),
    )
    document = {
        "id": made.link.id,
        "claimant": made.partner.name,
        "email": made.partner.email,
        "lastDay": made.link.last_day,
        "address": made.address,
    }
    sent = ["It goes out by email too."] if made.partner.email else []
    return Answer(
        document,
        lead=code_lines(made.address) if sys.stdout.isatty() else (),
        hints=["This link cannot be shown again; `jara claims link` makes another one.", *sent],
    )


@verb(
    app,
    Column("id", "Link", Kind.ID),
    Column("partner", "Claimant"),
    Column("language", "Language", rank=2),
    Column("madeOn", "Made", Kind.DATE, rank=1),
    Column("lastDay", "Until", Kind.DATE),
    Column("state", "State"),
    Column("reports", "Claims", Kind.COUNT),
    Column("email", "Email", rank=1),
)
def links(context: Context) -> list[LinkState]:
    """List the claimants with their links.

    Example: jara claims links
    """
    return list_links(context, for_claims=True)


@verb(app, Column("id", "Ended", Kind.ID))
def end(
    context: Context,
    name: Annotated[str, argument("NAME", "Name of the claimant, or the id of one link.")],
) -> Answer:
    """End the links of a claimant; claims that arrived stay.

    Examples:
      jara claims end "Kofi Addo"
      jara claims end link_4f7k2m9q
    """
    ended = end_claims_links(context, name)
    hints = [] if ended else ["There was no open link."]
    return Answer([{"id": one.id} for one in ended], hints=hints)


@verb(app, *_LIST, name="list")
def list_command(
    context: Context,
    everything: Annotated[bool, flag("--all", "Include paid and refused claims.")] = False,
) -> Answer:
    """List the claims that wait or are owed, oldest first.

    Example: jara claims list
    """
    rows = [_row_document(one) for one in list_claims(context, unpaid_only=not everything)]
    return Answer(rows)


@verb(app, *_CARD)
def show(
    context: Context,
    claim: Claim,
    photos: Annotated[str | None, option("FOLDER", "Write the photos into this folder.")] = None,
) -> Answer:
    """Show a claim: what was paid, where to pay it back, and what may be the same.

    Example: jara claims show claim_3b9a --photos receipts
    """
    view = show_claim(context, claim)
    rows = write_photos(view.photos, photos)
    document: Document = {
        **_row_document(view.row),
        **to_document(view, omit={"row", "photos"}),
        "photos": rows,
    }
    return Answer(
        document,
        view={**document, "costCents": view.row.cents if view.rate_source else None},
        tables=[Table("Photos:", rows, _PHOTOS)],
        hints=_next_steps(view),
        notes=[f"Twice? {one} may be the same." for one in view.twice],
    )


@verb(app, *_ENTRY)
def approve(
    context: Context,
    claim: Claim,
    account: Annotated[
        str | None, option("ACCOUNT", "Expense account, if not its purpose's.")
    ] = None,
    fund: Annotated[str | None, option("FUND", "Fund, if not its purpose's.")] = None,
    amount: Annotated[str | None, option("AMOUNT", "What another currency cost in ours.")] = None,
    rate_source: Annotated[str | None, option("TEXT", "Where that rate is from.")] = None,
    why: Annotated[str, option("TEXT", "Reason, kept for ever; default: its purpose.")] = "",
    yes: Yes = False,
) -> Answer:
    """Approve a claim: it is booked as an expense, and as owed to the claimant.

    Above the limits another operator has to sign. Nobody approves their own claim.

    Examples:
      jara claims approve claim_3b9a
      jara claims approve claim_3b9a --amount 34.50 --rate-source "card statement"
    """
    decision = Decision(
        account=account,
        fund=None if fund is None else parse_fund(fund),
        cents=None if amount is None else parse_cents(amount),
        rate_source=rate_source,
        why=why,
    )
    view = show_claim(context, claim)
    doubts = [f"Twice? {show_line(one)} may be the same." for one in view.twice]
    confirm(" ".join([*doubts, f"Approve {_words(view.row)}?"]), yes=yes)
    return _booked(context, view, lambda: approve_claim(context, view.row.id, decision), "approved")


@verb(app, Column("id", "Claim", Kind.ID), Column("state", "State"), Column("reason", "Reason"))
def refuse(
    context: Context,
    claim: Claim,
    why: Annotated[str, option("TEXT", "Reason, which the claimant reads.")],
    yes: Yes = False,
) -> FieldReport:
    """Refuse a claim: the claimant reads why; photos and account number are deleted.

    Example: jara claims refuse claim_3b9a --why "The receipt is of another shop."
    """
    view = show_claim(context, claim)
    confirm(f"Refuse {_words(view.row)} and delete its photos?", yes=yes)
    return refuse_claim(context, view.row.id, reason=why)


@verb(app, *_ENTRY)
def pay(
    context: Context,
    claim: Claim,
    line: Annotated[str | None, option("LINE", "Line of a statement that paid it.")] = None,
    day: Annotated[
        str | None, option("DATE", "Date of the payment; default: today.", "--date")
    ] = None,
    paid_from: PaidFrom = None,
    yes: Yes = False,
) -> Answer:
    """Book that an approved claim was paid back; the account number is removed.

    Make the transfer at the bank, and name the claim's number in it: then the statement's line is
    matched by itself, before or after this command. `jara bank waiting` proposes others.

    Examples:
      jara claims pay claim_3b9a
      jara claims pay claim_3b9a --line 7f3c2a
    """
    view = show_claim(context, claim)
    when = None if day is None else parse_period(day, today=context.today()).last
    confirm(f"Book {_words(view.row)} as paid back to {show_line(view.repay_to)}?", yes=yes)
    return _booked(
        context,
        view,
        lambda: pay_claim(context, view.row.id, line=line, day=when, paid_from=paid_from),
        "paid",
    )


@verb(
    app,
    Column("id", "Erased", Kind.ID),
    Column("claims", "Claims", Kind.COUNT),
    Column("refused", "Refused", Kind.COUNT),
)
def erase(context: Context, name: Name, yes: Yes = False) -> Erased:
    """Erase a claimant: name, address, notes, account numbers; the entries stay.

    Claims that wait are refused. What is approved has to be paid first.

    Example: jara claims erase "Kofi Addo"
    """
    confirm(f"Erase '{name}' and end all links? This cannot be undone.", yes=yes)
    return erase_claimant(context, name)


@verb(purposes_app, *_PURPOSES, name="list")
def list_purposes_command(context: Context) -> list[ClaimPurpose]:
    """List what may be claimed.

    Example: jara claims purposes list
    """
    return list_purposes(context)


@verb(purposes_app, *_PURPOSES, name="add")
def add_purpose_command(
    context: Context,
    name: Annotated[str, argument("NAME", "What claimants choose.")],
    account: Annotated[str, option("ACCOUNT", "Expense account that it is of.")],
    fund: Annotated[str | None, option("FUND", "Fund; default: the account's.")] = None,
) -> ClaimPurpose:
    """Add what may be claimed, or change the account that it is booked on.

    Example: jara claims purposes add "Food for meetings" --account expenses:operations
    """
    return add_purpose(context, name, account, None if fund is None else parse_fund(fund))


@verb(purposes_app, *_PURPOSES, name="remove")
def remove_purpose_command(
    context: Context, name: Annotated[str, argument("NAME", "Its name, or the beginning.")]
) -> ClaimPurpose:
    """Remove what may no longer be claimed; claims that were sent stay.

    Example: jara claims purposes remove "Food for meetings"
    """
    return remove_purpose(context, name)


def _row_document(row: ClaimRow) -> Document:
    words = row.state.value
    if row.cents is None and row.state is ReportState.WAITING:
        words = "waiting, no rate"
    words = "waits for a signature" if row.waits else words
    return {**to_document(row), "shown": f"{words}, twice?" if row.twice else words}


def _words(row: ClaimRow) -> str:
    return f"the claim of {show_line(row.claimant)}, {row.amount} paid to {show_line(row.shop)}"


def _next_steps(view: ClaimView) -> list[str]:
    claim = view.row.id
    if view.approval:
        return [f"Waits for another operator: jara approvals show {view.approval}"]
    if view.row.state is ReportState.WAITING:
        return [f"Next: jara claims approve {claim}, or jara claims refuse {claim} --why REASON"]
    if view.row.state is not ReportState.APPROVED:
        return []
    lines = [f"Perhaps paid: jara claims pay {claim} --line {line}" for line in view.lines]
    told = f"Pay {format_cents(view.row.cents or 0)}, and write {view.number} into the transfer."
    return [told, *(lines or [f"Then: jara claims pay {claim}"])]


def _booked(
    context: Context, view: ClaimView, book: Callable[[], PostedEntry | Approval], state: str
) -> Answer:
    done = book()
    if isinstance(done, Approval):
        return waiting(done)
    document = {
        "claim": view.row.id,
        "state": state,
        "id": done.id,
        "date": done.entry.day,
        "cents": done.entry.postings[0].cents,
    }
    after = _next_steps(show_claim(context, view.row.id))
    return Answer(document, hints=after, notes=entry_notes(context, done.id))
