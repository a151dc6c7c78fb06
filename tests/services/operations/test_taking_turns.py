"""Two programs at once: what one did between two transactions of the other stays done."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from jara.domain.errors import Conflict
from jara.domain.giving.newcomer import PersonRow
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.domain.reports.parts import ReportPeriod
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Email
from jara.records.payments import PaymentQuery
from jara.services.approvals import CARRYING_OUT, list_approvals
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import PROMISE_KEPT_FOR, finish_registrations
from jara.services.giving.pledging import find_pledge
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.importing import PeopleFile, import_people
from jara.services.members.operators import remove_address, search_members
from jara.services.notices.outbox import list_outbox, send_due
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.reports.statements import mail_statements
from tests.fakes.operators import approve_as
from tests.fakes.turns import taking_turns
from tests.harness import clock_of
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.giving.joiners import EMAIL, join
from tests.services.news.news_world import Mailbox
from tests.services.payments.test_promising import enter
from tests.services.payments.test_refunding import returned_cents, waiting_refund

TURNS = pytest.mark.parametrize("number", [1, 2, 3])


def test_an_act_at_the_provider_stays_with_who_took_it_there(place: Path) -> None:
    """Another approver, who read it before, neither repeats it nor lets it wait again."""
    context, waiting = waiting_refund(place)
    taken = waiting._replace(state=CARRYING_OUT, decided_by="cyd", decided_at=context.now())

    def take() -> None:
        with context.store.write() as work:
            work.operations.put_approval(taken)

    with pytest.raises(Conflict, match="'cyd' is carrying out"):
        approve_as(taking_turns(context, 1, take), waiting, "ben")

    assert list_approvals(context, include_decided=True) == [taken]
    assert returned_cents(context) == 0


@TURNS
def test_a_file_that_two_import_makes_each_member_once(context: Context, number: int) -> None:
    """Also those who have no address, whom their names tell apart."""
    rows = [
        PersonRow(line, {"firstname": first, "lastname": last, "email": ""})
        for line, (first, last) in enumerate([("Ben", "A"), ("Cyd", "B")], start=2)
    ]
    file = PeopleFile("list.csv", "CSV", "digest", lambda: rows, "Ghana", no_email=True)
    other = taking_turns(context, number, lambda: import_people(context, file))
    import_people(other, file)

    assert sorted(line.member.names[0] for line in search_members(context)) == ["Ben A", "Cyd B"]


@TURNS
@pytest.mark.parametrize("gone", ["erased", "address removed"])
def test_no_statement_goes_to_an_address_that_is_gone(
    context: Context, number: int, gone: str
) -> None:
    """The list of members was read before."""
    member = join(context).member
    with context.store.write() as work:
        work.outbox.erase_member(member.id)

    def leave() -> None:
        if gone == "erased":
            erase_member(context, member.id, why="asked")
        else:
            remove_address(context, member, why="asked")

    period = ReportPeriod(context.today().replace(day=1), context.today())
    mail_statements(taking_turns(context, number, leave), None, period)

    queued = [one.address for one in list_outbox(context) if one.kind == "statement"]
    assert number > 1 or queued == []


@pytest.mark.parametrize("number", [1, 2])
def test_a_promise_that_is_paid_while_it_is_given_up_stays(context: Context, number: int) -> None:
    """The daily run saw it unpaid, and asked the provider."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="Any bank")
    member = enter(context)
    clock_of(context).advance(seconds=PROMISE_KEPT_FOR.total_seconds() + 60)

    finish_registrations(taking_turns(context, number, lambda: receive(context, member.id, 1000)))

    assert find_pledge(context, member.id).state is PledgeState.ACTIVE
    with context.store.read() as work:
        (payment,) = work.payments.search(PaymentQuery(member_key=member.key))
    assert (payment.record.cents, find_member(context, EMAIL).key) == (1000, member.key)


def test_an_email_that_was_removed_does_not_go_out_with_its_batch(context: Context) -> None:
    """A batch takes minutes; the second member leaves while the first gets an email."""
    members = [join(context, f"{name}@example.org").member for name in ("ben", "cyd")]

    class Slow(Mailbox):
        """Takes an email while a member leaves."""

        def send(self, email: Email) -> None:
            super().send(email)
            for other in members:
                if other.email != email.address and len(self.emails) == 1:
                    erase_member(context, other.id, why="asked")

    mailbox = Slow()
    send_due(context, mailbox)

    sent = Counter(one.address for one in mailbox.emails if one.kind != "account_closed")
    assert len(sent) == 1


@pytest.mark.parametrize("number", range(1, 8))
def test_a_vote_that_is_withdrawn_while_it_closes_is_one_of_both(
    context: Context, number: int
) -> None:
    """The close says so, and nothing is half done."""
    for name in ("ben", "cyd"):
        member = add_member(context, name)
        with context.store.write() as work:
            work.members.update(member._replace(email_confirmed=True))
    open_vote(context)
    vote(context, find_member(context, "ben"))
    clock_of(context).advance(days=11)

    def withdraw() -> None:
        with suppress(Conflict):
            withdraw_proposal(context, "prop_01", reason="another one comes")

    with suppress(Conflict):
        close_vote(taking_turns(context, number, withdraw), "prop_01")

    with context.store.read() as work:
        status = work.proposals.find("prop_01").proposal.status
    assert status in {ProposalStatus.WITHDRAWN, ProposalStatus.PASSED, ProposalStatus.REJECTED}
    assert verify_books(context).ok
