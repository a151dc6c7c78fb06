"""Tests of signing in and out."""

from dataclasses import replace
from datetime import timedelta

import pytest

from jara.domain.errors import TooManyRequests, Unauthenticated
from jara.security.passwords import ArgonHasher
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.sessions import (
    BadCredentials,
    ReauthenticationRequired,
    Session,
    SignedIn,
    member_for_token,
    renew_token,
    require_fresh_sign_in,
    sign_in,
    sign_out,
    sign_out_everywhere,
    start_session,
)
from jara.services.rate_limits import Allowance, Limit
from tests.harness import clock_of
from tests.services.members.codes_world import ADDRESS, LIMITS, PASSWORD, issuer
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"

pytestmark = pytest.mark.usefixtures("one_member")


@pytest.fixture
def tokens() -> JwtIssuer:
    """The issuer that makes and reads tokens."""
    return issuer()


def enter(
    context: Context,
    tokens: JwtIssuer,
    *,
    email: str = "ama@example.org",
    password: str = PASSWORD,
    address: str = ADDRESS,
) -> Session:
    """Sign in and return the session."""
    signed_in = sign_in(context, tokens, LIMITS, email=email, password=password, address=address)
    return member_for_token(context, tokens, signed_in.token)


def test_the_right_password_signs_in(context: Context, tokens: JwtIssuer) -> None:
    """The email's case does not matter, nor does the password's Unicode form."""
    session = enter(context, tokens, email=" AMA@example.org ")

    assert session.member.email == "ama@example.org"
    assert context.now() == session.claims.signed_in_at


@pytest.mark.parametrize(
    ("email", "password"), [("ama@example.org", "wrong-one"), ("nobody@example.org", PASSWORD)]
)
def test_wrong_email_and_wrong_password_look_the_same(
    context: Context, tokens: JwtIssuer, email: str, password: str
) -> None:
    """Both get the same message and the same work, since a hash is checked either way."""
    checked: list[str] = []

    class Counting(ArgonHasher):
        def verify(self, password_hash: str, password: str) -> bool:
            checked.append(password_hash)
            return super().verify(password_hash, password)

    watched = replace(context, hasher=Counting(memory_kib=8, passes=1))
    with pytest.raises(BadCredentials, match="email address or the password is wrong"):
        enter(watched, tokens, email=email, password=password)

    assert len(checked) == 1


def test_failures_of_one_address_stop_it(context: Context, tokens: JwtIssuer) -> None:
    """Guesses spread over accounts count together; another address is not affected."""
    for number in range(5):
        with pytest.raises(BadCredentials):
            enter(context, tokens, email=f"{number}@example.org")

    with pytest.raises(TooManyRequests):
        enter(context, tokens)
    assert enter(context, tokens, address="192.0.2.8")


def test_a_budget_comes_back_with_time(context: Context, tokens: JwtIssuer) -> None:
    """Three failures are free, a success always; then the delay doubles up to four minutes."""
    patient = {**LIMITS, Limit.SIGN_IN_ADDRESS: Allowance(100, 3600)}

    def attempt(password: str) -> SignedIn:
        return sign_in(context, tokens, patient, email=EMAIL, password=password, address=ADDRESS)

    for _ in range(4):
        attempt(PASSWORD)
    for _ in range(3):
        with pytest.raises(BadCredentials):
            attempt("wrong-one")
    waits: list[int] = []
    while len(waits) < 10:
        try:
            attempt("wrong-one")
        except TooManyRequests as refused:
            waits.append(refused.retry_after_seconds)
            clock_of(context).advance(seconds=refused.retry_after_seconds)
        except BadCredentials:
            pass

    assert waits == [30, 60, 120, 240, 240, 240, 240, 240, 240, 240]
    assert attempt(PASSWORD)
    with pytest.raises(BadCredentials):
        attempt("wrong-one")
    assert attempt(PASSWORD)


def test_a_hash_of_old_parameters_is_renewed(context: Context, tokens: JwtIssuer) -> None:
    """Signing in renews a hash with outdated parameters."""
    stronger = replace(context, hasher=ArgonHasher(memory_kib=16, passes=1))
    session = enter(stronger, tokens)
    with stronger.store.read() as work:
        known = work.members.password_hash(session.member.id)

    assert known is not None
    assert not stronger.hasher.needs_rehash(known)


