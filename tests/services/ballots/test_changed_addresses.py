"""An operator's word about an address is a stranger's: a handed-over account turns no vote."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara import jara_verify
from jara.domain.errors import Conflict, JaraError, NotAChangemaker
from jara.domain.giving.member import Member
from jara.records.access import SessionClaims
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.ballots.counting import count_vote, show_roll
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members import accounts
from jara.services.members.accounts import InvitationForm, find_member
from jara.services.members.address_changes import (
    agree_to_address,
    forget_changes,
    vouch_for_address,
)
from jara.services.members.documents import show_member
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.members.profiles import change_password, confirm_address, undo_change
from jara.services.members.sessions import Session
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, make_organisation
from tests.sent_emails import mailed_code
from tests.services.ballots.voting_world import (
    PROPOSAL,
    closing_leaf,
    open_vote,
    start_paying,
    vote,
)
from tests.services.ballots.voting_world import add_member as join
from tests.services.members import codes_world
from tests.services.members.codes_world import accept_invitation, ask_for_address
from tests.services.members.test_no_address import KOFI
from tests.services.operations.controlled_world import verify

MALLORY = "mallory@example.com"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an open vote, three paying members, and three operators with keys."""
    context = make_organisation(place)
    for name in ("ama", "ben", "cyd"):
        confirmed(context, join(context, name))
    open_vote(context)
    enrol(context, ada="admin", bob="approver", kit="bookkeeper")
    return context


def confirmed(context: Context, member: Member) -> Member:
    """Let a member have confirmed the address."""
    with context.store.write() as work:
        work.members.update(member._replace(email_confirmed=True))
    return member


def hand_over(context: Context, name: str = "ama", to: str = MALLORY) -> Member:
    """Change a member's address as the bookkeeper, and follow the link in the new mailbox."""
    member = find_member(context, name)
    edit_member(acting(context, "kit"), member.email, MemberEdit(email=to), why="asked")
    confirm_address(context, mailed_code(context, "address_confirm", to))
    return find_member(context, to)


FORM = codes_world.form(firstname="Eve", email="eve@example.org")


def session_of(context: Context, member: Member) -> Session:
    """Return a session in which a member is signed in."""
    now = context.now()
    claims = SessionClaims(member.id, "s1", member.session_epoch, now, now, now + timedelta(1))
    return Session(member, claims)


def open_next(context: Context) -> None:
    """Open another vote, as the admin."""
    later = acting(context, "ada")
    draft = draft_proposal(later, {**PROPOSAL, "id": "prop_02", "endDate": "2027-01-30"})
    put_to_vote(acting(context, "ada"), draft.proposal.id)


def assert_sound(context: Context, place: Path) -> None:
    """Check that the server and the verifier of the public bundle agree with the log."""
    assert verify_books(context).ok
    status, told = verify(context, place, by="ada")
    assert status == jara_verify.GOOD, told


def test_an_account_that_one_operator_hands_over_cannot_vote(context: Context) -> None:
    """The new mailbox signs in, but the ballot is refused."""
    taken = hand_over(context)

    with pytest.raises(NotAChangemaker, match="changed the email address"):
        vote(context, taken)


def roll(context: Context, proposal: str = "prop_01") -> int:
    """Return the number of people on the roll of a vote."""
    with context.store.read() as work:
        assert list(work.electors.discrepancies()) == []
        tally = count_vote(context, work, work.proposals.find(proposal))
    assert show_roll(context, proposal).size == tally.roll
    return tally.roll


def agreement(context: Context, address: str) -> str:
    """Return the code that was sent to an old address."""
    return mailed_code(context, "address_agreement", address)


def vouched(context: Context, address: str) -> None:
    """Let the approver sign that the bookkeeper's change is right."""
    asked = vouch_for_address(acting(context, "kit"), address, why="I met her")
    approve_as(context, asked, "bob")


