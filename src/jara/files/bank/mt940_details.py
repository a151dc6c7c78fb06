"""The text of a line of MT940 (:86:) in the dialects of banks.

German and Polish banks number its parts (``?20``, ``~20``); Dutch, Danish and international banks
name them (``/REMI/``, at mBank ``tyt.:``); others write free text. Only the parts that the bank
fills say whose account it is: a payer can write anything into text, name and references.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from jara.domain.bank.statement import GERMAN_LENGTH, reference
from jara.domain.iban import has_iban_form
from jara.files.bank.text import bank_cents

_WIDTH = 61
"""The shortest row that a bank may have broken off within a word: 65 signs less ``:86:``."""
_PART_WIDTH = 27
"""The length of a numbered part of the text; a full one goes on in the next."""

_NUMBERED = re.compile(r"(?:[0-9]{3}(?P<sign>[?<>~^@|+!])|(?P<plain>\?))[0-3][0-9]", re.ASCII)
_PURPOSE = tuple(f"{number}" for number in (*range(20, 30), *range(60, 64)))
_LABELS = re.compile(
    r"(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|BREF|RREF|PURP|IBAN|BIC)[+:]"
)
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", re.ASCII)
_MARKS = re.compile(r"[ .-]")
_NATIONAL_LENGTH_MAX = 16
"""Longer numbers hold their bank code."""
_ACCOUNT = re.compile(r"(?=(?:[^0-9]*[0-9]){4})[A-Z0-9][A-Z0-9 .-]{3,38}", re.ASCII)

_NAMED = re.compile(r"\s*/(?:[A-Z]{2,9})/")
_NAMES = re.compile(
    r"/\s*(TRTP|TRCD|IBAN|ACCW|ACCT|BIC|NAME|ADDR|CITY|CNTP|ORDP|BENM|INIT|ULTD|ULTC|ULTB|ID|"
    r"REMI|USTD|STRD|CDTRREFTP|CDTRREF|CD|ISSR|EREF|PREF|IREF|RREF|BREF|MARF|CSID|PURP|RTRN|"
    r"ISDT|SVCL|OCMT|RCMT|CHGS|CHRG|EXCH|SUM)(?=/)"
)
_MBANK = re.compile(
    r"(?P<kind>.{0,100}?;) (?:z|na) rach\.: ?(?P<account>[0-9A-Z ]{4,40});"
    r"(?: (?:od|dla):(?P<name>[^;]*);)?",
    re.ASCII | re.IGNORECASE,
)
_ABN = re.compile(
    r"(?P<kind>SEPA [A-Z ]{1,40}?) IBAN: ?(?P<account>[A-Z0-9]{4,40})(?: BIC: ?[A-Z0-9]{8,11})?"
    r"(?: NAAM: ?(?P<name>.{0,140}?))?"
    r"(?= (?:MACHTIGING|INCASSANT|OMSCHRIJVING|KENMERK|BETALINGSKENM\.): |$)"
)

_ACCOUNTS = ("IBAN", "ACCW", "ACCT")
_PARTY = ("NAME", "ORDP", "BENM")
_NO_TEXT = frozenset({*_ACCOUNTS, *_PARTY, "BIC", "ADDR", "CITY", "CNTP", "INIT", "ID", "EREF"})
_TEXT = "REMI"
_RETURNS = frozenset({"108", "109", "159", "181", "184", "NRTI"})
"""Codes of German banks (GVC), and the type of SWIFT, for money that comes back."""
_OF_BANK = frozenset(
    {*_ACCOUNTS, "BIC", "TRTP", "TRCD", "BREF", "RTRN", "SVCL", "EXCH", "ISDT"}
    | {"OCMT", "OAMT", "CHGS", "CHRG", "COAM"}
)
"""The parts that hold no words of the payer."""
_ORIGINAL, _CHARGE = ("OCMT", "OAMT"), ("CHGS", "COAM")
_AMOUNT = re.compile(
    r"(?P<currency>[A-Z]{3})?\s?(?P<amount>[0-9]{1,12}(?:[.,][0-9]{1,2})?)(?![0-9.,])"
    r"(?:\s?(?P<after>[A-Z]{3})\b)?",
    re.ASCII,
)


class Charge(NamedTuple):
    """What a text says about a charge."""

    original: str = ""  # the amount before it
    charge: str = ""
    is_sure: bool = True  # whether it stands before all words of the payer, who may write the like


class Details(NamedTuple):
    """What the text of a line says."""

    text: str = ""
    party: str = ""
    party_account: str = ""
    own_ref: str = ""
    ultimate: str = ""
    """Who pays through the account of another one."""
    charge: Charge = Charge()
    is_return: bool = False


def read_details(rows: Sequence[str]) -> Details:
    """Read the rows of a text in the dialect in which it is written."""
    whole = "".join(rows)
    numbered = _NUMBERED.match(whole)
    if numbered is not None:
        return _read_numbered(whole, numbered["sign"] or numbered["plain"])
    text = " ".join(_joined(rows, _WIDTH).split())
    if _NAMED.match(text):
        return _read_named(text)
    start = _MBANK.match(text) or _ABN.match(text)
    if start is None:
        return Details(text)
    return Details(
        _plain([text[: start.end("kind")], text[start.end() :]]),
        (start["name"] or "").strip(),
        _account([start["account"]]),
    )


def is_return_code(code: str) -> bool:
    """Return whether a code of a bank, such as ``NRTI+109+931``, means money that comes back."""
    return not _RETURNS.isdisjoint(code.split("+"))


def amount_of(text: str, currency: str) -> int:
    """Return the cents of the amount with which a text begins if it is in a currency; else 0."""
    match = _AMOUNT.match(text.strip("/ "))
    if match is None or (match["currency"] or match["after"]) not in {None, currency}:
        return 0
    return bank_cents(match["amount"])


def _read_numbered(whole: str, sign: str) -> Details:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for part in re.split(rf"{re.escape(sign)}(?=[0-9]{{2}})", whole)[1:]:
        found[part[:2]].append(part[2:])
    if _BIC.fullmatch("".join(found["20"]).strip()) and has_iban_form("".join(found["21"]).strip()):
        # Triodos writes bank, account and name there, and our account into >31.
        del found["20"]
        found["31"], found["32"] = found.pop("21"), found.pop("22", [])
    purpose = _joined([part for number in _PURPOSE for part in found[number]], _PART_WIDTH)
    parts = _parts(_LABELS, purpose)
    labelled: defaultdict[str, list[str]] = defaultdict(list)
    for label, value in parts:
        labelled[label].append(value)
    own_ref = reference(" ".join(labelled.pop("EREF", [])))
    ultimate = labelled.pop("ABWA", [])
    instead = [*ultimate, *labelled.pop("ABWE", [])]
    texts = [
        *labelled.pop("", []),
        *labelled.pop("SVWZ", []),
        *found["00"],
        *(f"{label}+{value}" for label, values in labelled.items() for value in values),
    ]
    return Details(
        text=_plain(texts),
        party=_plain(["".join([*found["32"], *found["33"]])]) or _plain(instead),
        party_account=_account_of_parts(found) or _iban_label(labelled["IBAN"]),
        own_ref=own_ref,
        ultimate=_plain(ultimate),
        charge=_charge(parts),
        is_return=sign == "?" and is_return_code(whole[:3]),
    )


def _iban_label(values: Sequence[str]) -> str:
    """Return the IBAN that a label of the bank names; what may follow it is another part."""
    accounts = {value.partition(" ")[0].upper() for value in values}
    return next((one for one in accounts if has_iban_form(one)), "") if len(accounts) == 1 else ""


def _account_of_parts(found: defaultdict[str, list[str]]) -> str:
    bank, number = "".join(found["30"]).strip(), _account(found["31"])
    iban = _account(found["38"])
    if iban and not has_iban_form(number):
        return iban
    plain = _MARKS.sub("", number)
    is_national = bank.isdigit() and plain.isdigit() and len(plain) <= _NATIONAL_LENGTH_MAX
    return f"{bank}/{plain.zfill(GERMAN_LENGTH)}" if is_national else number


def _parts(labels: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """Divide a text at labels; what stands before the first has no label."""
    first, *others = labels.split(text)
    return [("", first), *zip(others[::2], map(str.strip, others[1::2]), strict=True)]


def _charge(parts: Sequence[tuple[str, str]]) -> Charge:
    """Return what the bank says about a charge: before the payer's words, else at the end."""
    texts = [part for part in parts if part[1].strip("/ ")]
    own = dict(takewhile(lambda part: part[0] in _OF_BANK, texts))
    is_sure = not own.keys().isdisjoint((*_ORIGINAL, *_CHARGE))
    named = own if is_sure else dict(texts)
    original, charge = (
        next((named[name] for name in names if name in named), "") for names in (_ORIGINAL, _CHARGE)
    )
    return Charge(original, charge, is_sure)


