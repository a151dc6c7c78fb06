"""Partners, and the links with which they report on a project without an account."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.content.kinds import PROJECTS
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.member import parse_email
from jara.domain.language import Language
from jara.domain.lookup import fold
from jara.records.field import FieldLink, Partner
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.field.addresses import put_address
from jara.services.mailed_codes import draw_code, hash_of
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
    plain = " ".join(name.split())
    if not 0 < len(plain) <= NAME_CHARS_MAX:
        raise InvalidInput(f"The name of a partner has 1 to {NAME_CHARS_MAX} characters.")
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


def make_link(
    context: Context, name: str, *, project: str | None = None, last_day: date | None = None
) -> NewLink:
    """Make a new link for a partner; earlier ones hold until their day, or until revoked.

    Args:
        context: the application's context.
        name: the partner's name or id.
        project: the project's id or slug; by default the only one that the partner has.
        last_day: the last day on which the link opens.

    Raises:
        NotFound: there is no such partner or project.
        InvalidInput: the partner has several projects, or the day is over.
    """
    with context.store.write() as work:
        partner = work.field.partner(name)
        known = {one.project for one in work.field.links() if one.partner == partner.id}
        if project is None and len(known) != 1:
            raise InvalidInput(
                f"'{partner.name}' has the projects {', '.join(sorted(known))}; "
                "say which one with --project."
            )
        return _make_link(context, work, partner, project or known.pop(), last_day)


def revoke_links(context: Context, name: str, *, project: str | None = None) -> list[FieldLink]:
    """Revoke the links of a partner, of one project or all; return those that were open.

    ``name`` may also be the id of one link.

    Raises:
        NotFound: there is no such partner, link or project.
    """
    now = context.now()
    with context.store.write() as work:
        links = [one for one in work.field.links() if one.id == name]
        if not links:
            partner = work.field.partner(name)
            slug = None if project is None else work.content.find(PROJECTS, project).slug
            links = [
                one
                for one in work.field.links()
                if one.partner == partner.id and slug in {None, one.project}
            ]
        revoked = [one._replace(revoked_at=now) for one in links if one.revoked_at is None]
        for link in revoked:
            record_act(context, work, "partners.revoke", link.id)
            work.field.put_link(link)
    return revoked


def list_links(context: Context) -> list[LinkState]:
    """Return every link with its partner, by the partner's name."""
    with context.store.read() as work:
        partners = {one.id: one for one in work.field.partners()}
        counts = [report.link for report in work.field.reports()]
        links = work.field.links()
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
    today = context.today()
    until = today + LINK_DAYS if last_day is None else last_day
    if until < today:
        raise InvalidInput(f"The link would end on {until}, which is over.")
    item = work.content.find(PROJECTS, project)
    code = draw_code(context)
    link = FieldLink(
        context.new_key("link_"), partner.id, item.slug, hash_of(code), context.now(), until
    )
    record_act(
        context, work, "partners.link", link.id, facts={"project": item.slug, "until": str(until)}
    )
    work.field.put_link(link)
    # Behind the '#', a browser sends the code to no server and in no Referer.
    address = f"{context.rules.site_url}/field#{code}"
    return NewLink(partner, link, str(item.for_reader(partner.language).doc["title"]), address)
