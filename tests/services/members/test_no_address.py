"""Members without an email address: they give, and cannot sign in or vote until they have one."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotAChangemaker
from jara.domain.giving.member import Member
from jara.domain.giving.newcomer import PersonRow
from jara.domain.reports.parts import ReportPeriod
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.verification import verify_books
from jara.services.context import Context, Rules
from jara.services.mailed_codes import UnusableCode
from jara.services.members import accounts
from jara.services.members.accounts import InvitationForm
from jara.services.members.documents import export_member
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.members.importing import PeopleFile, import_people
from jara.services.members.operators import HANDLERS, remove_address
from jara.services.members.profiles import undo_change
from jara.services.notices.outbox import list_outbox
from jara.services.operations.operators import add_operator
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote
from jara.services.reports.statements import all_statements, mail_statements
from tests.harness import clock_of, make_organisation
from tests.sent_emails import mailed_code
from tests.services.ballots.voting_world import add_member, open_vote, start_paying, vote
from tests.services.members.codes_world import set_password

KOFI = InvitationForm(firstname="Kofi", lastname="Mensah", email="", country="Ghana")


def add_kofi(context: Context, *, pays: bool = True) -> Member:
    """Add somebody without an address, who pays."""
    kofi = accounts.add_without_address(context, KOFI)
    if pays:
        start_paying(context, kofi, own=kofi.id)
    return kofi


def test_two_members_without_an_address_are_two(context: Context) -> None:
    """They are found by name; a second one of the same name is refused."""
    kofi = add_kofi(context)
    efua = accounts.add_without_address(context, replace(KOFI, firstname="Efua"))

    assert accounts.find_member(context, "Kofi Mensah").id == kofi.id
    assert accounts.find_member(context, efua.id).email == ""
    with pytest.raises(InvalidInput, match="There is a member Kofi Mensah"):
        add_kofi(context)
    assert list_outbox(context) == []
    assert verify_books(context).findings == ()


def test_a_payer_without_an_address_is_counted_off_the_roll(context: Context) -> None:
    """No ballot, no email; the result says how many givers could not vote."""
    kofi = add_kofi(context)
    add_member(context, "ada")
    open_vote(context)
    with pytest.raises(NotAChangemaker):
        vote(context, kofi)
    clock_of(context).advance(days=11)
    close_due_votes(context)

    tally = tally_vote(context, "prop_01")

    assert (tally["roll"], tally["offRoll"]) == (1, {"address": 0, "noAddress": 1, "payment": 0})
    assert all(email.address for email in list_outbox(context))
    assert verify_books(context).findings == ()


def test_an_address_is_added_like_any_change(context: Context) -> None:
    """It gets the invitation; while a vote is open the member waits for a second operator."""
    kofi = add_kofi(context)
    open_vote(context)

    edited = edit_member(context, kofi.id, MemberEdit(email="kofi@example.org"))

    assert edited.email == "kofi@example.org"
    (email,) = [one for one in list_outbox(context) if one.kind == "invitation"]
    assert email.address == "kofi@example.org"
    with context.store.write() as work:
        work.members.update(edited._replace(email_confirmed=True))
    with pytest.raises(NotAChangemaker, match="An operator changed the email address"):
        vote(context, edited)


def test_a_ballot_stays_counted_when_the_address_is_removed(context: Context) -> None:
    """The member is on the roll by the ballot, and the old address hears of the close."""
    ada = add_member(context, "ada")
    open_vote(context)
    vote(context, ada)

    set_password(context, ada.id)  # from the mailbox, by whoever reads it
    undo = mailed_code(context, "password_changed")
    bare = remove_address(context, ada, why="The mailbox is gone.")
    with pytest.raises(UnusableCode):
        undo_change(context, undo)
    clock_of(context).advance(days=11)
    close_due_votes(context)

    tally = tally_vote(context, "prop_01")
    assert isinstance(bare, Member)
    assert (bare.email, tally["yes"], tally["roll"]) == ("", 1, 1)
    assert ada.email in {one.address for one in list_outbox(context) if one.kind == "vote_closed"}
    assert verify_books(context).findings == ()
    with context.store.read() as work:
        assert work.members.password_hash(ada.id) is None
    with pytest.raises(InvalidInput, match="has no address"):
        remove_address(context, bare, why="Again.")


def test_removing_an_address_in_an_open_vote_needs_two(place: Path) -> None:
    """It takes the right to vote, as erasing does."""
    context = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(context, name)
    ada = add_member(context, "ada")
    open_vote(context)

    waiting = remove_address(context, ada, why="Bounces.")

    assert isinstance(waiting, Approval)
    assert accounts.find_member(context, ada.id).email == ada.email
    approve(replace(context, operator="second"), waiting.id, handlers=HANDLERS)
    assert accounts.find_member(context, ada.id).email == ""


def test_statements_are_printed_and_not_mailed(context: Context) -> None:
    """The list says who gets none; export and erasure work without an address."""
    kofi = add_kofi(context)
    period = ReportPeriod(context.today().replace(day=1), context.today())

    (statement,) = all_statements(context, period)
    (mailed,) = mail_statements(context, None, period)

    assert statement[0].id == kofi.id
    assert (mailed.email, mailed.mailed) == (kofi.label, False)
    assert export_member(context, kofi.id)["profile"]["email"] == ""
    with context.store.write() as work, pytest.raises(Conflict, match="There is no address"):
        accounts.send_invitation(context, work, member_id=kofi.id, email=kofi.email)
    accounts.erase_member(context, kofi.id, why="Asked.")
    assert list_outbox(context) == []


def test_an_import_makes_members_without_an_address_when_asked(context: Context) -> None:
    """Also the second of a couple at one address; the same file again adds nobody."""
    rows = [
        {"firstname": "Ama", "lastname": "Owusu", "email": "owusu@example.org"},
        {"firstname": "Yaw", "lastname": "Owusu", "email": "owusu@example.org"},
        {"firstname": "Esi", "lastname": "Boateng", "email": ""},
        {"firstname": "Esi", "lastname": "Boateng", "email": " "},
        {"firstname": "Ama", "lastname": "Owusu", "email": "owusu@example.org"},
    ]
    people = [PersonRow(line, values) for line, values in enumerate(rows, start=2)]
    file = PeopleFile("list.csv", "CSV", "digest", lambda: people, "Ghana")

    plain = import_people(context, file)
    first = import_people(context, file._replace(no_email=True))
    again = import_people(context, file._replace(no_email=True, digest="another"))

    assert [row.result for row in plain.rows] == ["skipped"] * 2 + ["refused"] * 2 + ["skipped"]
    assert [row.result for row in first.rows] == ["created"] * 3 + ["skipped"] * 2
    assert first.rows[1].reason == "without an address: line 2 has it"
    assert [row.result.name for row in again.rows] == ["KNOWN"] + ["SKIPPED"] * 4