def ended(context: Context, proposal: str = "prop_01") -> dict[str, Any]:
    """Close a vote after its end; return the leaf of the result."""
    clock_of(context).set(datetime(2026, 12, 1, 9, tzinfo=UTC))
    close_due_votes(context, unattended=True)
    return closing_leaf(context, proposal)


def emails_about(context: Context, kind: str) -> list[str]:
    """Return the addresses that get an email of a kind, sorted."""
    with context.store.read() as work:
        return sorted(email.address for email in work.outbox.all() if email.kind == kind)


def test_a_handed_over_account_is_on_no_roll(context: Context, tmp_path: Path) -> None:
    """Neither while the vote is open nor at its close; the log and its verification agree."""
    assert roll(context) == 3
    hand_over(context)
    assert roll(context) == 2
    vote(context, find_member(context, "ben"))

    leaf = ended(context)

    assert (leaf["roll_size"], leaf["yes"], leaf["changed_addresses"]) == (2, 1, 0)
    assert emails_about(context, "vote_closed") == [
        "ama@example.org",
        "ben@example.org",
        "cyd@example.org",
        MALLORY,
    ]
    assert leaf["emails"] == 4
    assert_sound(context, tmp_path)


def test_the_old_address_gives_the_vote_back(context: Context, tmp_path: Path) -> None:
    """Its link works once; the leaf counts the ballot."""
    taken = hand_over(context)
    code = agreement(context, "ama@example.org")
    agree_to_address(context, code)
    with pytest.raises(UnusableCode):
        agree_to_address(context, code)

    vote(context, taken)
    leaf = ended(context)

    assert (leaf["roll_size"], leaf["yes"], leaf["changed_addresses"]) == (3, 1, 1)
    assert "ama@example.org" not in emails_about(context, "vote_closed")
    assert_sound(context, tmp_path)


def test_a_second_operator_gives_the_vote_when_the_old_mailbox_is_dead(context: Context) -> None:
    """The bookkeeper cannot approve; the old address hears of the vote all the same."""
    taken = hand_over(context)
    other = hand_over(context, "ben", "ben@example.com").email
    asked, _other = (
        vouch_for_address(acting(context, "kit"), one, why="I met her") for one in (MALLORY, other)
    )
    assert isinstance(asked, Approval)
    with pytest.raises(Conflict, match="waits as"):
        vouch_for_address(acting(context, "kit"), MALLORY, why="again")
    with pytest.raises(JaraError, match="admin or approver"):
        approve(acting(context, "kit"), asked.id, handlers=HANDLERS)
    shown = show_approval(context, asked.id)
    assert (shown["member"], shown["before"]) == (f"Ama Test <{MALLORY}>", ["ama@example.org"])
    with pytest.raises(NotAChangemaker):
        vote(context, taken)

    approve_as(context, asked, "bob")
    vote(context, taken)

    assert ended(context)["changed_addresses"] == 1
    assert "ama@example.org" in emails_about(context, "vote_closed")
    with pytest.raises(Conflict, match="nobody to vouch"):
        vouch_for_address(acting(context, "kit"), MALLORY, why="again")


def test_a_member_is_told_that_the_vote_is_held(context: Context) -> None:
    """The profile has the day of the change, until somebody agrees; no code, no old address."""
    ama = hand_over(context)
    day = context.today()
    assert show_member(context, ama.id).vote_held_since == day
    assert "ama@" not in str(show_member(context, ama.id))

    agree_to_address(context, agreement(context, "ama@example.org"))

    assert show_member(context, ama.id).vote_held_since is None


def test_a_vote_is_held_as_long_as_one_is_open(context: Context) -> None:
    """Without an open vote the change matters for 14 days."""
    open_next(context)
    ama = hand_over(context)
    clock_of(context).advance(days=15)
    assert show_member(context, ama.id).vote_held_since is not None

    clock_of(context).advance(days=60)
    close_due_votes(acting(context, "ada"))

    assert show_member(context, ama.id).vote_held_since is None


