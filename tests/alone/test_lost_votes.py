"""No operator alone takes a vote by a pause, an undone import or a refund."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.books.journal import EntryKind, reversal_of
from jara.domain.checks.log import read_leaf
from jara.domain.control.state import Limits
from jara.domain.giving.payment_way import PaymentWay
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.entry_importing import FileEntry, import_entries
from jara.services.context import Context
from jara.services.giving.pledging import stop_for_member
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits
from jara.services.operations.import_undo import list_imports, undo_import
from jara.services.payments.importing import book_rows
from jara.services.payments.refunding import Refunded, refund_payment
from jara.services.payments.vouching import vouch
from jara.services.payments.ways import set_way
from jara.services.proposals.closing import close_due_votes
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, make_organisation
from tests.rows import a_row
from tests.services.ballots.voting_world import open_vote
from tests.services.bank.bank_books import take
from tests.services.bank.test_contributions import promised
from tests.services.giving.joiners import join


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with keys and limits, and a member whose transfer gave the vote."""
    return paid_by_transfer(place)


def paid_by_transfer(place: Path, *more: int) -> Context:
    """Return the organisation; `more` are the cents of payments before the last one."""
    context = make_organisation(place)
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="")
    text = f"GIFT {promised(context, 'ama')}"
    lines = (a_line(cents, text, day=1) for cents in more)
    take(context, a_statement(*lines, a_line(1000, text, day=7)))
    return governed(context)


@pytest.fixture
def by_card(place: Path) -> Context:
    """The same, whose member pays by card."""
    context = make_organisation(place, at=datetime(2026, 5, 20, 12, tzinfo=UTC))
    join(context)
    return governed(context)


def governed(context: Context) -> Context:
    """Give an organisation keys and limits."""
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    waiting = set_limits(acting(context, "ada"), Limits(10_000, 10_000, 2, 10_000), why="Voted")
    assert isinstance(waiting, Approval)
    approve_as(context, waiting, "ben")
    assert electors(context) == 1
    return context


def electors(context: Context) -> int:
    """Return how many members may vote."""
    with context.store.read() as work:
        return len(work.electors.member_ids(context.now()))


def lost_votes(context: Context, at: datetime) -> int:
    """Close the vote at a time; return how many votes were lost by its leaf."""
    clock_of(context).set(at)
    close_due_votes(context, unattended=True)
    with context.store.read() as work:
        (record,) = work.proposals.all()
        leaf = read_leaf(work.log.leaf(record.closed_index or 0).body)
    return int(leaf["lost_votes"])


def pause(context: Context) -> object:
    """Pause the pledge of the member."""
    with context.store.read() as work:
        (member,) = work.members.all()
    return stop_for_member(context, "pledges.pause", member)


def undo(context: Context) -> object:
    """Undo the statement that brought the payment."""
    return undo_import(context, list_imports(context)[0].id, why="another bank's")


def by_bank(context: Context) -> object:
    """Import a file that says that the bank took the payment back."""
    with context.store.read() as work:
        (reference,) = work.pledges.with_reference()
    clock_of(context).advance(days=4)
    line = a_line(-1000, reference, day=32, is_reversal=True)
    june = a_statement(line, opening=1000, first=line.day, last=line.day)
    return take(context, june, file="june.xml")


def by_journal(context: Context) -> object:
    """Import a file with the reversal of the payment's entry."""
    with context.store.read() as work:
        (payment,) = work.payments.all()
        posted = work.journal.get(payment.index)
    entry = reversal_of(posted, day=context.today(), why="wrong")
    named = replace(entry, external_id="file 1")
    return import_entries(context, [FileEntry(1, "1", named, reverses_id=posted.id)])


def by_provider(context: Context) -> object:
    """Import a file that says that the provider gave the payment back."""
    with context.store.read() as work:
        (payment,) = work.payments.all()
    row = a_row("refund", -1000, created=context.now(), charge_id=payment.source_id)
    return book_rows(context, [row], is_file=True)


@pytest.mark.parametrize("by_file", [by_bank, by_journal, by_provider])
def test_while_a_vote_is_open_no_file_of_one_operator_takes_it(
    place: Path, by_file: Callable[[Context], object]
) -> None:
    """What the file says waits or is refused; else it is booked, and the next result counts it."""
    for is_open in (True, False):
        context = paid_by_transfer(place / f"{is_open}")
        if is_open:
            open_vote(acting(context, "ada"), endDate="2026-06-10")
        by_file(acting(context, "kit"))
        assert electors(context) == is_open
    open_vote(acting(context, "ada"), endDate="2026-06-10")
    assert lost_votes(context, datetime(2026, 6, 12, 9, tzinfo=UTC)) == 1


def test_a_refund_of_months_that_an_earlier_payment_covers_takes_the_vote(place: Path) -> None:
    """The newest payment alone would not cover the day of the vote."""
    context = paid_by_transfer(place, 6000)
    clock_of(context).at = clock_of(context).at.replace(month=8)
    open_vote(acting(context, "ada"), endDate="2026-09-10")
    with context.store.read() as work:
        entry = work.journal.get(min(one.index for one in work.payments.all())).id

    for cents in (5400, None):
        assert isinstance(
            refund_payment(acting(context, "kit"), entry, cents=cents, why="x"), Approval
        )


def test_a_refund_that_one_operator_reverses_gives_no_vote(context: Context) -> None:
    """The money may have gone back, so somebody else vouches for the payment anew."""
    with context.store.read() as work:
        entry = work.journal.get(next(iter(work.payments.all())).index).id
    done = refund_payment(acting(context, "kit"), entry, why="asked")
    assert isinstance(done, Refunded)
    reverse_entry(acting(context, "kit"), done.refund_id, why="wrong")
    assert electors(context) == 0
    approve_as(context, vouch(acting(context, "kit"), entry), "ben")
    assert electors(context) == 1


