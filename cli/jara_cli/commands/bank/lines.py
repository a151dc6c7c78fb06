"""``jara bank waiting``, ``match``, ``rematch`` and ``rules``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.bank.booking import Part, require_bookable
from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import account_number
from jara.domain.books.account import parse_fund
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara.services.bank.answering import (
    add_rule,
    book_line,
    list_rules,
    list_waiting,
    match_with_entries,
    new_rule_id,
    remove_rule,
    rule_like,
)
from jara.services.bank.importing import settle_again
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import overdrawn_notes, with_waiting_votes

app = typer.Typer(rich_markup_mode=None)
rules_app = typer.Typer(no_args_is_help=True, help="Manage rules that book recurring lines.")
app.add_typer(rules_app, name="rules")

_RULES = (
    Column("id", "Rule", Kind.ID),
    Column("direction", "Money"),
    Column("contains", "Contains", Kind.SENTENCE),
    Column("account", "Account"),
    Column("fund", "Fund", rank=1),
    Column("partyAccount", "Other side", rank=2),
    Column("minCents", "From", Kind.CENTS, rank=3),
    Column("maxCents", "To", Kind.CENTS, rank=3),
    Column("why", "Why", Kind.SENTENCE, rank=2),
)
Why = Annotated[str, typer.Option(metavar="TEXT", help="Reason; an expense needs one.")]


@verb(
    app,
    Column("id", "Line", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
    Column("text", "Text", Kind.SENTENCE),
    Column("party", "From or to", rank=2),
    Column("reason", "Why", Kind.SENTENCE, rank=1),
    name="waiting",
)
def waiting_command(context: Context) -> list[Document]:
    """List unmatched lines, oldest first.

    \b
    Example:
      jara bank waiting
    """
    lines = list_waiting(context)
    return [
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
    ]


@verb(
    app,
    Column("id", "Entry", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("kind", "Kind"),
    name="match",
)
def match_command(
    context: Context,
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
    why: Why = "",
) -> Answer:
    """Book an unmatched line to accounts, or match it with an entry in the books.

    \b
    Examples:
      jara bank match k3fq expenses:operations --why "Server" \\
          --rule "HOSTING INVOICE"
      jara bank match k3fq expenses:operations=12.50 expenses:fees:bank=2.50 \\
          --why "Server, with the fee of the transfer"
      jara bank match k3fq --entry rsty2ynocrfsabcd
    """
    if bool(accounts) is bool(entry):
        raise InvalidInput("Name the accounts of the line, or its entries with --entry.")
    parts = [_parse_part(text) for text in accounts or []]
    if rule is not None and (len(parts) != 1 or parts[0].cents is not None):
        raise InvalidInput("--rule needs one account without an amount.")
    new_rule = None if rule is None else rule_like(context, line, parts[0], contains=rule, why=why)
    if entry:
        posted = match_with_entries(context, line, entry)
    else:
        posted = [book_line(context, line, parts, why=why)]
    if new_rule is not None:
        settled = add_rule(context, new_rule)
        note(f"The rule {new_rule.id} matched {settled.by_rule} more lines.")
    document = [{"id": one.id, "date": one.entry.day, "kind": one.entry.kind} for one in posted]
    notes = [] if entry else overdrawn_notes(context, posted[0].id)
    return Answer(document, notes=notes)


@verb(
    app,
    Column("matched", "Matched", Kind.COUNT),
    Column("waiting", "Waiting", Kind.COUNT),
    name="rematch",
)
def rematch_command(context: Context) -> Answer:
    """Try to match every waiting line again, for example after posting entries.

    \b
    Example:
      jara bank rematch
    """
    settled = settle_again(context)
    answer = Answer({"matched": settled.matched, "waiting": settled.waiting})
    return with_waiting_votes(answer, settled.approvals)


@verb(
    rules_app,
    Column("id", "Rule", Kind.ID),
    Column("matched", "Matched", Kind.COUNT),
    Column("waiting", "Waiting", Kind.COUNT),
    name="add",
)
def add_rule_command(
    context: Context,
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="Account to book.")],
    direction: Annotated[Direction, typer.Option("--money", help="Money in or out.")],
    contains: Annotated[
        str, typer.Option("--contains", metavar="TEXT", help="Text of the line or its reference.")
    ] = "",
    party_account: Annotated[
        str, typer.Option("--from-account", metavar="NUMBER", help="Account of the other party.")
    ] = "",
    fund: Annotated[str | None, typer.Option("--fund", help="Default: the usual fund.")] = None,
    least: Annotated[
        str | None, typer.Option("--min", metavar="AMOUNT", help="Minimum amount.")
    ] = None,
    most: Annotated[
        str | None, typer.Option("--max", metavar="AMOUNT", help="Maximum amount.")
    ] = None,
    why: Why = "",
) -> Answer:
    """Add a rule, and book the waiting lines that match it.

    The payer's name cannot be a condition: payers choose it themselves.

    \b
    Examples:
      jara bank rules add expenses:fees:bank --money out \\
          --contains "ACCOUNT FEE" --max 20 --why "The bank's monthly fee"
      jara bank rules add expenses:operations --money out \\
          --contains "HOSTING" --fund other --why "Server of the site"
    """
    rule = Rule(
        id=new_rule_id(context),
        direction=direction,
        account=account,
        fund=None if fund is None else parse_fund(fund),
        contains=contains,
        party_account=account_number(party_account) if party_account else "",
        min_cents=0 if least is None else parse_cents(least),
        max_cents=None if most is None else parse_cents(most),
        why=why,
    )
    settled = add_rule(context, rule)
    answer = Answer({"id": rule.id, "matched": settled.by_rule, "waiting": settled.waiting})
    return with_waiting_votes(answer, settled.approvals)


@verb(rules_app, *_RULES, name="list")
def list_rules_command(context: Context) -> list[Rule]:
    """List the rules; the first rule that matches a line books it.

    \b
    Example:
      jara bank rules list
    """
    return list_rules(context)


@verb(rules_app, *_RULES, name="remove")
def remove_rule_command(
    context: Context,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id, or its first characters.")],
) -> list[Rule]:
    """Remove a rule; the entries that it booked stay.

    \b
    Example:
      jara bank rules remove rule_k3fq
    """
    return [remove_rule(context, rule)]


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
