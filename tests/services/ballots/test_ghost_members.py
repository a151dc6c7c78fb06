"""Members whom one bookkeeper made up turn no vote."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.provider_row import ChargeKind
from jara.domain.errors import Conflict, JaraError, NotAChangemaker
from jara.domain.giving.member import Member
from jara.domain.giving.newcomer import PersonRow
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.organisation import PaymentMode
from jara.records.operations import Approval
from jara.services.approvals import approve, refuse
from jara.services.ballots.casting import require_elector
from jara.services.books.entry_importing import FileEntry, import_entries
from jara.services.context import Context, Rules
from jara.services.members.accounts import InvitationForm, add_member, invite_member
from jara.services.members.contributors import email_handle
from jara.services.members.importing import PeopleFile, import_people
from jara.services.members.operators import confirm_member
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.operations.import_undo import undo_import
from jara.services.operations.operators import add_operator
from jara.services.payments.importing import book_rows
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.vouching import vouch
from jara.services.payments.ways import set_way
from jara.store.unit_of_work import UnitOfWork
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import make_organisation
from tests.rows import a_row
from tests.services.ballots.voting_world import add_member as join
from tests.services.ballots.voting_world import may_vote, open_vote, start_paying, vote
from tests.services.bank.bank_books import take
from tests.services.bank.test_statement_vouching import voters
from tests.services.giving.joiners import take_cash
from tests.services.members import codes_world
from tests.services.members.codes_world import accept_invitation

GHOSTS = 8
"""More than the three members who give."""


def with_ways(place: Path) -> Context:
    """Return an organisation that takes cash and transfers, whose operators have no keys."""
    context = make_organisation(place)
    take_cash(context)
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="IBAN DE89")
    return context


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an open vote, three members, and the keys of three operators."""
    context = with_ways(place)
    for name in ("ama", "ben", "cyd"):
        join(context, name)
    open_vote(context)
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    return context


def ghost(context: Context, number: int = 0, way: PaymentWay = PaymentWay.CASH) -> Member:
    """Sign up with a promise on the website, as anybody can; the member has paid nothing."""
    member = join(context, f"ghost{number}", cents=0)
    with context.store.write() as work:
        work.sql.run("DELETE FROM pledges WHERE member_id = :id", {"id": member.id})
    promise(acting(context, "kit"), member.email, dollars=10, way=way)
    return member


def reference_of(work: UnitOfWork, member: Member) -> str:
    """Return the reference of a member's pledge."""
    pledge = work.pledges.get(member.id)
    assert pledge is not None
    return str(pledge.reference)


def test_eight_ghosts_with_booked_cash_have_no_vote(context: Context) -> None:
    """One bookkeeper books cash for eight members who do not exist; none is on the roll."""
    ghosts = [ghost(context, number) for number in range(GHOSTS)]
    waiting = [receive(acting(context, "kit"), one.email, 1000).waiting for one in ghosts]

    assert voters(context) == 3
    for one in ghosts:
        with pytest.raises(NotAChangemaker, match="second operator"):
            vote(context, one)
    assert all(isinstance(one, Approval) for one in waiting)


def test_a_second_operator_gives_the_vote(context: Context) -> None:
    """The bookkeeper cannot approve; an approver sees payer and way, and approves."""
    member = ghost(context)
    booked = receive(acting(context, "kit"), member.email, 1000)
    assert booked.waiting is not None
    with pytest.raises(Conflict, match="waits as"):
        vouch(acting(context, "kit"), booked.posted.id, why="again")
    with pytest.raises(JaraError, match="admin or approver"):
        approve(acting(context, "kit"), booked.waiting.id, handlers=HANDLERS)
    assert not may_vote(context, member)

    shown = show_approval(context, booked.waiting.id)
    assert (shown["payer"], shown["way"], shown["cents"]) == (
        f"Ghost0 Test <{member.email}>",
        "cash",
        1000,
    )
    approve(acting(context, "ben"), booked.waiting.id, handlers=HANDLERS)
    assert may_vote(context, member)
    assert voters(context) == 4
    with context.store.read() as work:
        payments = work.payments.giving_votes([member.key, "m_nobody"])
        assert {key: one.way for key, one in payments.items()} == {member.key: PaymentWay.CASH}
    with pytest.raises(Conflict, match="nobody to vouch"):
        vouch(acting(context, "kit"), booked.posted.id, why="again")


def test_a_refused_payment_can_be_vouched_for_again(context: Context) -> None:
    """The money stays booked; only another approval gives the vote."""
    member = ghost(context)
    booked = receive(acting(context, "kit"), member.email, 1000)
    assert booked.waiting is not None
    refuse(acting(context, "ben"), booked.waiting.id, why="Who is that?")
    assert not may_vote(context, member)

    again = vouch(acting(context, "kit"), booked.posted.id, why="I met them")
    approve_as(context, again, "ben")

    assert may_vote(context, member)


def test_a_payment_with_other_proof_needs_no_signature(context: Context) -> None:
    """A line of an approved statement gives the vote; an undone import takes it back."""
    paid, banked = ghost(context, 0, PaymentWay.TRANSFER), ghost(context, 1, PaymentWay.TRANSFER)
    with context.store.read() as work:
        references = [reference_of(work, one) for one in (paid, banked)]
    receive(acting(context, "kit"), paid.email, 1000)
    today = context.today()
    lines = [a_line(1000, f"GIFT {reference}", day=204) for reference in references]
    statement = a_statement(*lines, first=today, last=today)
    outcome = take(acting(context, "kit"), statement)
    assert (outcome.settled.by_entry, outcome.settled.by_member) == (1, 1)
    assert voters(context) == 3
    approve_as(context, outcome.settled.approvals[0], "ben")
    assert (may_vote(context, paid), may_vote(context, banked), voters(context)) == (True, True, 5)

    undo_import(acting(context, "kit"), outcome.id, why="not ours")
    assert (may_vote(context, paid), may_vote(context, banked), voters(context)) == (
        False,
        False,
        3,
    )


