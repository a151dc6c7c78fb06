"""Organisations of different sizes, with the same member in each.

The services book everything, so that log, totals, trace, payments and votes are consistent.
Others give for two years before the member joins.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice
from pathlib import Path
from time import perf_counter

from jara.bootstrap import SystemClock, build_sample
from jara.bootstrap.organisation import initialise
from jara.config.settings import Settings
from jara.domain.books.account import Fund
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member, RegistrationForm
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Choice
from jara.security.passwords import ArgonHasher
from jara.services.ballots.casting import cast_within, draw_nonce
from jara.services.books.posting import Books, fund_balances
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.members.contributors import KEY_PREFIX
from jara.services.payments.charging import charge_due
from jara.services.payments.movement_booking import MovementBooker
from jara.services.samples.seeding import seed_content
from jara.services.samples.stage import StoryClock
from jara_cli.commands.samples import read_demo_files

EMAIL, PASSWORD = "ama.mensah@example.org", "kente-harbour-sunrise"
SPARE_EMAIL = "giver-0@example.net"
"""The electors who have not voted."""

MONTHS = 24

OWN_MONTHS = 12
POSTINGS_OF_A_PAYMENT = 14
_DAYS = 31
_BATCH = 1000
_PLEDGES_DOLLARS = (5, 5, 10, 10, 10, 10, 20, 25, 50, 100)
_SPENT_ON = {
    Fund.PROJECTS: "expenses:projects:clean-water-boreholes",
    Fund.STAFF: "expenses:staff",
    Fund.MARKETING: "expenses:marketing",
    Fund.OTHER: "expenses:operations",
}
_FORM = RegistrationForm(
    firstname="Ama",
    lastname="Mensah",
    email=EMAIL,
    password=PASSWORD,
    country="Ghana",
    privacy_policy=True,
    contribution=10,
)


def grow(
    folder: Path, postings: int, *, months: int = MONTHS, own_months: int = OWN_MONTHS
) -> dict[str, str]:
    """Create an organisation with about so many postings, and return its settings.

    Args:
        folder: of its database and its secrets.
        postings: their number; a few hundred at least.
        months: how long others give before the measured member joins.
        own_months: how long the measured member has been one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    secrets = folder / "jara.secrets"
    url = str(folder / "jara.db")
    now = SystemClock().now()
    clock = StoryClock(now - timedelta(days=_DAYS * own_months))
    signer = folder / "signer"
    settings = Settings(database_url=url, secrets_dir=secrets, signer_dir=signer, operator="bench")
    sample = build_sample(settings, clock=clock, seed="growth")
    initialise(sample)
    begin = clock.at - timedelta(days=_DAYS * months)
    pledges = _join(sample.context, postings // (months * POSTINGS_OF_A_PAYMENT), begin)
    for month in range(months - 1):
        at = begin + timedelta(days=_DAYS * month)
        _book(sample.context, _payments(at, pledges))
        _spend_all(sample.context, at.date() + timedelta(days=30))
    # Only the password of a member who signs in needs a real hash.
    register(replace(sample.context, hasher=ArgonHasher()), _FORM, payment_method="pm_card_visa")
    for _ in range(own_months):
        charge_due(sample.context, sample.sandbox)
        _spend_all(sample.context, clock.at.date())
        clock.at += timedelta(days=_DAYS)
    # The last month of the others is a recent one: only who paid lately may vote.
    _book(sample.context, _payments(now - timedelta(days=_DAYS), pledges))
    _spend_all(sample.context, now.date())
    clock.at = now
    charge_due(sample.context, sample.sandbox)
    seed_content(sample.context, read_demo_files().seed)
    _pledge(sample.context, pledges, begin)
    _vote(sample.context, pledges)
    sample.context.store.truncate_log()
    sample.context.store.close()
    return {
        "JARA_DATABASE_URL": url,
        "JARA_SECRETS_DIR": str(secrets),
        "JARA_SIGNER_DIR": str(signer),
    }


def _join(context: Context, givers: int, at: datetime) -> list[Pledge]:
    """Register people, and return their pledges."""
    dice = random.Random(7)
    pledges = []
    with context.store.write() as work:
        for number in range(givers):
            member = Member(
                id=context.new_id(),
                key=context.new_key(KEY_PREFIX),
                firstname="Giver",
                lastname=str(number),
                email=f"giver-{number}@example.net",
                country="Ghana",
                email_choice=EmailChoice.NOTHING,
                joined_at=at,
            )
            work.members.add(member, password_hash="")
            pledge = Pledge(
                id=context.new_id(),
                member_id=member.id,
                dollars=dice.choice(_PLEDGES_DOLLARS),
                billing_day=BillingDay.CURRENT,
                state=PledgeState.ACTIVE,
                anchor_on=at.date(),
                started_at=at,
            )
            pledges.append(pledge)
    return pledges


def _book(context: Context, rows: Iterator[ProviderRow]) -> None:
    while batch := list(islice(rows, _BATCH)):
        with context.store.write() as work:
            booker = MovementBooker(context, work)
            booker.load(batch)
            for row in batch:
                booker.book(row)


def _spend_all(context: Context, day: date) -> None:
    """Spend every fund's money, so that the trace has rows."""
    with context.store.write() as work:
        books = Books(context, work)
        for fund, cents in fund_balances(work).items():
            if cents > 0:
                spending = Spending(_SPENT_ON[fund], fund, cents)
                books.post(spending_entry(day, spending, available_cents=cents))


def _payments(at: datetime, pledges: list[Pledge]) -> Iterator[ProviderRow]:
    payout, total = f"po_{at:%Y%m%d}", 0
    for number, pledge in enumerate(pledges):
        cents = pledge.dollars * 100
        fee = cents * 29 // 1000 + 30
        total += cents - fee
        yield ProviderRow(
            created=at + timedelta(days=number % 28),
            category=RowCategory.CHARGE,
            amount=cents,
            fee=fee,
            net=cents - fee,
            txn_id=f"txn_{at:%Y%m%d}_{number}",
            source_id=f"ch_{at:%Y%m%d}_{number}",
            charge_kind=ChargeKind.PLEDGE,
            member_id=pledge.member_id,
            payout_id=payout,
        )
    if total:
        yield ProviderRow(
            created=at + timedelta(days=28),
            category=RowCategory.PAYOUT,
            amount=-total,
            fee=0,
            net=-total,
            txn_id=f"txn_{payout}",
            source_id=payout,
            arrives_on=at.date() + timedelta(days=29),
        )


def _pledge(context: Context, pledges: list[Pledge], at: datetime) -> None:
    """Start the givers' pledges."""
    with context.store.write() as work:
        for pledge in pledges:
            member = work.members.find(pledge.member_id)
            work.pledges.put(pledge, member_key=member.key, at=at)


def _vote(context: Context, pledges: list[Pledge]) -> None:
    """Vote on every open proposal as all givers and the measured member."""
    with context.store.write() as work:
        voters = [*(pledge.member_id for pledge in pledges[1:]), work.members.find(EMAIL).id]
        for record in work.proposals.all(ProposalStatus.OPEN):
            for number, voter in enumerate(voters):
                choice = Choice.UP if number % 3 else Choice.DOWN
                nonce = draw_nonce(context)
                cast_within(context, work, record, voter, choice, nonce=nonce)


if __name__ == "__main__":
    begun = perf_counter()
    months, own_months = map(int, sys.argv[3:] or (MONTHS, OWN_MONTHS))
    grow(Path(sys.argv[1]), int(sys.argv[2]), months=months, own_months=own_months)
    sys.stdout.write(f"{perf_counter() - begun:.0f} s\n")
