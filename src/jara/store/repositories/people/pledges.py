"""Pledges, and the history of their states."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from jara.domain.giving.changemaker import VoteWaits
from jara.domain.giving.member import address_allows_vote
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeChange, PledgeState
from jara.records.people import Account
from jara.store.repositories.books.electors import (
    CHANGES,
    ElectorRepository,
    gives_vote,
    waits_for_proof,
)
from jara.store.rows import Repository, Rows, counter
from jara.store.sql.codecs import chunks, in_list, instant_text, optional_day, optional_instant
from jara.store.sql.connection import Sql

PLEDGES = Rows("pledges", Pledge, "member_id")


class PledgeRepository(Repository):
    """Pledges, one for each member, and the history of their states."""

    get = PLEDGES.finder("member_id")
    by_subscription = PLEDGES.finder("subscription_id")
    all = PLEDGES.streamer("ORDER BY member_id")
    of_customer = PLEDGES.lister_by("customer_id", "ORDER BY member_id")
    changes_of = CHANGES.lister_by("member_key", "ORDER BY seq")
    count_customers = counter("SELECT COUNT(*) FROM pledges WHERE customer_id IS NOT NULL")

    def __init__(self, sql: Sql, electors: ElectorRepository) -> None:
        super().__init__(sql)
        self._electors = electors

    def account(self, member_id: str, *, now: datetime) -> Account:
        """Return a member's pledge and what else their profile shows; empty for an unknown id."""
        self._electors.save()
        row = self._sql.one(_account(), {"id": member_id, "now": instant_text(now)})
        if row is None:
            return Account()
        todo, key, first_on, has_unproven, confirmed, is_added, pending_email, until, *columns = row
        may_vote = address_allows_vote(email_confirmed=confirmed, is_added=is_added)
        waits_for = VoteWaits.PROOF if has_unproven and first_on is None else None
        pledge = None if columns[0] is None else PLEDGES.read(columns)
        paid_until = optional_instant(until)
        if may_vote and pledge is not None and pledge.state is PledgeState.PAUSED:
            paid_until = self._electors.paid_until([key]).get(key)
        return Account(
            pledge=pledge,
            first_paid_on=optional_day(first_on) if may_vote else None,
            paid_until=paid_until,
            todo_done=frozenset(todo.split()),
            pending_email=pending_email,
            waits_for=waits_for if may_vote else VoteWaits.ADDRESS,
        )

    def shared_among(self, fingerprints: Iterable[str]) -> frozenset[str]:
        """Return those of the cards with which several members may vote."""
        shared: set[str] = set()
        for piece in chunks(sorted(set(fingerprints))):
            names, params = in_list("f", piece)
            query = f"SELECT fingerprint FROM shared_cards WHERE fingerprint IN {names}"
            shared.update(self._column(query, **params))
        return frozenset(shared)

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
        PLEDGES.put(self._sql, pledge)
        if before is None or (before.state, before.dollars) != (pledge.state, pledge.dollars):
            change = PledgeChange(member_key, at, pledge.state, pledge.dollars)
            CHANGES.add_next(self._sql, change)

    def with_reference(self) -> dict[str, tuple[Pledge, str]]:
        """Return the pledges that are not paid by card, with the payer's key, by reference."""
        rows = self._sql.all(
            f"SELECT p.reference, m.member_key, {PLEDGES.columns('p.')} FROM pledges p "
            "JOIN members m ON m.id = p.member_id WHERE p.reference IS NOT NULL"
        )
        return {reference: (PLEDGES.read(pledge), key) for reference, key, *pledge in rows}

    def count_by_card(self) -> int:
        """Return how many pledges are paid by card and not canceled."""
        query = "SELECT COUNT(*) FROM pledges WHERE way = :way AND state <> :over"
        return self._number(query, {"way": PaymentWay.CARD, "over": PledgeState.CANCELED})

    def in_states(self, *states: PledgeState) -> list[Pledge]:
        """Return the pledges in one of these states."""
        pledges = PLEDGES.among(self._sql, "state", states)
        return sorted(pledges, key=lambda pledge: pledge.member_id)

    def count_in(self, state: PledgeState) -> dict[PaymentWay, int]:
        """Return the number of pledges in a state, by the way they are paid."""
        rows = self._sql.all(
            "SELECT way, COUNT(*) FROM pledges WHERE state = :state GROUP BY way ORDER BY way",
            {"state": state.value},
        )
        return {PaymentWay(way): int(count) for way, count in rows}

    def changes(self, *, until: datetime | None = None) -> Iterator[PledgeChange]:
        """Return the history of all pledges up to an instant, oldest first."""
        if until is None:
            return CHANGES.each(self._sql, "ORDER BY seq")
        return CHANGES.each(self._sql, "WHERE at <= :until ORDER BY seq", until=until)


def _account() -> str:
    paid = "FROM payments WHERE member_key = m.member_key AND"
    return f"""
SELECT m.todo, m.member_key, (SELECT MIN(day) {paid} {gives_vote()}),
    EXISTS (SELECT 1 {paid} {waits_for_proof()}),
    m.email_confirmed, m.is_added,
    (SELECT email FROM pending_addresses WHERE member_id = m.id AND expires_at > :now),
    (SELECT votes_until FROM electors WHERE member_id = m.id),
    {PLEDGES.columns("p.")}
FROM members m LEFT JOIN pledges p ON p.member_id = m.id WHERE m.id = :id
"""
