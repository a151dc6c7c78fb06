"""``jara bank waiting``, ``match``, ``rematch`` and ``rules``."""

from collections.abc import Sequence
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.bank.booking import Part, require_bookable
from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import account_number
from jara.domain.books.account import parse_fund
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, parse_cents
from jara.domain.texts import count_of
from jara.services.bank import answering
from jara.services.bank.importing import settle_again
from jara.services.bank.senders import ShownSender, forget_sender, list_senders
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import argument, flag, option
from jara_cli.output import note
from jara_cli.papers import PaperOptions
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import entry_notes, with_waiting_votes

app = typer.Typer(rich_markup_mode=None)
rules_app = typer.Typer(no_args_is_help=True, help="Manage rules that book recurring lines.")
app.add_typer(rules_app, name="rules")
senders_app = typer.Typer(no_args_is_help=True, help="List the senders matched with members.")
app.add_typer(senders_app, name="senders")

_SENDERS = (
    Column("id", "Sender", Kind.ID),
    Column("text", "Text", Kind.SENTENCE),
    Column("members", "Pays for", Kind.SENTENCE),
    Column("signed", "Signed"),
    Column("by", "By", rank=1),
    Column("at", "On", Kind.DATE, rank=2),
)
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
Why = Annotated[str, option("TEXT", "Reason; an expense needs one.")]


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

    Example: jara bank waiting
    """
    lines = answering.list_waiting(context)
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


NewRule = Annotated[str | None, option("TEXT", "Also add a rule for lines with this text.")]


@verb(
    app,
    Column("id", "Entry", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("kind", "Kind"),
    name="match",
)
def match_command(
    context: Context,
    line: Annotated[str, argument("LINE", "Id, or its first characters.")],
    papers: PaperOptions,
    accounts: Annotated[
        list[str] | None,
        argument("[ACCOUNT[@FUND][=AMOUNT]]...", "Accounts; several need amounts."),
    ] = None,
    entry: Annotated[
        list[str] | None, option("ENTRY", "Entry to match instead; repeatable.")
    ] = None,
    member: Annotated[
        list[str] | None,
        option(
            "MEMBER[=AMOUNT]",
            "Who paid; several need amounts. Remembered for later lines of the sender.",
        ),
    ] = None,
    once: Annotated[bool, flag("--once", "Do not remember the sender of --member.")] = False,
    rule: NewRule = None,
    why: Why = "",
) -> Answer:
    """Book an unmatched line to accounts or as members' payments, or match it with an entry.

    Examples:
      jara bank match k3fq --member ama@example.org
      jara bank match k3fq --member ama=10 --member kofi=15
      jara bank match k3fq expenses:operations --why "Server" \\
          --document invoice.pdf \\
          --rule "HOSTING INVOICE"
      jara bank match k3fq expenses:operations=12.50 expenses:fees:bank=2.50 \\
          --why "Server, with the fee of the transfer"
      jara bank match k3fq --entry rsty2ynocrfsabcd
    """
    _require_one(accounts, entry, member, once=once)
    stored = papers.stored(context)
    if member and rule is None:
        with stored as inside:
            return _match_members(inside, line, member, is_remembered=not once)
    parts = [_parse_part(text) for text in accounts or []]
    if rule is not None and (len(parts) != 1 or parts[0].cents is not None):
        raise InvalidInput("--rule needs one account without an amount.")
    new_rule = (
        None
        if rule is None
        else answering.rule_like(context, line, parts[0], contains=rule, why=why)
    )
    with stored as inside:
        if entry:
            posted = answering.match_with_entries(inside, line, entry)
        else:
            posted = [answering.book_line(inside, line, parts, why=why)]
    if new_rule is not None:
        settled = answering.add_rule(context, new_rule)
        note(f"The rule {new_rule.id} matched {settled.by_rule} more lines.")
    notes = [] if entry else entry_notes(context, posted[0].id)
    return Answer(_entry_documents(posted), notes=notes)


def _require_one(*ways: list[str] | None, once: bool) -> None:
    """Require accounts, or entries, or members; `--once` is for members."""
    if sum(map(bool, ways)) != 1:
        raise InvalidInput(
            "Name the accounts of the line, or its entries with --entry, or who paid with --member."
        )
    if once and not ways[-1]:
        raise InvalidInput("--once is for --member.")


def _match_members(
    context: Context, line: str, members: list[str], *, is_remembered: bool
) -> Answer:
    shares = [_parse_share(text) for text in members]
    matched = answering.match_with_members(context, line, shares, is_remembered=is_remembered)
    notes = []
    if matched.sender is not None:
        notes.append(
            f"Remembered as {matched.sender.id}: later lines of this sender are matched by "
            "themselves. See jara bank senders list."
        )
    elif is_remembered:
        notes.append("Not remembered: the words of this line name nobody.")
    if matched.settled.matched:
        notes.append(f"That matched {count_of(matched.settled.matched, 'more line')}.")
    answer = Answer(_entry_documents(matched.entries), notes=notes)
    return with_waiting_votes(answer, matched.settled.approvals)


def _entry_documents(entries: Sequence[PostedEntry]) -> list[Document]:
    return [{"id": one.id, "date": one.entry.day, "kind": one.entry.kind} for one in entries]


def _parse_share(text: str) -> tuple[str, int | None]:
    """Read MEMBER or MEMBER=AMOUNT; an address may contain an equals sign too."""
    member, equals, amount = text.rpartition("=")
    if not equals or "@" in amount:
        return text, None
    return member, parse_cents(amount)


@verb(senders_app, *_SENDERS, name="list")
def list_senders_command(context: Context) -> Answer:
    """List the senders whose lines are matched with members, oldest first.

    A sender is signed once another operator approved the statement with which it was remembered.

    Example: jara bank senders list
    """
    return _senders_answer(context, list_senders(context))


@verb(senders_app, *_SENDERS, name="forget")
def forget_sender_command(
    context: Context, sender: Annotated[str, argument("SENDER", "Id, or its first characters.")]
) -> Answer:
    """Forget a sender; what was booked stays, and later lines wait.

    Example: jara bank senders forget snd_k3fq
    """
    return _senders_answer(context, [forget_sender(context, sender)])


def _senders_answer(context: Context, senders: Sequence[ShownSender]) -> Answer:
    documents: list[Document] = [
        {
            "id": one.sender.id,
            "text": one.text,
            "members": [
                {"member": member, "cents": share.cents}
                for member, share in zip(one.members, one.sender.shares, strict=True)
            ],
            "by": one.sender.by,
            "at": one.sender.at,
            "signed": one.is_signed,
        }
        for one in senders
    ]
    rows = [
        {
            **document,
            "members": ", ".join(
                one["member"] + (f" {format_cents(one['cents'])}" if one["cents"] else "")
                for one in document["members"]
            ),
            "at": context.zone.day_of(document["at"]),
        }
        for document in documents
    ]
    return Answer(documents, view=rows)


@verb(
    app,
    Column("matched", "Matched", Kind.COUNT),
    Column("waiting", "Waiting", Kind.COUNT),
    name="rematch",
)
def rematch_command(context: Context) -> Answer:
    """Try to match every waiting line again, for example after posting entries.

    Example: jara bank rematch
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
    account: Annotated[str, argument("ACCOUNT", "Account to book.")],
    direction: Annotated[Direction, typer.Option("--money", help="Money in or out.")],
    contains: Annotated[str, option("TEXT", "Text of the line or its reference.")] = "",
    party_account: Annotated[
        str, option("NUMBER", "Account of the other party.", "--from-account")
    ] = "",
    fund: Annotated[str | None, typer.Option(help="Default: the usual fund.")] = None,
    least: Annotated[str | None, option("AMOUNT", "Minimum amount.", "--min")] = None,
    most: Annotated[str | None, option("AMOUNT", "Maximum amount.", "--max")] = None,
    why: Why = "",
) -> Answer:
    """Add a rule, and book the waiting lines that match it.

    The payer's name cannot be a condition: payers choose it themselves.

    Examples:
      jara bank rules add expenses:fees:bank --money out \\
          --contains "ACCOUNT FEE" --max 20 --why "The bank's monthly fee"
      jara bank rules add expenses:operations --money out \\
          --contains "HOSTING" --fund other --why "Server of the site"
    """
    rule = Rule(
        id=answering.new_rule_id(context),
        direction=direction,
        account=account,
        fund=None if fund is None else parse_fund(fund),
        contains=contains,
        party_account=account_number(party_account) if party_account else "",
        min_cents=0 if least is None else parse_cents(least),
        max_cents=None if most is None else parse_cents(most),
        why=why,
    )
    settled = answering.add_rule(context, rule)
    answer = Answer({"id": rule.id, "matched": settled.by_rule, "waiting": settled.waiting})
    return with_waiting_votes(answer, settled.approvals)


@verb(rules_app, *_RULES, name="list")
def list_rules_command(context: Context) -> list[Rule]:
    """List the rules; the first rule that matches a line books it.

    Example: jara bank rules list
    """
    return answering.list_rules(context)


@verb(rules_app, *_RULES, name="remove")
def remove_rule_command(
    context: Context, rule: Annotated[str, argument("RULE", "Id, or its first characters.")]
) -> list[Rule]:
    """Remove a rule; the entries that it booked stay.

    Example: jara bank rules remove rule_k3fq
    """
    return [answering.remove_rule(context, rule)]


def _parse_part(text: str) -> Part:
    place, equals, amount = text.partition("=")
    account, at, fund = place.partition("@")
    part = Part(account, parse_fund(fund) if at else None, parse_cents(amount) if equals else None)
    require_bookable(part.account, part.fund)
    return part