def test_a_signature_covers_the_changes_that_were_shown(context: Context) -> None:
    """A change after the approver was asked waits for its own."""
    taken = hand_over(context)
    asked = vouch_for_address(acting(context, "kit"), MALLORY, why="I met her")
    taken = hand_over(context, MALLORY, "second@example.com")
    approve_as(context, asked, "bob")

    with pytest.raises(NotAChangemaker):
        vote(context, taken)


@pytest.mark.parametrize("agreeing", [["ama@example.org"], [MALLORY]])
def test_after_two_changes_both_addresses_agree(context: Context, agreeing: list[str]) -> None:
    """The address in the middle is the first stranger's; one of the two is not enough."""
    hand_over(context)
    taken = hand_over(context, MALLORY, "second@example.com")
    for address in agreeing:
        agree_to_address(context, agreement(context, address))
    with pytest.raises(NotAChangemaker):
        vote(context, taken)

    for address in {"ama@example.org", MALLORY} - set(agreeing):
        agree_to_address(context, agreement(context, address))
    vote(context, taken)


def test_who_agrees_after_the_close_votes_next_time(context: Context, tmp_path: Path) -> None:
    """The result stays as it was."""
    taken = hand_over(context)
    before = ended(context)
    agree_to_address(context, agreement(context, "ama@example.org"))

    assert (before["roll_size"], before["yes"]) == (2, 0)
    assert_sound(context, tmp_path)
    open_next(context)
    assert roll(context, "prop_02") == 3
    vote(context, taken, proposal="prop_02")


@pytest.mark.parametrize(("days", "is_on"), [(14, False), (15, True)])
def test_votes_that_open_within_14_days_wait_too(
    context: Context, days: int, *, is_on: bool
) -> None:
    """Then the new address has the vote, because nobody objected."""
    hand_over(context)
    clock_of(context).advance(days=days)
    open_next(context)

    assert roll(context, "prop_02") == (3 if is_on else 2)
    assert roll(context) == 2


def test_a_ballot_from_before_the_change_counts(context: Context, tmp_path: Path) -> None:
    """Its member is on the roll by it, and the leaf says that there is one."""
    vote(context, find_member(context, "ama"), "down")
    hand_over(context)

    leaf = ended(context)

    assert (leaf["roll_size"], leaf["no"], leaf["changed_addresses"]) == (3, 1, 1)
    assert_sound(context, tmp_path)


def test_an_undone_change_holds_nobody(context: Context) -> None:
    """The link of the old address that undoes the change gives the vote back as well."""
    hand_over(context)
    undo_change(context, mailed_code(context, "address_changed", "ama@example.org"))

    vote(context, find_member(context, "ama@example.org"))


def test_the_undo_of_a_later_change_is_no_agreement(context: Context) -> None:
    """Whoever has the new mailbox changes the password and undoes that."""
    taken = hand_over(context)
    change_password(context, taken.id, password="woven-in-lagos", confirmation="woven-in-lagos")
    undo_change(context, mailed_code(context, "password_changed", MALLORY))

    with pytest.raises(NotAChangemaker):
        vote(context, find_member(context, MALLORY))


def test_a_member_who_changes_the_address_keeps_the_vote(context: Context) -> None:
    """The session that asked is the member's own."""
    ama = find_member(context, "ama")
    ask_for_address(context, ama.id, "new@example.org", caller=session_of(context, ama))
    confirm_address(context, mailed_code(context, "address_confirm", "new@example.org"))

    vote(context, find_member(context, "new@example.org"))
    assert roll(context) == 3
    assert ended(context)["changed_addresses"] == 0


def test_an_adopted_subscription_is_not_handed_over_by_an_invitation(context: Context) -> None:
    """An operator sends the invitation of a member who pays already to another mailbox."""
    form = InvitationForm(firstname="Eve", lastname="E", email="eve@example.org", country="Canada")
    invited = accounts.invite_member(acting(context, "kit"), form)
    start_paying(context, invited, own="eve")
    edit_member(acting(context, "kit"), "eve@example.org", MemberEdit(email=MALLORY))
    accept_invitation(context, MALLORY)
    taken = find_member(context, MALLORY)
    with pytest.raises(NotAChangemaker, match="changed the email address"):
        vote(context, taken)

    agree_to_address(context, agreement(context, "eve@example.org"))
    vote(context, taken)