def test_what_gives_a_refund_back_takes_no_vote_alone(context: Context) -> None:
    """It takes the proof of the whole payment, so while a vote is open another operator signs."""
    open_vote(acting(context, "ada"), endDate="2026-06-10")
    done = give_back(100)(acting(context, "kit"))
    assert isinstance(done, Refunded)
    with context.store.read() as work:
        (payment,) = work.payments.all()
        refund = work.journal.find(done.refund_id)
        of = work.journal.get(payment.index).id
    back = [replace(one, cents=-one.cents) for one in refund.entry.postings]
    entry = replace(
        refund.entry, kind=EntryKind.RETURN, postings=tuple(back), external_id="file 1", of=None
    )
    import_entries(acting(context, "kit"), [FileEntry(1, "1", entry, of_id=of)])
    assert electors(context) == 1

    waiting = reverse_entry(acting(context, "kit"), done.refund_id, why="wrong")

    assert isinstance(waiting, Approval)
    assert electors(context) == 1
    approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    assert electors(context) == 1


def test_the_result_counts_votes_that_a_return_given_back_took(context: Context) -> None:
    """A file said that a dollar of the payment went back, and then that it did not."""
    with context.store.read() as work:
        paid = work.journal.get(next(iter(work.payments.all())).index)
    for name, sign in (("file 1", 1), ("file 2", -1)):
        postings = tuple(replace(one, cents=sign * one.cents // -10) for one in paid.entry.postings)
        entry = replace(
            paid.entry, kind=EntryKind.RETURN, postings=postings, external_id=name, member_key=None
        )
        import_entries(acting(context, "kit"), [FileEntry(1, name, entry, of_id=paid.id)])
    assert electors(context) == 0
    open_vote(acting(context, "ada"), endDate="2026-06-10")

    assert lost_votes(context, datetime(2026, 6, 12, 9, tzinfo=UTC)) == 1


def test_no_more_is_given_back_than_was_returned(context: Context) -> None:
    """A line of a journal would take the proof of any payment, and the vote with it."""
    with context.store.read() as work:
        posted = work.journal.get(next(iter(work.payments.all())).index)
    entry = replace(posted.entry, kind=EntryKind.RETURN, external_id="file 1", member_key=None)

    import_entries(acting(context, "kit"), [FileEntry(1, "1", entry, of_id=posted.id)])

    assert electors(context) == 1


def give_back(cents: int | None) -> Callable[[Context], object]:
    """Return what gives back a part of the payment, or all."""

    def refund(context: Context) -> object:
        with context.store.read() as work:
            (payment,) = work.payments.all()
            entry = work.journal.get(payment.index).id
        return refund_payment(context, entry, cents=cents, why="asked")

    return refund


ACTS: dict[str, tuple[Callable[[Context], object], int]] = {
    "undone import": (undo, 0),
    "part refund": (give_back(400), 1),
    "refund to less than a pledge": (give_back(600), 0),
    "refund": (give_back(None), 0),
}
"""Acts, and how many may vote after them.

A refund in part takes no vote while the smallest pledge is left: so one operator makes it, within
the limits.
"""


@pytest.mark.parametrize("act", ACTS)
def test_while_a_vote_is_open_another_operator_signs(context: Context, act: str) -> None:
    """The bookkeeper's act waits, and changes nothing before it is approved."""
    play, left = ACTS[act]
    open_vote(acting(context, "ada"), endDate="2026-06-10")

    waiting = play(acting(context, "kit"))

    assert isinstance(waiting, Approval) is (left == 0)
    assert electors(context) == 1
    if isinstance(waiting, Approval):
        approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    assert electors(context) == left


def test_a_pause_waits_while_a_vote_is_open(by_card: Context) -> None:
    """It takes the vote at once: whoever pauses is no changemaker."""
    open_vote(acting(by_card, "ada"), endDate="2026-06-10")

    waiting = pause(acting(by_card, "kit"))

    assert isinstance(waiting, Approval)
    assert electors(by_card) == 1
    approve(acting(by_card, "ben"), waiting.id, handlers=HANDLERS)
    assert electors(by_card) == 0


def test_the_result_counts_the_vote_that_a_pause_took(by_card: Context) -> None:
    """Without an open vote one operator pauses a pledge, and the next result says so."""
    assert not isinstance(pause(acting(by_card, "kit")), Approval)
    assert electors(by_card) == 0
    open_vote(acting(by_card, "ada"), endDate="2026-06-10")

    assert lost_votes(by_card, datetime(2026, 6, 12, 9, tzinfo=UTC)) == 1


def test_a_vote_that_ended_with_its_month_is_not_lost_by_a_refund(context: Context) -> None:
    """Who gave nothing more after a refund in part would not vote without it either."""
    ACTS["part refund"][0](acting(context, "kit"))
    open_vote(acting(context, "ada"), endDate="2026-08-20")

    assert lost_votes(context, datetime(2026, 8, 22, 9, tzinfo=UTC)) == 0


@pytest.mark.parametrize("act", ACTS)
def test_without_an_open_vote_the_result_of_the_next_counts_what_was_lost(
    context: Context, act: str
) -> None:
    """One operator may act, and the leaf of the next result tells how many votes that took."""
    play, left = ACTS[act]
    assert not isinstance(play(acting(context, "kit")), Approval)
    assert electors(context) == left
    open_vote(acting(context, "ada"), endDate="2026-06-10")

    assert lost_votes(context, datetime(2026, 6, 12, 9, tzinfo=UTC)) == 1 - left
