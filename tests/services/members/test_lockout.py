"""Attempts to lock a member out: a stranger slows down only their own network."""

from contextlib import suppress

import pytest

from jara.domain.errors import TooManyRequests
from jara.services.context import Context
from jara.services.members.accounts import erase_member
from jara.services.members.attempts import DELAY_MAX_SECONDS
from jara.services.members.sessions import BadCredentials, SignedIn, sign_in
from tests.harness import clock_of
from tests.services.members.codes_world import ADDRESS, LIMITS, PASSWORD, a_member, issuer
from tests.services.stored_rows import rows_of

STRANGER = "203.0.113.66"
EMAIL = "ama@example.org"

pytestmark = pytest.mark.usefixtures("one_member")


def enter(
    context: Context, password: str = PASSWORD, *, address: str = ADDRESS, device: str | None = None
) -> SignedIn:
    """Try to sign in."""
    return sign_in(
        context, issuer(), LIMITS, email=EMAIL, password=password, address=address, device=device
    )


def guess(context: Context, times: int, **more: str) -> None:
    """Try wrong passwords, and ignore refusals."""
    for _ in range(times):
        with suppress(BadCredentials, TooManyRequests):
            enter(context, "wrong-one", **more)


def test_a_stranger_locks_nobody_out(context: Context) -> None:
    """Fifty wrong passwords from another network do not lock the member out."""
    guess(context, 50, address=STRANGER)

    assert enter(context)


def test_a_made_up_device_is_no_exemption(context: Context) -> None:
    """Only a device token from an earlier sign-in to this account counts."""
    other = a_member(context, "kofi@example.org")
    foreign = sign_in(
        context, issuer(), LIMITS, email=other.email, password=PASSWORD, address="192.0.2.99"
    )
    guess(context, 50)

    for device in ("made-up", foreign.device, ""):
        with pytest.raises(TooManyRequests):
            enter(context, device=device)


def test_a_planted_device_is_no_exemption_later(context: Context) -> None:
    """A sign-in with a planted token gets a new one; the planted token stays unknown."""
    planted = "planted-by-a-stranger"
    assert enter(context, device=planted).device != planted
    guess(context, 50)

    with pytest.raises(TooManyRequests):
        enter(context, device=planted)


def test_a_known_device_does_not_guess_without_end(context: Context) -> None:
    """Failures on a known device delay it, by four minutes at most."""
    device = enter(context).device
    guess(context, 50, device=device)

    with pytest.raises(TooManyRequests) as refused:
        enter(context, device=device)
    assert refused.value.retry_after_seconds <= DELAY_MAX_SECONDS
    clock_of(context).advance(seconds=refused.value.retry_after_seconds)
    assert enter(context, device=device)


def test_known_devices_reveal_neither_member_nor_time(context: Context) -> None:
    """Rows hold keyed hashes and a day; erasing the member removes them."""
    enter(context)
    clock_of(context).advance(hours=5, minutes=7)
    enter(context)
    with context.store.read() as work:
        member = work.members.by_email(EMAIL)
    assert member is not None
    kept = rows_of(context, "known_devices")
    erase_member(context, member.id, why="asked")

    assert len(kept) == 2
    assert {row[2] for row in kept} == {"2027-05-19T00:00:00Z"}
    assert member.id not in str(kept)
    assert rows_of(context, "known_devices") == []
