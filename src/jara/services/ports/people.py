"""Ports of the people: members, their credentials, pledges and consents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple, Protocol

from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.giving.pledge_history import PledgeChange


class Account(NamedTuple):
    """A member's pledge and profile data, read in one query.

    Args:
        pledge: the member's pledge.
        first_paid_on: the day of the first pledge payment that counts.
        todo_done: the ids of the completed to-do items.
        pending_email: the member's unconfirmed address.
    """

    pledge: Pledge | None = None
    first_paid_on: date | None = None
    todo_done: frozenset[str] = frozenset()
    pending_email: str | None = None


NOTIFICATIONS = "notifications"
PRIVACY_POLICY = "privacy_policy"

CONSENT_WORDING = {
    NOTIFICATIONS: "Get notified about project updates and upcoming voting sessions.",
    PRIVACY_POLICY: "I agree to the privacy policy.",
}
"""The text beside each consent checkbox."""


class Consent(NamedTuple):
    """A consent: its purpose, wording, source and time."""

    member_id: str
    purpose: str
    given: bool
    wording: str
    source: str
    at: datetime

    @classmethod
    def of(cls, member_id: str, purpose: str, *, given: bool, source: str, at: datetime) -> Consent:
        """Return a consent to a purpose, with the wording of its checkbox."""
        return cls(member_id, purpose, given, CONSENT_WORDING[purpose], source, at)


class PendingRegistration(NamedTuple):
    """A registration whose first payment or card is not confirmed yet.

    ``form`` holds the data for the account, and is empty once the account exists; id and key
    are generated beforehand, so that an interrupted registration can be finished.
    """

    id: str
    email: str
    member_id: str
    member_key: str
    started_at: datetime
    form: Mapping[str, Any]


class RegistrationRepository(Protocol):
    """Registrations in progress, at most one for each address."""

    def put(self, pending: PendingRegistration) -> None:
        """Add or update a registration.

        Raises:
            Conflict: another registration with this address is in progress.
        """
        ...

    def get(self, registration_id: str) -> PendingRegistration | None:
        """Return a registration."""
        ...

    def by_email(self, email: str) -> PendingRegistration | None:
        """Return the registration in progress for an address, ignoring case."""
        ...

    def by_member(self, member_id: str) -> PendingRegistration | None:
        """Return the registration that creates a member."""
        ...

    def remove(self, registration_id: str) -> None:
        """Remove a finished or abandoned registration."""
        ...

    def all(self) -> list[PendingRegistration]:
        """Return every registration in progress, oldest first."""
        ...


class SessionMember(NamedTuple):
    """A member with a session.

    Args:
        member: who signed in.
        used_on: the last stored day of use.
        is_unpaid: whether the first payment, or the card for it, is not confirmed yet.
    """

    member: Member
    used_on: date
    is_unpaid: bool


class MemberRepository(Protocol):
    """The members; leaving erases the row."""

    def add(self, member: Member, *, password_hash: str | None) -> None:
        """Store a new member; without a password nobody can sign in.

        Raises:
            EmailTaken: the address has a member.
        """
        ...

    def get(self, member_id: str) -> Member | None:
        """Return a member by id."""
        ...

    def of_session(self, member_id: str, session: str) -> SessionMember | None:
        """Return a member by id, unless this session has ended."""
        ...

    def count(self) -> int:
        """Return how many members there are."""
        ...

    def find(self, text: str) -> Member:
        """Return the member with that email, id, or unique prefix of an id or key.

        Raises:
            NotFound: no member matches.
            Conflict: several members match.
        """
        ...

    def by_email(self, email: str) -> Member | None:
        """Return the member with that address, ignoring case."""
        ...

    def by_key(self, member_key: str) -> Member | None:
        """Return the member with a key of the books, if there is one."""
        ...

    def update(self, member: Member) -> None:
        """Update a member."""
        ...

    def password_hash(self, member_id: str) -> str | None:
        """Return a member's password hash."""
        ...

    def set_password_hash(self, member_id: str, password_hash: str) -> None:
        """Replace a member's password hash."""
        ...

    def todo_done(self, member_id: str) -> frozenset[str]:
        """Return the ids of the completed to-do items."""
        ...

    def set_todo_done(self, member_id: str, done: Iterable[str]) -> None:
        """Store the ids of the completed to-do items."""
        ...

    def add_consent(self, consent: Consent) -> None:
        """Append a consent or its withdrawal."""
        ...

    def consents(self, member_id: str) -> list[Consent]:
        """Return a member's consents, oldest first."""
        ...

    def all(self) -> Iterator[Member]:
        """Return every member, in order of joining."""
        ...

    def readers(self) -> Iterator[Member]:
        """Return the open members who receive news, in order of joining."""
        ...

    def erase(self, member_id: str) -> None:
        """Delete a member, with their pledge, credentials, consents and import record."""
        ...


class PledgeRepository(Protocol):
    """Pledges, one for each member, and their history."""

    def get(self, member_id: str) -> Pledge | None:
        """Return a member's pledge."""
        ...

    def account(self, member_id: str, *, now: datetime) -> Account:
        """Return a member's pledge and what else their profile shows; empty for an unknown id."""
        ...

    def shares_card(self, member_id: str) -> bool:
        """Return whether several members may vote with this member's card."""
        ...

    def share_card(self, fingerprint: str, *, at: datetime, why: str) -> None:
        """Allow every member who pays with this card to vote."""
        ...

    def put(self, pledge: Pledge, *, member_key: str, at: datetime) -> None:
        """Add or update a pledge; a new state or amount is added to the history."""
        ...

    def all(self) -> Iterator[Pledge]:
        """Return every pledge."""
        ...

    def by_subscription(self, subscription_id: str) -> Pledge | None:
        """Return the pledge of a subscription at the provider."""
        ...

    def of_customer(self, customer_id: str) -> list[Pledge]:
        """Return the pledges of a customer at the provider."""
        ...

    def with_reference(self) -> dict[str, tuple[Pledge, str]]:
        """Return the pledges that are not paid by card, and the payer's key, by reference."""
        ...

    def in_states(self, *states: PledgeState) -> list[Pledge]:
        """Return the pledges in one of these states."""
        ...

    def count_in(self, state: PledgeState) -> Mapping[PaymentWay, int]:
        """Return the number of pledges in a state, by payment way."""
        ...

    def changes(self, *, until: datetime | None = None) -> Iterator[PledgeChange]:
        """Return the history of all pledges up to an instant, oldest first."""
        ...

    def changes_of(self, member_key: str) -> list[PledgeChange]:
        """Return the history of one member's pledge, oldest first."""
        ...


class ContributorRepository(Protocol):
    """Maps a provider's customer or an address to a key in the books.

    Handles are ``customer:<id>`` and ``address:<keyed hash>``; erasure deletes them.
    """

    def keys(self, handles: Iterable[str]) -> dict[str, str]:
        """Return the member key of each known handle."""
        ...

    def put(self, handle: str, member_key: str) -> None:
        """Store the key of a handle."""
        ...

    def beginning_with(self, prefix: str) -> list[tuple[str, str]]:
        """Return the handles with a prefix, and their keys."""
        ...

    def remove(self, handle: str) -> None:
        """Remove a handle."""
        ...

    def forget(self, member_key: str) -> None:
        """Remove every handle of a key."""
        ...

    def forget_strangers(self, before: date) -> int:
        """Remove the handles of non-members whose last gift was before a day."""
        ...
