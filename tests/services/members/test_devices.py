"""The device list: sessions end one by one, and no row tells who used the site when."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.errors import NotFound, Unauthenticated
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.members import sessions
from jara.services.members.profiles import change_password, confirm_address
from jara.services.members.sessions import Session, SignedIn, member_for_token
from jara.services.operations.upkeep import delete_expired
from jara.services.organisation import renew_token_key
from tests.harness import clock_of, make_organisation
from tests.sent_emails import mailed_code
from tests.services.members.codes_world import (
    ADDRESS,
    LIMITS,
    PASSWORD,
    a_member,
    ask_for_address,
    issuer,
)
from tests.services.news.news_world import Mailbox
from tests.services.stored_rows import rows_of

MOVED = "ama@example.net"
NEW, OTHER = "a-new-cloth-2026", "another-cloth-2026"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with two members."""
    made = make_organisation(place)
    a_member(made)
    a_member(made, "kofi@example.org")
    return made


@pytest.fixture
def tokens() -> JwtIssuer:
    """The issuer that makes and reads tokens."""
    return issuer()


def enter(
    context: Context, tokens: JwtIssuer, email: str = "ama@example.org", label: str = "Firefox"
) -> Session:
    """Sign in on a device."""
    signed_in: SignedIn = sessions.sign_in(
        context, tokens, LIMITS, email=email, password=PASSWORD, address=ADDRESS, label=label
    )
    return member_for_token(context, tokens, signed_in.token)


def lives(context: Context, tokens: JwtIssuer, session: Session) -> bool:
    """Return whether a session is still valid."""
    try:
        member_for_token(context, tokens, tokens.issue(session.claims))
    except Unauthenticated:
        return False
    return True


def test_a_member_sees_and_ends_each_device(context: Context, tokens: JwtIssuer) -> None:
    """The current device comes first; another member's devices are neither shown nor ended."""
    lost, foreign = (
        enter(context, tokens, label="Chrome"),
        enter(context, tokens, "kofi@example.org"),
    )
    here = enter(context, tokens)
    devices = sessions.list_devices(context, here.claims)
    (other,) = sessions.list_devices(context, foreign.claims)
    for nobodys in (other.id, "", "%", devices[1].id[:4]):
        with pytest.raises(NotFound):
            sessions.end_device(context, here.member.id, nobodys)
    sessions.end_device(context, here.member.id, devices[1].id)

    assert [(one.device, one.current) for one in devices] == [("Firefox", True), ("Chrome", False)]
    assert sessions.is_this_device(here.claims, devices[0].id)
    assert not sessions.is_this_device(here.claims, devices[1].id)
    assert [lives(context, tokens, each) for each in (here, lost, foreign)] == [True, False, True]


def _set_password(context: Context, caller: Session) -> None:
    change_password(context, caller.member.id, password=NEW, confirmation=NEW, caller=caller)


def _move(context: Context, caller: Session) -> None:
    ask_for_address(context, caller.member.id, MOVED, caller=caller)
    confirm_address(context, mailed_code(context, "address_confirm", MOVED))


@pytest.mark.parametrize("change", [_set_password, _move])
def test_the_session_that_makes_a_change_continues(
    context: Context, tokens: JwtIssuer, change: Callable[[Context, Session], None]
) -> None:
    """The member's other sessions end, another member's do not; a second change works too."""
    others, foreign = enter(context, tokens), enter(context, tokens, "kofi@example.org")
    here = enter(context, tokens)
    change(context, here)
    again = member_for_token(context, tokens, tokens.issue(here.claims))
    change_password(context, again.member.id, password=OTHER, confirmation=OTHER, caller=again)

    assert [lives(context, tokens, one) for one in (here, others, foreign)] == [True, False, True]
    sessions.sign_out_everywhere(context, here.member.id)
    assert not lives(context, tokens, here)


