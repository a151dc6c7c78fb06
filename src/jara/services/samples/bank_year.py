"""A year of bank statements for an organisation of samples, with the usual errors of bank files."""

from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.books.account import BANK
from jara.domain.books.foreign import describe_foreign
from jara.domain.books.journal import EntryKind
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PledgeState
from jara.domain.iban import make_iban
from jara.domain.organisation import PaymentMode
from jara.records.bank import OpenEntry
from jara.services.context import Context
from jara.services.members.profiles import require_member
from jara.services.payments.promising import promise
from jara.services.payments.ways import list_ways, set_way
from jara.services.samples import interac
from jara.store.unit_of_work import UnitOfWork

ACCOUNT = "DE89370400440532013000"
_PAYERS_BANK = "12345678"
FORM = "samples"
FEE_TEXT = "ACCOUNT FEE"
"""The text that a rule for the bank's charge searches for."""
FEE_CENTS = 425
USUAL_PAYERS = 8
"""How many members pay by transfer by default."""
_MONTHS = 12
_WORDS = {
    EntryKind.PAYOUT_ARRIVED: "STRIPE PAYOUT",
    EntryKind.SALARY: "SALARY",
    EntryKind.GRANT: "GRANT",
    EntryKind.DISBURSEMENT: "PROJECT PAYMENT",
}


class Payer(NamedTuple):
    """A member who pays by transfer."""

    reference: str
    name: str
    cents: int


def prepare_payers(context: Context, count: int) -> int:
    """Let members without a running pledge promise $10 a month by transfer.

    Raises:
        Conflict: payments are real here.
        InvalidInput: there are not enough such members.
    """
    _require_sandbox(context)
    free = _free_members(context)
    if len(free) < count:
        raise InvalidInput(f"Only {len(free)} members have no running pledge; {count} are needed.")
    if all(setting.way != PaymentWay.TRANSFER for setting in list_ways(context)):
        set_way(context, PaymentWay.TRANSFER, ledger=BANK, details=f"IBAN {ACCOUNT}")
    for email in sorted(free)[:count]:
        promise(context, email, dollars=10, way=PaymentWay.TRANSFER)
    return count


def prepare_usual_payers(context: Context) -> int:
    """Let a few members pay by transfer, unless some do already; return how many now do.

    Only with sandbox payments, and only as many as there are members without a pledge.
    """
    with context.store.read() as work:
        has_some = bool(_payers(work))
    if has_some or context.payment_mode is not PaymentMode.SANDBOX:
        return 0
    count = min(USUAL_PAYERS, len(_free_members(context)))
    return prepare_payers(context, count) if count else 0


def bank_year(context: Context, year: int) -> list[Statement]:
    """Return twelve statements, and one that overlaps them, for the bank account in the books.

    Besides the movements in the books they contain a monthly charge, transfers of members, a
    cut-off reference, two payments of one member on one day, a returned transfer, and a charge
    that the bank reverses.

    Raises:
        Conflict: payments are real here.
    """
    _require_sandbox(context)
    random = Random("bank")
    with context.store.read() as work:
        before = work.journal.balances(at=date(year - 1, 12, 31), accounts=(BANK,))
        opening = sum(row.cents for row in before if row.account == BANK)
        booked = work.bank.open_entries(BANK, since=date(year, 1, 1))
        abroad = _words_abroad(work, booked)
        payers = _payers(work)
    lines = [
        _line_of(entry, random, abroad.get(entry.index, ""))
        for entry in booked
        if entry.day.year == year
    ]
    lines += _charges(year)
    lines += _transfers(year, payers, random)
    lines.sort(key=lambda line: line.day)
    numbered = [replace(line, bank_ref=f"B{year}{n:05d}") for n, line in enumerate(lines)]
    return _with_overlap(list(_months(year, numbered, opening)))


def _require_sandbox(context: Context) -> None:
    if context.payment_mode is not PaymentMode.SANDBOX:
        raise Conflict("Bank samples are for organisations with sandbox payments.")


def _payers(work: UnitOfWork) -> list[Payer]:
    """Return the members who pay to this account, not those of the demo's credit union."""
    elsewhere = {payer.known_as for payer in interac.PAYERS}
    payers = []
    for reference, (pledge, _) in sorted(work.pledges.with_reference().items()):
        member = require_member(work, pledge.member_id)
        if elsewhere.isdisjoint((member.email, member.names[0])):
            payers.append(Payer(reference, member.names[0], pledge.dollars * 100))
    return payers


