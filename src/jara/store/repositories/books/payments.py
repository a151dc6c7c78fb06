"""Payments received and the provider's movements that are booked."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime

from jara.domain.books.account import Fund
from jara.domain.books.payment_state import PaymentState
from jara.domain.giving.member import address_spellings
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.giving.pledge import counted_cents
from jara.domain.giving.standing import PledgePayment
from jara.domain.lookup import plain_text
from jara.records.payments import Identity, PaymentLine, PaymentQuery, PaymentRecord
from jara.store.repositories.bank import MATCH_COUNTS
from jara.store.repositories.books.electors import ElectorRepository, gives_vote, pledge_payments
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import chunks, in_list, like_part
from jara.store.sql.connection import Row, Sql

PAYMENTS = Rows("payments", PaymentRecord, index="entry")
IDENTITIES = Rows("identities", Identity, index="entry")

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
    "(m.firstname || ' ' || m.lastname)",
    "m.email_key",
    "e.description",
    "e.reference",
    "e.id",
    "p.source_id",
)


class PaymentRepository(Repository):
    """Payments received, for refunds, receipts and the right to vote."""

    in_dispute = PAYMENTS.lister("WHERE dispute = 'open' ORDER BY entry")
    all = PAYMENTS.streamer("ORDER BY entry")
    of_member = PAYMENTS.lister_by("member_key", "ORDER BY entry")

    def __init__(self, sql: Sql, electors: ElectorRepository) -> None:
        super().__init__(sql)
        self._electors = electors

    def add(self, payment: PaymentRecord) -> None:
        """Store a payment beside its entry."""
        self._count(payment, 1)
        PAYMENTS.append(self._sql, payment)

    def by_source(self, source_ids: Iterable[str]) -> dict[str, PaymentRecord]:
        """Return the payments with these charge ids."""
        payments = PAYMENTS.among(self._sql, "source_id", source_ids)
        return {payment.source_id: payment for payment in payments if payment.source_id}

    def by_index(self, index: int) -> PaymentRecord | None:
        """Return the payment of an entry, if it is one."""
        return PAYMENTS.one(self._sql, "WHERE entry = :entry", entry=index)

    def update(self, index: int, *, returned_cents: int, dispute: str) -> None:
        """Update the returned amount and the dispute of a payment."""
        before = self.by_index(index)
        if before is None:
            return
        self._count(before, -1)
        self._count(replace(before, returned_cents=returned_cents, dispute=dispute), 1)
        self._update(
            "payments", {"entry": index}, {"returned_cents": returned_cents, "dispute": dispute}
        )

    def name_source(self, index: int, source_id: str) -> None:
        """Set the charge id of a payment that was posted without one."""
        self._update("payments", {"entry": index}, {"source_id": source_id})

    def release_source(self, source_id: str) -> None:
        """Take the charge id from a reversed payment, so that another entry can have it."""
        self._sql.run(
            "UPDATE payments SET source_id = NULL "
            "WHERE source_id = :source AND dispute = 'reversed'",
            {"source": source_id},
        )

    def name_card(self, index: int, card_fingerprint: str) -> None:
        """Set the card of a payment that was posted without one."""
        self._sql.run(
            "UPDATE payments SET card_fingerprint = :card "
            "WHERE entry = :idx AND card_fingerprint IS NULL",
            {"card": card_fingerprint, "idx": index},
        )

    def booked_by_hand(self, first: date, last: date) -> list[PaymentRecord]:
        """Return the payments of some days that neither provider nor statement showed."""
        return PAYMENTS.all(
            self._sql,
            "WHERE way <> 'card' AND proof NOT IN ('provider', 'statement') "
            "AND day BETWEEN :first AND :last ORDER BY entry",
            first=first,
            last=last,
        )

    def taken_since(self, day: date) -> set[str]:
        """Return who made the payments of a day or later that gave a vote and were reversed.

        Returned ones count too, except by card, of which the provider may have said so.
        """
        query = (
            "SELECT DISTINCT member_key FROM payments WHERE kind = 'pledge' AND proof <> 'none' "
            "AND (dispute = 'reversed' OR (way <> 'card' AND cents - returned_cents < "
            f"{counted_cents(None)})) AND member_key IS NOT NULL AND day >= :day"
        )
        return set(self._column(query, day=day))

    def under_pledge(self, member_key: str) -> list[PledgePayment]:
        """Return a member's payments under pledges, without those booked by mistake."""
        condition = "kind = 'pledge' AND dispute <> 'reversed'"
        return pledge_payments(self._sql, [member_key], condition=condition)

    def search(self, query: PaymentQuery) -> list[PaymentLine]:
        """Return the matching payments, newest entry first."""
        conditions, params = _conditions(query, self._sql)
        # Names and texts are joined for the shown rows only, unless the query searches them.
        rows = self._sql.all(
            "SELECT e.id, e.description, e.reference, m.firstname, m.lastname, m.email, "
            f"{PAYMENTS.columns('p.')} FROM payments p {_TEXTS_OF} "
            "WHERE p.entry IN (SELECT p.entry FROM payments p "
            f"{'' if query.text is None else _TEXTS_OF} WHERE {' AND '.join(conditions)} "
            f"{_NEWEST} LIMIT :limit) {_NEWEST}",
            {**params, "limit": query.limit},
        )
        return [_line(row) for row in rows]

    def without_contribution(self, member_keys: Iterable[str], *, since: datetime) -> list[str]:
        """Return those of the payers, sorted, whose payments gave no vote at or after an instant.

        Only payments that count now are regarded, whatever became of the pledge.
        """
        wanted = sorted(set(member_keys))
        paid = self._electors.paid_until(wanted)
        return [key for key in wanted if key not in paid or paid[key] < since]

    def giving_votes(self, member_keys: Iterable[str]) -> dict[str, PaymentRecord]:
        """Return, for each of the payers, the newest payment that gives the vote."""
        newest: dict[str, PaymentRecord] = {}
        for piece in chunks(sorted(set(member_keys))):
            names, params = in_list("k", piece)
            where = f"WHERE member_key IN {names} AND {gives_vote()} ORDER BY day, entry"
            newest |= {
                one.member_key or "": one for one in PAYMENTS.all(self._sql, where, **params)
            }
        return newest

    def prove(self, index: int, proof: PaymentProof) -> None:
        """Store who else says that a payment was made."""
        payment = self.by_index(index)
        if payment is None:
            return
        self._electors.touch_key(payment.member_key)
        self._update("payments", {"entry": index}, {"proof": proof.value})

    def require_statements(self) -> None:
        """Take the proof of the payments that no line of a statement matches any more.

        Reversed ones keep theirs: they give no vote, and an undo may be undone.
        """
        unmatched = (
            "WHERE proof = 'statement' AND dispute <> 'reversed' "
            "AND NOT EXISTS (SELECT 1 FROM bank_matches m "
            f"WHERE m.entry = payments.entry AND {MATCH_COUNTS})"
        )
        for payment in PAYMENTS.all(self._sql, unmatched):
            self.prove(payment.index, PaymentProof.NONE)

    def _count(self, payment: PaymentRecord, sign: int) -> None:
        """Add a payment to, or remove it from, the counts of changemakers and contributions."""
        self._electors.touch_key(payment.member_key)
        if payment.is_kept:
            cents = payment.cents - payment.returned_cents
            self._electors.count_contribution(sign, sign * cents)