def test_an_invitation_without_payments_can_be_corrected(context: Context) -> None:
    """There is nothing to hand over: who then pays has the vote."""
    form = InvitationForm(firstname="Eve", lastname="E", email="eev@example.org", country="Canada")
    accounts.invite_member(acting(context, "kit"), form)
    edit_member(acting(context, "kit"), "eev@example.org", MemberEdit(email="eve@example.org"))
    accept_invitation(context, "eve@example.org")
    eve = find_member(context, "eve@example.org")
    start_paying(context, eve, own="eve")

    vote(context, eve)


def test_a_password_that_an_operator_typed_opens_no_confirmed_account(context: Context) -> None:
    """The operator signs in to an added account, and asks for the link to its address."""
    added = accounts.add_member(acting(context, "kit"), FORM)
    start_paying(context, added, own="eve")
    ask_for_address(context, added.id, FORM.email, caller=session_of(context, added))
    confirm_address(context, mailed_code(context, "address_confirm", FORM.email))

    with context.store.read() as work:
        assert work.members.password_hash(added.id) == ""


def test_an_operator_who_signs_in_to_an_added_account_does_not_move_it(context: Context) -> None:
    """The session is not the member's own before the address was confirmed."""
    added = accounts.add_member(acting(context, "kit"), FORM)
    start_paying(context, added, own="eve")
    ask_for_address(context, added.id, MALLORY, caller=session_of(context, added))
    confirm_address(context, mailed_code(context, "address_confirm", MALLORY))

    with pytest.raises(NotAChangemaker, match="changed the email address"):
        vote(context, find_member(context, MALLORY))


def test_old_changes_are_deleted_after_the_votes_that_they_concern(context: Context) -> None:
    """While such a vote is open they stay, however long that is."""
    hand_over(context)
    clock_of(context).advance(days=61)
    with context.store.write() as work:
        assert forget_changes(context, work) == 0
    close_due_votes(context, unattended=True)
    with context.store.write() as work:
        assert forget_changes(context, work) == 1


def test_a_member_who_leaves_takes_the_old_address_along(context: Context) -> None:
    """The ballot is counted in the leaf all the same."""
    taken = hand_over(context)
    vouched(context, MALLORY)
    vote(context, taken)
    accounts.close_account(context, taken.id)

    with context.store.read() as work:
        assert [one.email for one in work.address_changes.of_member(taken.id)] == [""]
    assert ended(context)["changed_addresses"] == 1


def test_a_cleared_mark_of_an_added_member_is_noticed(context: Context) -> None:
    """Somebody who writes to the database clears the mark, so that an address needs no owner."""
    start_paying(context, accounts.add_member(acting(context, "kit"), FORM), own="eve")
    with context.store.write() as work:
        work.sql.run("UPDATE members SET is_added = 0 WHERE email = :email", {"email": FORM.email})

    assert not verify_books(context).ok


def test_a_first_address_by_one_operator_never_gives_a_vote(context: Context, place: Path) -> None:
    """No old address can object, so it waits for a second operator, for longer than 14 days."""
    kofi = accounts.add_without_address(acting(context, "kit"), KOFI)
    start_paying(context, kofi, own=kofi.id)
    edit_member(acting(context, "kit"), kofi.id, MemberEdit(email=MALLORY), why="asked")
    accept_invitation(context, MALLORY)
    clock_of(context).advance(days=16)
    with context.store.write() as work:
        forget_changes(context, work)
    open_next(context)
    before = roll(context, "prop_02")

    with pytest.raises(NotAChangemaker, match="changed the email address"):
        vote(context, find_member(context, MALLORY), proposal="prop_02")
    vouched(context, MALLORY)

    assert roll(context, "prop_02") == before + 1
    assert_sound(context, place)
