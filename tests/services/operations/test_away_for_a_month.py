"""One operator alone for a month: each sentence of docs/operations.md, tried."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.domain.announcement import AnnouncementText, Audience, Group
from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.content.kinds import PROJECTS
from jara.domain.control.state import Limits, SameSigner
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.language import ENGLISH
from jara.domain.legal.versions import LegalText
from jara.domain.organisation import IdentityPart
from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Approval
from jara.services.approvals import approve, list_approvals
from jara.services.books.policies import earliest_day, set_policy
from jara.services.content import add_item
from jara.services.context import Context
from jara.services.legal.changing import LegalImport, change_values, import_legal
from jara.services.members.accounts import InvitationForm, invite_member
from jara.services.news.announcing import announce
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits
from jara.services.operations.daily_run import StepResult, daily_steps, run_daily
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.reports.statements import mail_statements
from jara.services.ways_in import set_donate_link
from tests.fakes.operators import acting, approve_as, enrol, public, waits
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.giving.joiners import join, sandbox_of, take_cash
from tests.services.news.news_world import PROJECT, Mailbox
from tests.services.operations.controlled_world import verify

DOCUMENT = Path(__file__).parents[3] / "docs" / "operations.md"
SECTION = re.compile(r"### When the other operator is away\n(.*?)\n###", re.DOTALL)
DAYS = 31
LIMIT_CENTS = 1000
EVEN = {Fund.PROJECTS: 25, Fund.STAFF: 25, Fund.MARKETING: 25, Fund.OTHER: 25}


GIVER = {"firstname": "Yaa", "lastname": "Boateng", "email": "yaa@example.org", "country": "Ghana"}


@dataclass
class Month:
    """The organisation, what ada did while ben was away, and what came of it."""

    context: Context
    members: list[Member]
    mailbox: Mailbox = field(default_factory=Mailbox)
    done: dict[str, Any] = field(default_factory=dict)
    runs: list[list[StepResult]] = field(default_factory=list)

    def ada(self) -> Context:
        """Return a command of the one who is there."""
        return acting(self.context, "ada")

    def run(self) -> None:
        """Let the daily run work, as its timer starts it."""
        clockwork = sandbox_of(self.context)
        steps = daily_steps(clockwork=clockwork, sender=self.mailbox)
        self.runs.append(run_daily(acting(self.context, "scheduler"), steps))


def grant(month: Month, cents: int) -> object:
    """Pay a grant."""
    return disburse(month.ada(), Disbursement(Payee.GRANTS, "school", cents))


def write(month: Month, body: str) -> object:
    """Write to all members."""
    texts = {ENGLISH: AnnouncementText("News", body)}
    return announce(month.ada(), texts, Audience(frozenset({Group.MEMBERS})))


def ask_somebody_who_leaves(month: Month) -> object:
    """Let an editor ask for a payout whose key was to be removed already; ben signs that first."""
    payment = Disbursement(Payee.GRANTS, "clinic", LIMIT_CENTS)
    return disburse(acting(month.context, "kit"), payment)


def cash(month: Month) -> object:
    """Book a payment of a member who pays by hand."""
    promise(month.ada(), month.members[-1].email, dollars="5", way=PaymentWay.CASH)
    return receive(month.ada(), month.members[-1].email, 500)


def split(month: Month) -> object:
    """Ask for a split from the first day that is possible now."""
    return set_policy(month.ada(), FundPolicy(earliest_day(month.context), EVEN, EVEN), why="voted")


ALONE: Mapping[str, Callable[[Month], object]] = {
    "Book a payment in cash: it is in the books at once, and its vote waits for the other's "
    "signature.": cash,
    "Pay out below the limits.": lambda month: grant(month, LIMIT_CENTS - 1),
    "Open a vote.": lambda month: open_vote(month.ada(), id="prop_02", title="A school"),
    "Write to at most 25 people a day, without an account or a link.": lambda month: write(
        month, "The well is dug."
    ),
    "Mail members their statements.": lambda month: mail_statements(
        month.ada(), None, ReportPeriod(date(2026, 1, 1), date(2026, 11, 20))
    ),
    "Change what the site shows.": lambda month: add_item(month.ada(), PROJECTS, PROJECT),
}
WAITS: Mapping[str, Callable[[Month], object]] = {
    "A payout from a limit on.": lambda month: grant(month, LIMIT_CENTS),
    "An announcement that says where to send money.": lambda month: write(
        month, "Our new account is DE89 3704 0044 0532 0130 00."
    ),
    "A way to pay, such as the donate link.": lambda month: set_donate_link(
        month.ada(), "https://give.example.org/donate"
    ),
    "An address that members are sent to: contact, chat, or the site's.": lambda month: (
        change_values(month.ada(), {IdentityPart.CONTACT: "ada@example.org"})
    ),
    "A text of the terms, or what it promises.": lambda month: import_legal(
        month.ada(), LegalImport(LegalText.TERMS, {ENGLISH: "# Ours\n"})
    ),
    "A key, of whomever.": lambda month: add_operator(month.ada(), "zoe", key=public("zoe")),
    "The limits.": lambda month: set_limits(month.ada(), Limits(LIMIT_CENTS * 2), why="voted"),
}
ENDS: Mapping[str, tuple[Callable[[Month], object], str]] = {
    "A new split, when its day has come too near for members to hear of it before.": (
        split,
        "Members hear of a change before it holds",
    ),
    "The withdrawal of a vote that has ended meanwhile.": (
        lambda month: withdraw_proposal(month.ada(), "prop_01", reason="a slip"),
        "is passed; it cannot become withdrawn",
    ),
    "What an operator asked for whose key was removed.": (
        ask_somebody_who_leaves,
        "is not enrolled now",
    ),
}
RUN = {
    "It charges the pledges and books the payments.",
    "It sends the emails that are due.",
    "It closes each vote after its last day, and holds the money of one that passed.",
    "It signs the checkpoints of the log.",
}


@pytest.fixture
def month(place: Path) -> Month:
    """An organisation with an open vote, whose one approver besides ada goes away."""
    context = make_organisation(place)
    return begin(context)


def begin(context: Context) -> Month:
    """Return the first day: members, keys, limits, and ballots in a vote."""
    take_cash(context)
    members = [
        join(context, f"{name}@example.org", notifications=True).member
        for name in ("ama", "esi", "kofi")
    ]
    members.append(invite_member(context, InvitationForm(**GIVER)))
    with context.store.write() as work:
        members = [one._replace(email_confirmed=True) for one in members]
        for member in members:
            work.members.update(member)
    roles = {"ada": "admin bookkeeper", "ben": "approver", "kit": "bookkeeper"}
    enrol(context, **roles, scheduler="scheduler")
    limits = set_limits(acting(context, "ada"), Limits(LIMIT_CENTS, LIMIT_CENTS), why="voted")
    approve_as(context, limits, "ben")
    month = Month(context, members)
    open_vote(month.ada())
    for member in members[:3]:
        vote(context, member)
    return month


def test_the_page_lists_each_trial() -> None:
    """Each line of the section's lists has its trial below, and no trial lacks its line."""
    match = SECTION.search(DOCUMENT.read_text("utf-8"))
    assert match is not None

    lines = re.findall(r"^- (.*)$", match[1], re.MULTILINE)

    assert sorted(lines) == sorted([*RUN, *ALONE, *WAITS, *ENDS])


