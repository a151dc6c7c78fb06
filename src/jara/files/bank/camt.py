"""Reads CAMT.053, the statement of ISO 20022, and CAMT.052, its report, in any version."""

import codecs
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from xml.parsers.expat import ExpatError

from jara.domain.bank.statement import (
    GERMAN_LENGTH,
    Statement,
    StatementLine,
    account_number,
    reference,
    squeezed,
)
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.time_zone import TimeZone
from jara.files.bank.mt940_details import is_return_code
from jara.files.bank.text import ZERO, bank_cents, iso_day, named, not_our_currency
from jara.files.reading import FileReport

FORM = "camt.053"
_STATEMENTS = frozenset({"Stmt", "Rpt"})
_READ = ("camt.053", "camt.052")
_BOOKED = frozenset({"", "BOOK"})
_OPENING, _CLOSING = ("OPBD", "PRCD"), ("CLBD",)
_AMOUNTS = ("Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt")
"""Where a part of an entry gives its amount: that in the account's currency first."""
_TEXTS = ("RmtInf/Ustrd", "RmtInf/Strd/CdtrRefInf/Ref", "RmtInf/Strd/AddtlRmtInf", "AddtlTxInf")
_MORE_TEXTS = ("RmtInf/Strd/RfrdDocInf/Nb", "Refs/Prtry/Ref", "Refs/InstrId", "Purp/Prtry")
"""Where else a payer's program may write the reference."""
_RETURNS = frozenset({"RRTN", "RPCR", "PRDD", "UPDD", "CQRV", "UPCQ"})
"""Codes of ISO 20022 for money that comes back: returned, recalled or unpaid."""
_CODES = ("BkTxCd/Domn/Fmly/SubFmlyCd", "BkTxCd/Prtry/Cd")
_CHARGES = ("Chrgs/Rcrd", "Chrgs")


@dataclass(slots=True)
class _Part:
    """The texts inside an element by their path, and the line where it begins."""

    line: int
    texts: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    parts: "list[_Part]" = field(default_factory=list)

    def first(self, *paths: str) -> str:
        """Return the first text at the first of these paths that has one."""
        for path in paths:
            if path in self.texts:
                return self.texts[path][0]
        return ""


_PIECE_BYTES = 1 << 16
_DEPTH_MAX = 100
"""More than five times as deep as banks nest; the path of each open element is stored."""
_PARTS = frozenset({"Bal", "Ntry", "TxDtls"})


def read_camt(
    data: bytes, name: str, report: FileReport, encoding: str | None = None
) -> Iterator[Statement]:
    """Read the statements of a file; the report collects lines rejected for their currency.

    `encoding` is that of the file, if it is not the one that it declares.

    Raises:
        InvalidInput: the file is broken, or not a statement; the message names the line.
    """
    for statement, balances, entries in _statements(data, name, encoding):
        yield _statement(statement, balances, entries, name, report)


_Parts = tuple[_Part, list[_Part], list[_Part]]
"""A statement's own texts, its balances and its lines."""


