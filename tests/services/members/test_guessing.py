"""Guesses at one password: each network waits, a day has an end, and nobody is locked out."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path

import pytest

from jara.domain.errors import EmailTaken, TooManyRequests
from jara.domain.giving.member import RegistrationForm
from jara.security.passwords import ArgonHasher
from jara.services.context import Context
from jara.services.giving.registration import within_limits
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.attempts import DELAY_MAX_SECONDS
from jara.services.members.sessions import (
    BadCredentials,
    ReauthenticationRequired,
    SignedIn,
    member_for_token,
    require_fresh_sign_in,
    sign_in,
)
from jara.services.rate_limits import Allowance, Limit
from tests.harness import clock_of, make_organisation
from tests.services.members.codes_world import (
    LIMITS,
    NEW,
    PASSWORD,
    a_member,
    form,
    issuer,
    reset_by_mail,
)
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"
HOME = "198.51.100.7"
DAY_MAX = 100
DEFAULTS = {
    **LIMITS,
    Limit.SIGN_IN_ACCOUNT: Allowance(10, 3600),
    Limit.SIGN_IN_ADDRESS: Allowance(60, 3600),
    Limit.SIGN_IN_UNKNOWN: Allowance(DAY_MAX, 86_400),
}


class CountingHasher(ArgonHasher):
    """Counts the passwords that were checked."""

    def __init__(self) -> None:
        """Start at none."""
        super().__init__(memory_kib=8, passes=1)
        self.checked = 0

    def verify(self, password_hash: str, password: str) -> bool:
        """Check a password."""
        self.checked += 1
        return super().verify(password_hash, password)


@pytest.fixture
def hasher() -> CountingHasher:
    """A hasher that counts."""
    return CountingHasher()


@pytest.fixture
def context(place: Path, hasher: CountingHasher) -> Context:
    """An organisation with one member."""
    made = replace(make_organisation(place), hasher=hasher)
    a_member(made)
    return made


def enter(
    context: Context, address: str, password: str = PASSWORD, device: str | None = None
) -> SignedIn:
    """Try to sign in."""
    return sign_in(
        context, issuer(), DEFAULTS, email=EMAIL, password=password, address=address, device=device
    )


def guess(context: Context, addresses: Iterable[str], device: str | None = None) -> int:
    """Guess once from each address; return how many guesses reached the password."""
    checked = 0
    for address in addresses:
        try:
            enter(context, address, "wrong-one", device)
        except BadCredentials:
            checked += 1
        except TooManyRequests:
            continue
    return checked


NETWORKS = {
    "one /64": "2001:db8:1:2::{:x}",
    "one /56": "2001:db8:1:2{:02x}::1",
    "one /48": "2001:db8:1:{:x}::1",
    "one /32": "2001:db8:{:x}::1",
    "one /24 of IPv4": "203.0.113.{}",
    "one /24 of IPv4, written as IPv6": "::ffff:203.0.113.{}",
}


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_guesses_from_one_network_wait(
    context: Context, hasher: CountingHasher, network: str
) -> None:
    """Of 300 guesses in a second, ten reach the password, however the network is divided."""
    hosts = islice(cycle(range(256)), 300)

    assert guess(context, (network.format(host) for host in hosts)) == 10
    assert hasher.checked == 10


def test_the_delay_grows_for_the_whole_network(context: Context) -> None:
    """Guesses from ever other households of one /32 wait four minutes each in the end."""
    reached = 0
    for host in range(1, 1201):
        reached += guess(context, [f"2001:db8:{host:x}::1"])
        clock_of(context).advance(seconds=3)

    assert reached <= 10 + 3 + 3600 // DELAY_MAX_SECONDS


def test_guesses_from_everywhere_end_for_the_day(context: Context) -> None:
    """More networks than that have a hundred guesses a day at one account, and no more."""
    far = [f"2001:{number:x}::1" for number in range(1, DAY_MAX + 51)]

    assert guess(context, far) == DAY_MAX
    with pytest.raises(TooManyRequests) as refused:
        enter(context, "192.0.2.7")
    assert 0 < refused.value.retry_after_seconds <= timedelta(hours=26).total_seconds()
    clock_of(context).advance(hours=12)
    assert guess(context, far) == 0
    clock_of(context).advance(hours=14)
    assert guess(context, far) == DAY_MAX


def test_a_known_device_signs_in_during_an_attack(context: Context) -> None:
    """Neither the member's own network nor the day's end concerns a device that is known."""
    device = enter(context, HOME).device
    guess(context, [HOME] * 50)
    guess(context, [f"2001:{number:x}::1" for number in range(1, DAY_MAX + 2)])
    with pytest.raises(TooManyRequests):
        enter(context, HOME)

    for address in (HOME, "2001:1::1", "192.0.2.7"):
        assert enter(context, address, device=device)


def test_a_new_password_by_email_makes_the_device_known(context: Context) -> None:
    """Whoever reads the member's mail signs in on that device, whatever strangers do."""
    guess(context, [f"2001:{number:x}::1" for number in range(1, DAY_MAX + 2)])
    device = reset_by_mail(context, EMAIL)

    assert enter(context, HOME, NEW, device=device)
    with pytest.raises(TooManyRequests):
        enter(context, HOME, NEW)


