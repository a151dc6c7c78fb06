"""The commands of ``jara ledger`` that post an entry."""

import sys
from datetime import date
from typing import Annotated

import typer

from jara.documents import to_document
from jara.domain.books.account import parse_fund
from jara.domain.books.journal import PostedEntry
from jara.domain.books.years import AHEAD_MAX, require_near
from jara.domain.dates import parse_one_day
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara.files.content_files import FILE_BYTES_MAX, read_document
from jara.files.ledger.file_entry import kind_by_accounts
from jara.records.operations import Approval
from jara.services.books import bookkeeping
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.cash import count_cash
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.commands.ledger.reading import POSTINGS
from jara_cli.inputs import name_input, naming, open_input
from jara_cli.options import PaidFrom, Yes, argument, confirm, flag, option
from jara_cli.papers import PaperOptions
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import entry_notes, waiting

app = typer.Typer(rich_markup_mode=None)

_WORDS = 3

Day = Annotated[str | None, option("DATE", "Date; default: today.", "--date")]
Description = Annotated[str | None, option("TEXT", "Free text.")]
Why = Annotated[
    str | None, option("TEXT", "Reason; an expense needs one.", "--why", "--description")
]
Reference = Annotated[str | None, option("TEXT", "What it belongs to, such as a slug.")]
ExternalId = Annotated[str | None, option("ID", "Id in another system; posted only once.")]
Amount = Annotated[int, argument("AMOUNT", "Such as 10 or 10.50.", parser=parse_cents)]
Source = Annotated[
    str | None, argument("[FILE]", "YAML or JSON with the entry; - is standard input.")
]
Postings = Annotated[
    list[str] | None, option('"ACCOUNT FUND AMOUNT"', "One posting, debits positive; two or more.")
]
Debit = Annotated[str | None, option("ACCOUNT", "Account to debit: where the money goes.")]
Credit = Annotated[str | None, option("ACCOUNT", "Account to credit: where money comes from.")]
FundName = Annotated[str | None, typer.Option(help="Fund of both postings.")]
AmountText = Annotated[str | None, option("AMOUNT", "Such as 10 or 10.50.")]
Future = Annotated[bool, flag("--future", f"Allow a date more than {AHEAD_MAX.days} days ahead.")]
KindName = Annotated[str | None, typer.Option(help="Such as salary, expense or grant.")]
Entry = Annotated[str, argument("ENTRY", "Id, or its first characters.")]


@verb(app, *POSTINGS, name="post")
def post_command(
    context: Context,
    papers: PaperOptions,
    source: Source = None,
    posting: Postings = None,
    debit: Debit = None,
    credit: Credit = None,
    fund: FundName = None,
    amount: AmountText = None,
    kind: KindName = None,
    day: Day = None,
    description: Why = None,
    reference: Reference = None,
    external_id: ExternalId = None,
    future: Future = False,
) -> Answer:
    """Post an entry from a file or from options.

    A file contains {date, kind, description, reference, postings: [{account, fund, amount}]};
    its description is the reason, which the entry keeps.

    Examples:
      jara ledger post rent.yaml
      jara ledger post --debit expenses:operations --credit assets:bank \\
          --fund other --amount 12.50 --why "Domain name for the site" \\
          --document invoice.pdf
      jara ledger post --posting "assets:bank other -5.00" \\
          --posting "expenses:fees:bank other 5.00" --why "Fee of May"
    """
    pair = {"--debit": debit, "--credit": credit, "--fund": fund, "--amount": amount}
    document = _read_entry_document(source, posting or [], pair)
    given = {
        "date": None if day is None else _day(context, day).isoformat(),
        "kind": kind,
        "description": description,
        "reference": reference,
        "externalId": external_id,
    }
    with naming(source):
        if isinstance(document, dict):
            document |= {key: text for key, text in given.items() if text is not None}
            postings = read_entry(document, today=context.today()).postings
            document.setdefault("kind", kind_by_accounts(postings).value)
        entry = read_entry(document, today=context.today())
        with papers.stored(context) as inside:
            posted = bookkeeping.post_entry(inside, entry, future=future)
    return _posted_answer(context, posted)


@verb(app, *POSTINGS, name="reverse")
def reverse_command(
    context: Context,
    entry: Entry,
    why: Annotated[str, option("TEXT", "Reason.")],
    day: Day = None,
    yes: Yes = False,
) -> Answer:
    """Reverse an entry with a new one of opposite signs; a terminal asks before.

    Example: jara ledger reverse rsty2ynocrfsabcd --why "Booked twice."
    """
    when = None if day is None else _near_day(context, day)
    confirm(f"Reverse the entry {entry}?", yes=yes or not sys.stdin.isatty())
    return _posted_answer(context, bookkeeping.reverse_entry(context, entry, why=why, day=when))


