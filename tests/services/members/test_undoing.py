"""Attacks by an intruder in an account: the owner can undo changes for 72 hours."""

import pytest

from jara.domain.errors import Unavailable
from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import (
    InvitationForm,
    erase_member,
    find_member,
    invite_member,
)
from jara.services.members.profiles import change_password, confirm_address, undo_change
from tests.harness import clock_of
from tests.sent_emails import mailed_code
from tests.services.ballots.test_changed_addresses import emails_about as mailed
from tests.services.giving.joiners import EMAIL, PASSWORD, breaking, join
from tests.services.members.codes_world import accept_invitation, move_to, reset_by_mail
from tests.services.members.test_accounts import password_holds as holds

THIEF = "thief@example.org"
STOLEN = "the-password-of-a-thief"


@pytest.fixture
def member(context: Context) -> Member:
    """A member with a confirmed address."""
    joined = join(context).member
    confirm_address(context, mailed_code(context, "welcome"))
    return find_member(context, joined.id)


def test_old_and_new_address_learn_of_a_change(context: Context, member: Member) -> None:
    """Both addresses get an email."""
    move_to(context, member.id, THIEF)
    change_password(context, member.id, password=STOLEN, confirmation=STOLEN)

    assert mailed(context, "address_changed") == [EMAIL, THIEF]
    assert mailed(context, "password_changed") == [THIEF]


def test_the_owner_undoes_all_that_a_thief_did(context: Context, member: Member) -> None:
    """One link restores address and password, and the thief's links restore nothing."""
    move_to(context, member.id, THIEF)
    taken = mailed_code(context, "address_changed", EMAIL)
    change_password(context, member.id, password=STOLEN, confirmation=STOLEN)
    move_to(context, member.id, "thief2@example.org")
    later = mailed_code(context, "address_changed", THIEF)
    before = find_member(context, member.id).session_epoch
    undo_change(context, taken)

    back = find_member(context, member.id)
    assert (back.email, back.email_confirmed, back.session_epoch) == (EMAIL, True, before + 1)
    assert holds(context, member.id, PASSWORD)
    for code in (later, taken, "made-up"):
        with pytest.raises(UnusableCode):
            undo_change(context, code)


def test_the_first_link_works_after_the_thief_used_a_later_one(
    context: Context, member: Member
) -> None:
    """A thief cannot use up the owner's link."""
    move_to(context, member.id, THIEF)
    owners = mailed_code(context, "address_changed", EMAIL)
    change_password(context, member.id, password=STOLEN, confirmation=STOLEN)
    undo_change(context, mailed_code(context, "password_changed"))
    undo_change(context, owners)

    assert find_member(context, member.id).email == EMAIL


def test_a_reset_password_is_undone_too(context: Context, member: Member) -> None:
    """A reset by somebody who read the mailbox can be undone."""
    reset_by_mail(context, EMAIL, STOLEN)
    undo_change(context, mailed_code(context, "password_changed"))

    assert holds(context, member.id, PASSWORD)


def test_the_first_password_changes_nothing(context: Context) -> None:
    """Who accepts an invitation is not told that a password changed; later they are."""
    form = InvitationForm(firstname="E", lastname="M", email="efua@example.org", country="Ghana")
    invite_member(context, form)
    accept_invitation(context, "efua@example.org")
    assert mailed(context, "password_changed") == []

    reset_by_mail(context, "efua@example.org", STOLEN)
    assert mailed(context, "password_changed") == ["efua@example.org"]


def test_a_change_is_undone_for_72_hours(context: Context, member: Member) -> None:
    """After 72 hours the change can no longer be undone."""
    change_password(context, member.id, password=STOLEN, confirmation=STOLEN)
    code = mailed_code(context, "password_changed")
    clock_of(context).advance(hours=72)

    with pytest.raises(UnusableCode):
        undo_change(context, code)


def test_an_unconfirmed_address_comes_back_unconfirmed(context: Context) -> None:
    """Confirming the later address does not confirm the earlier one."""
    joined = join(context).member
    move_to(context, joined.id, THIEF)
    assert find_member(context, joined.id).email_confirmed
    undo_change(context, mailed_code(context, "address_changed", EMAIL))

    back = find_member(context, joined.id)
    assert (back.email, back.email_confirmed) == (EMAIL, False)


def test_nothing_is_restored_after_the_member_left(context: Context, member: Member) -> None:
    """Erasing a member removes the link, even while it is being used, and its stored address."""
    change_password(context, member.id, password=STOLEN, confirmation=STOLEN)
    code = mailed_code(context, "password_changed")
    with context.store.write() as work:
        work.members.erase(member.id)
    with pytest.raises(UnusableCode):
        undo_change(context, code)

    other = join(context, "kofi@example.org").member
    change_password(context, other.id, password=STOLEN, confirmation=STOLEN)
    code = mailed_code(context, "password_changed")
    erase_member(context, other.id, why="asked")
    with pytest.raises(UnusableCode):
        undo_change(context, code)
    with context.store.read() as work:
        assert work.access.next_undo(other.id) == 1


def test_without_the_provider_nothing_is_undone(context: Context, member: Member) -> None:
    """If the provider fails, the link stays usable."""
    move_to(context, member.id, THIEF)
    code = mailed_code(context, "address_changed")
    with pytest.raises(Unavailable):
        undo_change(breaking(context, "change_customer"), code)

    assert find_member(context, member.id).email == THIEF
    undo_change(context, code)
    assert find_member(context, member.id).email == EMAIL
