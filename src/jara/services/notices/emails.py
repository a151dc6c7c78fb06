"""Emails, queued in the same transaction as the event they report.

Emails about payments go to every member they concern, news of votes only to those who
asked for them. `jara.services.operations.daily_run` queues emails that become due over time.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from jara.domain.currency import is_home_currency
from jara.domain.email_kinds import Delivery, kind_of
from jara.domain.giving.changemaker import due_cents
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge
from jara.domain.language import ENGLISH, Language
from jara.records.access import Passkey
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.mailed_codes import make_address_code
from jara.services.notices.links import seal_link
from jara.services.organisation import read_identity
from jara.store.unit_of_work import UnitOfWork

WELCOME_CODE_LIFE = timedelta(days=7)
LOOK_BACK = timedelta(days=7)
"""Older events are not reported any more."""

_NOBODY = "nobody"


def queue_email(
    context: Context,
    work: UnitOfWork,
    kind: str,
    *,
    address: str,
    values: Mapping[str, Any],
    member_id: str | None = None,
    once_key: str | None = None,
    link: str | None = None,
) -> bool:
    """Put an email into the outbox; return False if its once-key was used before.

    Nothing is queued without an address. A link with a code is encrypted.
    """
    if not address:
        return False
    email = make_email(
        context, kind, address=address, values=values, member_id=member_id, once_key=once_key
    )
    return work.outbox.add(email if link is None else seal_link(context, email, link))


def queue_member_email(
    context: Context,
    work: UnitOfWork,
    kind: str,
    member: Member,
    *,
    values: Mapping[str, Any],
    once_key: str | None = None,
    link: str | None = None,
) -> bool:
    """Queue an email to a member if they want it. A link with a code is encrypted."""
    email = member_email(context, kind, member, values=values, once_key=once_key)
    if email is not None and link is not None:
        email = seal_link(context, email, link)
    return email is not None and work.outbox.add(email)


def member_email(
    context: Context,
    kind: str,
    member: Member,
    *,
    values: Mapping[str, Any],
    once_key: str | None = None,
) -> Email | None:
    """Return an email to a member, or None if they chose not to get it, or have no address."""
    if not member.email or member.delivery(kind_of(kind)) is Delivery.NEVER:
        return None
    return make_email(
        context,
        kind,
        address=member.email,
        values={**reader_values(context, member), **values},
        member_id=member.id,
        once_key=once_key,
    )


def reader_values(context: Context, member: Member) -> dict[str, str]:
    """Return what an email to a member says by itself: the name, in which language, whose sign."""
    values = {"firstname": member.greeting_name, "language": str(member.language)}
    country = context.rules.countries.get(member.country, "")
    return {**values, "country": country} if is_home_currency(country) else values


def queue_welcome(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Queue a new member's welcome email, once; it asks to confirm the address."""
    charge = pledge.next_charge_on
    link = None
    pending = work.access.pending_address(member.id, now=context.now())
    if not member.email_confirmed and pending is None:
        code = make_address_code(
            context, work, member_id=member.id, email=member.email, life=WELCOME_CODE_LIFE
        )
        link = confirm_url(context, code)
    values = {
        "link": "",
        "amountCents": pledge.dollars * 100,
        "nextCharge": charge.isoformat() if charge else "",
    }
    return queue_member_email(
        context, work, "welcome", member, values=values, once_key=f"welcome:{member.id}", link=link
    )


def queue_amount_changed(
    context: Context,
    work: UnitOfWork,
    member: Member,
    *,
    before_dollars: int,
    after_dollars: int,
    pledge: Pledge | None,
    at: datetime,
) -> bool:
    """Tell a member that their monthly amount changes from the next charge on."""
    due = due_cents(pledge)
    return queue_member_email(
        context,
        work,
        "amount_changed",
        member,
        values={
            "beforeCents": before_dollars * 100,
            "afterCents": after_dollars * 100,
            "isByCard": pledge is None or pledge.way is PaymentWay.CARD,
            **({} if due is None else {"dueCents": due}),
        },
        once_key=f"amount:{member.id}:{at.replace(microsecond=0).isoformat()}",
    )


def queue_confirm_renewal(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge, *, link: str, invoice: str
) -> bool:
    """Queue the link on which a member confirms a renewal, once per invoice."""
    return queue_member_email(
        context,
        work,
        "confirm_renewal",
        member,
        values={"amountCents": pledge.open_cents},
        once_key=f"confirm:{invoice}",
        link=link,
    )


def queue_card_expiring(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge, *, expires_on: date
) -> bool:
    """Tell a member that their card will expire, once per card."""
    values = {"amountCents": pledge.dollars * 100, "day": expires_on.isoformat()}
    once_key = f"card-expiring:{pledge.id}:{expires_on:%Y-%m}"
    return queue_member_email(
        context, work, "card_expiring", member, values=values, once_key=once_key
    )


def queue_fraud_warning(context: Context, work: UnitOfWork, *, charge_id: str) -> bool:
    """Tell the organisation that a bank suspects fraud; False if it has no address."""
    values, address = {"charge": charge_id}, read_identity(context, work).contact
    if not address:
        return False
    return queue_email(context, work, "fraud_warning", address=address, values=values)