def _read_named(text: str) -> Details:
    parts = _parts(_NAMES, text)
    found: defaultdict[str, list[str]] = defaultdict(list)
    texts = []
    is_of_payer = False
    for name, value in parts:
        is_of_payer |= name == _TEXT
        if is_of_payer or name not in _NO_TEXT:
            texts.append(value)
        if not is_of_payer or name == "EREF":
            found[name].append(value.strip("/ "))
    other = [part.split("/") for part in found["CNTP"]]
    names = [value for name in _PARTY for value in found[name] if value]
    names += [part[2] for part in other if len(part) > 2]  # noqa: PLR2004 - account, bank, name
    return Details(
        text=_plain(text for text in texts if reference(text.strip("/ "))),
        party=_plain(names[:1]),
        party_account=_account(
            [
                *(_without_bic(value) for name in _ACCOUNTS for value in found[name]),
                *(one[0] for one in other),
            ]
        ),
        own_ref=reference(" ".join(found["EREF"][:1])),
        ultimate=_plain(found["ULTD"][:1]),
        charge=_charge(parts),
        is_return=bool(found["RTRN"]),
    )


def _account(texts: Iterable[str]) -> str:
    """Return the account that is named; empty if several are, since a payer may have added one."""
    plain = {text.strip().upper() for text in texts}
    accounts = set(filter(_ACCOUNT.fullmatch, plain))
    return accounts.pop() if len(accounts) == 1 else ""


def _without_bic(text: str) -> str:
    """Return an IBAN without the BIC after it; other numbers need their bank."""
    number = text.partition(",")[0]
    return number if has_iban_form(number) else text


def _joined(parts: Sequence[str], width: int) -> str:
    """Join parts; one that is shorter than the width ended with a word."""
    return "".join(part if len(part) >= width else f"{part} " for part in parts)


def _plain(texts: Iterable[str]) -> str:
    return " ".join(" ".join(text.strip("/ ") for text in texts).split())
