"""What an address chose to get: by its member, or by a reader of the newsletter.

One person gets one email: the newsletter of an address that becomes a member's is their choice
from then on. Each change leaves a record of consent.
"""

from typing import NamedTuple

from jara.domain.email_kinds import CHOICES, Delivery, EmailChoice, kind_of
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.records.access import Reader
from jara.records.operations import Email
from jara.records.people import CONSENT_WORDING, NEWSLETTER, NOTIFICATIONS, Consent
from jara.services.context import Context
from jara.services.notices.links import address_in
from jara.store.unit_of_work import UnitOfWork

SOURCE = "link in an email"
"""The source recorded with a choice that was made without signing in."""

_READERS_CHOICES = (EmailChoice.MONTHLY, EmailChoice.NOTHING)


def is_wanted(context: Context, email: Email) -> bool:
    """Return whether an email may go to its member now, whatever they chose when it was queued."""
    kind = kind_of(email.kind)
    if email.member_id is None or not kind.is_optional:
        return True
    with context.store.read() as work:
        member = work.members.get(email.member_id)
    return member is not None and member.delivery(kind) is not Delivery.NEVER


class AddressChoice(NamedTuple):
    """What an address gets; a reader gets the newsletter, or nothing."""

    email: str
    is_member: bool
    choice: EmailChoice


def choose(
    context: Context,
    work: UnitOfWork,
    member: Member,
    choice: EmailChoice,
    *,
    source: str,
    wording: str | None = None,
) -> Member:
    """Store a member's choice with its consent; it takes the place of an earlier newsletter.

    `source` is where they chose it, `wording` the text that they read; by default the one beside
    the choice.
    """
    if member.email_confirmed:
        work.access.remove_reader(member.email)
    if choice is member.email_choice:
        return member
    chosen = member._replace(email_choice=choice)
    consent = Consent(
        member_id=member.id,
        purpose=NOTIFICATIONS,
        given=chosen.notifications,
        wording=wording or CHOICES[choice],
        source=source,
        at=context.now(),
    )
    return _store(work, chosen, consent)


def take_over_newsletter(work: UnitOfWork, member: Member) -> None:
    """Make the newsletter of a member's confirmed address their choice.

    If they have chosen since they subscribed, that counts.
    """
    reader = work.access.reader(member.email)
    if reader is None or reader.confirmed_at is None:
        return
    work.access.remove_reader(member.email)
    earlier = (one for one in work.members.consents(member.id) if one.purpose == NOTIFICATIONS)
    if all(one.at < reader.confirmed_at for one in earlier):
        consent = Consent(
            member_id=member.id,
            purpose=NOTIFICATIONS,
            given=True,
            wording=reader.wording,
            source=reader.source,
            at=reader.confirmed_at,
        )
        _store(work, member._replace(email_choice=EmailChoice.MONTHLY), consent)


def choice_by_link(context: Context, code: str) -> AddressChoice:
    """Return what the address in a link gets.

    Raises:
        UnusableCode: the code is not valid.
    """
    address = address_in(context, code)
    with context.store.read() as work:
        return _choice_of(work, address)


def choose_by_link(context: Context, code: str, choice: EmailChoice) -> AddressChoice:
    """Store the choice for the address in a link, which proves that it receives emails.

    Raises:
        UnusableCode: the code is not valid.
        InvalidInput: the address has no member and cannot choose this.
    """
    address = address_in(context, code)
    with context.store.write() as work:
        member = work.members.by_email(address)
        if member is None and choice not in _READERS_CHOICES:
            raise InvalidInput(
                "Without an account, the choices are monthly and nothing.",
                fields={"choice": "Without an account, the choices are monthly and nothing."},
            )
        if member is not None:
            work.access.remove_reader(address)
            choose(context, work, member, choice, source=SOURCE)
        elif choice is EmailChoice.NOTHING:
            work.access.remove_reader(address)
        elif _choice_of(work, address).choice is EmailChoice.NOTHING:
            now = context.now()
            work.access.put_reader(Reader(address, CONSENT_WORDING[NEWSLETTER], SOURCE, now, now))
        return _choice_of(work, address)


def unsubscribe(context: Context, code: str) -> None:
    """Unsubscribe the address in a link from the newsletter, votes and news.

    Raises:
        UnusableCode: the code is not valid.
    """
    choose_by_link(context, code, EmailChoice.NOTHING)


def _choice_of(work: UnitOfWork, address: str) -> AddressChoice:
    member, reader = work.members.by_email(address), work.access.reader(address)
    if member is not None:
        return AddressChoice(address, is_member=True, choice=member.email_choice)
    is_reader = reader is not None and reader.confirmed_at is not None
    return AddressChoice(address, is_member=False, choice=EmailChoice.of(notifications=is_reader))


def _store(work: UnitOfWork, member: Member, consent: Consent) -> Member:
    work.members.update(member)
    work.members.add_consent(consent)
    return member