def confirm_url(context: Context, code: str) -> str:
    """Return the page on which a member confirms an address."""
    return f"{context.rules.site_url}/confirm-address?code={code}"


def password_url(context: Context, code: str, *, is_first: bool = False) -> str:
    """Return the page on which a member sets a password, perhaps their first."""
    first = "first=1&" if is_first else ""
    return f"{context.rules.site_url}/reset-password?{first}code={code}"


def queue_newsletter_confirmation(
    context: Context, work: UnitOfWork, *, address: str, code: str, language: Language = ENGLISH
) -> bool:
    """Ask an address to confirm the newsletter; nothing else is sent before that."""
    return queue_email(
        context,
        work,
        "newsletter_confirmation",
        address=address,
        values={"language": language},
        link=f"{context.rules.site_url}/newsletter/confirm?code={code}",
    )


def make_email(
    context: Context,
    kind: str,
    *,
    address: str,
    values: Mapping[str, Any],
    member_id: str | None,
    once_key: str | None,
) -> Email:
    """Create an email, with the values that every email contains."""
    now = context.now()
    # So that nobody takes sandbox payments for real ones.
    mark = {"sandbox": "yes"} if context.gateway.name == "sandbox" else {}
    return Email(
        id=context.new_id(),
        kind=kind,
        address=address,
        doc={
            "organisation": context.rules.organisation,
            "siteUrl": context.rules.site_url,
            "language": context.rules.language,
            **mark,
            **values,
        },
        created_at=now,
        due_at=now,
        member_id=member_id,
        once_key=once_key,
    )


def queue_password_reset(
    context: Context, work: UnitOfWork, member: Member | None, *, code: str, minutes: int
) -> None:
    """Queue the link with which a member sets a new password.

    Without a member it does the same work but queues nothing, so that the response time does not
    reveal whether an address has an account.
    """
    email = make_email(
        context,
        "password_reset",
        address=_NOBODY if member is None else member.email,
        values={
            "firstname": _NOBODY if member is None else member.greeting_name,
            "language": context.rules.language if member is None else member.language,
            "minutes": str(minutes),
        },
        member_id=_NOBODY if member is None else member.id,
        once_key=None,
    )
    work.outbox.add(seal_link(context, email, password_url(context, code)))
    work.outbox.remove(email.id if member is None else _NOBODY)


def queue_address_confirmation(
    context: Context, work: UnitOfWork, member: Member, *, address: str, code: str, hours: int
) -> None:
    """Queue the email that asks a member to confirm an address; it greets nobody by name."""
    values = {"firstname": "", "language": member.language, "hours": str(hours)}
    queue_email(
        context,
        work,
        "address_confirm",
        address=address,
        values=values,
        member_id=member.id,
        link=confirm_url(context, code),
    )


def queue_change_notice(
    context: Context,
    work: UnitOfWork,
    kind: str,
    member: Member,
    *,
    passkeys: Iterable[Passkey],
    code: str,
    hours: int,
) -> None:
    """Report a change of an account and its passkeys, with the link that undoes it."""
    values = {"hours": str(hours), "passkeys": _names_of(passkeys)}
    link = f"{context.rules.site_url}/undo-change?code={code}"
    queue_member_email(context, work, kind, member, values=values, link=link)


def queue_address_agreement(
    context: Context, work: UnitOfWork, member: Member, *, code: str, until: date, is_removal: bool
) -> None:
    """Ask an old address whether it agrees that an operator changed or removed it."""
    contact = read_identity(context, work).contact
    values = {"until": until.isoformat(), "contact": contact, "isRemoval": is_removal}
    link = f"{context.rules.site_url}/agree-address?code={code}"
    queue_member_email(context, work, "address_agreement", member, values=values, link=link)


def queue_signed_out(
    context: Context, work: UnitOfWork, member: Member, *, passkeys: Iterable[Passkey]
) -> None:
    """Tell a member that every session ended, and which passkeys were removed."""
    values = {"passkeys": _names_of(passkeys)}
    queue_member_email(context, work, "signed_out", member, values=values)


def _names_of(passkeys: Iterable[Passkey]) -> list[tuple[str, str]]:
    return [(passkey.name, passkey.added_on.isoformat()) for passkey in passkeys]


def queue_account_closed(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge | None, *, by_operator: bool
) -> bool:
    """Queue the goodbye, without a member id; the pledge is that which it ended."""
    values = {
        "firstname": member.greeting_name,
        "language": member.language,
        "isByCard": pledge is None or pledge.way is PaymentWay.CARD,
        "isByOperator": by_operator,
        "contact": read_identity(context, work).contact,
    }
    return queue_email(context, work, "account_closed", address=member.email, values=values)


def queue_death_recorded(
    context: Context, work: UnitOfWork, member: Member, *, died_on: date
) -> None:
    """Tell a member's address that a death was recorded, without a name: somebody may live."""
    values = {
        "firstname": "",
        "language": member.language,
        "diedOn": died_on.isoformat(),
        "contact": read_identity(context, work).contact,
    }
    queue_email(context, work, "death_recorded", address=member.email, values=values)
