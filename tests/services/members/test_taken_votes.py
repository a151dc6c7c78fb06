"""One operator alone takes nobody's vote, and lets no card vote twice."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.control.state import Limits
from jara.domain.giving.member import Member
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.audit import record_act
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.deaths import record_death
from jara.services.giving.pledging import cancel_pledge, stop_for_member
from jara.services.members.operators import allow_shared_card, erase_by_operator
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.operations.control import set_limits
from jara.services.proposals.closing import close_due_votes
from tests.alone.test_lost_votes import electors
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, closing_leaf, open_vote, refund


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with a member, operators' keys and limits."""
    context = make_organisation(place)
    add_member(context, "ama", card="card1")
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    waiting = set_limits(acting(context, "ada"), Limits(10_000, 10_000, 2, 10_000), why="Voted")
    assert isinstance(waiting, Approval)
    approve_as(context, waiting, "ben")
    return context


def member_of(context: Context) -> Member:
    """Return the one member."""
    with context.store.read() as work:
        (member,) = work.members.all()
    return member


def reverse_payment(context: Context, member: Member) -> object:
    """Reverse the member's payment in the books."""
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        entry = work.journal.get(payment.index).id
    return reverse_entry(context, entry, why="mistake")


Act = Callable[[Context, Member], object]
TAKES: dict[str, Act] = {
    "death": lambda context, member: record_death(context, member, died_on=context.today()),
    "erase": lambda context, member: erase_by_operator(context, member, why="asked"),
    "reverse": reverse_payment,
}


@pytest.mark.parametrize("act", TAKES.values(), ids=TAKES)
def test_another_operator_signs_the_loss_of_a_vote(context: Context, act: Act) -> None:
    """The bookkeeper's act waits while a vote is open, and is done when it is approved."""
    open_vote(acting(context, "ada"))

    waiting = act(acting(context, "kit"), member_of(context))

    assert isinstance(waiting, Approval)
    assert electors(context) == 1
    approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    assert electors(context) == 0


@pytest.mark.parametrize("action", ["pledges.pause", "pledges.cancel"])
def test_stopping_a_pledge_waits(context: Context, action: str) -> None:
    """The approver sees whose pledge it is."""
    open_vote(acting(context, "ada"))

    waiting = stop_for_member(acting(context, "kit"), action, member_of(context))

    assert isinstance(waiting, Approval)
    assert show_approval(context, waiting.id)["person"] == "Ama Test <ama@example.org>"
    assert electors(context) == 1


@pytest.mark.parametrize("act", [*TAKES, "pledges.cancel", "refund", "member"])
def test_the_result_counts_votes_lost_by_an_operator_before_the_opening(
    context: Context, act: str
) -> None:
    """One operator may act while no vote is open, and the log says how many votes that took."""
    member, by_kit = member_of(context), acting(context, "kit")
    if act in TAKES:
        TAKES[act](by_kit, member)
    elif act == "refund":
        refund(context, member, 1000)
        with context.store.write() as work:
            record_act(by_kit, work, "pledges.refund", "ch_ama", why="asked")
    elif act == "member":
        cancel_pledge(context, member.id)
    else:
        stop_for_member(by_kit, act, member)
    open_vote(acting(context, "ada"))
    clock_of(context).set(datetime(2026, 12, 1, 9, tzinfo=UTC))
    close_due_votes(context, unattended=True)

    assert closing_leaf(context)["lost_votes"] == int(act != "member")


def test_a_shared_card_needs_two_at_any_time(context: Context) -> None:
    """One operator with one card cannot make several members vote."""
    member = member_of(context)

    waiting = allow_shared_card(acting(context, "kit"), member.email, why="sisters")

    assert isinstance(waiting, Approval)
    with context.store.read() as work:
        assert work.pledges.shared_among({"card1"}) == set()
    approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    with context.store.read() as work:
        assert work.pledges.shared_among({"card1"}) == {"card1"}