class IdentityRepository(Repository):
    """The provider's movements that are already booked; `undone` ones are left out elsewhere."""

    def by_txn(self, txn_ids: Iterable[str]) -> dict[str, Identity]:
        """Return the identities of these balance transactions."""
        rows = self._among("txn_id", txn_ids)
        return {identity.txn_id: identity for identity in rows if identity.txn_id is not None}

    def by_source(self, source_ids: Iterable[str]) -> dict[str, list[Identity]]:
        """Return the identities of these sources, in order of ordinal."""
        identities: dict[str, list[Identity]] = {}
        rows = self._among("source_id", source_ids)
        for identity in sorted(rows, key=lambda row: (row.category, row.ordinal)):
            identities.setdefault(identity.source_id, []).append(identity)
        return identities

    def of_charge(self, charge_id: str) -> list[Identity]:
        """Return the refunds and disputes of a charge, restored ones too, in log order."""
        return sorted(self._among("charge_id", [charge_id]), key=lambda one: one.index or 0)

    def of_entries(self, indexes: Iterable[int]) -> list[Identity]:
        """Return the identities of entries; a sum of the Payments file may include several."""
        return self._among("entry", indexes)

    def unmatched_sums(self) -> list[tuple[str, str, int]]:
        """Return category, day and cents of the Payments file's sums that no other row matches."""
        rows = self._sql.all(
            "SELECT i.category, COALESCE(e.true_day, e.day), i.cents FROM identities i "
            "JOIN entries e ON e.idx = i.entry WHERE i.charge_id IS NOT NULL "
            "AND i.source_id = i.charge_id AND i.is_undone = 0 AND NOT EXISTS ("
            "SELECT 1 FROM identities n WHERE n.charge_id = i.charge_id "
            "AND n.category = i.category AND n.source_id <> i.source_id AND n.is_undone = 0)"
        )
        return [(row[0], row[1], int(row[2])) for row in rows]

    def undone(
        self, *, txn_ids: Iterable[str] = (), source_ids: Iterable[str] = ()
    ) -> list[Identity]:
        """Return the undone movements with one of these transactions or sources."""
        return [
            *self._among("txn_id", txn_ids, is_undone=True),
            *self._among("source_id", source_ids, is_undone=True),
        ]

    def undo(self, indexes: Iterable[int]) -> None:
        """Let the movements of reversed entries be booked again."""
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            self._sql.run(f"UPDATE identities SET is_undone = 1 WHERE entry IN {names}", params)

    def remove(self, identity: Identity) -> None:
        """Remove an identity, whose movement is booked anew."""
        self._sql.run(f"DELETE FROM identities {_SAME}", _key_of(identity))

    def add(self, identity: Identity) -> None:
        """Save an identity."""
        IDENTITIES.append(self._sql, identity)

    def attach(self, identity: Identity, *, txn_id: str | None, payout_id: str | None) -> None:
        """Fill in missing values of an identity; existing ones stay."""
        self._sql.run(
            "UPDATE identities SET txn_id = COALESCE(txn_id, :txn_id), "
            f"payout_id = COALESCE(payout_id, :payout_id) {_SAME}",
            {"txn_id": txn_id, "payout_id": payout_id, **_key_of(identity)},
        )

    def payout_shares(self, payout_id: str, account: str) -> dict[Fund, int]:
        """Return, for each fund, the cents that a payout's entries moved on an account."""
        rows = self._sql.all(
            "SELECT fund, SUM(cents) FROM postings WHERE account = :account AND entry IN "
            "(SELECT entry FROM identities WHERE payout_id = :payout AND is_undone = 0) "
            "GROUP BY fund",
            {"account": account, "payout": payout_id},
        )
        return {Fund(fund): int(cents) for fund, cents in rows}

    def transactions(self) -> Iterator[Identity]:
        """Return all identities with a transaction id, in order of that id."""
        where = "WHERE txn_id IS NOT NULL AND is_undone = 0 ORDER BY txn_id"
        return IDENTITIES.each(self._sql, where)

    def _among(
        self, column: str, values: Iterable[object], *, is_undone: bool = False
    ) -> list[Identity]:
        rows = IDENTITIES.among(self._sql, column, values)
        return [identity for identity in rows if identity.is_undone is is_undone]


