"""The demo: two years of an invented organisation, simulated with the real services.

The simulation moves its own clock. Everything else is real: people join and pay through the
sandbox and vote, projects are paid, and the daily run happens once a week. The same seed and
day give the same books.
"""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from itertools import count
from random import Random
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.papers import PaperKind
from jara.domain.voting.proposal import ProposalStatus
from jara.records.voting import ProposalRecord
from jara.services.ballots.counting import count_vote
from jara.services.books.commitments import top_up
from jara.services.books.papers import with_documents
from jara.services.books.posting import Books, fund_balances
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.notices.returned_emails import EMAILS_KEPT
from jara.services.payments.charging import cancel_overdue, charge_due
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_due_votes, destroy_due_keys
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.reports.figures import SiteFigures, site_figures
from jara.services.samples import interac, treasury
from jara.services.samples.field import seed_claims
from jara.services.samples.plan import (
    DemoFiles,
    hidden_until_paid,
    plan_payouts,
    project_days,
    projects_on,
)
from jara.services.samples.seeding import mark_sample, seed_fixed_costs, seed_kind, seed_partners
from jara.services.samples.stage import (
    FAILS,
    PASSES,
    SHOWN_EMAIL,
    UNDECIDED,
    Act,
    Actor,
    Stage,
    Turnout,
    cast_of,
    plan_turn,
    vote_until,
)
from jara.store.unit_of_work import UnitOfWork

MEMBERS_MIN = 5
MEMBERS_MAX = 2_000
VOTE_DAYS = 30
OPEN_SINCE = timedelta(days=12)
PAPERS_SINCE = timedelta(days=60)
"""How long ago the board asked for documents."""
CLAIMS_SINCE = timedelta(days=3)


class DemoVote(NamedTuple):
    """The open vote of the demo, and its count."""

    id: str
    slug: str
    title: str
    end_date: str
    yes: int
    no: int
    roll: int


class DemoOverview(NamedTuple):
    """The figures of a demo."""

    members: int
    figures: SiteFigures
    funds: Mapping[Fund, int]
    vote: DemoVote | None
    entries: int


