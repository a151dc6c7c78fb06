"""Reads MT940, the statement of SWIFT, as banks write it.

The dialects of a line's text (:86:) are in `jara.files.bank.mt940_details`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from jara.domain.bank.statement import (
    Statement,
    StatementLine,
    account_number,
    is_same_account,
    reference,
    squeezed,
)
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.iban import resembles_iban
from jara.domain.money import format_cents
from jara.files.bank.mt940_details import Charge, amount_of, is_return_code, read_details
from jara.files.bank.text import ZERO, bank_cents, bank_day, named
from jara.files.encodings import decoded
from jara.files.reading import FileReport

FORM = "mt940"
_FIELD = re.compile(r":([0-9]{2,3}[A-Z]?|NS):(.*)", re.ASCII)
_FIRST = frozenset({"20", "25", "25P", "28", "28C", "60F", "60M"})
"""The fields that a statement can begin with."""
_BLOCK = re.compile(r"\{4:|\{[1-5]:(?:[^{}]|\{[^{}]*\})*\}?")
_BLOCK_END = "-}"
_ENTRY = re.compile(
    r"(?P<value>[0-9]{6})\s{0,4}(?P<booked>(?:[0-9]{2})?[0-9]{4})?\s{0,4}"
    r"(?P<mark>R?[CD])(?P<funds>[A-Z])?\s{0,12}(?P<amount>[0-9]{1,15}(?:[.,][0-9]*)?|[.,][0-9]+)(?![0-9.,])"
    r"(?P<kind>[A-Z][A-Z0-9 ]{3})?(?P<own>(?:(?!//).)*)(?://(?P<bank>.{0,23})(?P<more>.*))?",
    re.ASCII,
)
_BALANCE = re.compile(r"([CD])([0-9]{6})([A-Z]{3})\s?([0-9.,]+)\s*", re.ASCII)
_BANK = re.compile(r"[A-Z]{4}[A-Z0-9]*/", re.ASCII)
"""The name or BIC of a bank, before an account's number."""
_SIGNS = {"C": 1, "RD": 1, "D": -1, "RC": -1}
"""A reversed debit is money in."""
_ELSEWHERE = frozenset({"EREF", "PREF", "MARF", "KREF", "KREF+"})
"""What a line has instead of a reference to say which reference its text holds."""
_SHOWN = 3


@dataclass(slots=True)
class _Entry:
    """A line (:61:) with the rows below it, and the rows of its text (:86:)."""

    line: int
    rows: list[str]
    details: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Message:
    line: int
    account: str = ""
    opening: str = ""
    closing: str = ""
    is_interim: bool = False
    entries: list[_Entry] = field(default_factory=list)
    _in_entry: bool = False

    def take(self, line: int, tag: str, rows: list[str]) -> None:
        """Take the next field; a text (:86:) is that of a line only directly below it."""
        self._in_entry = tag == "61" or (self._in_entry and tag in {"86", "NS"})
        match tag:
            case "25" | "25P":
                self.account = rows[0]
            case "60F" | "60M":
                self.opening = rows[0]
            case "61":
                self.entries.append(_Entry(line, rows))
            case "86" if self._in_entry:
                self.entries[-1].details += rows
            case "62F" | "62M":
                self.closing = rows[0]
            case "34F" | "90C" | "90D":
                self.is_interim = True
            case _:
                pass


class _Balance(NamedTuple):
    cents: int
    currency: str
    day: date | None


def read_mt940(
    data: bytes,
    name: str,
    report: FileReport,
    encoding: str | None = None,
    *,
    charges: bool | None = None,
) -> Iterator[Statement]:
    """Read the statements of a file; their currency is that of the balances.

    `charges` says whether charges beside the payer's words are the bank's; None if nobody said.

    Raises:
        InvalidInput: the file is broken, a report within the day, or has such charges and nobody
            said; the message names the line.
    """
    message = None
    for message in _messages(decoded(data, encoding, name=name, notes=report.notes)):
        with named(name, message.line):
            opening, closing = _balances(message)
        yield _statement(message, opening, closing, name, report, charges=charges)
    if message is None:
        raise InvalidInput(f"{name} has no statement; one begins with :20:.")


