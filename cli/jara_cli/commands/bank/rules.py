"""``jara bank rules``: rules that book recurring lines."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import account_number
from jara.domain.books.account import parse_fund
from jara.domain.money import parse_cents
from jara.services.bank import answering
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit

app = typer.Typer(rich_markup_mode=None)
_rules = typer.Typer(no_args_is_help=True, help="Manage rules that book recurring lines.")
app.add_typer(_rules, name="rules")

_COLUMNS = (
    Column("id", "Rule", Kind.ID),
    Column("direction", "Money"),
    Column("contains", "Contains", Kind.SENTENCE),
    Column("account", "Account"),
    Column("fund", "Fund", rank=1),
    Column("partyAccount", "Other side", rank=2),
    Column("minCents", "From", Kind.CENTS, rank=3),
    Column("maxCents", "To", Kind.CENTS, rank=3),
)


@_rules.command("add")
def add_command(
    ctx: typer.Context,
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
    as_json: JsonFlag = False,
) -> None:
    """Add a rule, and book the waiting lines that match it.

    The payer's name cannot be a condition: payers choose it themselves.

    \b
    Examples:
      jara bank rules add expenses:fees:bank --money out \\
          --contains "ACCOUNT FEE" --max 20
      jara bank rules add expenses:operations --money out \\
          --contains "HOSTING" --fund other
    """
    context = open_application(ctx).context
    rule = Rule(
        id=answering.new_rule_id(context),
        direction=direction,
        account=account,
        fund=None if fund is None else parse_fund(fund),
        contains=contains,
        party_account=account_number(party_account) if party_account else "",
        min_cents=0 if least is None else parse_cents(least),
        max_cents=None if most is None else parse_cents(most),
    )
    settled = answering.add_rule(context, rule)
    document = {"id": rule.id, "matched": settled.by_rule, "waiting": settled.waiting}
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("id", "Rule", Kind.ID),
            Column("matched", "Matched", Kind.COUNT),
            Column("waiting", "Waiting", Kind.COUNT),
        ],
    )


@_rules.command("list")
def list_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the rules; the first rule that matches a line books it.

    \b
    Example:
      jara bank rules list
    """
    rules = answering.list_rules(open_application(ctx, any_mode=True).context)
    emit([{"id": rule.id, **rule.document()} for rule in rules], as_json=as_json, columns=_COLUMNS)


@_rules.command("remove")
def remove_command(
    ctx: typer.Context,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Id, or its first characters.")],
    as_json: JsonFlag = False,
) -> None:
    """Remove a rule; the entries that it booked stay.

    \b
    Example:
      jara bank rules remove rule_k3fq
    """
    removed = answering.remove_rule(open_application(ctx).context, rule)
    emit([{"id": removed.id, **removed.document()}], as_json=as_json, columns=_COLUMNS)