def test_a_file_of_the_provider_gives_no_vote(context: Context) -> None:
    """A bookkeeper can write such a file; the payment counts once the provider shows it."""
    member = join(context, "ghost", cents=0)
    with context.store.write() as work:
        work.contributors.put(email_handle(context, member.email), member.key)
    row = a_row(
        "charge",
        1000,
        59,
        txn_id="txn_1",
        source_id="ch_1",
        email=member.email,
        charge_kind=ChargeKind.PLEDGE,
        created=context.now(),
    )
    kit = acting(context, "kit")
    assert book_rows(kit, [row], act="ledger.import", is_file=True).posted == 1
    assert not may_vote(context, member)

    assert book_rows(acting(context, "kit"), [row]).skipped == 1
    assert may_vote(context, member)


def test_an_imported_entry_gives_no_vote(context: Context) -> None:
    """A file of entries is one operator's word too, until a second one vouches for it."""
    member = join(context, "ghost", cents=0)
    entry = JournalEntry(
        date(2026, 11, 20),
        EntryKind.PLEDGE,
        "Contribution",
        (Posting("assets:bank", Fund.OTHER, 1000), Posting("income:pledges", Fund.OTHER, -1000)),
        external_id="cash-book 1",
        member_key=member.key,
    )
    assert import_entries(acting(context, "kit"), [FileEntry(1, "cash-book 1", entry)]).posted == 1
    assert not may_vote(context, member)

    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        name = work.journal.get(payment.index).id
    approve_as(context, vouch(acting(context, "kit"), name, why="our old books"), "ben")
    assert may_vote(context, member)
    with context.store.read() as work:
        payments = work.payments.giving_votes([member.key])
        assert payments[member.key].way is PaymentWay.TRANSFER


def test_without_keys_and_limits_cash_gives_the_vote(place: Path) -> None:
    """There is no second operator whose signature could be asked for."""
    context = with_ways(place)
    member = ghost(context)

    assert receive(context, member.email, 1000).waiting is None
    assert may_vote(context, member)


def test_with_names_and_a_limit_another_name_approves(place: Path) -> None:
    """Limits without keys ask for another listed operator."""
    context = with_ways(place)
    member = ghost(context)
    add_operator(context, "tester")
    add_operator(context, "ada")
    limited = replace(context, rules=Rules(approval_cents=2000))
    waiting = receive(limited, member.email, 1000).waiting
    assert waiting is not None
    with pytest.raises(Conflict, match="another operator"):
        approve(limited, waiting.id, handlers=HANDLERS)
    assert not may_vote(context, member)

    approve(replace(limited, operator="ada"), waiting.id, handlers=HANDLERS)
    assert may_vote(context, member)


FORM = codes_world.form(email="ama.m@example.org")


def paying(context: Context, member: Member) -> Member:
    """Start a pledge by card for a member, with a payment that the provider shows."""
    start_paying(context, member)
    return member


@pytest.mark.parametrize("has_keys", [True, False])
def test_an_added_member_votes_after_accepting_the_invitation(
    place: Path, *, has_keys: bool
) -> None:
    """The member pays, and votes only after following the emailed link."""
    context = make_organisation(place)
    if has_keys:
        enrol(context, ada="admin", kit="bookkeeper")
    member = paying(context, add_member(acting(context, "kit"), FORM))
    assert voters(context) == 0
    with context.store.read() as work, pytest.raises(NotAChangemaker, match="emailed link"):
        require_elector(work, member.id, context.now())

    accept_invitation(context, FORM.email)
    assert may_vote(context, member)
    assert voters(context) == 1


def test_an_invited_member_confirms_by_setting_a_password(context: Context) -> None:
    """An invitation works the same: its link proves the address."""
    form = InvitationForm(
        firstname="Ama", lastname="M", email="ama.m@example.org", country="Canada"
    )
    member = paying(context, invite_member(acting(context, "kit"), form))
    assert not may_vote(context, member)

    accept_invitation(context, member.email)
    assert may_vote(context, member)


def test_an_imported_member_confirms_too(context: Context) -> None:
    """Members of a file are added by an operator."""
    values = {
        "firstname": "Ama",
        "lastname": "M",
        "email": "ama.m@example.org",
        "country": "Canada",
    }
    file = PeopleFile("list.csv", "CSV", "d1", lambda: [PersonRow(2, values)])
    import_people(acting(context, "kit"), file)
    with context.store.read() as work:
        member = work.members.find("ama.m@example.org")
    paying(context, member)

    assert not may_vote(context, member)


def test_an_operator_confirms_in_a_sandbox_only(context: Context) -> None:
    """In a real organisation nobody confirms for a member."""
    member = paying(context, add_member(acting(context, "kit"), FORM))
    for mode in (PaymentMode.TEST, PaymentMode.LIVE):
        with pytest.raises(Conflict, match="sandbox"):
            confirm_member(replace(acting(context, "ada"), payment_mode=mode), member.email)
    assert not may_vote(context, member)

    confirm_member(acting(context, "kit"), member.email)
    assert may_vote(context, member)