def play(
    stage: Stage,
    files: DemoFiles,
    *,
    members: int,
    seed: str,
    end: datetime,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Run the simulation up to its end.

    Raises:
        InvalidInput: the number of members is too small or too large.
    """
    if not MEMBERS_MIN <= members <= MEMBERS_MAX:
        raise InvalidInput(
            f"{members} members is out of range; choose {MEMBERS_MIN} to {MEMBERS_MAX}."
        )
    story = _Story(stage, files, start=stage.clock.at, end=end, random=Random(seed))
    story.plan(members)
    story.run(progress)


class _Story:
    """A queue of dated actions."""

    def __init__(
        self, stage: Stage, files: DemoFiles, *, start: datetime, end: datetime, random: Random
    ) -> None:
        self._stage = stage
        self._context = stage.context
        self._files = files
        self._start, self._end = start, end
        self._random = random
        self._queue: list[tuple[datetime, int, Act]] = []
        self._places = count()
        self._decided: dict[str, str] = {}
        self._paid: dict[str, int] = {}
        self._shown_key = ""

    def plan(self, members: int) -> None:
        """Schedule all actions."""
        self._at(self._start, self._begin)
        year = self._day_of(self._end).year
        decided = max(self._day_of(self._start) + timedelta(days=1), date(year - 1, 12, 5))
        self._on(decided, 9, partial(treasury.plan_year, self._context, year=year, members=members))
        for actor in cast_of(members, start=self._start, end=self._end, random=self._random):
            self._at(actor.joins_at, partial(self._join, actor))
        self._plan_routine()
        for document in self._files.past_proposals:
            self._plan_vote(document)
        unplaced = self._day_of(self._start) + timedelta(days=350)
        for payment in plan_payouts(self._files, otherwise_on=unplaced):
            self._on(payment.day or unplaced, 11, partial(self._pay, payment))
        for day in project_days(self._files, until=self._day_of(self._end)):
            self._on(day, 15, self._show_projects)
        self._at(self._end - PAPERS_SINCE, partial(treasury.ask_for_documents, self._context))
        claims = partial(seed_claims, self._context, self._files.seed.photos)
        self._at(self._end - CLAIMS_SINCE, claims)
        self._plan_troubles()
        self._plan_open_votes()
        if books_currency() == interac.CURRENCY:
            self._plan_interac()

    def run(self, progress: Callable[[float], None] | None) -> None:
        """Run everything in order of time."""
        span = self._end - self._start
        while self._queue and self._queue[0][0] < self._end:
            at, _, act = heapq.heappop(self._queue)
            self._stage.clock.at = at
            act()
            if progress is not None:
                progress((at - self._start) / span)
        self._stage.clock.at = self._end
        self._run_routine()
        self._show_projects()
        seed_partners(self._context, self._files.seed)
        with self._context.store.write() as work:
            work.outbox.erase_before(self._end - EMAILS_KEPT)
            for email in work.outbox.all(unsent_only=True):
                work.outbox.sent(email.id, at=email.created_at)
        make_checkpoint(self._context)

    def _at(self, instant: datetime, act: Act) -> None:
        heapq.heappush(self._queue, (instant, next(self._places), act))

    def _on(self, day: date, hour: int, act: Act) -> None:
        self._at(self._context.zone.start_of(day) + timedelta(hours=hour), act)

    def _day_of(self, instant: datetime) -> date:
        return self._context.zone.day_of(instant)

    def _plan_routine(self) -> None:
        day, number = self._day_of(self._start) + timedelta(days=1), 0
        while day < self._day_of(self._end):
            if day.weekday() == 0:
                self._on(day, 7, self._run_routine)
            if day.day == 3:  # noqa: PLR2004 - bills are paid on the third
                self._on(day, 10, partial(treasury.pay_month, self._context, month=day.month))
                self._on(day, 12, lambda: make_checkpoint(self._context))
            if day.day == 18:  # noqa: PLR2004 - a gift in the middle of the month
                number += 1
                gift = partial(
                    treasury.take_gift, self._context, number=number, random=self._random
                )
                self._on(day, 18, gift)
            day += timedelta(days=1)

    def _plan_vote(self, document: dict[str, Any]) -> None:
        last = date.fromisoformat(document["endDate"])
        passes = document["status"] == "passed"
        turnout = PASSES if passes else FAILS
        key = document["id"]
        self._on(last - timedelta(days=VOTE_DAYS), 9, lambda: self._open(document))
        self._on(last - timedelta(days=15), 20, lambda: self._vote(key, turnout.half))
        if passes:
            goal = document["fundingGoalCents"]
            self._on(
                last - timedelta(days=3),
                9,
                lambda: treasury.receive_grant(self._context, for_cents=goal),
            )
        self._on(last, 19, self._run_routine)
        self._on(last, 20, lambda: self._vote(key, turnout))
        self._on(last + timedelta(days=1), 1, lambda: self._close(document))

    def _plan_troubles(self) -> None:
        span = (self._end - self._start).days
        days = [
            self._day_of(self._start) + timedelta(days=span * part // 100)
            for part in (40, 55, 60, 80)
        ]
        self._on(days[0], 14, lambda: self._refund(whole=True))
        self._on(days[1], 14, lambda: self._refund(whole=False))
        self._on(days[2], 14, lambda: self._dispute(won=False))
        self._on(days[3], 14, lambda: self._dispute(won=True))

    def _plan_open_votes(self) -> None:
        opens = self._end - OPEN_SINCE + timedelta(hours=9)
        for document in self._files.seed.proposals:
            self._at(opens, partial(self._open, document))
            for days, turnout in ((4, UNDECIDED.half), (9, UNDECIDED)):
                vote = partial(self._vote, document["id"], turnout, spare_shown=True)
                self._at(opens + timedelta(days=days), vote)

    def _plan_interac(self) -> None:
        """Plan the last two whole months of the members who pay without a card."""
        last = self._day_of(self._end).replace(day=1) - timedelta(days=1)
        before = last.replace(day=1) - timedelta(days=1)
        self._on(before.replace(day=1), 10, partial(interac.begin, self._context))
        for number, day in enumerate((before, last)):
            first = day.replace(day=1)
            end = partial(interac.end_month, self._context, first, number=number)
            self._on(day, 21, end)

    def _begin(self) -> None:
        treasury.open_books(self._context)
        seed_fixed_costs(self._context, self._files.seed.fixed_costs)
        self._show_projects()
        for kind, documents in self._files.seed.content.items():
            if kind not in {"projects", "donations", "grants"}:
                seed_kind(self._context, kind, documents)

    def _show_projects(self) -> None:
        """Update the published content to the current day."""
        today = self._context.today()
        content = self._files.seed.content
        projects = projects_on(self._files, today, decided=self._decided)
        seed_kind(self._context, "projects", projects)
        donations = {item["id"]: item["account"] for item in content["donations"]}
        grants = {item["id"]: f"expenses:grants:{item['slug']}" for item in content["grants"]}
        for kind, account_of in (("donations", donations), ("grants", grants)):
            shown = hidden_until_paid(content[kind], account_of, self._paid)
            import_items(self._context, kind, [mark_sample(item) for item in shown])

    def _join(self, actor: Actor) -> None:
        is_shown = actor.form.email == SHOWN_EMAIL
        context = self._context
        if is_shown:
            context = replace(context, hasher=self._stage.strong_hasher)
        member = register(context, actor.form, payment_method="pm_card_visa").member
        with context.store.write() as work:  # the link of the welcome email
            work.access.remove_pending_address(member.id)
            work.members.update(member._replace(email_confirmed=True))
        if is_shown:
            self._shown_key = member.key
        plan_turn(self._context, actor, member.id, self._at)

    def _run_routine(self) -> None:
        charge_due(self._context, self._stage.clockwork)
        cancel_overdue(self._context)
        with self._context.store.write() as work:
            top_up(self._context, work, Books(self._context, work))
        destroy_due_keys(self._context)

    def _open(self, document: dict[str, Any]) -> None:
        draft_proposal(self._context, mark_sample(document))
        put_to_vote(self._context, document["id"])

    def _close(self, document: dict[str, Any]) -> None:
        close_due_votes(self._context)
        make_checkpoint(self._context)
        if document["status"] == "passed":
            fund_proposal(self._context, document["id"], project=document["project"])
            self._decided[document["project"]] = document["id"]

    def _vote(self, proposal: str, turnout: Turnout, *, spare_shown: bool = False) -> None:
        spare = {self._shown_key} if spare_shown else set()
        vote_until(self._context, proposal, turnout, spare=spare, random=self._random)

    def _pay(self, payment: Disbursement) -> None:
        if payment.payee is not Payee.PROJECTS:
            treasury.receive_grant(self._context, for_cents=payment.cents)
        invoice = treasury.sample_paper(
            self._context, PaperKind.INVOICE, payment.cents, payment.slug
        )
        with with_documents(self._context, [invoice]) as inside:
            disburse(inside, payment)
        account = f"expenses:{payment.payee}:{payment.slug}"
        self._paid[account] = self._paid.get(account, 0) + payment.cents
        self._show_projects()

    def _refund(self, *, whole: bool) -> None:
        self._run_routine()
        treasury.refund_newest(self._context, excluding=self._shown_key, whole=whole)

    def _dispute(self, *, won: bool) -> None:
        self._run_routine()
        charge, _ = treasury.newest_charge(self._context, excluding=self._shown_key)
        dispute = self._stage.clockwork.dispute(charge)
        self._at(
            self._context.now() + timedelta(days=25),
            lambda: self._stage.clockwork.settle_dispute(dispute, won=won),
        )


def show_demo(context: Context) -> DemoOverview:
    """Return the figures of a demo."""
    figures = site_figures(context)
    with context.store.read() as work:
        open_vote = next(iter(work.proposals.all(ProposalStatus.OPEN)), None)
        return DemoOverview(
            sum(1 for _ in work.members.all()),
            figures,
            fund_balances(work),
            None if open_vote is None else _demo_vote(context, work, open_vote),
            work.journal.count(),
        )


def _demo_vote(context: Context, work: UnitOfWork, record: ProposalRecord) -> DemoVote:
    tally, proposal = count_vote(context, work, record), record.proposal
    return DemoVote(
        proposal.id,
        proposal.slug,
        proposal.title,
        proposal.ends_text,
        tally.yes,
        tally.no,
        tally.roll,
    )
