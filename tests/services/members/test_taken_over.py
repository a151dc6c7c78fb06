"""What an attacker left in an account ends when its owner secures it, and the email names it."""

from collections.abc import Callable

import pytest

from jara.domain.errors import Unauthenticated
from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members import sessions
from jara.services.members.passkeys import begin_sign_in, list_passkeys
from jara.services.members.profiles import (
    confirm_address,
    undo_change,
)
from jara.services.members.sessions import BadCredentials
from tests.harness import clock_of
from tests.sent_emails import mailed_code, newest_email
from tests.services.members.codes_world import (
    ADDRESS,
    LIMITS,
    PASSWORD,
    SECURED,
    a_member,
    ask_for_address,
)
from tests.services.members.software_authenticator import Authenticator
from tests.services.members.test_passkeys import SITE, TOKENS, add, enter

EMAIL = "ama@example.org"
MOVED = "ama@example.net"


@pytest.fixture
def member(context: Context) -> Member:
    """A member."""
    return a_member(context)


def _undo(context: Context, _member_id: str) -> None:
    undo_change(context, mailed_code(context, "passkey_added"))


NOTICES = {
    "password": "password_changed",
    "reset": "password_changed",
    "address": "address_changed",
    "sessions": "signed_out",
}


@pytest.mark.parametrize("secure", [*SECURED.values(), _undo])
def test_a_passkey_of_an_attacker_does_not_survive(
    context: Context, member: Member, secure: Callable[[Context, str], object]
) -> None:
    """It neither signs in nor sets a new password afterwards."""
    thief = Authenticator()
    add(context, member, thief, "Old laptop")
    stolen = enter(context, thief.sign_in(begin_sign_in(context, SITE))).token
    secure(context, member.id)

    with pytest.raises(BadCredentials):
        enter(context, thief.sign_in(begin_sign_in(context, SITE)))
    with pytest.raises(Unauthenticated):
        sessions.member_for_token(context, TOKENS, stolen)
    assert list_passkeys(context, member.id) == []


@pytest.mark.parametrize("name", NOTICES)
def test_the_security_email_names_removed_passkeys(
    context: Context, member: Member, name: str
) -> None:
    """The owner sees the passkey that is not theirs."""
    add(context, member, Authenticator(), "Old laptop")
    SECURED[name](context, member.id)
    email = newest_email(context, NOTICES[name])

    assert email.doc["passkeys"] == [["Old laptop", context.today().isoformat()]]


def test_the_email_about_a_passkey_names_it(context: Context, member: Member) -> None:
    """Of several passkeys it names the one that was added."""
    add(context, member, Authenticator(), "My phone")
    clock_of(context).advance(minutes=1)
    add(context, member, Authenticator(name=b"another"), "Old laptop")
    email = newest_email(context, "passkey_added")

    assert email.doc["passkeys"] == [["Old laptop", context.today().isoformat()]]


def test_a_session_of_the_time_between_ends_with_the_address(
    context: Context, member: Member
) -> None:
    """An attacker who knows the password signs in after the request, before the code is used."""
    ask_for_address(context, member.id, MOVED)
    signed_in = sessions.sign_in(
        context, TOKENS, LIMITS, email=EMAIL, password=PASSWORD, address=ADDRESS
    )
    confirm_address(context, mailed_code(context, "address_confirm", MOVED))

    with pytest.raises(Unauthenticated):
        sessions.member_for_token(context, TOKENS, signed_in.token)


def test_asking_for_an_address_keeps_the_passkeys(context: Context, member: Member) -> None:
    """They go when the address is a new one, not before."""
    add(context, member, Authenticator())
    ask_for_address(context, member.id, MOVED)

    assert len(list_passkeys(context, member.id)) == 1
