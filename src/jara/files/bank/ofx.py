"""Reads OFX, the SGML of version 1 and the XML of version 2, as banks write it.

Both are read by one rule, since banks put either body under either header: an element with text
is a value, whether it is closed or not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from html import escape, unescape

from jara.domain.bank.statement import Statement, StatementLine, account_number
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.iban import has_iban_form
from jara.domain.time_zone import TimeZone
from jara.files.bank.text import ZERO, bank_cents, bank_day, named, not_our_currency
from jara.files.encodings import decoded
from jara.files.reading import FileReport

FORM = "ofx"
_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9_.]{0,63})(?:\s[^<>]{0,1000})?/?>([^<]*(?:<(?![/A-Za-z])[^<]*)*)"
)
_BREAK = re.compile(r"<BR\s*/?>", re.IGNORECASE)
_DECLARATION = re.compile(r"<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|\[)", re.IGNORECASE)
_CHARSET = re.compile(rb"""(?:CHARSET:\s*|encoding=["'])([\w-]+)""")
_STATEMENTS = ("STMTRS", "CCSTMTRS")
_PENDING = "STMTTRNP"
_RECORDS = ("STMTTRN", _PENDING, "LEDGERBAL", "AVAILBAL")
_OTHER_ACCOUNTS = {
    "INVSTMTRS": "an investment account",
    "LOANSTMTRS": "a loan",
    "AMRTSTMTRS": "a loan",
    "INV401K": "a pension account",
}
_NOT_BOOKED = "not booked yet"
_OUT = frozenset(
    {"DEBIT", "DIRECTDEBIT", "CHECK", "CASH", "FEE", "SRVCHG", "REPEATPMT", "PAYMENT"}
)  # fmt: skip
_IN = frozenset({"CREDIT", "DEP", "DIRECTDEP", "DIV"})
"""The types (TRNTYPE) that say which way money goes."""
_STRICT = frozenset({"DEBIT", "CREDIT"})
"""Those that say nothing else: a fee that is given back is still a fee."""
_MOMENT = re.compile(
    r"([0-9]{14})(?:\.[0-9]+)?\s*\[\s*([+-]?[0-9]{1,2}(?:\.[0-9]+)?)(?:[:;][^\]]*)?\]", re.ASCII
)
"""A time with its offset from UTC in hours."""


@dataclass(slots=True)
class _Record:
    """An aggregate: its values by name, including those of inner aggregates."""

    line: int
    values: dict[str, str] = field(default_factory=dict)

    def day(self, zone: TimeZone, *tags: str) -> date | None:
        """Return the first day that one of these values names; zeros name none."""
        for tag in tags:
            text = self.values.get(tag, "")
            if not text[:8].strip("0"):
                continue
            moment = _MOMENT.match(text)
            if moment is None:
                return bank_day(text[:8], "%Y%m%d")
            minutes = round(float(moment[2]) * 60)
            offset = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"
            return bank_day(f"{moment[1]}{offset}", "%Y%m%d%H%M%S%z", zone)
        return None


@dataclass(slots=True)
class _Parts:
    """The parts of a statement: its own values, its lines and its balance."""

    head: _Record
    is_card: bool = False
    lines: list[_Record] = field(default_factory=list)
    pending: list[_Record] = field(default_factory=list)
    balance: _Record | None = None


def read_ofx(
    data: bytes,
    name: str,
    report: FileReport,
    encoding: str | None = None,
    *,
    inverted: bool = False,
) -> Iterator[Statement]:
    """Read the statements of a file; with `inverted`, its amounts have the opposite sign.

    Raises:
        InvalidInput: the file is broken, or of another kind of account; the message names the
            line.
    """
    text = _body(data, name, encoding, report.notes)
    parts = None
    others = _Others()
    for parts in _statements(text, others, name):
        yield _statement(parts, name, report, inverted=inverted)
    others.report(name, report, is_alone=parts is None)
    if parts is None:
        raise InvalidInput(f"{name} has no statement of a bank account (STMTRS).{_status(text)}")


def _body(data: bytes, name: str, encoding: str | None, notes: list[str]) -> str:
    """Return the text, with what is not a tag in its place."""
    charset = _CHARSET.search(data[:1024])
    declared = charset[1].decode("ascii", "replace") if charset else ""
    declared = f"cp{declared}" if declared.isdigit() else declared
    text = decoded(data, encoding, declared=declared, name=name, notes=notes)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _replaced(text, "<![CDATA[", "]]>", escape)
    text = _replaced(text, "<!--", "-->", lambda comment: "\n" * comment.count("\n"))
    text = _BREAK.sub(" ", text)
    upper = text.upper()
    if _DECLARATION.search(text):
        raise InvalidInput(f"{name} has a DTD or entities, which are refused.")
    if "<OFX" not in upper:
        raise InvalidInput(f"{name} is not OFX: it has no <OFX>.")
    if "</OFX>" not in upper:
        raise InvalidInput(f"{name} is cut off: it has no </OFX>. Export it again.")
    return text


def _replaced(text: str, start: str, end: str, write: Callable[[str], str]) -> str:
    """Replace what stands between two marks, and the marks."""
    pieces, at = [], 0
    while (first := text.find(start, at)) >= 0 and (last := text.find(end, first)) >= 0:
        pieces += [text[at:first], write(text[first + len(start) : last])]
        at = last + len(end)
    return "".join([*pieces, text[at:]])


class _Collector:
    """Collects the parts of each statement in turn."""

    def __init__(self) -> None:
        self.parts: _Parts | None = None
        self._record: _Record | None = None

    def begin(self, tag: str, line: int) -> None:
        if tag in _STATEMENTS:
            self.parts = _Parts(_Record(line), tag == "CCSTMTRS")
            self._record = self.parts.head
        elif self.parts is not None and tag in _RECORDS:
            self._record = _Record(line)
            if tag == "STMTTRN":
                self.parts.lines.append(self._record)
            elif tag == _PENDING:
                self.parts.pending.append(self._record)
            elif tag == "LEDGERBAL":
                self.parts.balance = self._record
        else:
            self.value(tag, "")

    def value(self, tag: str, text: str) -> None:
        if self._record is not None:
            self._record.values.setdefault(tag, text)

    def end(self, tag: str) -> _Parts | None:
        """Return the statement that ends here, if any."""
        parts = self.parts
        if parts is None:
            return None
        if tag in _STATEMENTS:
            self.parts = self._record = None
            return parts
        if tag in _RECORDS:
            self._record = parts.head
        return None


class _Others(list[tuple[int, str]]):
    """The statements of accounts that are not kept here: line and tag."""

    def report(self, name: str, report: FileReport, *, is_alone: bool) -> None:
        """List them as left out.

        Raises:
            InvalidInput: the file has nothing else.
        """
        for line, tag in self:
            kind = _OTHER_ACCOUNTS[tag]
            if is_alone:
                raise InvalidInput(
                    f"{name}, line {line}: this is a statement of {kind} ({tag}), not of a bank "
                    "account."
                )
            report.leave_out(line, f"a statement of {kind} ({tag})")


def _statements(text: str, others: _Others, name: str) -> Iterator[_Parts]:
    collector = _Collector()
    line, seen = 1, 0
    for match in _TAG.finditer(text):
        closing, tag, value = match[1], match[2].upper(), match[3].strip()
        if value and not closing:
            collector.value(tag, _plain(value))
            continue
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if collector.parts and (tag == "OFX" or (tag in _STATEMENTS and not closing)):
            raise InvalidInput(
                f"{name}, line {collector.parts.head.line}: the statement does not end; is the "
                "file cut off?"
            )
        if closing:
            parts = collector.end(tag)
            if parts is not None:
                yield parts
        elif tag in _OTHER_ACCOUNTS:
            others.append((line, tag))
        else:
            collector.begin(tag, line)


def _statement(parts: _Parts, name: str, report: FileReport, *, inverted: bool) -> Statement:
    head = parts.head.values
    currency = head.get("CURDEF") or books_currency()
    is_ours = currency == books_currency()
    lines: list[StatementLine] = []
    corrected = _take_corrections(parts, report)
    if not is_ours:
        parts.lines.clear()
    amounts = [_amount(record, name, inverted=inverted) for record in parts.lines]
    faults = _sign_faults(parts, amounts, name, is_inverted=inverted)
    for record, cents in zip(parts.lines, amounts, strict=True):
        with named(name, record.line):
            line = _line(record, cents, report)
        if line is not None and record.line in faults:
            report.reject(record.line, faults[record.line])
        elif line is not None:
            lines.append(line)
    for record in parts.pending:
        report.leave_out(record.line, _NOT_BOOKED)
    with named(name, parts.head.line):
        number = head.get("ACCTID", "")
        days = [line.day for line in lines]
        zone = report.zone
        first, last = parts.head.day(zone, "DTSTART"), parts.head.day(zone, "DTEND")
        as_of = parts.balance.day(zone, "DTASOF") if parts.balance else None
        days += [day for day in (first, last) if day]
        days = days or [day for day in (as_of,) if day]
        if not days:
            raise InvalidInput("the statement names no day.")
        return Statement(
            parts.head.line,
            account_number(number) if number.strip() else "",
            FORM,
            min(days),
            max(days),
            None,
            _closing(parts.balance, as_of, max(days)) if is_ours else None,
            lines,
            "" if is_ours else currency,
            "credit card" if parts.is_card else "account",
            corrected=corrected,
        )


def _take_corrections(parts: _Parts, report: FileReport) -> tuple[str, ...]:
    """Take out the lines that the bank deletes or replaces; return the ids of all of them."""
    changes = {
        one.values["CORRECTFITID"]: one for one in parts.lines if "CORRECTFITID" in one.values
    }
    left = []
    for record in parts.lines:
        change = changes.get(record.values.get("FITID", ""))
        if change is not None:
            report.leave_out(record.line, f"the bank corrects it in line {change.line}")
        elif record.values.get("CORRECTFITID") and record.values.get("CORRECTACTION") != "REPLACE":
            fitid = record.values["CORRECTFITID"]
            report.leave_out(record.line, f"it deletes the line with the id {fitid}")
        else:
            left.append(record)
    parts.lines[:] = left
    return tuple(changes)


def _amount(record: _Record, name: str, *, inverted: bool) -> int:
    if _other_currency(record) is not None:
        return 0
    with named(name, record.line):
        cents = bank_cents(record.values.get("TRNAMT", ""))
    return -cents if inverted else cents


def _other_currency(record: _Record) -> str | None:
    """Return why a line is left out by its currency, if it is."""
    if "CURRENCY" not in record.values:
        return None
    return not_our_currency(record.values.get("CURSYM", books_currency()))


def _sign_faults(
    parts: _Parts, amounts: list[int], name: str, *, is_inverted: bool
) -> dict[int, str]:
    """Return what is wrong with lines whose type and amount say opposite directions, by line.

    Raises:
        InvalidInput: all of them do.
    """
    # On a card, a payment is money in.
    out = _OUT - {"PAYMENT"} if parts.is_card else _OUT
    typed = [
        (record, cents, record.values.get("TRNTYPE", "").upper())
        for record, cents in zip(parts.lines, amounts, strict=True)
        if cents and record.values.get("TRNTYPE", "").upper() in out | _IN
    ]
    wrong = [(one, kind) for one, cents, kind in typed if (cents < 0) is not (kind in out)]
    strict = [(one, kind) for one, kind in wrong if kind in _STRICT]
    if strict and len(wrong) == len(typed) and not is_inverted:
        record, kind = strict[0]
        raise InvalidInput(
            f"{name}, line {record.line}: the type {kind} and the amount say opposite directions, "
            "as in every line; if all amounts of the file have the opposite sign, say --invert."
        )
    has_signs = any(cents < 0 for cents in amounts)
    return {
        record.line: f"its type {kind} and the sign of its amount say opposite directions."
        for record, kind in (strict if has_signs else wrong)
    }


def _closing(balance: _Record | None, as_of: date | None, last: date) -> int | None:
    """Return the balance; None if it is not of the last day."""
    amount = balance.values.get("BALAMT", "") if balance else ""
    return bank_cents(amount) if amount and as_of == last else None


def _line(record: _Record, cents: int, report: FileReport) -> StatementLine | None:
    values = record.values
    other = _other_currency(record)
    if other is not None:
        report.reject(record.line, other)
        return None
    if not cents:
        report.leave_out(record.line, ZERO)
        return None
    day = record.day(report.zone, "DTPOSTED", "DTAVAIL", "DTUSER")
    if day is None:
        raise InvalidInput("the line names no day (DTPOSTED).")
    name = _longer(values.get("NAME", ""), values.get("EXTDNAME", ""))
    return StatementLine(
        line=record.line,
        day=day,
        cents=cents,
        text=_longer(name, values.get("MEMO", "")),
        party=name,
        party_account=_other_account(values),
        bank_ref=values.get("FITID", ""),
        own_ref=values.get("REFNUM", "") or values.get("CHECKNUM", ""),
    )


def _longer(name: str, memo: str) -> str:
    """Return both texts one after the other; many banks begin the second with the first."""
    return memo if memo.startswith(name) else f"{name} {memo}".strip()


def _other_account(values: dict[str, str]) -> str:
    """Return the account that the money came from or went to, with its bank."""
    number = values.get("ACCTID", "")
    return number if has_iban_form(number) or not number else f"{values.get('BANKID', '')} {number}"


def _plain(value: str) -> str:
    whole = _BREAK.sub(" ", unescape(value)) if "&" in value else value
    return " ".join(whole.split())


def _status(text: str) -> str:
    """Return what the bank says instead of a statement."""
    for match in re.finditer(r"<SEVERITY>\s*ERROR\s*(?:</SEVERITY>\s*)?<MESSAGE>([^<]+)", text):
        return f" The bank says: {match[1].strip()[:200]}"
    return ""