_SAME = "WHERE category = :category AND source_id = :source_id AND ordinal = :ordinal"


def _key_of(identity: Identity) -> dict[str, object]:
    return {
        "category": identity.category,
        "source_id": identity.source_id,
        "ordinal": identity.ordinal,
    }


def _conditions(query: PaymentQuery, sql: Sql) -> tuple[list[str], dict[str, object]]:
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
        found = [f"{sql.plain(text)} LIKE :text ESCAPE '!'" for text in _TEXTS]
        params["text"] = like_part(query.text)
        if keys := _by_spelling(sql, plain_text(query.text)):
            names, values = in_list("key", keys)
            found.append(f"p.member_key IN {names}")
            params |= values
        conditions.append(f"({' OR '.join(found)})")
    return conditions, params


def _by_spelling(sql: Sql, text: str) -> list[str]:
    """Return the members whose internationalised address has a text."""
    rows = sql.all("SELECT member_key, email_key FROM members WHERE email_key LIKE '%@%xn--%'")
    return [
        str(key)
        for key, address in rows
        if any(text in plain_text(one) for one in address_spellings(str(address)))
    ]


def _line(row: Row) -> PaymentLine:
    entry, description, reference, firstname, lastname, email, *payment = row
    name = "" if firstname is None else f"{firstname} {lastname}"
    record = PAYMENTS.read(payment)
    return PaymentLine(record, entry, description, reference, name, email or "")