class _Collector:
    """Collects the parts of each statement in turn from what the parser finds.

    The parser's own way of collecting elements takes four times as long.
    """

    def __init__(self, expat: Any, name: str, lines_before: int) -> None:  # noqa: ANN401 - expat's parser has no public type
        self.found: list[_Parts] = []
        self._name = name
        self._lines_before = lines_before
        self._expat = expat
        self._text: list[str] = []
        self._paths: list[str] = []
        """The path of each open element inside its part; empty for the part itself."""
        self._open: list[_Part] = []
        self._balances: list[_Part] = []
        self._entries: list[_Part] = []
        expat.ordered_attributes = True
        expat.StartElementHandler = self._start
        expat.EndElementHandler = self._end
        expat.CharacterDataHandler = self._text.append

    @property
    def line(self) -> int:
        """The current line of the file."""
        return self._lines_before + int(self._expat.CurrentLineNumber)

    def _start(self, name: str, facts: list[str]) -> None:
        self._text.clear()
        space, _, tag = name.rpartition("}")
        if len(self._paths) == _DEPTH_MAX:
            raise InvalidInput(
                f"{self._name}, line {self.line}: elements are nested deeper than {_DEPTH_MAX}."
            )
        if not self._paths:
            _require_camt(tag, space, self._name)
            path = tag
        elif tag in _STATEMENTS or (self._open and tag in _PARTS):
            self._begin(tag, self.line)
            path = ""
        else:
            outer = self._paths[-1]
            path = f"{outer}/{tag}" if outer else tag
        self._paths.append(path)
        if self._open and "Ccy" in facts[::2]:
            currency = dict(zip(facts[::2], facts[1::2], strict=True))["Ccy"]
            self._open[-1].texts[f"{path}@"].append(currency)

    def _end(self, name: str) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        path = self._paths.pop()
        if not path:
            self._finish(name.rpartition("}")[2])
        elif text and self._open:
            self._open[-1].texts[path].append(text)

    def _begin(self, tag: str, line: int) -> None:
        part = _Part(line)
        if tag == "TxDtls":
            self._open[-1].parts.append(part)
        self._open.append(part)

    def _finish(self, tag: str) -> None:
        part = self._open.pop()
        if tag in _STATEMENTS:
            self.found.append((part, self._balances, self._entries))
            self._balances, self._entries = [], []
        elif tag != "TxDtls":
            (self._balances if tag == "Bal" else self._entries).append(part)


def _statements(data: bytes, name: str, encoding: str | None) -> Iterator[_Parts]:
    """Read the statements of a file piece by piece, without its elements in memory."""
    from defusedxml import DefusedXmlException, ElementTree  # noqa: PLC0415 - slow to load

    parser: Any = ElementTree.DefusedXMLParser(forbid_dtd=True, encoding=encoding)
    # XML allows nothing before its declaration, but some files begin with empty lines.
    plain = data.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n\t ")
    lines_before = data.count(b"\n", 0, len(data) - len(plain))
    collector = _Collector(parser.parser, name, lines_before)
    try:
        for start in range(0, len(plain), _PIECE_BYTES):
            parser.parser.Parse(plain[start : start + _PIECE_BYTES], False)  # noqa: FBT003 - expat's
            yield from collector.found
            collector.found.clear()
        parser.parser.Parse(b"", True)  # noqa: FBT003 - expat takes no names
    except DefusedXmlException:
        raise InvalidInput(
            f"{name}, line {collector.line}: the file has a DTD or entities, which are refused."
        ) from None
    except (ExpatError, ValueError, LookupError) as error:
        raise InvalidInput(
            f"{name}, line {collector.line}: the file is not XML ({error}).{_say_encoding(data)}"
        ) from None
    yield from collector.found