def test_one_person_keeps_the_organisation_alive(month: Month, tmp_path: Path) -> None:
    """Every sentence about the month, and the day on which the other comes back."""
    context = month.context
    for line, act in {**ALONE, **WAITS}.items():
        month.done[line] = act(month)
    for line, (act, _) in ENDS.items():
        month.done[line] = act(month)
    assert [line for line in ALONE if isinstance(month.done[line], Approval)] == []
    waiting = {line: one for line, one in month.done.items() if isinstance(one, Approval)}
    assert waiting.keys() == WAITS.keys() | ENDS.keys()
    vouched = waits(month.done[next(iter(ALONE))].waiting)
    approve_as(context, remove_operator(month.ada(), "kit", why="moved on"), "ben")

    for _ in range(DAYS):
        clock_of(context).advance(days=1)
        month.run()

    assert [one for run in month.runs for one in run if not one.ok] == []
    check_run(month)
    reasons = [one.message for run in month.runs for one in run if one.step == "approvals"]
    for line, (_, reason) in ENDS.items():
        (said,) = (one for one in reasons if waiting[line].id in one)
        assert reason in said, line
    assert {one.id for one in list_approvals(context)} == {
        vouched.id,
        *(waiting[line].id for line in WAITS),
    }
    for one in list_approvals(context):
        with pytest.raises(SameSigner):
            approve(month.ada(), one.id, handlers=HANDLERS)
    for one in list_approvals(context):
        approve_as(context, one, "ben")
    assert list_approvals(context) == []
    assert verify(context, tmp_path)[0] == 0


def check_run(month: Month) -> None:
    """Check what the daily run did in the month."""
    with month.context.store.read() as work:
        ama = work.payments.of_member(month.members[0].key)
        proposal = work.proposals.find("prop_01").proposal
        commitment = work.commitments.get("prop_01")
        assert work.log.size() - work.log.checkpoints()[-1].size <= 1
    assert len(ama) == 2
    assert proposal.status is ProposalStatus.PASSED
    assert commitment is not None
    assert commitment.commitment.held == 500
    kinds = {email.kind for email in month.mailbox.emails}
    assert kinds >= {"receipt", "vote_closed", "announcement", "statement"}
