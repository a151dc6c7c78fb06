"""Reads MT940 through the library mt-940, one statement at a time."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import mt940

from jara.domain.bank.statement import Statement, StatementLine, account_number
from jara.domain.errors import InvalidInput, JaraError
from jara.files.bank.text import ZERO, decoded, reference, require_our_currency
from jara.files.reading import FileReport

FORM = "mt940"
_SIGNS = {"C": 1, "RD": 1, "D": -1, "RC": -1}
"""A reversed debit is money in; the library knows only C and D."""
_START = re.compile(r"^:20:", re.MULTILINE)
_LINE = re.compile(r"^:61:", re.MULTILINE)
_OWN_LINES = re.compile(r"^(?:\{|-\}?$)")
_TEXTS = ("transaction_details", "purpose", "additional_purpose", "extra_details", "posting_text")
_PARTIES = ("applicant_name", "recipient_name", "deviate_applicant")


def read_mt940(data: bytes, name: str, report: FileReport) -> Iterator[Statement]:
    """Read the statements of a file; their currency is that of the balances.

    Raises:
        InvalidInput: the file is broken; the message names the line.
    """
    logging.getLogger("mt940").setLevel(logging.CRITICAL)  # it logs what it cannot read
    text = decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    starts = [match.start() for match in _START.finditer(text)]
    if not starts:
        raise InvalidInput(f"{name} has no statement; one begins with :20:.")
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield _statement(text[start:end], text.count("\n", 0, start) + 1, name, report)


def _statement(text: str, line: int, name: str, report: FileReport) -> Statement:
    body = "\n".join(row for row in text.split("\n") if not _OWN_LINES.match(row))
    try:
        parsed: Any = mt940.parse(io.StringIO(body))
    except (RuntimeError, ValueError, ArithmeticError, LookupError, TypeError) as error:
        number, reason = _blame(body, line)
        raise InvalidInput(f"{name}, line {number}: {reason or str(error)[:200]}") from None
    places = [line + body.count("\n", 0, match.start()) for match in _LINE.finditer(body)]
    rows = [row for row in parsed if "amount" in row.data]
    try:
        return _build(parsed.data, rows, places, line, report)
    except JaraError as error:
        raise InvalidInput(f"{name}, line {line}: {error.message}") from None
    except (KeyError, AttributeError):
        raise InvalidInput(
            f"{name}, line {line}: the statement lacks its account (:25:) or a balance (:60F:)."
        ) from None


def _blame(body: str, line: int) -> tuple[int, str]:
    """Return the first unreadable line of a statement, and the reason."""
    tag = mt940.tags.Statement()
    for match in _LINE.finditer(body):
        row = body[match.end() :].split("\n", 1)[0]
        number = line + body.count("\n", 0, match.start())
        try:
            tag(mt940.models.Transactions(), tag.parse(mt940.models.Transactions(), row))
        except (RuntimeError, ValueError, ArithmeticError, LookupError, TypeError):
            return number, f"'{row[:60]}' is not a line (:61:) of MT940."
    return line, ""


def _build(
    facts: dict[str, Any], rows: list[Any], places: list[int], line: int, report: FileReport
) -> Statement:
    opening = facts.get("final_opening_balance") or facts["intermediate_opening_balance"]
    closing = facts.get("final_closing_balance") or facts.get("intermediate_closing_balance")
    if closing is None:
        raise InvalidInput("the statement lacks its closing balance (:62F:); is the file cut off?")
    currency = opening.amount.currency
    require_our_currency(currency)
    if len(rows) != len(places):
        raise InvalidInput("the lines (:61:) do not all begin in a line of their own.")
    lines = []
    for row, place in zip(rows, places, strict=True):
        if row.data["amount"].amount:
            lines.append(_line(row.data, place))
        else:
            report.leave_out(place, ZERO)
    days = [one.day for one in lines] or [_plain_day(opening.date)]
    number = str(facts["account_identification"]).removesuffix(currency)
    return Statement(
        line,
        account_number(number),
        FORM,
        min(days),
        max([*days, _plain_day(closing.date)]),
        _cents(opening.amount.amount),
        _cents(closing.amount.amount),
        lines,
    )


def _line(facts: dict[str, Any], place: int) -> StatementLine:
    def words(*names: str) -> str:
        found = (str(facts.get(name) or "").replace("\n", " ").strip() for name in names)
        return " ".join(dict.fromkeys(text for text in found if text))

    status = facts["status"]
    return StatementLine(
        line=place,
        day=_plain_day(facts.get("entry_date") or facts["date"]),
        cents=_SIGNS[status] * abs(_cents(facts["amount"].amount)),
        text=words(*_TEXTS),
        party=words(*_PARTIES),
        party_account=words("applicant_iban", "gvc_applicant_iban"),
        bank_ref=reference(words("bank_reference")),
        own_ref=reference(words("customer_reference")) or words("end_to_end_reference"),
        is_reversal=status in {"RC", "RD"},
    )


def _cents(amount: Decimal) -> int:
    cents = amount * 100
    if cents != int(cents):
        raise InvalidInput(f"{amount} has a fraction of a cent.")
    return int(cents)


def _plain_day(day: date) -> date:
    return date(day.year, day.month, day.day)
