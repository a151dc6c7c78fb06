"""A remembered sender gives a vote once it is signed: one person's word does not."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentProof
from jara.services.approvals import refuse
from jara.services.bank.answering import (
    list_waiting,
    match_with_entries,
    match_with_members,
)
from jara.services.bank.importing import settle_again
from jara.services.bank.senders import list_senders
from jara.services.context import Context
from jara.services.payments.receiving import receive
from tests.domain.bank.bank_lines import a_line
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, copy_of
from tests.services.bank.sender_books import ADA, BO, from_sender, imported, make_payers, match
from tests.services.bank.test_contributions import pledge_of
from tests.services.bank.test_statement_vouching import payments_of, voters


@pytest.fixture
def context(place: Path) -> Context:
    """Members Ada and Bo, who promised $10 a month by transfer, in August."""
    return copy_of(make_payers, place)


def with_keys(context: Context) -> Context:
    """Enrol the keys of three operators; in the middle of May."""
    clock_of(context).at = clock_of(context).at.replace(month=5, day=5)
    enrol(context, eve="admin", ben="approver", kit="bookkeeper")
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    return context


def test_one_persons_word_gives_no_vote_and_a_signature_does(context: Context) -> None:
    """Ten matches of one statement wait as one approval, which lists them; then both vote."""
    kit = acting(with_keys(context), "kit")
    assert (
        imported(kit, from_sender("A MENSAH"), from_sender("B OWUSU", day=9)).settled.approvals
        == []
    )
    (first,) = match(acting(context, "kit"), ADA).settled.approvals
    (second,) = match(acting(context, "kit"), BO).settled.approvals
    assert voters(context) == 0
    with pytest.raises(Conflict, match="refused"):
        approve_as(context, first, "ben")
    approve_as(context, second, "ben")

    assert voters(context) == 2
    assert all(one.is_signed for one in list_senders(context))
    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.STATEMENT]


def test_a_signed_sender_needs_only_the_signature_of_a_statement(context: Context) -> None:
    """The next month is one import and one approval."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    clock_of(context).at = clock_of(context).at.replace(month=7, day=5)
    assert voters(context) == 0
    (waiting,) = imported(
        acting(context, "kit"), from_sender("A MENSAH"), month=6
    ).settled.approvals
    assert (waiting.payload["said"], voters(context)) == ([], 0)
    approve_as(context, waiting, "ben")

    assert voters(context) == 1


def test_a_word_after_the_signature_needs_another_one(context: Context) -> None:
    """The statement was signed while the line waited; who paid it is one person's word yet."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"), from_sender("B OWUSU", day=9))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    (later,) = match(acting(context, "kit"), BO).settled.approvals
    assert voters(context) == 1
    assert (later.payload["payments"], later.payload["cents"]) == (1, 1000)
    approve_as(context, later, "ben")

    assert voters(context) == 2


def test_an_unsigned_sender_gives_no_vote_on_a_signed_statement(context: Context) -> None:
    """Remembered on a later statement, it matches a line of an earlier, signed one."""
    reference = pledge_of(context, "bo").reference
    kit = acting(with_keys(context), "kit")
    old = imported(kit, from_sender("A MENSAH"), a_line(1000, f"GIFT {reference}", day=9))
    approve_as(context, old.settled.approvals[0], "ben")
    clock_of(context).at = clock_of(context).at.replace(month=6, day=30)
    imported(acting(context, "kit"), from_sender("A MENSAH", day=25), month=6)
    newest = list_waiting(context)[-1]
    matched = match_with_members(acting(context, "kit"), newest.id, [(ADA, None)])
    assert matched.settled.by_member == 1
    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.NONE] * 2
    of_june, of_may = sorted(matched.settled.approvals, key=lambda one: one.payload["statement"])
    refuse(acting(context, "ben"), of_may.id, why="not yet")
    approve_as(context, of_june, "ben")
    (of_may,) = settle_again(acting(context, "kit")).approvals  # it is asked again
    assert settle_again(acting(context, "kit")).approvals == []
    approve_as(context, of_may, "ben")

    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.STATEMENT] * 2


def test_a_changed_row_of_a_signed_sender_is_not_signed(context: Context) -> None:
    """Who writes another member into the database has a sender that nobody signed."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    with context.store.write() as work:
        other = work.members.find(BO).id
        work.sql.run("UPDATE bank_senders SET member_id = :id", {"id": other})
    (shown,) = list_senders(context)

    assert (shown.members, shown.is_signed) == ((BO,), False)


def test_a_match_with_an_entry_still_proves_nothing(context: Context) -> None:
    """One operator matches a line with a payment of their own invention."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    booked = receive(acting(context, "kit"), ADA, 1000, day=date(2026, 5, 4))
    (line,) = list_waiting(context)
    match_with_entries(acting(context, "kit"), line.id, [booked.posted.id])

    assert settle_again(acting(context, "kit")).approvals == []
    assert voters(context) == 0