def test_a_password_changed_meanwhile_is_not_put_back(context: Context, tokens: JwtIssuer) -> None:
    """Renewing the hash never overwrites a newer password."""

    class Interrupted(ArgonHasher):
        def hash(self, password: str) -> str:
            with context.store.write() as work:
                member = work.members.by_email("ama@example.org")
                assert member is not None
                work.members.set_password_hash(member.id, "newer")
            return super().hash(password)

    session = enter(replace(context, hasher=Interrupted(memory_kib=16, passes=1)), tokens)
    with context.store.read() as work:
        assert work.members.password_hash(session.member.id) == "newer"


def test_forged_and_orphaned_tokens_are_nobody(context: Context, tokens: JwtIssuer) -> None:
    """An invalid token, or one of a deleted member, is refused with the same message."""
    session = enter(context, tokens)
    token = tokens.issue(session.claims)
    erase_member(context, session.member.id, why="asked")

    for one in ("forged", token):
        with pytest.raises(Unauthenticated, match="please sign in again"):
            member_for_token(context, tokens, one)
    assert rows_of(context, "sessions") == []


def test_signing_out_ends_one_session(context: Context, tokens: JwtIssuer) -> None:
    """Every token of that session becomes invalid; other sessions stay."""
    here, there = enter(context, tokens), enter(context, tokens)
    sign_out(context, here.claims)
    sign_out(context, here.claims)

    with pytest.raises(Unauthenticated):
        member_for_token(context, tokens, tokens.issue(here.claims))
    assert member_for_token(context, tokens, tokens.issue(there.claims))


def test_signing_out_everywhere_ends_all(context: Context, tokens: JwtIssuer) -> None:
    """The epoch increases, which immediately invalidates every older token."""
    here, there = enter(context, tokens), enter(context, tokens)
    sign_out_everywhere(context, here.member.id)

    for session in (here, there):
        with pytest.raises(Unauthenticated):
            member_for_token(context, tokens, tokens.issue(session.claims))
    assert enter(context, tokens)


def test_the_epoch_of_nobody_is_left_alone(context: Context) -> None:
    """For an erased member, signing out everywhere does nothing."""
    sign_out_everywhere(context, "nobody")

    assert enter(context, issuer())


def test_a_token_is_renewed_in_the_second_half_of_its_life(
    context: Context, tokens: JwtIssuer
) -> None:
    """The session and the time of signing in stay what they were."""
    session = enter(context, tokens)
    assert renew_token(context, tokens, session.claims) is None

    clock_of(context).advance(hours=6, seconds=1)
    renewed = tokens.read(renew_token(context, tokens, session.claims) or "", now=context.now())

    assert renewed == session.claims._replace(
        issued_at=context.now(), expires_at=context.now() + timedelta(hours=12)
    )


def test_no_session_outlives_thirty_days(context: Context, tokens: JwtIssuer) -> None:
    """The last renewal expires thirty days after the password was entered."""
    session = enter(context, tokens)
    claims, renewals = session.claims, 0
    for _ in range(100):
        clock_of(context).advance(hours=11)
        token = renew_token(context, tokens, claims)
        if token is None:
            break
        renewals += 1
        claims = tokens.read(token, now=context.now()) or claims

    assert claims.expires_at == session.claims.signed_in_at + timedelta(days=30)
    assert 100 > renewals > 50


def test_the_password_is_asked_for_again_after_a_while(context: Context, tokens: JwtIssuer) -> None:
    """It is not needed within 15 minutes of signing in; later it is, and wrong ones count."""
    session = enter(context, tokens)

    def require(password: str | None) -> None:
        require_fresh_sign_in(context, LIMITS, session, current_password=password, address=ADDRESS)

    clock_of(context).advance(minutes=15)
    require(None)
    clock_of(context).advance(seconds=1)
    with pytest.raises(ReauthenticationRequired) as refused:
        require(None)
    require(PASSWORD)
    for _ in range(3):
        with pytest.raises(ReauthenticationRequired):
            require("wrong-one")
    with pytest.raises(TooManyRequests):
        require(PASSWORD)

    assert set(refused.value.fields) == {"currentPassword"}


def test_a_session_starts_without_a_password(context: Context, tokens: JwtIssuer) -> None:
    """A session starts after joining, and after a change that ended all other sessions."""
    member = find_member(context, EMAIL)
    token = start_session(context, tokens, member, label="Firefox")

    assert member == member_for_token(context, tokens, token).member