@verb(app, *POSTINGS, name="return")
def return_command(
    context: Context,
    entry: Entry,
    cost: Amount,
    received: Annotated[
        str | None, option("AMOUNT", "Amount the bank received, if different.")
    ] = None,
    day: Day = None,
    description: Description = None,
) -> Answer:
    """Book money that a payee sent back, at the amount first booked for it.

    Example: jara ledger return rsty2ynocrfsabcd 400 --received 396.80
    """
    posted = bookkeeping.return_payment(
        context,
        entry,
        cost_cents=cost,
        received_cents=cost if received is None else parse_cents(received),
        day=None if day is None else _near_day(context, day),
        note=description,
    )
    return _posted_answer(context, posted)


@verb(app, *POSTINGS, name="transfer")
def transfer_command(
    context: Context,
    source: Annotated[str, argument("FROM", "Source fund.")],
    target: Annotated[str, argument("TO", "Target fund.")],
    amount: Amount,
    day: Day = None,
    description: Annotated[str | None, option("TEXT", "Reason.", "--why", "--description")] = None,
) -> Answer:
    """Transfer free money from one fund to another.

    The money of `projects` is promised to projects: a transfer of it needs its reason.

    Example: jara ledger transfer other staff 25 --why "Covers the fees of March"
    """
    posted = bookkeeping.move_between_funds(
        context,
        source=parse_fund(source),
        target=parse_fund(target),
        cents=amount,
        day=None if day is None else _near_day(context, day),
        note=description,
    )
    return _posted_answer(context, posted)


@verb(
    app,
    Column("account", "Account"),
    Column("countedCents", "Counted", Kind.CENTS),
    Column("booksCents", "In the books", Kind.CENTS),
    Column("differenceCents", "Difference", Kind.CENTS),
)
def count(
    context: Context,
    account: Annotated[str, argument("ACCOUNT", "Such as assets:cash.")],
    amount: Amount,
    coins: Annotated[str, option("TEXT", "Such as '9 x 20, 4 x 1'.")] = "",
) -> Answer:
    """Record a count of cash with its difference to the books, which stay as they are.

    Example: jara ledger count assets:cash 184.50 --coins "9 x 20, 4 x 1, 2 x 0.25"
    """
    counted = count_cash(context, account, amount, coins=coins)
    return Answer(counted, ok=not counted.difference_cents)


@verb(app, *POSTINGS, name="bank-charge")
def bank_charge_command(
    context: Context,
    amount: Amount,
    day: Day = None,
    description: Description = None,
    external_id: ExternalId = None,
    paid_from: PaidFrom = None,
) -> Answer:
    """Book a bank charge; the funds that pay the fees pay it.

    Example: jara ledger bank-charge 12.00 --date 2026-11-30
    """
    posted = post_bank_charge(
        context,
        cents=amount,
        day=None if day is None else _near_day(context, day),
        external_id=external_id,
        note=description,
        paid_from=paid_from,
    )
    return _posted_answer(context, posted)


def _day(context: Context, text: str) -> date:
    return parse_one_day(text, today=context.today())


def _near_day(context: Context, text: str) -> date:
    day = _day(context, text)
    require_near(day, today=context.today())
    return day


def _posted_answer(context: Context, done: PostedEntry | Approval) -> Answer:
    """Show an entry that was posted, or the approval it needs."""
    if isinstance(done, Approval):
        return waiting(done)
    document = {
        "id": done.id,
        "index": done.index,
        "date": done.entry.day,
        "postings": done.entry.postings,
    }
    rows = [to_document(posting) for posting in done.entry.postings]
    return Answer(
        document,
        view=rows,
        lead=[f"Posted {done.id} on {done.entry.day}."],
        notes=entry_notes(context, done.id),
    )


def _read_entry_document(
    source: str | None, postings: list[str], pair: dict[str, str | None]
) -> object:
    """Read the entry from the file or from the options, whichever was given."""
    given = [source is not None, bool(postings), any(v is not None for v in pair.values())]
    if sum(given) != 1:
        raise InvalidInput(
            "Give a file, or --posting twice or more, or --debit, --credit, --fund and --amount."
        )
    if source is not None:
        return _read_file(source)
    if postings:
        return {"postings": [_read_posting(text) for text in postings]}
    return {"postings": _read_pair(pair)}


def _read_file(source: str) -> object:
    """Read one document from a file or standard input."""
    with open_input(source) as stream:
        data = stream.read(FILE_BYTES_MAX + 1)
    return read_document(data, name_input(source))


def _read_posting(text: str) -> dict[str, str]:
    words = text.split()
    if len(words) != _WORDS:
        raise InvalidInput(f"'{text}' is not a posting; write it like 'assets:bank staff -12.50'.")
    return dict(zip(("account", "fund", "amount"), words, strict=True))


def _read_pair(pair: dict[str, str | None]) -> list[dict[str, object]]:
    missing = [name for name, value in pair.items() if value is None]
    if missing:
        raise InvalidInput(f"{', '.join(missing)} is missing.")
    cents = parse_cents(pair["--amount"] or "")
    return [
        {"account": pair["--debit"], "fund": pair["--fund"], "cents": cents},
        {"account": pair["--credit"], "fund": pair["--fund"], "cents": -cents},
    ]
