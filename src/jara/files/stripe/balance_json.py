"""Balance transactions as Stripe's API lists them, saved to a file."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import BinaryIO

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.time_zone import UTC_ZONE
from jara.files.json_stream import JsonList
from jara.files.reading import FileReport
from jara.files.stripe import columns

_SECONDS_MAX = 253_402_300_799
_REQUIRED = ("id", "created", "currency", "amount", "fee", "net")
_CHARGE_PREFIXES = ("ch_", "py_")

_Document = Mapping[str, object]


def read_balance_json(
    stream: BinaryIO, name: str, report: FileReport, *, assume: ChargeKind | None = None
) -> Iterator[ProviderRow]:
    """Read a list of balance transactions, bare or under ``data``.

    ``source`` may be expanded or an id. Only ``balance_type`` payments is booked; the
    other balances are the other side of a movement already seen.

    Raises:
        InvalidInput: the file is not such a list.
    """
    documents = JsonList(stream, name)
    for line, document in documents.items():
        report.read += 1
        try:
            row = _row(document, line, assume)
        except JaraError as error:
            report.reject(line, error.message)
            continue
        if row is None:
            report.ignored += 1
        else:
            yield row
    if documents.others.get("has_more") is True:
        report.notes.append(f"{name}: the list is one page of several (has_more is true).")


def _row(document: object, line: int, assume: ChargeKind | None) -> ProviderRow | None:
    if not isinstance(document, dict):
        raise InvalidInput("The item is not a balance transaction.")
    if document.get("balance_type", "payments") != "payments":
        return None
    lacking = [key for key in _REQUIRED if key not in document]
    if lacking:
        named = ", ".join(f"'{key}'" for key in lacking)
        raise InvalidInput(f"The item is not a balance transaction of Stripe; it lacks {named}.")
    columns.require_currency(_text(document, "currency"))
    amount, fee, net = (_whole(document, key) for key in ("amount", "fee", "net"))
    columns.require_net(amount, fee, net)
    source = document.get("source")
    expanded: _Document = source if isinstance(source, dict) else {}
    source_id = source if isinstance(source, str) else (_text(expanded, "id") or None)
    word = _text(document, "reporting_category")
    kind_word = _text(document, "type")
    by_type = columns.category_of_type(kind_word, source_id, amount, _text(document, "description"))
    category = RowCategory.named(word) if word else by_type
    charge = category is RowCategory.CHARGE
    return ProviderRow(
        txn_id=columns.require_id(_text(document, "id"), "id"),
        created=_instant(_whole(document, "created")),
        category=category,
        raw_category=word or kind_word,
        amount=amount,
        fee=fee,
        fee_tax=_tax(document),
        net=net,
        source_id=source_id,
        charge_id=_charge_id(source_id, expanded),
        charge_kind=_kind(expanded, assume) if charge else None,
        member_id=_text(_inner(expanded, "metadata"), "jara_member") or None,
        customer_id=_id_of(expanded.get("customer")),
        email=_email(expanded),
        arrives_on=_arrival(expanded) if category is RowCategory.PAYOUT else None,
        line=line,
    )


def _kind(charge: _Document, assume: ChargeKind | None) -> ChargeKind:
    marked = _text(_inner(charge, "metadata"), "jara_kind")
    billed = _text(charge, "description") in columns.PLEDGE_DESCRIPTIONS
    return columns.charge_kind(marked, ChargeKind.PLEDGE if billed else None, assume)


def _charge_id(source_id: str | None, expanded: _Document) -> str | None:
    if source_id is not None and source_id.startswith(_CHARGE_PREFIXES):
        return source_id
    return _id_of(expanded.get("charge"))


def _arrival(payout: _Document) -> date | None:
    """Return the day the money is in the bank; a failed payout never arrives."""
    if "arrival_date" not in payout or payout.get("status") in {"failed", "canceled"}:
        return None
    return UTC_ZONE.day_of(_instant(_whole(payout, "arrival_date")))


def _tax(document: _Document) -> int:
    details = document.get("fee_details")
    if not isinstance(details, list):
        return 0
    return sum(
        _whole(detail, "amount")
        for detail in details
        if isinstance(detail, dict) and detail.get("type") == "tax"
    )


def _email(expanded: _Document) -> str | None:
    billing = _text(_inner(expanded, "billing_details"), "email")
    return billing or _text(expanded, "receipt_email") or None


def _id_of(value: object) -> str | None:
    if isinstance(value, dict):
        return _text(value, "id") or None
    return value if isinstance(value, str) and value else None


def _inner(document: _Document, key: str) -> _Document:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _text(document: _Document, key: str) -> str:
    value = document.get(key)
    return value if isinstance(value, str) else ""


def _whole(document: _Document, key: str) -> int:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"'{key}' is {value!r}; it should be a whole number.")
    return value


def _instant(seconds: int) -> datetime:
    if not 0 <= seconds <= _SECONDS_MAX:
        raise InvalidInput(f"{seconds} is not a time in seconds since 1970.")
    return datetime.fromtimestamp(seconds, UTC)