def _say_encoding(data: bytes) -> str:
    """Return what to do if the reason may be the encoding."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return " If it is not in the encoding that it declares, name it with --encoding."
    return ""


def _require_camt(tag: str, space: str, name: str) -> None:
    if tag != "Document" or (space and not any(code in space for code in _READ)):
        what = space.rpartition(":")[2] or tag
        raise InvalidInput(
            f"{name}, line 1: this is {what}, not a statement; ask the bank for camt.053."
        )


def _statement(
    head: _Part, balances: list[_Part], entries: list[_Part], name: str, report: FileReport
) -> Statement:
    number = _number(head, "Acct", "Acct/Svcr")
    currency = head.first("Acct/Ccy") or next(
        (part.first("Amt@") for part in balances if part.first("Amt@")), books_currency()
    )
    is_ours = currency == books_currency()
    lines: list[StatementLine] = []
    for entry in entries if is_ours else ():
        with named(name, entry.line):
            lines += _lines(entry, report)
    with named(name, head.line):
        if is_ours:
            opening, closing = _balance(balances, _OPENING), _balance(balances, _CLOSING)
        else:
            opening = closing = None
        days = [line.day for line in lines]
        zone = report.zone
        first = _day(zone, head.first("FrToDt/FrDtTm", "FrToDt/FrDt")) or min(days, default=None)
        last = _day(zone, head.first("FrToDt/ToDtTm", "FrToDt/ToDt")) or max(days, default=None)
        first = first or _closing_day(balances, zone)
        last = last or _closing_day(balances, zone)
        return Statement(
            head.line,
            account_number(number) if number else "",
            FORM,
            min([first, *days]),
            max([last, *days]),
            opening,
            closing,
            lines,
            "" if is_ours else currency,
        )


def _number(part: _Part, account: str, bank: str) -> str:
    """Return the number of an account; with a slash after its bank code if that is German."""
    number = part.first(f"{account}/Id/IBAN")
    if number:
        return number
    number = part.first(f"{account}/Id/Othr/Id").replace(" ", "")
    code = f"{bank}/FinInstnId/ClrSysMmbId"
    is_german = bool(number) and part.first(f"{code}/ClrSysId/Cd") == "DEBLZ"
    if is_german:
        return f"{part.first(f'{code}/MmbId')}/{number.zfill(GERMAN_LENGTH)}"
    return number


def _balance(balances: list[_Part], codes: tuple[str, ...]) -> int | None:
    for code in codes:
        for part in balances:
            if part.first("Tp/CdOrPrtry/Cd") == code:
                return _signed(part)
    return None


def _closing_day(balances: list[_Part], zone: TimeZone) -> date:
    for part in reversed(balances):
        day = _day(zone, part.first("Dt/Dt", "Dt/DtTm"))
        if day is not None:
            return day
    raise InvalidInput("the statement names no day.")


def _signed(part: _Part) -> int:
    text = part.first("Amt")
    cents = bank_cents(text)
    if cents < 0:
        raise InvalidInput(f"'{text}' is negative; CRDT or DBIT says which way money went.")
    match part.first("CdtDbtInd"):
        case "CRDT":
            return cents
        case "DBIT":
            return -cents
        case other:
            raise InvalidInput(f"'{other}' is neither CRDT nor DBIT.")


def _lines(entry: _Part, report: FileReport) -> list[StatementLine]:
    if entry.first("Sts/Cd", "Sts") not in _BOOKED:
        report.leave_out(entry.line, "not booked yet")
        return []
    currency = entry.first("Amt@")
    other = not_our_currency(currency)
    if other is not None:
        report.reject(entry.line, other)
        return []
    cents = _signed(entry)
    days = entry.first("BookgDt/Dt", "BookgDt/DtTm", "ValDt/Dt", "ValDt/DtTm")
    day = _day(report.zone, days)
    if day is None:
        raise InvalidInput("the line names no day.")
    if not cents:
        report.leave_out(entry.line, ZERO)
        return []
    if _contradicts(entry, cents):
        report.reject(entry.line, "CRDT and DBIT are both said of it.")
        return []
    whole = _line(entry, entry.parts or [entry], day, cents)
    if max(len(entry.parts), _count_of(entry)) == 1:
        return [whole]
    amounts = [_amount_of_part(part, entry) for part in entry.parts]
    if sum(amounts) != cents or not all(amounts):
        return [replace(whole, is_collective=True, fee_cents=0)]
    return [
        _line(entry, [part], day, part_cents)
        for part, part_cents in zip(entry.parts, amounts, strict=True)
    ]


def _count_of(entry: _Part) -> int:
    """Return how many payments the bank says that it booked as one."""
    counts = entry.texts.get("NtryDtls/Btch/NbOfTxs", [])
    return sum(int(text) for text in counts if text.isdecimal()) or 1


def _amount_of_part(part: _Part, entry: _Part) -> int:
    """Return the signed amount of a part in the currency of its entry; 0 if it gives none."""
    for path in _AMOUNTS:
        if part.first(f"{path}@") == entry.first("Amt@"):
            cents = max(bank_cents(part.first(path)), 0)
            indicator = part.first("CdtDbtInd") or entry.first("CdtDbtInd")
            return cents if indicator == "CRDT" else -cents
    return 0


def _line(entry: _Part, details: list[_Part], day: date, cents: int) -> StatementLine:
    detail = details[0]
    side = "Dbtr" if cents > 0 else "Cdtr"
    texts = [text for part in details for path in _TEXTS for text in part.texts.get(path, [])]
    other = entry.first("AddtlNtryInf")
    single = detail.first("Refs/AcctSvcrRef") if len(entry.parts) > 1 else ""
    parties = f"RltdPties/{side}"
    party = detail.first(f"{parties}/Nm", f"{parties}/Pty/Nm")
    # Who pays through another's account is not known by that account.
    real = f"RltdPties/Ultmt{side}"
    ultimate = detail.first(f"{real}/Nm", f"{real}/Pty/Nm") if cents > 0 else ""
    is_other = squeezed(ultimate) not in {"", squeezed(party)}
    own_ref = reference(detail.first("Refs/EndToEndId"))
    words = squeezed(" ".join([*texts, own_ref]))
    more = [text for part in details for path in _MORE_TEXTS for text in part.texts.get(path, [])]
    texts += [text for text in map(reference, more) if squeezed(text) not in words]
    return StatementLine(
        line=detail.line,
        day=day,
        cents=cents,
        text=" ".join(dict.fromkeys([*texts, *([other] if other else [])])),
        party=ultimate if is_other else party,
        party_account="" if is_other else _number(detail, f"{parties}Acct", f"RltdAgts/{side}Agt"),
        bank_ref=single
        or entry.first("AcctSvcrRef", "NtryRef")
        or detail.first("Refs/AcctSvcrRef"),
        own_ref=own_ref,
        is_reversal=_is_return(entry, detail),
        fee_cents=_fee(entry, detail, cents) if len(details) == 1 else 0,
    )


def _day(zone: TimeZone, text: str) -> date | None:
    return iso_day(text, zone) if text else None


def _contradicts(entry: _Part, cents: int) -> bool:
    """Return whether the only part of an entry has its amount, but the other direction."""
    if len(entry.parts) != 1 or not entry.parts[0].first("CdtDbtInd"):
        return False
    return _amount_of_part(entry.parts[0], entry) == -cents


def _fee(entry: _Part, detail: _Part, cents: int) -> int:
    """Return the charge that was taken off an amount: what was instructed less what arrived."""
    currency = entry.first("Amt@")
    parts = (detail, entry) if len(entry.parts) <= 1 else (detail,)
    for part in parts:
        for path in ("AmtDtls/InstdAmt/Amt", "AmtDtls/TxAmt/Amt", "Amt"):
            # Only amounts in the account's currency can be compared; without an attribute they are.
            if part.first(path) and part.first(f"{path}@") in {"", currency}:
                gross = abs(bank_cents(part.first(path)))
                fee = (gross if cents > 0 else -gross) - cents
                if fee > 0:
                    return fee
        instructed = "AmtDtls/InstdAmt/Amt"
        if part.first(instructed) and part.first(f"{instructed}@") in {"", currency}:
            return 0
    return next(filter(None, (_charges(part, currency) for part in parts)), 0)


def _charges(part: _Part, currency: str) -> int:
    """Return the charges that the amount of a part includes."""
    for path in _CHARGES:
        amounts, marks = part.texts.get(f"{path}/Amt", []), part.texts.get(f"{path}/CdtDbtInd", [])
        included = part.first(f"{path}/ChrgInclInd") in {"", "true", "1"}
        is_ours = set(part.texts.get(f"{path}/Amt@", [])) <= {currency}
        if amounts and included and is_ours and set(marks) <= {"DBIT"}:
            return sum(bank_cents(amount) for amount in amounts)
    return 0


def _is_return(entry: _Part, detail: _Part) -> bool:
    """Return whether the bank marks money that comes back, in any of the published ways."""
    if entry.first("RvslInd") in {"true", "1"}:
        return True
    if any(path.startswith("RtrInf/") for part in (detail, entry) for path in part.texts):
        return True
    codes = {part.first(path) for path in _CODES for part in (detail, entry)}
    return not codes.isdisjoint(_RETURNS) or any(map(is_return_code, codes))
