"""Reads OFX, the SGML of version 1 and the XML of version 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from html import unescape

from jara.domain.bank.statement import Statement, StatementLine, account_number
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.files.bank.text import (
    ZERO,
    Place,
    bank_cents,
    bank_day,
    decoded,
    not_our_currency,
    read_xml,
    require_our_currency,
)
from jara.files.reading import FileReport

FORM = "ofx"
_TAG = re.compile(r"<(/?)([A-Za-z0-9_.]{1,64})>([^<]*)")
_STATEMENTS = ("STMTRS", "CCSTMTRS")
_RECORDS = ("STMTTRN", "LEDGERBAL", "AVAILBAL")
_CHARSET = re.compile(rb"CHARSET:(\w+)")


@dataclass(slots=True)
class _Record:
    """An aggregate: its values by name, including those of inner aggregates."""

    line: int
    values: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Found:
    head: _Record
    lines: list[_Record] = field(default_factory=list)
    balance: _Record | None = None


def read_ofx(data: bytes, name: str, report: FileReport) -> Iterator[Statement]:
    """Read the statements of a file.

    Raises:
        InvalidInput: the file is broken; the message names the line.
    """
    is_xml = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:5] == b"<?xml"
    values = _xml_values(data, name) if is_xml else _sgml_values(data, name)
    found = None
    for found in _statements(values):
        yield _statement(found, name, report)
    if found is None:
        raise InvalidInput(f"{name} has no statement of a bank account (STMTRS).")


_Value = tuple[str, str, int]
"""A tag, its text (or ``<`` where an aggregate begins, ``>`` where it ends), and the line."""


class _XmlValues:
    """Collects the values of OFX 2."""

    def __init__(self) -> None:
        self.values: list[_Value] = []
        self._last, self._line = "", 0

    def start(self, tag: str, space: str, facts: Mapping[str, str], place: Place) -> None:
        del space, facts
        if self._last:
            self.values.append((self._last, "<", self._line))
        self._last, self._line = tag, place.line

    def end(self, tag: str, text: str, place: Place) -> None:
        is_value = tag == self._last
        self.values.append((tag, text if is_value else ">", place.line))
        if is_value:
            self._last = ""


def _xml_values(data: bytes, name: str) -> Iterator[_Value]:
    handler = _XmlValues()
    for _ in read_xml(data, name, handler):
        yield from handler.values
        handler.values.clear()


def _sgml_values(data: bytes, name: str) -> Iterator[_Value]:
    charset = _CHARSET.search(data[:1024])
    encoding = "cp1252" if charset and charset[1] == b"1252" else None
    text = decoded(data, encoding, name=name)
    begin = text.upper().find("<OFX>")
    if begin < 0 or "<!" in text:
        raise InvalidInput(f"{name} is not OFX: it has no <OFX>, or declarations that OFX has not.")
    if "</OFX>" not in text.upper():
        raise InvalidInput(f"{name} is cut off: it has no </OFX>. Export it again.")
    line, seen = text.count("\n", 0, begin) + 1, begin
    for match in _TAG.finditer(text, begin):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        closing, tag, value = match[1], match[2].upper(), unescape(match[3]).strip()
        if closing:
            yield tag, ">", line
        else:
            yield tag, value or "<", line


class _Collector:
    """Collects the records of each statement in turn."""

    def __init__(self) -> None:
        self._found: _Found | None = None
        self._record: _Record | None = None

    def begin(self, tag: str, line: int) -> None:
        if tag in _STATEMENTS:
            self._found = _Found(_Record(line))
            self._record = self._found.head
        elif self._found is not None and tag in _RECORDS:
            self._record = _Record(line)
            if tag == "STMTTRN":
                self._found.lines.append(self._record)
            elif tag == "LEDGERBAL":
                self._found.balance = self._record
        else:
            self.value(tag, "")

    def value(self, tag: str, text: str) -> None:
        if self._record is not None:
            self._record.values.setdefault(tag, text)

    def end(self, tag: str) -> _Found | None:
        """Return the statement that ends here, if any."""
        found = self._found
        if found is None:
            return None
        if tag in _STATEMENTS:
            self._found = self._record = None
            return found
        if tag in _RECORDS:
            self._record = found.head
        return None


def _statements(values: Iterator[_Value]) -> Iterator[_Found]:
    collector = _Collector()
    for tag, text, line in values:
        if text == "<":
            collector.begin(tag, line)
        elif text != ">":
            collector.value(tag, text)
        else:
            found = collector.end(tag)
            if found is not None:
                yield found


def _statement(found: _Found, name: str, report: FileReport) -> Statement:
    head = found.head.values
    currency = head.get("CURDEF", books_currency())
    place = f"{name}, line {found.head.line}"
    require_our_currency(currency, f"{place}: ")
    lines: list[StatementLine] = []
    for record in found.lines:
        try:
            line = _line(record, report)
        except JaraError as error:
            raise InvalidInput(f"{name}, line {record.line}: {error.message}") from None
        lines += [] if line is None else [line]
    days = [line.day for line in lines]
    try:
        first = [_day(head["DTSTART"])] if head.get("DTSTART") else []
        last = [_day(head["DTEND"])] if head.get("DTEND") else []
        account = account_number(head.get("ACCTID", ""))
        if not [*days, *first, *last]:
            raise InvalidInput("the statement names no day.")
        last_day = max([*last, *days] or first)
        closing = _closing(found.balance, last_day)
    except JaraError as error:
        raise InvalidInput(f"{place}: {error.message}") from None
    first_day = min([*first, *days] or last)
    return Statement(found.head.line, account, FORM, first_day, last_day, None, closing, lines)


def _closing(balance: _Record | None, last: date) -> int | None:
    """Return the balance; None if it is of another day than the last."""
    if balance is None:
        return None
    as_of = balance.values.get("DTASOF", "")
    if as_of and _day(as_of) != last:
        return None
    return bank_cents(balance.values.get("BALAMT", ""))


def _line(record: _Record, report: FileReport) -> StatementLine | None:
    values = record.values
    other = not_our_currency(values.get("CURSYM", books_currency()))
    if "CURRENCY" in values and other is not None:
        report.reject(record.line, other)
        return None
    cents = bank_cents(values.get("TRNAMT", ""))
    if not cents:
        report.leave_out(record.line, ZERO)
        return None
    return StatementLine(
        line=record.line,
        day=_day(values.get("DTPOSTED", "")),
        cents=cents,
        text=values.get("MEMO", ""),
        party=values.get("NAME", "") or values.get("PAYEE", ""),
        bank_ref=values.get("FITID", ""),
        own_ref=values.get("REFNUM", "") or values.get("CHECKNUM", ""),
    )


def _day(text: str) -> date:
    return bank_day(text[:8], "%Y%m%d")
