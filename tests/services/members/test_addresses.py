"""Attacks through addresses: another person's, unconfirmed or changed ones."""

import pytest

from jara.domain.errors import EmailTaken, InvalidInput, NotFound, TooManyRequests, Unavailable
from jara.services.context import Context
from jara.services.giving.joining import is_email_available
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.documents import list_payments, show_member
from jara.services.members.profiles import confirm_address
from jara.services.payments.charging import book_sandbox_rows
from tests.harness import clock_of
from tests.sent_emails import mailed_code
from tests.services.giving.joiners import EMAIL, breaking, join
from tests.services.giving.test_registration import gift
from tests.services.members.codes_world import (
    a_member,
    ask_for_address,
    ask_for_reset,
    move_to,
    reset_by_mail,
    set_password,
)

VICTIM = "victim@example.org"


def payments(context: Context, member_id: str) -> int:
    """Return the number of payments that an account shows."""
    book_sandbox_rows(context)
    return len(list_payments(context, member_id))


def test_gifts_are_shown_only_after_the_address_is_confirmed(context: Context) -> None:
    """An attacker with an own card sees neither earlier nor later gifts of the victim."""
    gift(context, email=VICTIM)
    taker = join(context, VICTIM).member
    gift(context, email=VICTIM)

    assert payments(context, taker.id) == 1


def test_gifts_join_an_account_by_its_confirmed_address(context: Context) -> None:
    """Using the code in the welcome email shows that the member reads that mailbox."""
    member = join(context, VICTIM).member
    assert not show_member(context, member.id).email_confirmed
    confirm_address(context, mailed_code(context, "welcome"))
    gift(context, email=VICTIM)

    assert show_member(context, member.id).email_confirmed
    assert payments(context, member.id) == 2


def test_a_reset_by_mail_confirms_the_address(context: Context) -> None:
    """The owner takes the account over by a reset; later gifts are shown only there."""
    member = join(context, VICTIM).member
    reset_by_mail(context, VICTIM)
    gift(context, email=VICTIM)

    assert payments(context, member.id) == 2


def test_a_new_address_counts_only_after_its_code(context: Context, member_id: str) -> None:
    """Until its code is used, the old address stays, and gifts of the new one are not shown."""
    member = ask_for_address(context, member_id, VICTIM)
    gift(context, email=VICTIM)

    assert (member.email, member.session_epoch) == (EMAIL, 1)
    shown = show_member(context, member_id)
    assert (shown.email, shown.pending_email) == (EMAIL, VICTIM)
    assert is_email_available(context, VICTIM)
    assert payments(context, member_id) == 1
    confirm_address(context, mailed_code(context, "address_confirm"))
    shown = show_member(context, member_id)
    assert (shown.email, shown.pending_email) == (VICTIM, None)
    assert is_email_available(context, EMAIL)
    assert {row.email for row in context.gateway.rows() if row.member_id == member_id} == {VICTIM}


def test_a_code_confirms_once_and_for_a_day(context: Context, member_id: str) -> None:
    """A used, expired or invented code is refused with the same error."""
    ask_for_address(context, member_id, VICTIM)
    code = mailed_code(context, "address_confirm")
    clock_of(context).advance(hours=24)
    for each in (code, "made-up"):
        with pytest.raises(UnusableCode):
            confirm_address(context, each)
    move_to(context, member_id, "third@example.org")
    with pytest.raises(UnusableCode):
        confirm_address(context, mailed_code(context, "address_confirm"))

    assert find_member(context, member_id).email == "third@example.org"


def test_a_change_asked_for_by_a_thief_dies_with_the_password(
    context: Context, member_id: str
) -> None:
    """The owner who changes the password does not need to know about the pending change."""
    ask_for_address(context, member_id, "thief@example.org")
    set_password(context, member_id)

    with pytest.raises(UnusableCode):
        confirm_address(context, mailed_code(context, "address_confirm"))
    assert show_member(context, member_id).pending_email is None


def test_a_taken_address_is_refused_then_and_later(context: Context, member_id: str) -> None:
    """A person may join with the new address before its code is used."""
    other = join(context, "kofi@example.org").member
    with pytest.raises(EmailTaken):
        ask_for_address(context, member_id, other.email)
    ask_for_address(context, member_id, VICTIM)
    code = mailed_code(context, "address_confirm")
    a_member(context, VICTIM)

    with pytest.raises(EmailTaken):
        confirm_address(context, code)


def test_invalid_addresses_and_unknown_members_are_refused(
    context: Context, member_id: str
) -> None:
    """An invalid address or an unknown member is refused before anything is written."""
    with pytest.raises(InvalidInput):
        ask_for_address(context, member_id, "none")
    with pytest.raises(NotFound):
        ask_for_address(context, "nobody", VICTIM)


def test_a_code_is_unusable_after_the_member_left(context: Context, member_id: str) -> None:
    """Erasing a member deletes the pending address too."""
    ask_for_address(context, member_id, VICTIM)
    code = mailed_code(context, "address_confirm")
    erase_member(context, member_id, why="asked")

    with pytest.raises(UnusableCode):
        confirm_address(context, code)


def test_an_address_that_the_provider_does_not_take_stays(context: Context, member_id: str) -> None:
    """If the provider refuses the new address, nothing changes and the code stays usable."""
    ask_for_address(context, member_id, VICTIM)
    code = mailed_code(context, "address_confirm")
    with pytest.raises(Unavailable):
        confirm_address(breaking(context, "change_customer"), code)

    assert find_member(context, member_id).email == EMAIL
    confirm_address(context, code)
    assert find_member(context, member_id).email == VICTIM


def test_questions_about_addresses_have_one_limit(context: Context, member_id: str) -> None:
    """The limit keeps members from probing which addresses have an account."""
    for number in range(3):
        ask_for_address(context, member_id, f"{number}@example.org")

    with pytest.raises(TooManyRequests):
        ask_for_address(context, member_id, VICTIM)


def test_the_present_address_is_asked_for_again(context: Context) -> None:
    """An unconfirmed address gets another email; a confirmed one gets none."""
    member = join(context).member
    confirmed = move_to(context, member.id, EMAIL)
    with context.store.read() as work:
        before = len(work.outbox.all())
    ask_for_address(context, member.id, EMAIL)

    assert confirmed.email_confirmed
    with context.store.read() as work:
        assert len(work.outbox.all()) == before


def test_an_unconfirmed_address_is_greeted_by_no_name(context: Context) -> None:
    """Names are left out, since a freely chosen name would reach a stranger by email."""
    member = join(context, VICTIM).member
    ask_for_reset(context, VICTIM)
    with context.store.read() as work:
        names = {str(email.doc.get("firstname")) for email in work.outbox.all()}

    assert names == {""}
    confirm_address(context, mailed_code(context, "welcome"))
    assert member.firstname == find_member(context, member.id).greeting_name
