"""Partners: their confirmed addresses, and the links that open their page without an account."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.content.kinds import PROJECTS
from jara.domain.errors import Conflict, InvalidInput, NotFound, Refused
from jara.domain.giving.member import parse_email
from jara.domain.language import Language
from jara.domain.lookup import fold
from jara.domain.pay_details import pay_details
from jara.records.field import FieldLink, Partner
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.mailed_codes import draw_code, hash_of, make_code, subject_of
from jara.services.notices.emails import queue_email
from jara.services.notices.newsletter import CONFIRMATION_LIFE
from jara.services.notices.returned_emails import resume_sending
from jara.services.rate_limits import Limit, Limits, acquire, acquire_in_memory
from jara.store.unit_of_work import UnitOfWork

LINK_DAYS = timedelta(days=365)
"""For how long a link holds, unless the operator says otherwise."""
NAME_CHARS_MAX = 80


class NewLink(NamedTuple):
    """A link that was just made, with its address, which cannot be shown again."""

    partner: Partner
    link: FieldLink
    project_title: str
    address: str


class LinkState(NamedTuple):
    """A link of a partner, as operators see it."""

    id: str
    partner: str
    language: str
    project: str
    made_on: date
    last_day: date
    state: str
    reports: int
    email: str
    email_confirmed: bool


def add_partner(
    context: Context,
    name: str,
    *,
    project: str,
    language: Language,
    last_day: date | None = None,
    email: str = "",
) -> NewLink:
    """Add a partner with a link for a project; an address is asked to confirm.

    Raises:
        NotFound: there is no such project.
        Conflict: a partner has that name.
        InvalidInput: the name is empty or too long, the day is over, or the address is none.
    """
    plain = parse_name(name)
    address = parse_email(email) if email else ""
    with context.store.write() as work:
        if any(fold(one.name) == fold(plain) for one in work.field.partners()):
            raise Conflict(
                f"There is a partner '{plain}' already; "
                f'for another project: jara partners link "{plain}" --project PROJECT'
            )
        partner = Partner(context.new_key("partner_"), plain, language, context.now())
        record_act(context, work, "partners.add", partner.id, facts={"language": language})
        partner = put_address(context, work, partner, address)
        return _make_link(context, work, partner, project, last_day)


def parse_name(name: str) -> str:
    """Return the name of a partner or claimant with single spaces.

    Raises:
        InvalidInput: it is empty or too long, or says where to send money.
    """
    plain = " ".join(name.split())
    if not 0 < len(plain) <= NAME_CHARS_MAX or pay_details(plain, ""):  # emails greet by it
        raise InvalidInput(f"A name has 1 to {NAME_CHARS_MAX} characters, and no account in it.")
    return plain


def make_link(
    context: Context, name: str, *, project: str | None = None, last_day: date | None = None
) -> NewLink:
    """Make a new link for a partner; earlier ones hold until their day, or until revoked.

    `name` is the partner's name or id, `project` the project's id or slug, by default the only one
    of the partner. `last_day` is the last on which the link opens.

    Raises:
        NotFound: there is no such partner or project.
        InvalidInput: the partner has several projects, or the day is over.
    """
    with context.store.write() as work:
        partner = work.field.partner(name)
        known = {one.project for one in work.field.links() if one.partner == partner.id} - {""}
        if project is None and len(known) != 1:
            raise InvalidInput(
                f"'{partner.name}' has the projects {', '.join(sorted(known)) or 'none'}; "
                "say which one with --project."
            )
        return _make_link(context, work, partner, project or known.pop(), last_day)


def revoke_links(context: Context, name: str, *, project: str | None = None) -> list[FieldLink]:
    """Revoke the links of a partner, of one project or all; return those that were open.

    ``name`` may also be the id of one link.

    Raises:
        NotFound: there is no such partner, link or project.
    """
    with context.store.write() as work:
        links = [one for one in work.field.links() if one.id == name and one.project]
        if not links:
            partner = work.field.partner(name)
            slug = None if project is None else work.content.find(PROJECTS, project).slug
            links = [
                one
                for one in work.field.links()
                if one.partner == partner.id and one.project and slug in {None, one.project}
            ]
        return end_links(context, work, links, action="partners.revoke")


def end_links(
    context: Context, work: UnitOfWork, links: Iterable[FieldLink], *, action: str
) -> list[FieldLink]:
    """Revoke the links that are open; return them."""
    now = context.now()
    revoked = [one._replace(revoked_at=now) for one in links if one.revoked_at is None]
    for link in revoked:
        record_act(context, work, action, link.id)
        work.field.put_link(link)
    return revoked


def list_links(context: Context, *, for_claims: bool = False) -> list[LinkState]:
    """Return every link for reports, or for claims, with its partner, by the partner's name."""
    with context.store.read() as work:
        partners = {one.id: one for one in work.field.partners()}
        counts = [report.link for report in work.field.reports(of_claims=for_claims)]
        links = [one for one in work.field.links() if one.opens_claims == for_claims]
    states = [
        LinkState(
            link.id,
            partner.name,
            partner.language,
            link.project,
            context.zone.day_of(link.made_at),
            link.last_day,
            _state(link, context.today()),
            counts.count(link.id),
            partner.email,
            partner.email_confirmed_at is not None,
        )
        for link in links
        for partner in (partners[link.partner],)
    ]
    return sorted(states, key=lambda one: (fold(one.partner), one.project, one.made_on))


