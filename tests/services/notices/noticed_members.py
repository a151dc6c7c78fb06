"""Members who may get notices, and their queued emails."""

from dataclasses import replace
from datetime import date, timedelta

from jara.domain.books.account import PLEDGES, STRIPE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.mail.rendering import SenderIdentity, build_message
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.notices.links import complete_links
from jara.services.notices.outbox import list_outbox

AN_AGE = timedelta(days=200)


def add_member(
    context: Context,
    name: str = "ama",
    *,
    joined_ago: timedelta = AN_AGE,
    notifications: bool = True,
) -> Member:
    """Store a member."""
    member = Member(
        id=f"member-{name}",
        key=f"k_{name}",
        firstname=name.title(),
        lastname="Mensah",
        email=f"{name}@example.org",
        country="Ghana",
        email_choice=EmailChoice.of(notifications=notifications),
        joined_at=context.now() - joined_ago,
    )
    with context.store.write() as work:
        work.members.add(member, password_hash="hash")
    return member


def add_pledge(context: Context, member: Member, **changes: object) -> Pledge:
    """Store a member's pledge of $10, active by default."""
    pledge = Pledge(
        id=f"pledge-{member.id}",
        member_id=member.id,
        dollars=10,
        billing_day=BillingDay.CURRENT,
        state=PledgeState.ACTIVE,
        anchor_on=member.joined_at.date(),
        started_at=member.joined_at,
        next_charge_on=context.today() + timedelta(days=9),
    )
    changed = replace(pledge, **changes)  # type: ignore[arg-type] # given by the test, by name
    with context.store.write() as work:
        work.pledges.put(changed, member_key=member.key, at=context.now())
    return changed


def pay(context: Context, member_key: str | None, *, day: date | None = None) -> None:
    """Book a pledge payment of $10, today by default."""
    parts = ((Fund.PROJECTS, 800), (Fund.STAFF, 70), (Fund.MARKETING, 90), (Fund.OTHER, 40))
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(
                day=day or context.today(),
                kind=EntryKind.PLEDGE,
                description="Pledge payment",
                postings=(
                    *(Posting(STRIPE, fund, cents) for fund, cents in parts),
                    *(Posting(PLEDGES, fund, -cents) for fund, cents in parts),
                ),
                member_key=member_key,
            )
        )


def kinds(context: Context) -> list[str]:
    """Return the sorted kinds of the queued emails after rendering each of them."""
    emails = [complete_links(context, email) for email in list_outbox(context)]
    for email in emails:
        assert build_message(email, SenderIdentity(sender="mail@jara.example"))["Subject"]
    return sorted(email.kind for email in emails)
