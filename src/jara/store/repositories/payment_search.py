"""Lists of payments with their payers, for operators."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from jara.domain.books.account import Fund
from jara.domain.books.payment_state import PaymentState
from jara.records.payments import PaymentLine, PaymentQuery, PaymentRecord
from jara.store.sql.codecs import in_list, like_part, read_document
from jara.store.sql.connection import Row, Sql

_FUNDS = tuple(Fund)
_COLUMNS = (
    "entry",
    "source_id",
    "kind",
    "member_key",
    "account",
    "parts",
    "cents",
    "returned_cents",
    "dispute",
    "day",
)
PAYMENT = ", ".join(_COLUMNS)
"""The columns that `read_payment` reads, in its order."""

_STATE = (
    "CASE WHEN p.dispute = 'open' THEN 'disputed' "
    "WHEN p.dispute IN ('lost', 'reversed') THEN p.dispute "
    "WHEN p.returned_cents >= p.cents THEN 'refunded' "
    "WHEN p.returned_cents > 0 THEN 'part-refunded' ELSE 'paid' END"
)
"""`payment_state` of the domain, in SQL."""
_TEXTS_OF = "JOIN entries e ON e.idx = p.entry LEFT JOIN members m ON m.member_key = p.member_key"
_NEWEST = "ORDER BY p.day DESC, p.entry DESC"
_TEXTS = (
    "lower(m.firstname || ' ' || m.lastname)",
    "m.email_key",
    "lower(e.description)",
    "lower(e.reference)",
    "e.id",
    "lower(p.source_id)",
)


def search_payments(sql: Sql, query: PaymentQuery) -> list[PaymentLine]:
    """Return the matching payments, newest day first."""
    conditions, params = _conditions(query)
    columns = ", ".join(f"p.{name}" for name in _COLUMNS)
    # Names and texts are joined for the shown rows only, unless the query searches them.
    rows = sql.all(
        f"SELECT {columns}, e.id, e.description, e.reference, m.firstname, m.lastname, m.email "
        f"FROM payments p {_TEXTS_OF} WHERE p.entry IN (SELECT p.entry FROM payments p "
        f"{'' if query.text is None else _TEXTS_OF} WHERE {' AND '.join(conditions)} "
        f"{_NEWEST} LIMIT :limit) {_NEWEST}",
        {**params, "limit": query.limit},
    )
    return [_line(row) for row in rows]


def read_payment(row: Row) -> PaymentRecord:
    """Build a payment from the columns ``PAYMENT``."""
    index, source_id, kind, member_key, account, parts, cents, returned, dispute, day = row
    shares: Mapping[str, int] = read_document(parts)
    return PaymentRecord(
        index,
        source_id,
        kind,
        member_key,
        account,
        {fund: shares[fund] for fund in _FUNDS if fund in shares},
        cents,
        returned,
        dispute,
        date.fromisoformat(day),
    )


def _conditions(query: PaymentQuery) -> tuple[list[str], dict[str, object]]:
    conditions = ["p.cents > 0"]
    params: dict[str, object] = {}
    if query.member_key is not None:
        conditions.append("p.member_key = :member_key")
        params["member_key"] = query.member_key
    if query.states:
        names, values = in_list("state", [PaymentState(state).value for state in query.states])
        conditions.append(f"{_STATE} IN {names}")
        params |= values
    if query.kind is not None:
        conditions.append("p.kind = :kind")
        params["kind"] = query.kind
    if query.first_day is not None:
        conditions.append("p.day >= :first")
        params["first"] = query.first_day.isoformat()
    if query.last_day is not None:
        conditions.append("p.day <= :last")
        params["last"] = query.last_day.isoformat()
    if query.text is not None:
        found = " OR ".join(f"{text} LIKE :text ESCAPE '!'" for text in _TEXTS)
        conditions.append(f"({found})")
        params["text"] = like_part(query.text)
    return conditions, params


def _line(row: Row) -> PaymentLine:
    *payment, entry, description, reference, firstname, lastname, email = row
    name = "" if firstname is None else f"{firstname} {lastname}"
    record = read_payment(tuple(payment))
    return PaymentLine(record, entry, description, reference, name, email or "")
