"""Pledges, and the history of their states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any

from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeChange, PledgeState
from jara.records.people import Account
from jara.store.repositories.electors import QUALIFIES, ElectorRepository
from jara.store.sql.codecs import (
    in_list,
    instant_text,
    optional_day,
    optional_day_text,
    optional_instant,
    optional_instant_text,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_PLEDGE = (
    "member_id, id, dollars, billing_day, state, anchor_on, started_at, next_charge_on, skips_on, "
    "resumes_on, past_due_since, customer_id, subscription_id, card_expires_on, "
    "card_fingerprint, way, reference"
)
_ACCOUNT = f"""
SELECT m.todo,
    (SELECT MIN(day) FROM payments
        WHERE member_key = m.member_key AND kind = 'pledge' AND {QUALIFIES}),
    (SELECT email FROM pending_addresses WHERE member_id = m.id AND expires_at > :now),
    p.{_PLEDGE.replace(", ", ", p.")}
FROM members m LEFT JOIN pledges p ON p.member_id = m.id WHERE m.id = :id
"""


class PledgeRepository:
    """Pledges, one for each member, and the history of their states."""

    def __init__(self, sql: Sql, electors: ElectorRepository) -> None:
        """Use an open transaction, and keep its changemakers up to date."""
        self._sql = sql
        self._electors = electors

    def get(self, member_id: str) -> Pledge | None:
        """Return a member's pledge."""
        row = self._sql.one(
            f"SELECT {_PLEDGE} FROM pledges WHERE member_id = :id", {"id": member_id}
        )
        return None if row is None else _pledge(row)

    def account(self, member_id: str, *, now: datetime) -> Account:
        """Return a member's pledge and what else their profile shows; empty for an unknown id."""
        row = self._sql.one(_ACCOUNT, {"id": member_id, "now": instant_text(now)})
        if row is None:
            return Account()
        todo, first_on, pending_email, *kept = row
        return Account(
            pledge=None if kept[0] is None else _pledge(kept),
            first_paid_on=optional_day(first_on),
            todo_done=frozenset(todo.split()),
            pending_email=pending_email,
        )

    def shares_card(self, member_id: str) -> bool:
        """Return whether several members may vote with this member's card."""
        row = self._sql.one(
            "SELECT 1 FROM pledges p JOIN shared_cards s ON s.fingerprint = p.card_fingerprint "
            "WHERE p.member_id = :id",
            {"id": member_id},
        )
        return row is not None

    def share_card(self, fingerprint: str, *, at: datetime, why: str) -> None:
        """Allow every member who pays with this card to vote."""
        self._sql.run(
            "INSERT INTO shared_cards (fingerprint, allowed_at, why) VALUES (:card, :at, :why) "
            "ON CONFLICT (fingerprint) DO NOTHING",
            {"card": fingerprint, "at": instant_text(at), "why": why},
        )

    def put(self, pledge: Pledge, *, member_key: str, at: datetime) -> None:
        """Add or update a pledge; a new state or amount is added to the history."""
        before = self.get(pledge.member_id)
        self._electors.touch(pledge.member_id)
        params = _pledge_row(pledge)
        names = ", ".join(f":{name}" for name in params)
        kept = ", ".join(f"{name} = excluded.{name}" for name in params if name != "member_id")
        self._sql.run(
            f"INSERT INTO pledges ({', '.join(params)}) VALUES ({names}) "
            f"ON CONFLICT (member_id) DO UPDATE SET {kept}",
            params,
        )
        if before is None or (before.state, before.dollars) != (pledge.state, pledge.dollars):
            self._sql.run(
                "INSERT INTO pledge_changes (seq, member_key, at, state, dollars) VALUES "
                "((SELECT COALESCE(MAX(seq), 0) + 1 FROM pledge_changes), :key, :at, :state, "
                ":dollars)",
                {
                    "key": member_key,
                    "at": instant_text(at),
                    "state": pledge.state.value,
                    "dollars": pledge.dollars,
                },
            )

    def all(self) -> Iterator[Pledge]:
        """Return every pledge."""
        for row in self._sql.each(f"SELECT {_PLEDGE} FROM pledges ORDER BY member_id"):
            yield _pledge(row)

    def by_subscription(self, subscription_id: str) -> Pledge | None:
        """Return the pledge of a subscription at the provider."""
        row = self._sql.one(
            f"SELECT {_PLEDGE} FROM pledges WHERE subscription_id = :id", {"id": subscription_id}
        )
        return None if row is None else _pledge(row)

    def of_customer(self, customer_id: str) -> list[Pledge]:
        """Return the pledges of a customer at the provider."""
        rows = self._sql.all(
            f"SELECT {_PLEDGE} FROM pledges WHERE customer_id = :id ORDER BY member_id",
            {"id": customer_id},
        )
        return [_pledge(row) for row in rows]

    def with_reference(self) -> dict[str, tuple[Pledge, str]]:
        """Return the pledges that are not paid by card, with the payer's key, by reference."""
        rows = self._sql.all(
            f"SELECT p.{_PLEDGE.replace(', ', ', p.')}, m.member_key FROM pledges p "
            "JOIN members m ON m.id = p.member_id WHERE p.reference IS NOT NULL"
        )
        return {row[16]: (_pledge(row), row[17]) for row in rows}

    def in_states(self, *states: PledgeState) -> list[Pledge]:
        """Return the pledges in one of these states."""
        names, params = in_list("s", [state.value for state in states])
        rows = self._sql.all(
            f"SELECT {_PLEDGE} FROM pledges WHERE state IN {names} ORDER BY member_id", params
        )
        return [_pledge(row) for row in rows]

    def count_in(self, state: PledgeState) -> dict[PaymentWay, int]:
        """Return the number of pledges in a state, by the way they are paid."""
        rows = self._sql.all(
            "SELECT way, COUNT(*) FROM pledges WHERE state = :state GROUP BY way ORDER BY way",
            {"state": state.value},
        )
        return {PaymentWay(way): int(count) for way, count in rows}

    def changes(self, *, until: datetime | None = None) -> Iterator[PledgeChange]:
        """Return the history of all pledges up to an instant, oldest first."""
        rows = self._sql.each(
            "SELECT member_key, at, state, dollars FROM pledge_changes WHERE at <= :until "
            "ORDER BY seq",
            {"until": "9999" if until is None else instant_text(until)},
        )
        for row in rows:
            yield _change(row)

    def changes_of(self, member_key: str) -> list[PledgeChange]:
        """Return the history of one member's pledge, oldest first."""
        rows = self._sql.all(
            "SELECT member_key, at, state, dollars FROM pledge_changes WHERE member_key = :key "
            "ORDER BY seq",
            {"key": member_key},
        )
        return [_change(row) for row in rows]


