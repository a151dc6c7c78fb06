"""Payments, identities and commitments, stored beside the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.records.book_settings import CommitmentRecord
from jara.records.payments import Identity, PaymentLine, PaymentQuery, PaymentRecord
from jara.store.repositories.electors import QUALIFIES, ElectorRepository
from jara.store.repositories.payment_search import PAYMENT, read_payment, search_payments
from jara.store.sql.codecs import (
    chunks,
    document_text,
    in_list,
    instant_text,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_IDENTITY = "category, source_id, ordinal, entry, cents, txn_id, payout_id, fee_cents, charge_id"
_COMMITMENT = "proposal, goal_cents, held_cents, paid_cents, released_cents, decided_at"


class PaymentRepository:
    """Payments received, for refunds, receipts and the right to vote."""

    def __init__(self, sql: Sql, electors: ElectorRepository) -> None:
        """Use an open transaction, and keep its changemakers up to date."""
        self._sql = sql
        self._electors = electors

    def add(self, payment: PaymentRecord) -> None:
        """Store a payment beside its entry."""
        self._count(payment, 1)
        self._sql.append(
            f"INSERT INTO payments ({PAYMENT}) VALUES (:entry, :source_id, :kind, "
            ":member_key, :account, :parts, :cents, :returned_cents, :dispute, :day)",
            (
                payment.index,
                payment.source_id,
                payment.kind,
                payment.member_key,
                payment.account,
                document_text({fund.value: part for fund, part in payment.parts.items()}),
                payment.cents,
                payment.returned_cents,
                payment.dispute,
                payment.day.isoformat(),
            ),
        )

    def by_source(self, source_ids: Iterable[str]) -> dict[str, PaymentRecord]:
        """Return the payments with these charge ids."""
        found: dict[str, PaymentRecord] = {}
        for piece in chunks(source_ids):
            names, params = in_list("s", piece)
            for row in self._sql.all(
                f"SELECT {PAYMENT} FROM payments WHERE source_id IN {names}", params
            ):
                found[row[1]] = read_payment(row)
        return found

    def by_index(self, index: int) -> PaymentRecord | None:
        """Return the payment of an entry, if it is one."""
        row = self._sql.one(f"SELECT {PAYMENT} FROM payments WHERE entry = :idx", {"idx": index})
        return None if row is None else read_payment(row)

    def in_dispute(self) -> list[PaymentRecord]:
        """Return the payments with an open dispute, oldest first."""
        rows = self._sql.all(
            f"SELECT {PAYMENT} FROM payments WHERE dispute = 'open' ORDER BY entry"
        )
        return [read_payment(row) for row in rows]

    def update(self, index: int, *, returned_cents: int, dispute: str) -> None:
        """Update the returned amount and the dispute of a payment."""
        before = self.by_index(index)
        if before is None:
            return
        self._count(before, -1)
        self._count(replace(before, returned_cents=returned_cents, dispute=dispute), 1)
        self._sql.run(
            "UPDATE payments SET returned_cents = :returned, dispute = :dispute WHERE entry = :idx",
            {"returned": returned_cents, "dispute": dispute, "idx": index},
        )

    def name_source(self, index: int, source_id: str) -> None:
        """Set the charge id of a payment that was posted without one."""
        self._sql.run(
            "UPDATE payments SET source_id = :source_id WHERE entry = :idx",
            {"source_id": source_id, "idx": index},
        )

    def of_member(self, member_key: str) -> list[PaymentRecord]:
        """Return a member's payments, oldest first."""
        rows = self._sql.all(
            f"SELECT {PAYMENT} FROM payments WHERE member_key = :key ORDER BY entry",
            {"key": member_key},
        )
        return [read_payment(row) for row in rows]

    def search(self, query: PaymentQuery) -> list[PaymentLine]:
        """Return the matching payments, newest entry first."""
        return search_payments(self._sql, query)

    def without_contribution(self, member_keys: Iterable[str]) -> list[str]:
        """Return those of the payers, sorted, without any pledge payment that counts."""
        paid: set[str] = set()
        wanted = sorted(set(member_keys))
        for piece in chunks(wanted):
            names, params = in_list("k", piece)
            rows = self._sql.all(
                f"SELECT DISTINCT member_key FROM payments WHERE member_key IN {names} "
                f"AND kind = 'pledge' AND {QUALIFIES}",
                params,
            )
            paid.update(row[0] for row in rows)
        return [key for key in wanted if key not in paid]

    def all(self) -> Iterator[PaymentRecord]:
        """Return every payment, oldest first."""
        for row in self._sql.each(f"SELECT {PAYMENT} FROM payments ORDER BY entry"):
            yield read_payment(row)

    def _count(self, payment: PaymentRecord, sign: int) -> None:
        """Add a payment to, or remove it from, the counts of changemakers and contributions."""
        self._electors.touch_key(payment.member_key)
        if payment.is_kept:
            cents = payment.cents - payment.returned_cents
            self._electors.count_contribution(sign, sign * cents)


