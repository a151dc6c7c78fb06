"""Claimants: their links, what may be claimed, and erasing a person."""

from datetime import date
from typing import NamedTuple

from jara.domain.books.account import AccountType, Fund, account_type, fund_of_account
from jara.domain.claim import PURPOSE_CHARS_MAX
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.field_report import UNDECIDED, ReportState
from jara.domain.giving.member import parse_email
from jara.domain.language import Language
from jara.domain.lookup import choose_one, fold
from jara.records.field import ClaimPurpose, FieldLink, Partner
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.field.partners import NewLink, draw_link, end_links, parse_name
from jara.services.notices.emails import queue_email
from jara.services.organisation import require_no_pay_details
from jara.store.unit_of_work import UnitOfWork

LINK_EMAIL = "claim_link"
DECIDED_EMAIL = "claim_decided"
_ERASED = "erased"


def give_link(
    context: Context,
    name: str,
    *,
    language: Language | None = None,
    email: str | None = None,
    last_day: date | None = None,
) -> NewLink:
    """Make a link for a person's claims, and email it; a person who is not known is added.

    `language` is by default what it was, or the organisation's; an `email` of None leaves the
    address. `last_day` is the last on which the link opens; in a year by default.

    Raises:
        Conflict: nothing can be claimed yet.
        InvalidInput: the name is empty or too long, the day is over, or the address is none.
    """
    plain = parse_name(name)
    address = parse_email(email) if email else email
    with context.store.write() as work:
        if not work.field.purposes():
            raise Conflict(
                "Say first what may be claimed: "
                'jara claims purposes add "Food for meetings" --account expenses:operations'
            )
        partner = _person(context, work, plain, language)
        if address is not None and address != partner.email:
            partner = partner._replace(email=address, email_confirmed_at=None)
        if language is not None:
            partner = partner._replace(language=language)
        work.field.put_partner(partner)
        made = draw_link(context, work, partner, "", last_day, action="claims.link")
        values = {
            "firstname": partner.name,
            "language": partner.language,
            "lastDay": made.link.last_day.isoformat(),
        }
        queue_email(
            context, work, LINK_EMAIL, address=partner.email, values=values, link=made.address
        )
        return made


def _person(context: Context, work: UnitOfWork, name: str, language: Language | None) -> Partner:
    for partner in work.field.partners():
        if fold(partner.name) == fold(name):
            return partner
    spoken = language or context.rules.language
    return Partner(context.new_key("partner_"), name, spoken, context.now())


def end_claims_links(context: Context, name: str) -> list[FieldLink]:
    """End the links of a claimant, or one by its id; return those that were open.

    Raises:
        NotFound: there is no such person.
    """
    with context.store.write() as work:
        known = [one for one in work.field.links() if one.opens_claims]
        links = [one for one in known if one.id == name]
        if not links:
            partner = find_claimant(work, name)
            links = [one for one in known if one.partner == partner.id]
        return end_links(context, work, links, action="claims.end")


def find_claimant(work: UnitOfWork, name: str) -> Partner:
    """Return the person with this name or id, or the only one whose name begins so.

    Raises:
        NotFound: nobody with a link for claims has it.
        Conflict: several have.
    """
    holders = {one.partner for one in work.field.links() if one.opens_claims}
    people = [one for one in work.field.partners() if one.id in holders]
    return choose_one(
        name,
        [one for one in people if fold(one.name).startswith(fold(name)) or one.id == name],
        kinds="claimants",
        label=lambda one: one.name,
        missing=f"Nobody named '{name}' has a link for claims; see `jara claims links`.",
        names=lambda one: (one.id, one.name),
        near=lambda: {one.name: one for one in people},
    )


class Erased(NamedTuple):
    """What was erased of a claimant: how many claims, and how many were still undecided."""

    id: str
    claims: int
    refused: int