def _messages(text: str) -> Iterator[_Message]:
    """Yield each statement; one begins with :20:, or with an opening balance after a closing."""
    message: _Message | None = None
    for number, tag, rows in _fields(text):
        if message is None:
            message = _Message(number) if tag in _FIRST else None
        elif tag == "20":
            yield message
            message = _Message(number)
        elif message.closing and tag.startswith("60"):
            yield message
            message = _Message(number, message.account)
        if message is not None:
            message.take(number, tag, rows)
    if message is not None:
        yield message


def _fields(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield line, tag and rows of each field, without the blocks of SWIFT around them."""
    last: tuple[int, str, list[str]] | None = None
    for number, row in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        for place, part in enumerate(row.split(_BLOCK_END)):
            plain = _BLOCK.sub("", part) if part.startswith("{") else part
            start = _FIELD.match(plain)
            if last and (start or place or plain != part or plain == "-"):
                yield last
                last = None
            if start:
                last = number, start[1], [start[2]]
            elif last:
                last[2].append(plain)
    if last:
        yield last


def _balances(message: _Message) -> tuple[_Balance, _Balance]:
    if not message.opening and message.is_interim:
        raise InvalidInput(
            "this is MT942, a report within the day, whose lines may still change; import the "
            "MT940 of the day instead."
        )
    if not message.opening:
        raise InvalidInput("the statement lacks its opening balance (:60F:).")
    if not message.closing:
        raise InvalidInput("the statement lacks its closing balance (:62F:); is the file cut off?")
    opening, closing = _balance(message.opening), _balance(message.closing)
    if opening.currency != closing.currency:
        raise InvalidInput(f"it begins in {opening.currency} and ends in {closing.currency}.")
    return opening, closing


def _balance(text: str) -> _Balance:
    match = _BALANCE.fullmatch(text)
    if match is None:
        raise InvalidInput(f"'{text[:60]}' is not a balance of MT940, like C260531USD12,50.")
    cents = _SIGNS[match[1]] * bank_cents(match[4]) if match[3] == books_currency() else 0
    day = None if match[2] == "000000" else bank_day(match[2], "%y%m%d")
    return _Balance(cents, match[3], day)


def _statement(
    message: _Message,
    opening: _Balance,
    closing: _Balance,
    name: str,
    report: FileReport,
    *,
    charges: bool | None,
) -> Statement:
    lines, unsure = [], []
    with named(name, message.line):
        account = _account(message.account, opening.currency)
    is_ours = opening.currency == books_currency()
    for entry in message.entries if is_ours else ():
        with named(name, entry.line):
            line, is_sure = _line(entry, account)
        if not is_sure:
            unsure.append(line)
            line = line if charges else replace(line, fee_cents=0)
        if line.cents:
            lines.append(line)
        else:
            report.leave_out(entry.line, ZERO)
    if unsure and charges is not False:
        _say_charges(unsure, name, report, is_asked=charges is None)
    with named(name, message.line):
        days = [line.day for line in lines]
        ends = [day for day in (closing.day or opening.day,) if day]
        if not [*days, *ends]:
            raise InvalidInput("the statement names no day.")
        return Statement(
            message.line,
            account,
            FORM,
            min(days or [opening.day or ends[0]]),
            max([*days, *ends]),
            opening.cents,
            closing.cents,
            lines,
            "" if is_ours else opening.currency,
        )


def _say_charges(
    lines: list[StatementLine], name: str, report: FileReport, *, is_asked: bool
) -> None:
    """Ask whose words the charges of lines are, or note that they are believed."""
    said = [
        f"{name}, line {one.line}: its text names a charge of {format_cents(one.fee_cents)} in "
        f"{format_cents(abs(one.gross_cents))}"
        for one in lines
    ]
    if is_asked:
        raise InvalidInput(
            f"{'; '.join(said[:_SHOWN])}{'; …' if len(said) > _SHOWN else ''}. The bank or the "
            "payer may have written that: --charges if it is the bank's, else --no-charges."
        )
    report.notes += [f"{one}." for one in said]


def _account(text: str, currency: str) -> str:
    """Return the account's number; empty if the statement names none."""
    number = _BANK.sub("", text.strip(), count=1).removesuffix(currency)
    return account_number(number) if number.strip() else ""


def _line(entry: _Entry, our_account: str) -> tuple[StatementLine, bool]:
    """Return a line, and whether it is sure that its charge is not the payer's words."""
    row = entry.rows[0].strip()
    match = _ENTRY.fullmatch(row)
    day = match and _booked(match["value"], match["booked"] or "")
    if match is None or day is None:
        raise InvalidInput(f"'{row[:60]}' is not a line (:61:) of MT940.")
    own_ref = match["own"].strip()
    bank_ref, more_ref = match["bank"] or "", match["more"] or ""
    # ING writes codes after its reference.
    rows = entry.rows[1:] if "/" in bank_ref else [more_ref, *entry.rows[1:]]
    below = [row.strip() for row in rows if row.strip()]
    account = next(filter(None, map(_iban, below)), "")
    details = read_details(entry.details)
    party, text = details.party, details.text
    more = [row for row in below if not _iban(row)]
    if not account and match["bank"] is None and (account := _iban(own_ref.split(" ")[-1])):
        # ASN and others write the account as the reference, and its owner below.
        own_ref = own_ref.removesuffix(account)
        party, more = party or " ".join(more), []
        text = text.removeprefix(account).strip().removeprefix(party).strip()
    account = account or details.party_account
    if account and is_same_account(account_number(account), our_account):
        account = ""
    own_ref = "" if own_ref.strip() in _ELSEWHERE else reference(own_ref)
    cents = _SIGNS[match["mark"]] * bank_cents(match["amount"])
    if cents > 0 and squeezed(details.ultimate) not in {"", squeezed(party)}:
        party, account = details.ultimate, ""  # another one's account does not tell who pays
    line = StatementLine(
        line=entry.line,
        day=day,
        cents=cents,
        text=" ".join([text, *more]).strip(),
        party=party,
        party_account=account,
        bank_ref=bank_ref.strip(),
        own_ref=own_ref or details.own_ref,
        is_reversal=match["mark"].startswith("R")
        or details.is_return
        or is_return_code(match["kind"] or ""),
        fee_cents=_fee(details.charge, cents),
    )
    words_are_ours = cents < 0 and not line.is_reversal
    return line, details.charge.is_sure or words_are_ours or not line.fee_cents


def _fee(charge: Charge, cents: int) -> int:
    """Return the charge in an amount; of original amount and charge, the first one decides."""
    original = amount_of(charge.original, books_currency())
    if original:
        return max((original if cents > 0 else -original) - cents, 0)
    return amount_of(charge.charge, books_currency())


def _iban(text: str) -> str:
    """Return the IBAN that a text is, with or without its currency; empty if it is none."""
    number, _, currency = text.partition(" ")
    return number if resembles_iban(number) and len(currency.strip()) in {0, 3} else ""


@lru_cache(maxsize=1024)
def _booked(value: str, booked: str) -> date | None:
    """Return the day of booking; its year is that nearest to the month of the value date.

    The value date may be a day that months lack, such as 30 February.
    """
    try:
        if len(booked) != 4:  # noqa: PLR2004 - month and day
            return bank_day(booked or value, "%y%m%d")
        middle = bank_day(f"{value[:4]}15", "%y%m%d")
    except InvalidInput:
        return None
    days = []
    for year in (middle.year - 1, middle.year, middle.year + 1):
        try:
            days.append(date(year, int(booked[:2]), int(booked[2:])))
        except ValueError:
            continue
    return min(days, key=lambda day: abs(day - middle), default=None)
