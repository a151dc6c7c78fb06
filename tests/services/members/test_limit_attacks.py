"""Attacks on limits: IPv6 networks, many clients, and one kind of email blocking another."""

from hashlib import sha256

import pytest

from jara.domain.errors import TooManyRequests
from jara.services import rate_limits
from jara.services.context import Context
from jara.services.notices.newsletter import subscribe
from jara.services.operations.diagnosis_setup import Level
from jara.services.rate_limits import Limit, acquire
from tests.harness import clock_of
from tests.services.members.codes_world import ADDRESS, LIMITS, ask_for_reset
from tests.services.operations.doctor import found, look
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"

pytestmark = pytest.mark.usefixtures("one_member")


def ask(context: Context, address: str) -> bool:
    """Make one request from an address; return whether it was allowed."""
    try:
        acquire(context, LIMITS, (Limit.EMAIL_EXISTS_ADDRESS, address))
    except TooManyRequests:
        return False
    return True


def test_addresses_of_one_ipv6_network_share_a_limit(context: Context) -> None:
    """A household has 2^64 addresses, so a limit for each address would limit nothing."""
    allowed = [ask(context, f"2001:db8:1:2::{number:x}") for number in range(1, 9)]

    assert allowed == [True] * 3 + [False] * 5
    assert ask(context, "2001:db8:1:3::1")


def test_a_refusal_says_when_the_oldest_use_ends(context: Context) -> None:
    """After the time given in the refusal, the next request is allowed."""
    for _ in range(3):
        acquire(context, LIMITS, (Limit.EMAIL_EXISTS_ADDRESS, ADDRESS))
        clock_of(context).advance(seconds=15)
    with pytest.raises(TooManyRequests) as refused:
        acquire(context, LIMITS, (Limit.EMAIL_EXISTS_ADDRESS, ADDRESS))

    assert refused.value.retry_after_seconds == 15
    clock_of(context).advance(seconds=15)
    assert ask(context, ADDRESS)


def test_a_site_of_ipv6_gets_ten_times_as_much(context: Context) -> None:
    """A provider gives a customer up to 65,536 of those networks."""
    allowed = [ask(context, f"2001:db8:1:{number:x}::1") for number in range(40)]

    assert allowed == [True] * 30 + [False] * 10
    assert ask(context, "2001:db8:2::1")


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.7", "192.0.2.7/32 192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7/32 192.0.2.0/24"),
        (
            "2001:db8:1:203::7%eth0",
            "2001:db8:1:203::/64 2001:db8:1:200::/56 2001:db8:1::/48 2001:db8::/32",
        ),
        ("unix", "unix"),
    ],
)
def test_each_address_belongs_to_networks(address: str, networks: str) -> None:
    """Guesses count in each of them; IPv4 is the same in either spelling."""
    assert " ".join(rate_limits.nested_networks(address)) == networks


def test_a_release_gives_back_every_network(context: Context) -> None:
    """The uses of household and site are both released."""
    for _ in range(40):
        rate_limits.release(
            context, acquire(context, LIMITS, (Limit.REGISTER_ADDRESS, "2001:db8::1"))
        )

    assert rows_of(context, "limit_uses") == []


def test_requests_for_the_newsletter_use_up_no_password_reset(context: Context) -> None:
    """Newsletter requests by others do not count towards a member's password resets."""
    for _ in range(2):
        subscribe(context, LIMITS, EMAIL, network=ADDRESS)
    ask_for_reset(context, EMAIL)

    with context.store.read() as work:
        assert "password_reset" in {email.kind for email in work.outbox.all()}


def flood(context: Context) -> int:
    """Request the newsletter for 40 strangers in 40 networks; return how many emails there are."""
    for number in range(40):
        network = f"198.51.100.{number}"
        email = f"stranger{number}@example.org"
        try:
            subscribe(context, LIMITS, email, network=network)
        except TooManyRequests:
            continue
    with context.store.read() as work:
        return len(work.outbox.all())


def test_emails_of_everybody_have_a_ceiling(context: Context) -> None:
    """The doctor reports for a week that it was reached."""
    assert Level.OK is found(look(context), "emails")[0]
    assert flood(context) == 10
    level, message = found(look(context), "emails")

    assert Level.WARNING is level
    assert "JARA_LIMIT_MAIL_ALL on 2026-11-20 12:00" in message
    clock_of(context).advance(days=8)
    assert Level.OK is found(look(context), "emails")[0]


def test_declined_cards_of_everybody_have_a_ceiling(context: Context) -> None:
    """A limit over all networks stops card testing; the doctor reports it for a week."""
    assert Level.OK is found(look(context), "cards")[0]
    for _ in range(8):
        acquire(context, LIMITS, (Limit.DECLINED_ALL, rate_limits.EVERYBODY))
    with pytest.raises(TooManyRequests):
        acquire(context, LIMITS, (Limit.DECLINED_ALL, rate_limits.EVERYBODY))

    level, message = found(look(context), "cards")
    assert Level.WARNING is level
    assert "2026-11-20 12:00 UTC" in message
    clock_of(context).advance(days=8)
    assert Level.OK is found(look(context), "cards")[0]


def test_rows_name_nobody_and_no_moment(context: Context) -> None:
    """Without the key, no row can be matched to an account; times are rounded."""
    clock_of(context).advance(minutes=3, seconds=17)
    acquire(context, LIMITS, (Limit.DECLINED_EMAIL, EMAIL))
    ((_, bucket, until),) = rows_of(context, "limit_uses")

    assert sha256(f"{Limit.DECLINED_EMAIL}\0{EMAIL}".encode()).hexdigest() != bucket
    assert until == "2026-11-20T13:05:00Z"


def test_a_vote_writes_no_row_of_a_limit(context: Context) -> None:
    """Vote limits stay in memory, since ordered rows would link members to ballots."""
    for member in ("a", "b"):
        for _ in range(3):
            rate_limits.acquire_in_memory(context, LIMITS, Limit.VOTE_MEMBER, member)
    with pytest.raises(TooManyRequests) as refused:
        rate_limits.acquire_in_memory(context, LIMITS, Limit.VOTE_MEMBER, "a")

    assert refused.value.retry_after_seconds == 60
    assert rows_of(context, "limit_uses") == []
    clock_of(context).advance(seconds=60)
    rate_limits.acquire_in_memory(context, LIMITS, Limit.VOTE_MEMBER, "a")
