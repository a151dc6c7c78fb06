"""``jara bank waiting``, ``match`` and ``rematch``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.bank.booking import Part, require_bookable
from jara.domain.books.account import parse_fund
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara.services.bank.answering import (
    add_rule,
    book_line,
    list_waiting,
    match_with_entries,
    rule_like,
)
from jara.services.bank.importing import settle_again
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note

app = typer.Typer(rich_markup_mode=None)


@app.command("waiting")
def waiting_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List unmatched lines, oldest first.

    \b
    Example:
      jara bank waiting
    """
    lines = list_waiting(open_application(ctx, any_mode=True).context)
    emit(
        [
            {
                "id": one.id,
                "account": one.account,
                "date": one.line.day,
                "cents": one.line.cents,
                "text": one.line.text or one.line.own_ref,
                "party": one.line.party,
                "partyAccount": one.line.party_account,
                "bankReference": one.line.bank_ref,
                "reason": one.reason,
                "file": one.file,
                "line": one.line.line,
            }
            for one in lines
        ],
        as_json=as_json,
        columns=[
            Column("id", "Line", Kind.ID),
            Column("date", "Date", Kind.DATE),
            Column("cents", "Amount", Kind.CENTS),
            Column("text", "Text", Kind.SENTENCE),
            Column("party", "From or to", rank=2),
            Column("reason", "Why", Kind.SENTENCE, rank=1),
        ],
    )


@app.command("match")
def match_command(
    ctx: typer.Context,
    line: Annotated[str, typer.Argument(metavar="LINE", help="Id, or its first characters.")],
    accounts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ACCOUNT[@FUND][=AMOUNT]]...", help="Accounts; several need amounts."
        ),
    ] = None,
    entry: Annotated[
        list[str] | None,
        typer.Option("--entry", metavar="ENTRY", help="Entry to match instead; repeatable."),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option("--rule", metavar="TEXT", help="Also add a rule for lines with this text."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Book an unmatched line to accounts, or match it with an entry in the books.

    \b
    Examples:
      jara bank match k3fq expenses:operations --rule "HOSTING INVOICE"
      jara bank match k3fq expenses:operations@other=12.50 expenses:fees:bank=2.50
      jara bank match k3fq --entry rsty2ynocrfsabcd
    """
    context = open_application(ctx).context
    if bool(accounts) is bool(entry):
        raise InvalidInput("Name the accounts of the line, or its entries with --entry.")
    parts = [_parse_part(text) for text in accounts or []]
    if rule is not None and (len(parts) != 1 or parts[0].cents is not None):
        raise InvalidInput("--rule needs one account without an amount.")
    wanted = None if rule is None else rule_like(context, line, parts[0], contains=rule)
    if entry:
        posted = match_with_entries(context, line, entry)
    else:
        posted = [book_line(context, line, parts)]
    if wanted is not None:
        settled = add_rule(context, wanted)
        note(f"The rule {wanted.id} matched {settled.by_rule} more lines.")
    emit(
        [{"id": one.id, "date": one.entry.day, "kind": one.entry.kind} for one in posted],
        as_json=as_json,
        columns=[
            Column("id", "Entry", Kind.ID),
            Column("date", "Date", Kind.DATE),
            Column("kind", "Kind"),
        ],
    )


@app.command("rematch")
def rematch_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Try to match every waiting line again, for example after posting entries.

    \b
    Example:
      jara bank rematch
    """
    settled = settle_again(open_application(ctx).context)
    document = {"matched": settled.matched, "waiting": settled.waiting}
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("matched", "Matched", Kind.COUNT),
            Column("waiting", "Waiting", Kind.COUNT),
        ],
    )


def _parse_part(text: str) -> Part:
    place, equals, amount = text.partition("=")
    account, at, fund = place.partition("@")
    part = Part(
        account,
        parse_fund(fund) if at else None,
        parse_cents(amount) if equals else None,
    )
    require_bookable(part.account, part.fund)
    return part