def _free_members(context: Context) -> list[str]:
    """Return the addresses of members without a running pledge."""
    with context.store.read() as work:
        free = []
        for member in work.members.all():
            pledge = work.pledges.get(member.id)
            if member.is_open and (pledge is None or pledge.state is PledgeState.CANCELED):
                free.append(member.email)
    return free


def without_overlap(statements: list[Statement]) -> list[Statement]:
    """Return the statements of single months, for formats that list each line once."""
    return [one for one in statements if one.first_day.month == one.last_day.month]


def overlap_alone(statements: list[Statement]) -> list[Statement]:
    """Return the overlapping statements, for a separate file."""
    return [one for one in statements if one.first_day.month != one.last_day.month]


def _words_abroad(work: UnitOfWork, booked: Iterable[OpenEntry]) -> dict[int, str]:
    """Return the bank's text for payments in another currency, by log index."""
    paid = [entry.index for entry in booked if entry.kind == EntryKind.DISBURSEMENT]
    return {
        index: describe_foreign(posted.entry.foreign, posted.entry.foreign.amount_minor).upper()
        for index, posted in work.journal.many(paid).items()
        if posted.entry.foreign is not None
    }


def _line_of(entry: OpenEntry, random: Random, abroad: str) -> StatementLine:
    """Return the statement line of an entry, up to two days later in the same month."""
    last = monthrange(entry.day.year, entry.day.month)[1]
    late = min(random.choice((0, 0, 0, 1, 2)), last - entry.day.day)
    reference = (entry.reference or "") if random.random() > 0.1 else (entry.reference or "")[:7]  # noqa: PLR2004 - one in ten is cut off
    words = _WORDS.get(EntryKind(entry.kind), entry.description.upper())
    name = entry.id if entry.kind == EntryKind.GRANT else ""
    text = " ".join(word for word in (words, abroad, reference, name) if word)
    day = entry.day + timedelta(days=late)
    return StatementLine(line=0, day=day, cents=entry.cents, text=text)


def _charges(year: int) -> Iterator[StatementLine]:
    for month in range(1, _MONTHS + 1):
        day = date(year, month, monthrange(year, month)[1])
        yield StatementLine(line=0, day=day, cents=-FEE_CENTS, text=f"{FEE_TEXT} {month:02d}")
    wrong = StatementLine(line=0, day=date(year, 8, 10), cents=-900, text=f"{FEE_TEXT} CARD")
    yield wrong
    yield replace(wrong, day=date(year, 8, 13), cents=900, is_reversal=True)


def _transfers(year: int, payers: list[Payer], random: Random) -> Iterator[StatementLine]:
    """Yield monthly transfers: one with a cut-off reference, one twice a day, one returned."""
    for number, payer in enumerate(payers):
        for month in range(1, _MONTHS + 1):
            day = date(year, month, random.randrange(1, 26))
            line = StatementLine(
                line=0,
                day=day,
                cents=payer.cents,
                text=f"Monatsbeitrag für Jara {print_reference(payer.reference)}",
                party=payer.name,
                party_account=make_iban("DE", f"{_PAYERS_BANK}{number:010d}"),
            )
            place = (number, month)
            if place == (0, 3):
                yield replace(line, text=line.text[:-4])
                continue
            yield line
            if place == (1, 5):
                yield line
            if place == (2, 9):
                text, back = f"RETOUR {line.text}", day + timedelta(days=2)
                yield replace(line, day=back, cents=-line.cents, text=text, is_reversal=True)


def _months(year: int, lines: list[StatementLine], opening: int) -> Iterator[Statement]:
    for month in range(1, _MONTHS + 1):
        own = [line for line in lines if line.day.month == month]
        closing = opening + sum(line.cents for line in own)
        last = date(year, month, monthrange(year, month)[1])
        first = last.replace(day=1)
        yield Statement(0, ACCOUNT, FORM, first, last, opening, closing, own)
        opening = closing


def _with_overlap(months: list[Statement]) -> list[Statement]:
    """Add another statement of June and July, as a bank sends on request."""
    june, july = months[5], months[6]
    both = june._replace(
        last_day=july.last_day, closing_cents=july.closing_cents, lines=[*june.lines, *july.lines]
    )
    return [*months[:7], both, *months[7:]]