class IdentityRepository:
    """The provider's movements that are already booked."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def by_txn(self, txn_ids: Iterable[str]) -> dict[str, Identity]:
        """Return the identities of these balance transactions."""
        found: dict[str, Identity] = {}
        for row in self._rows("txn_id", txn_ids):
            found[row[5]] = _identity(row)
        return found

    def by_source(self, source_ids: Iterable[str]) -> dict[str, list[Identity]]:
        """Return the identities of these sources, in order of ordinal."""
        found: dict[str, list[Identity]] = {}
        for row in sorted(self._rows("source_id", source_ids), key=lambda row: (row[0], row[2])):
            found.setdefault(row[1], []).append(_identity(row))
        return found

    def refunds_of(self, charge_id: str) -> list[Identity]:
        """Return the refunds of a charge, failed ones too, in log order."""
        rows = self._rows("charge_id", [charge_id])
        return sorted(map(_identity, rows), key=lambda found: found.index or 0)

    def add(self, identity: Identity) -> None:
        """Save an identity."""
        self._sql.append(
            f"INSERT INTO identities ({_IDENTITY}) VALUES (:category, :source_id, :ordinal, "
            ":index, :cents, :txn_id, :payout_id, :fee_cents, :charge_id)",
            astuple(identity),
        )

    def attach(
        self,
        identity: Identity,
        *,
        txn_id: str | None = None,
        payout_id: str | None = None,
        charge_id: str | None = None,
    ) -> None:
        """Fill in missing values of an identity; existing ones stay."""
        self._sql.run(
            "UPDATE identities SET txn_id = COALESCE(txn_id, :txn_id), "
            "payout_id = COALESCE(payout_id, :payout_id), "
            "charge_id = COALESCE(charge_id, :charge_id) "
            "WHERE category = :category AND source_id = :source_id AND ordinal = :ordinal",
            {
                "txn_id": txn_id,
                "payout_id": payout_id,
                "charge_id": charge_id,
                "category": identity.category,
                "source_id": identity.source_id,
                "ordinal": identity.ordinal,
            },
        )

    def payout_shares(self, payout_id: str, account: str) -> dict[Fund, int]:
        """Return, for each fund, the cents that a payout's entries moved on an account."""
        rows = self._sql.all(
            "SELECT fund, SUM(cents) FROM postings WHERE account = :account AND entry IN "
            "(SELECT entry FROM identities WHERE payout_id = :payout) GROUP BY fund",
            {"account": account, "payout": payout_id},
        )
        return {Fund(fund): int(cents) for fund, cents in rows}

    def transactions(self) -> Iterator[Identity]:
        """Return all identities with a transaction id, in order of that id."""
        for row in self._sql.each(
            f"SELECT {_IDENTITY} FROM identities WHERE txn_id IS NOT NULL ORDER BY txn_id"
        ):
            yield _identity(row)

    def _rows(self, column: str, values: Iterable[str]) -> list[Row]:
        rows: list[Row] = []
        for piece in chunks(values):
            names, params = in_list("v", piece)
            rows += self._sql.all(
                f"SELECT {_IDENTITY} FROM identities WHERE {column} IN {names}", params
            )
        return rows


class CommitmentRepository:
    """Money committed to passed proposals."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def get(self, proposal: str) -> CommitmentRecord | None:
        """Return a proposal's commitment."""
        row = self._sql.one(
            f"SELECT {_COMMITMENT} FROM commitments WHERE proposal = :proposal",
            {"proposal": proposal},
        )
        return None if row is None else _commitment(row)

    def put(self, record: CommitmentRecord) -> None:
        """Add or update a commitment."""
        self._sql.run(
            f"INSERT INTO commitments ({_COMMITMENT}) VALUES (:proposal, :goal_cents, "
            ":held_cents, :paid_cents, :released_cents, :decided_at) ON CONFLICT (proposal) "
            "DO UPDATE SET held_cents = excluded.held_cents, paid_cents = excluded.paid_cents, "
            "released_cents = excluded.released_cents",
            {
                "proposal": record.commitment.proposal,
                "goal_cents": record.commitment.goal,
                "held_cents": record.commitment.held,
                "paid_cents": record.commitment.paid,
                "released_cents": record.commitment.released,
                "decided_at": instant_text(record.decided_at),
            },
        )

    def all(self) -> list[CommitmentRecord]:
        """Return every commitment, in order of decision."""
        rows = self._sql.all(f"SELECT {_COMMITMENT} FROM commitments ORDER BY decided_at, proposal")
        return [_commitment(row) for row in rows]


def _identity(row: Row) -> Identity:
    return Identity(*row)


def _commitment(row: Row) -> CommitmentRecord:
    proposal, goal, held, paid, released, decided_at = row
    return CommitmentRecord(
        Commitment(proposal, goal, held, paid, released), read_instant(decided_at)
    )
