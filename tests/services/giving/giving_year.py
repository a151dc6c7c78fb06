"""A small organisation with everything in it: pledges, a gift, refunds, votes, payouts.

Only use cases create it, from August to November 2026.
"""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.spending import grant_entry
from jara.domain.reports.parts import ReportPeriod
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import post_entry
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge
from jara.services.payments.charging import charge_due
from jara.services.payments.importing import collect_movements
from jara.services.payments.refunding import refund_payment
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.funding import fund_proposal
from jara.services.projects.milestones import finish_milestone, plan_payment
from jara.services.proposals.closing import close_due_votes
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, open_vote, vote
from tests.services.giving.joiners import join, sandbox_of

WELLS: dict[str, Any] = {
    "id": "wells",
    "slug": "village-wells",
    "title": "Village wells",
    "location": "TZ",
    "status": "In Progress",
    "category": "water",
    "story": "<p>Long walks.</p>",
    "milestones": [
        {"id": "survey", "date": "2026-09-12", "title": "Survey", "costCents": 1000},
        {"id": "drill", "date": "2026-11-30", "title": "Drilling", "costCents": 2000},
    ],
    "updates": [
        {
            "id": "first-water",
            "title": "First water",
            "author": "Asha",
            "date": "2026-10-02",
            "content": "<p>Clear.</p>",
        }
    ],
}
ROOF: dict[str, Any] = {
    "id": "roof",
    "title": "A roof for the readers",
    "status": "Planning",
    "category": "education",
    "account": "expenses:grants:shelves",
}
GRANT: dict[str, Any] = {
    "id": "reading-room",
    "slug": "shelves",
    "name": "Reading room",
    "project": "Shelves and a roof",
    "category": "education",
    "regionCode": "GH",
    "amountCents": 1500,
}
YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
OCTOBER = ReportPeriod(date(2026, 10, 1), date(2026, 10, 31))


def at(context: Context, month: int, day: int, hour: int = 12) -> None:
    """Move to a day of 2026, and run what the sandbox has due until then."""
    clock_of(context).set(datetime(2026, month, day, hour, tzinfo=UTC))
    charge_due(context, sandbox_of(context))


def make_year(folder: Path, **options: Any) -> Context:
    """Return the organisation as it stands on 20 November 2026."""
    context = make_organisation(folder, at=datetime(2026, 8, 1, 9, tzinfo=UTC), **options)
    import_items(context, "projects", [WELLS, ROOF])
    import_items(context, "grants", [GRANT])
    post_entry(context, grant_entry(context.today(), {Fund.PROJECTS: 6000, Fund.STAFF: 500}))
    at(context, 8, 5)
    members = [
        join(context, f"{name}@example.org", firstname=name.capitalize(), contribution=str(dollars))
        for name, dollars in (("ama", 10), ("kofi", 25), ("nia", 20))
    ]
    _decide(context, [started.member for started in members])
    _pay(context)
    at(context, 9, 20)
    sandbox_of(context).take_gift(
        cents=5000,
        email="guest@example.org",
        name="Guest",
        payment_method="pm_card_visa",
        gift_id="gift_1",
        key="gift_1",
    )
    collect_movements(context)
    _give_back(context, members[1].member.key, members[2].member.key)
    at(context, 10, 8)
    _spend(context)
    cancel_pledge(context, members[0].member.id)
    at(context, 10, 15)
    open_vote(context, id="prop_02", title="Seed bank", endDate="2026-12-24")
    at(context, 11, 20)
    join(context, "zuri@example.org", firstname="Zuri", billing_day="28")
    return context


def charges_of(context: Context, member_key: str) -> list[str]:
    """Return a member's charges, oldest first."""
    with context.store.read() as work:
        return [p.source_id or "" for p in work.payments.of_member(member_key)]


def _decide(context: Context, members: list[Any]) -> None:
    at(context, 9, 1)
    open_vote(context, fundingGoalCents=5000, endDate="2026-09-10")
    for member in members[:2]:
        vote(context, member)
    vote(context, members[2], "down")
    at(context, 9, 11)
    close_due_votes(context)
    at(context, 9, 12)
    fund_proposal(context, PROPOSAL["id"], project="wells")


def _pay(context: Context) -> None:
    at(context, 9, 14)
    finish_milestone(context, "wells", "survey", on=date(2026, 9, 12))
    disburse(context, plan_payment(context, "wells", 1000, milestone="survey"))


def _give_back(context: Context, refunded: str, disputing: str) -> None:
    at(context, 9, 25)
    refund_payment(context, charges_of(context, refunded)[0], cents=700, why="Asked for")
    sandbox_of(context).dispute(charges_of(context, disputing)[0])
    collect_movements(context)


def _spend(context: Context) -> None:
    disburse(context, Disbursement(Payee.GRANTS, "shelves", 1500))
    post_bank_charge(context, cents=150)
    post_entry(
        context,
        JournalEntry(
            day=context.today(),
            kind=EntryKind.SALARY,
            description="Salaries",
            postings=(Posting("expenses:staff", Fund.STAFF, 300), Posting(BANK, Fund.STAFF, -300)),
            note="October",
        ),
    )