def test_a_session_confirms_its_password_during_an_attack(context: Context) -> None:
    """Somebody who is signed in proves the password after the strangers' last guess."""
    signed_in = enter(context, HOME)
    clock_of(context).advance(hours=1)
    session = member_for_token(context, issuer(), signed_in.token)
    guess(context, [HOME] * 50)
    guess(context, [f"2001:{number:x}::1" for number in range(1, DAY_MAX + 2)])

    require_fresh_sign_in(context, DEFAULTS, session, current_password=PASSWORD, address=HOME)


def test_a_stolen_session_does_not_guess_without_end(context: Context) -> None:
    """Wrong passwords of one session delay that session, and no other."""
    stolen, own = enter(context, HOME), enter(context, HOME)
    clock_of(context).advance(hours=1)
    session = member_for_token(context, issuer(), stolen.token)
    for _ in range(10):
        with pytest.raises(ReauthenticationRequired):
            confirm_wrongly(context, stolen)
    with pytest.raises(TooManyRequests):
        confirm_wrongly(context, stolen)

    owner = member_for_token(context, issuer(), own.token)
    require_fresh_sign_in(context, DEFAULTS, owner, current_password=PASSWORD, address=HOME)
    assert session.member.id == owner.member.id


def confirm_wrongly(context: Context, signed_in: SignedIn) -> None:
    """Type a wrong password in a session."""
    session = member_for_token(context, issuer(), signed_in.token)
    require_fresh_sign_in(context, DEFAULTS, session, current_password="wrong", address=HOME)


def test_signing_up_is_no_other_way_to_guess(context: Context) -> None:
    """The form to join counts with the sign-ins of an account that exists."""
    guess(context, [f"2001:{number:x}::1" for number in range(1, DAY_MAX + 2)])

    with pytest.raises(TooManyRequests):
        join(context, form(), "192.0.2.7")


def test_nobody_is_kept_from_joining(context: Context) -> None:
    """Guesses at an account that does not exist keep nobody from opening it."""
    new = form(email="kofi@example.org")
    for number in range(1, DAY_MAX + 2):
        try:
            sign_in(
                context,
                issuer(),
                DEFAULTS,
                email=new.email,
                password="wrong-one",
                address=f"2001:{number:x}::1",
            )
        except (BadCredentials, TooManyRequests):
            continue

    with pytest.raises(EmailTaken):  # the limits let it pass
        join(context, new, "192.0.2.7")


def join(context: Context, new: RegistrationForm, address: str) -> None:
    """Sign up within the limits; the sign-up itself fails."""

    def enter() -> None:
        raise EmailTaken("taken")

    within_limits(context, DEFAULTS, new, enter, address=address)


def test_a_stranger_locks_nobody_out(context: Context) -> None:
    """Fifty wrong passwords from another network do not lock the member out."""
    guess(context, ["203.0.113.66"] * 50)

    assert enter(context, HOME)


def test_a_made_up_device_is_no_exemption(context: Context) -> None:
    """Only a device token from an earlier sign-in to this account counts."""
    other = a_member(context, "kofi@example.org")
    foreign = sign_in(
        context, issuer(), DEFAULTS, email=other.email, password=PASSWORD, address="192.0.2.99"
    )
    guess(context, [HOME] * 50)

    for device in ("made-up", foreign.device, ""):
        with pytest.raises(TooManyRequests):
            enter(context, HOME, device=device)


def test_a_planted_device_is_no_exemption_later(context: Context) -> None:
    """A sign-in with a planted token gets a new one; the planted token stays unknown."""
    planted = "planted-by-a-stranger"
    assert enter(context, HOME, device=planted).device != planted
    guess(context, [HOME] * 50)

    with pytest.raises(TooManyRequests):
        enter(context, HOME, device=planted)


def test_a_known_device_does_not_guess_without_end(context: Context) -> None:
    """Failures on a known device delay it, by four minutes at most."""
    device = enter(context, HOME).device
    guess(context, [HOME] * 50, device)

    with pytest.raises(TooManyRequests) as refused:
        enter(context, HOME, device=device)
    assert refused.value.retry_after_seconds <= DELAY_MAX_SECONDS
    clock_of(context).advance(seconds=refused.value.retry_after_seconds)
    assert enter(context, HOME, device=device)


def test_known_devices_reveal_neither_member_nor_time(context: Context) -> None:
    """Rows hold keyed hashes and a day; erasing the member removes them."""
    enter(context, HOME)
    clock_of(context).advance(hours=5, minutes=7)
    enter(context, HOME)
    kept, member = rows_of(context, "known_devices"), find_member(context, EMAIL)
    erase_member(context, member.id, why="asked")

    assert len(kept) == 2
    assert {row[2] for row in kept} == {"2027-05-19T00:00:00Z"}
    assert member.id not in str(kept)
    assert rows_of(context, "known_devices") == []
