"""Entries as documents written by operators, with dates and amounts as text."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from jara.domain.books.account import parse_fund
from jara.domain.books.journal import DESCRIPTIONS, EntryKind, Foreign, JournalEntry, Posting
from jara.domain.currency import decimals_of
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents

_BY_HAND = (
    EntryKind.MANUAL,
    EntryKind.EXPENSE,
    EntryKind.SALARY,
    EntryKind.GRANT,
    EntryKind.OPENING,
    EntryKind.TRANSFER,
    EntryKind.FEE,
    EntryKind.TOPUP,
    EntryKind.SUSPENSE,
    EntryKind.PAYOUT_ARRIVED,
    EntryKind.DISBURSEMENT,
)
DESCRIPTIONS_BY_HAND = {kind: DESCRIPTIONS[kind] for kind in _BY_HAND} | {
    EntryKind.TRANSFER: "Transfer",
    EntryKind.FEE: "Fee",
}
"""The kinds of entry that operators may post, with their description in the public log."""

_KEYS = frozenset({"date", "kind", "description", "reference", "externalId", "foreign", "postings"})
_FOREIGN_KEYS = frozenset({"currency", "amountMinor", "rate", "source", "receipt"})
_SHA256 = re.compile(r"[0-9a-f]{64}")
_POSTING_KEYS = frozenset({"account", "fund", "amount", "cents"})


def read_entry(document: object, *, today: date) -> JournalEntry:
    """Read an entry from a document of a YAML or JSON file.

    The operator's description becomes the entry's note, which is not in the public log. The
    document is ``{date, kind, description, reference, externalId, foreign, postings}``; a posting
    is ``{account, fund, amount}``, or ``cents``. An entry without a date is of today.

    Raises:
        InvalidInput: a key is unknown or missing, or a value breaks a rule.
    """
    fields = _mapping(document, "The entry", _KEYS)
    kind = _kind(fields.get("kind"))
    rows = fields.get("postings")
    if not isinstance(rows, list):
        raise InvalidInput("The entry has no list of 'postings'.")
    return JournalEntry(
        day=_day(fields.get("date"), today),
        kind=kind,
        description=DESCRIPTIONS_BY_HAND[kind],
        postings=tuple(_posting(row) for row in rows),
        reference=_text(fields, "reference"),
        external_id=_text(fields, "externalId"),
        foreign=_foreign(fields.get("foreign")),
        note=_text(fields, "description"),
    )


def write_entry(entry: JournalEntry) -> dict[str, Any]:
    """Return an entry as a document that `read_entry` reads back.

    Operators sign it when they approve the entry, so its keys are written out: a renamed field
    must not change them.
    """
    document: dict[str, Any] = {
        "date": entry.day.isoformat(),
        "kind": entry.kind.value,
        "postings": [
            {"account": p.account, "fund": p.fund.value, "cents": p.cents} for p in entry.postings
        ],
    }
    words = {
        "description": entry.note,
        "reference": entry.reference,
        "externalId": entry.external_id,
    }
    document |= {key: text for key, text in words.items() if text}
    if entry.foreign is not None:
        document["foreign"] = write_foreign(entry.foreign)
    return document


def write_foreign(foreign: Foreign) -> dict[str, Any]:
    """Return a foreign amount as a document that `read_foreign` reads back."""
    document: dict[str, Any] = {
        "currency": foreign.currency,
        "amountMinor": foreign.amount_minor,
        "rate": foreign.rate,
    }
    optional = {"source": foreign.source, "receipt": foreign.receipt}
    return document | {key: text for key, text in optional.items() if text is not None}


def read_foreign(document: object) -> Foreign:
    """Read a foreign amount: ``{currency, amountMinor, rate}``, and `source` and `receipt`.

    Raises:
        InvalidInput: it lacks one of the three, or a value breaks a rule.
    """
    fields = _mapping(document, "The foreign amount", _FOREIGN_KEYS)
    currency, rate = _text(fields, "currency") or "", _text(fields, "rate") or ""
    decimals_of(currency)
    if not (rate.isascii() and rate.replace(".", "", 1).isdigit()):
        raise InvalidInput(f"'{rate}' is not a rate like 129.00.")
    minor = _whole(fields.get("amountMinor"), "amountMinor")
    receipt = _text(fields, "receipt")
    if receipt is not None and _SHA256.fullmatch(receipt) is None:
        raise InvalidInput(f"'{receipt}' is not a SHA-256 in hex.")
    return Foreign(currency, minor, rate, _text(fields, "source"), receipt)


def parse_day(text: str) -> date:
    """Read a day such as ``2026-11-20``.

    Raises:
        InvalidInput: it is not a day.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"'{text}' is not a day; write it like 2026-11-20.") from None
    if day.isoformat() != text:
        raise InvalidInput(f"'{text}' is not a day; write it like 2026-11-20.")
    return day


def _posting(row: object) -> Posting:
    fields = _mapping(row, "A posting", _POSTING_KEYS)
    account, fund = _text(fields, "account"), _text(fields, "fund")
    if account is None or fund is None:
        raise InvalidInput("A posting names its 'account' and its 'fund'.")
    if ("amount" in fields) == ("cents" in fields):
        raise InvalidInput(f"The posting on {account} needs 'amount', such as 12.50, or 'cents'.")
    if "cents" in fields:
        cents = _whole(fields["cents"], "cents")
    else:
        cents = parse_cents(_text(fields, "amount") or "", allow_negative=True)
    return Posting(account, parse_fund(fund), cents)


def _kind(value: object) -> EntryKind:
    kind = EntryKind.MANUAL if value is None else next((k for k in EntryKind if k == value), None)
    if kind not in DESCRIPTIONS_BY_HAND:
        allowed = ", ".join(DESCRIPTIONS_BY_HAND)
        raise InvalidInput(f"An operator posts no '{value}'; the kinds are {allowed}.")
    return kind


def _day(value: object, today: date) -> date:
    if value is None:
        return today
    if isinstance(value, date):
        return value
    return parse_day(str(value))


def _foreign(value: object) -> Foreign | None:
    return None if value is None else read_foreign(value)


def _mapping(value: object, what: str, keys: frozenset[str] | set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} must be an object with keys; it is {value!r}.")
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise InvalidInput(f"{what} has an unknown key '{unknown[0]}'.")
    return value


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InvalidInput(f"'{key}' is {value!r}; write it as text, in quotes.")


def _whole(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"'{key}' is {value!r}; it is a whole number.")
    return value
