"""Members' accounts, consents, registrations and imports of members."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.domain.giving.changemaker import VoteWaits
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge


class MemberImport(NamedTuple):
    """An import of a file of people, identified by the file's digest."""

    id: str
    file: str
    form: str
    digest: str
    operator: str
    started_at: datetime


class MemberImportLine(NamedTuple):
    """An import in the list: how many of its members remain, and how many were invited."""

    of: MemberImport
    undone_at: datetime | None
    members: int
    invited: int


class ImportedMember(NamedTuple):
    """An imported member; a confirmed address means that they have set a password."""

    id: str
    key: str
    email: str
    email_confirmed: bool


class Account(NamedTuple):
    """A member's pledge and profile data, read in one query."""

    pledge: Pledge | None = None  # the member's pledge
    first_paid_on: date | None = None
    """The day of the first payment that gives the vote; None if there is none, or the vote waits
    for the address."""
    paid_until: datetime | None = None
    """Until when the payments give the vote; None if they do not, or the pledge has not begun or
    has ended."""
    todo_done: frozenset[str] = frozenset()  # the ids of the completed to-do items
    pending_email: str | None = None  # the member's unconfirmed address
    waits_for: VoteWaits | None = None  # what the vote waits for besides a payment


class MemberContact(NamedTuple):
    """What operators know of a member besides the account; the member sees it in the export."""

    member_id: str  # whose it is
    postal: str = ""  # the postal address, in lines; empty if it is not known
    phone: str = ""  # the telephone number, as it was typed; empty if it is not known
    died_on: date | None = None  # the day of death


NOTIFICATIONS = "notifications"


PRIVACY_POLICY = "privacy_policy"


NEWSLETTER = "newsletter"


CONSENT_WORDING = {
    NOTIFICATIONS: "Get notified about project updates and upcoming voting sessions.",
    NEWSLETTER: "Send me news of Jara's votes and projects by email.",
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
    def of(
        cls, member_id: str, purpose: str, *, given: bool, source: str, at: datetime
    ) -> "Consent":
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


class SessionMember(NamedTuple):
    """A member with a session."""

    member: Member  # who signed in
    used_on: date  # the last stored day of use
    is_unpaid: bool  # whether the first payment, or the card for it, is not confirmed yet