def _pledge_row(pledge: Pledge) -> dict[str, object]:
    return {
        "member_id": pledge.member_id,
        "id": pledge.id,
        "dollars": pledge.dollars,
        "billing_day": pledge.billing_day.value,
        "state": pledge.state.value,
        "anchor_on": pledge.anchor_on.isoformat(),
        "started_at": instant_text(pledge.started_at),
        "next_charge_on": optional_day_text(pledge.next_charge_on),
        "skips_on": optional_day_text(pledge.skips_on),
        "resumes_on": optional_day_text(pledge.resumes_on),
        "past_due_since": optional_instant_text(pledge.past_due_since),
        "customer_id": pledge.customer_id,
        "subscription_id": pledge.subscription_id,
        "card_expires_on": optional_day_text(pledge.card_expires_on),
        "card_fingerprint": pledge.card_fingerprint,
        "way": pledge.way.value,
        "reference": pledge.reference,
    }


def _change(row: Row) -> PledgeChange:
    key, at, state, dollars = row
    return PledgeChange(key, read_instant(at), PledgeState(state), dollars)


def _pledge(row: Sequence[Any]) -> Pledge:
    return Pledge(
        member_id=row[0],
        id=row[1],
        dollars=row[2],
        billing_day=BillingDay(row[3]),
        state=PledgeState(row[4]),
        anchor_on=date.fromisoformat(row[5]),
        started_at=read_instant(row[6]),
        next_charge_on=optional_day(row[7]),
        skips_on=optional_day(row[8]),
        resumes_on=optional_day(row[9]),
        past_due_since=optional_instant(row[10]),
        customer_id=row[11],
        subscription_id=row[12],
        card_expires_on=optional_day(row[13]),
        card_fingerprint=row[14],
        way=PaymentWay(row[15]),
        reference=row[16],
    )
