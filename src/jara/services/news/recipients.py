"""Who is told: open members with a confirmed address, and confirmed readers of the newsletter."""

from __future__ import annotations

from typing import NamedTuple

from jara.domain.email_kinds import Delivery, EmailChoice, EmailKind
from jara.domain.email_kinds import Recipient as Group
from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.records.access import Reader
from jara.records.operations import Email
from jara.store.unit_of_work import UnitOfWork

_MEMBER, _READER = "m:", "r:"


class Recipient(NamedTuple):
    """A member, or a reader of the newsletter without an account."""

    address: str
    language: Language
    member: Member | None = None

    @property
    def name(self) -> str:
        """What identifies the recipient in once-keys."""
        return self.address if self.member is None else self.member.id

    @property
    def place(self) -> str:
        """The place in the order of `recipients_after`."""
        return f"{_READER if self.member is None else _MEMBER}{self.name}"

    @property
    def choice(self) -> EmailChoice:
        """Which emails they want; a reader gets the news of a month in one email."""
        return EmailChoice.MONTHLY if self.member is None else self.member.email_choice

    def delivery(self, kind: EmailKind) -> Delivery:
        """Return what becomes of an email of a kind to them."""
        if self.member is not None:
            return self.member.delivery(kind)
        return kind.delivery(self.choice) if Group.READERS in kind.to else Delivery.NEVER


def recipients_after(work: UnitOfWork, place: str, *, limit: int) -> list[Recipient]:
    """Return the next recipients: the members in the order of their ids, then the readers."""
    recipients: list[Recipient] = []
    if not place.startswith(_READER):
        members = work.members.open_after(place.removeprefix(_MEMBER), limit=limit)
        recipients = [_member(member) for member in members]
        if len(members) == limit:
            return recipients
    readers = work.access.readers_after(
        place.removeprefix(_READER) if place.startswith(_READER) else "",
        limit=limit - len(recipients),
    )
    return [*recipients, *(_reader(reader) for reader in readers)]


def may_be_told(work: UnitOfWork, recipient: Recipient, kind: EmailKind) -> bool:
    """Return whether the address is confirmed, and gets emails of a kind only once.

    The account of a reader decides once its address is confirmed. Before that a stranger may
    have joined with it: the reader is told, except what the account gets unconfirmed, as of votes.
    """
    if recipient.member is not None:
        return recipient.member.email_confirmed
    member = work.members.by_email(recipient.address)
    if member is None:
        return True
    gets_it = kind.is_optional and member.delivery(kind) is not Delivery.NEVER
    return not (member.email_confirmed or gets_it)


def recipient_of(work: UnitOfWork, email: Email) -> Recipient | None:
    """Return whom an email is for, as they are now; None if they left."""
    if email.member_id is not None:
        member = work.members.get(email.member_id)
        return None if member is None or not member.is_open else _member(member)
    reader = work.access.reader(email.address)
    return None if reader is None or reader.confirmed_at is None else _reader(reader)


def _member(member: Member) -> Recipient:
    return Recipient(member.email, member.language, member)


def _reader(reader: Reader) -> Recipient:
    return Recipient(reader.email, reader.language)