def _state(link: FieldLink, today: date) -> str:
    if link.sample:
        return "sample"
    if link.revoked_at is not None:
        return "revoked"
    return "open" if link.opens(today) else "expired"


def _make_link(
    context: Context, work: UnitOfWork, partner: Partner, project: str, last_day: date | None
) -> NewLink:
    item = work.content.find(PROJECTS, project)
    made = draw_link(context, work, partner, item.slug, last_day, action="partners.link")
    return made._replace(project_title=str(item.for_reader(partner.language).doc["title"]))


def draw_link(
    context: Context,
    work: UnitOfWork,
    partner: Partner,
    project: str,
    last_day: date | None,
    *,
    action: str,
) -> NewLink:
    """Make a link for a project, by its slug, or for claims, and store the hash of its code.

    Raises:
        InvalidInput: its last day is over.
    """
    today = context.today()
    until = today + LINK_DAYS if last_day is None else last_day
    if until < today:
        raise InvalidInput(f"The link would end on {until}, which is over.")
    code = draw_code(context)
    link = FieldLink(
        context.new_key("link_"),
        partner.id,
        project,
        keyed_proof(context, hash_of(code)),
        context.now(),
        until,
    )
    record_act(context, work, action, link.id, facts={"project": project, "until": str(until)})
    work.field.put_link(link)
    # Behind the '#', a browser sends the code to no server and in no Referer.
    return NewLink(partner, link, "", f"{context.rules.site_url}/field#{code}")


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


KEYED = "keyed:"
"""How proofs begin; those of 0.2.0 were plain hashes."""


def keyed_proof(context: Context, code_hash: str) -> str:
    """Return what is stored of a link's code; whoever can only write to the database makes none."""
    return KEYED + context.vault.keyed_hash("field link", code_hash)


class LinkUnknown(NotFound):
    """No partner has this link."""

    code = "link_unknown"


class LinkExpired(Refused):
    """The last day of the link is over."""

    code = "link_expired"


class LinkRevoked(Refused):
    """An operator ended the link."""

    code = "link_revoked"


class Caller(NamedTuple):
    """Who sends: the code of the link, and the network that it comes from."""

    code: str
    network: str


def admit(context: Context, limits: Limits, caller: Caller) -> None:
    """Count a request of a link; one with an unknown link counts for its network.

    Raises:
        LinkUnknown: there is no such link.
        TooManyRequests: the link, or its network with unknown links, is used too often.
    """
    proof = keyed_proof(context, hash_of(caller.code))
    with context.store.read() as work:
        is_known = work.field.link_proven(proof) is not None
    if not is_known:
        acquire(context, limits, (Limit.FIELD_NETWORK, caller.network))
        raise LinkUnknown(
            "This link is not known. Please ask the organisation for a new one; "
            "what you wrote stays on this phone."
        )
    acquire_in_memory(context, limits, Limit.FIELD_LINK, proof)


def open_link(context: Context, work: UnitOfWork, caller: Caller) -> tuple[FieldLink, Partner]:
    """Return a link with its partner.

    Raises:
        LinkExpired: its last day is over.
        LinkRevoked: it was revoked.
    """
    link = work.field.link_proven(keyed_proof(context, hash_of(caller.code)))
    if link is None or link.revoked_at is not None:
        raise LinkRevoked(
            "This link was ended by the organisation. Please ask for a new one; "
            "what you wrote stays on this phone."
        )
    if not link.opens(context.today()):
        raise LinkExpired(
            "This link ended on {day}. Please ask for a new one; what you wrote stays on this "
            "phone.",
            day=str(link.last_day),
        )
    return link, work.field.partner(link.partner)