def erase_claimant(context: Context, name: str) -> Erased:
    """Erase a claimant: name, address, shops, notes, account numbers and photos that wait.

    Their links end. The entries of their claims stay, on an account that names nobody, and so do
    the papers of these entries. What a partner reported from a project stays as well.

    Raises:
        NotFound: there is no such person.
        Conflict: a claim of theirs is approved and not paid.
    """
    with context.store.write() as work:
        partner = find_claimant(work, name)
        reports = [one for one in work.field.reports(of_claims=True) if one.partner == partner.id]
        owed = [one.id for one in reports if one.state is ReportState.APPROVED]
        if owed:
            raise Conflict(f"Pay first what is owed: {', '.join(owed)}.")
        links = [one for one in work.field.links() if one.partner == partner.id]
        end_links(context, work, [one for one in links if one.opens_claims], action="claims.end")
        record_act(context, work, "claims.erase", partner.id)
        claims, refused = work.field.claims(), 0
        for report in reports:
            blank = report._replace(title=_ERASED, body="", reason="", mark=_ERASED)
            if report.state in UNDECIDED:
                refused += 1
                blank = blank._replace(state=ReportState.REFUSED, decided_at=context.now())
            work.field.put_report(blank)
            work.field.put_claim(claims[report.id]._replace(repay_to=None))
            work.field.delete_data(report.id)
        for kind in (LINK_EMAIL, DECIDED_EMAIL):
            work.outbox.remove_to(partner.email, kind)
        if all(one.opens_claims for one in links):
            gone = partner._replace(name=f"{_ERASED} {partner.id}", email="")
            work.field.put_partner(gone)
    return Erased(partner.id, len(reports), refused)


def add_purpose(context: Context, name: str, account: str, fund: Fund | None) -> ClaimPurpose:
    """Add what may be claimed, or change the account and fund that pay for it.

    Raises:
        InvalidInput: the name is empty or too long, or the account is no expense.
        Conflict: the name says where to pay, and another operator would have to sign that.
        UnknownAccount: the chart has no such account.
    """
    plain = " ".join(name.split())
    if not 0 < len(plain) <= PURPOSE_CHARS_MAX:
        raise InvalidInput(f"The name of a purpose has 1 to {PURPOSE_CHARS_MAX} characters.")
    if account_type(account) is not AccountType.EXPENSES:
        raise InvalidInput(f"'{account}' is not an expense; claims are booked on one.")
    with context.store.write() as work:
        work.book_settings.chart().require(account)
        require_no_pay_details(context, work, "The purpose", plain)
        purpose = ClaimPurpose(plain, account, fund or fund_of_account(account), context.now())
        facts = {"account": account, "fund": purpose.fund.value}
        record_act(context, work, "claims.purposes.add", plain, facts=facts)
        work.field.put_purpose(purpose)
    return purpose


def list_purposes(context: Context) -> list[ClaimPurpose]:
    """Return what may be claimed, by name."""
    with context.store.read() as work:
        return work.field.purposes()


def remove_purpose(context: Context, name: str) -> ClaimPurpose:
    """Remove what may no longer be claimed; claims that were sent stay.

    Raises:
        NotFound: there is no such purpose.
    """
    with context.store.write() as work:
        purpose = find_purpose(work, name)
        record_act(context, work, "claims.purposes.remove", purpose.name)
        work.field.remove_purpose(purpose)
    return purpose


def find_purpose(work: UnitOfWork, name: str) -> ClaimPurpose:
    """Return what may be claimed by its name, or the only one that begins so.

    Raises:
        NotFound: there is no such purpose.
        Conflict: several begin so.
    """
    known = work.field.purposes()
    return choose_one(
        name,
        [one for one in known if fold(one.name).startswith(fold(name))],
        kinds="purposes",
        label=lambda one: one.name,
        missing=f"Nothing named '{name}' can be claimed; see `jara claims purposes list`.",
        names=lambda one: (one.name,),
        near=lambda: {one.name: one for one in known},
    )