def test_an_address_that_an_ended_session_asked_for_keeps_no_session(
    context: Context, tokens: JwtIssuer
) -> None:
    """The link from the email says which session asked; one that ended stays ended."""
    here, there = enter(context, tokens), enter(context, tokens)
    ask_for_address(context, here.member.id, MOVED, caller=here)
    later = enter(context, tokens)
    sessions.end_device(context, here.member.id, sessions.list_devices(context, here.claims)[0].id)
    confirm_address(context, mailed_code(context, "address_confirm", MOVED))

    assert not any(lives(context, tokens, one) for one in (here, there, later))


def test_a_sign_in_that_a_new_password_overtakes_is_refused(
    context: Context, tokens: JwtIssuer
) -> None:
    """Its password was checked before the change, and its session is stored after it."""
    here = enter(context, tokens)
    overtaken = sessions.new_claims(context, here.member)
    _set_password(context, here)

    with context.store.write() as work, pytest.raises(Unauthenticated):
        sessions.keep_session(context, work, overtaken, "Firefox")
    assert not lives(context, tokens, Session(here.member, overtaken))


def renewed(context: Context, tokens: JwtIssuer, session: Session) -> Session:
    """Use a session every few hours for a day."""
    for _ in range(4):
        clock_of(context).advance(hours=7)
        token = sessions.renew_token(context, tokens, session.claims)
        assert token is not None
        session = member_for_token(context, tokens, token)
    return session


def test_days_of_use_are_stored_together(context: Context, tokens: JwtIssuer) -> None:
    """The first request of a day writes nothing; an hour later all uses are written together."""
    here = enter(context, tokens)
    renewed(context, tokens, here)
    rows = rows_of(context, "sessions")

    assert {row[3] for row in rows} == {"2026-11-21"}
    assert sessions.list_devices(context, here.claims)[0].last_used_on == date(2026, 11, 21)
    assert here.member.id not in str(rows)
    assert here.claims.session_id not in str(rows)


def test_an_unused_session_ends(context: Context, tokens: JwtIssuer) -> None:
    """After thirty days without use, the session ends and its row is deleted."""
    here = enter(context, tokens)
    clock_of(context).advance(days=31)
    now = context.now()
    forever = tokens.issue(
        type(here.claims)(
            member_id=here.claims.member_id,
            session_id=here.claims.session_id,
            epoch=here.claims.epoch,
            signed_in_at=now,
            issued_at=now,
            expires_at=now + timedelta(hours=12),
        )
    )
    with pytest.raises(Unauthenticated):
        member_for_token(context, tokens, forever)
    delete_expired(context, Mailbox())

    assert timedelta(days=30) == sessions.SESSION_LIFE
    assert rows_of(context, "sessions") == []


def test_a_session_that_still_holds_is_kept(context: Context, tokens: JwtIssuer) -> None:
    """The daily run signs nobody out: it deletes only what no token can use any more."""
    enter(context, tokens)
    clock_of(context).advance(days=29)
    delete_expired(context, Mailbox())

    assert len(rows_of(context, "sessions")) == 1


def test_a_new_signing_key_ends_every_session_everywhere(
    context: Context, tokens: JwtIssuer
) -> None:
    """This includes servers that have not noticed the new key yet."""
    here = enter(context, tokens)
    renew_token_key(context)

    assert not lives(context, tokens, here)


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        ("(Windows NT 10.0) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0", "Edge on Windows"),
        ("(iPhone; CPU iPhone OS 19_1 like Mac OS X) Safari/604.1", "Safari on iPhone"),
        ("(X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        ("curl/8.15 on Android", "Android"),
        ("", sessions.UNKNOWN_DEVICE),
        ("<script>", sessions.UNKNOWN_DEVICE),
    ],
)
def test_a_device_is_a_browser_and_a_system(user_agent: str, device: str) -> None:
    """Only a known browser and system are stored, never the client's own text."""
    assert sessions.describe_device(user_agent) == device
