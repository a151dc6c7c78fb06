"""Addresses of partners: written down by an operator, used once the partner confirms them."""

from __future__ import annotations

from jara.domain.giving.member import parse_email
from jara.records.field import Partner
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.mailed_codes import make_code, subject_of
from jara.services.notices.emails import queue_email
from jara.services.notices.newsletter import CONFIRMATION_LIFE
from jara.services.notices.returned_emails import resume_sending
from jara.store.unit_of_work import UnitOfWork

QUESTION = "partner_address"
REPORT_DUE = "report_due"


def set_partner_address(context: Context, name: str, email: str) -> Partner:
    """Store the address of a partner, and ask it to confirm; an empty one removes it.

    A confirmed address that stays the same is not asked again.

    Raises:
        NotFound: there is no such partner.
        InvalidInput: it is not an email address.
    """
    address = parse_email(email) if email else ""
    with context.store.write() as work:
        partner = work.field.partner(name)
        record_act(context, work, "partners.email", partner.id, changed=("email",))
        return put_address(context, work, partner, address)


def put_address(context: Context, work: UnitOfWork, partner: Partner, address: str) -> Partner:
    """Store a partner with an address, and ask it to confirm; earlier links end."""
    if address and address == partner.email and partner.email_confirmed_at is not None:
        return partner
    work.access.remove_codes(QUESTION, partner.id)
    for kind in (QUESTION, REPORT_DUE):
        work.outbox.remove_to(partner.email, kind)
    changed = partner._replace(email=address, email_confirmed_at=None)
    work.field.put_partner(changed)
    if address:
        code = make_code(
            context, work, purpose=QUESTION, subject=partner.id, life=CONFIRMATION_LIFE
        )
        values = {"firstname": "", "language": partner.language, "partner": partner.name}
        link = f"{context.rules.site_url}/partners/confirm?code={code}"
        queue_email(context, work, QUESTION, address=address, values=values, link=link)
    return changed


def confirm_partner_address(context: Context, code: str) -> None:
    """Confirm the address of the partner that a code was sent to.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
    """
    with context.store.write() as work:
        partner = work.field.partner(subject_of(context, work, QUESTION, code=code))
        work.access.remove_codes(QUESTION, partner.id)
        resume_sending(context, work, partner.email)
        work.field.put_partner(partner._replace(email_confirmed_at=context.now()))


def partners_to_tell(context: Context, work: UnitOfWork, project: str) -> list[Partner]:
    """Return the partners with a confirmed address and an open link for a project, by its slug."""
    today = context.today()
    open_to = {
        link.partner for link in work.field.links() if link.project == project and link.opens(today)
    }
    return [
        partner
        for partner in work.field.partners()
        if partner.id in open_to and partner.email_confirmed_at is not None
    ]
