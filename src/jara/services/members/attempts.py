"""Sign-in attempts: delays that grow with failures, and known devices.

An attacker who tries wrong passwords delays their own networks, up to the /32 of IPv6 and the
/24 of IPv4, and uses up what unknown devices may try at one account in a day. Known devices,
where the member signed in before, and sessions are counted separately, so that nobody can lock
a member out of them. The database contains only keyed hashes of device tokens.
"""

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import TooManyRequests
from jara.domain.time_zone import UTC_ZONE
from jara.services import rate_limits
from jara.services.context import Context
from jara.services.rate_limits import Acquired, Limit, Limits
from jara.store.unit_of_work import UnitOfWork

DELAY_FIRST_SECONDS = 30
DELAY_MAX_SECONDS = 240
DEVICE_LIFE = timedelta(days=180)
DEVICE_BYTES = 24
_PLACE = "sign_in_place"


class Attempt(NamedTuple):
    """A counted attempt; a success removes its uses, a failure leaves them."""

    buckets: tuple[str, ...]
    """Where failures are counted: only the known device or session, or the account in each network
    around the address and everywhere."""
    use_ids: tuple[str, ...]
    acquired: Acquired  # the limits of the network and of unknown devices


class Place(NamedTuple):
    """Where an attempt comes from."""

    address: str  # the network address
    device: str | None = None  # the token of a device, which may be known
    session: str | None = None  # the name of the session in which the password is confirmed


def begin_attempt(context: Context, limits: Limits, *, account: str, place: Place) -> Attempt:
    """Count an attempt to sign in before the password is checked.

    Raises:
        TooManyRequests: too many failures; it says when to try again.
    """
    return context.store.write_grouped(
        lambda work: begin_attempt_within(context, work, limits, account=account, place=place)
    )


def begin_attempt_within(
    context: Context,
    work: UnitOfWork,
    limits: Limits,
    *,
    account: str,
    place: Place,
    has_day_limit: bool = True,
) -> Attempt:
    """Like `begin_attempt`, inside a transaction; `account` is the email address in lower case.

    With `has_day_limit` the limit of unknown devices counts.

    Raises:
        TooManyRequests: too many failures.
    """
    now, allowance = context.now(), limits[Limit.SIGN_IN_ACCOUNT]
    until = now + timedelta(seconds=allowance.seconds)

    def count(*buckets: str) -> tuple[str, ...]:
        use_ids = tuple(context.new_key("use_") for _ in buckets)
        for use_id, bucket in zip(use_ids, buckets, strict=True):
            work.access.add_use(use_id, bucket, at=now, until=until)
        return use_ids

    own = _own_place(context, work, account, place)
    if own is not None:
        _require_patience(work.access.uses(own, now=now), free=allowance.count, until=until)
        return Attempt((own,), count(own), Acquired({}))
    networks = [
        rate_limits.bucket_of(context, _PLACE, f"{account}\0{network}")
        for network in rate_limits.nested_networks(place.address)
    ]
    everywhere = rate_limits.bucket_of(context, Limit.SIGN_IN_ACCOUNT, account)
    failures = len(work.access.uses(everywhere, now=now))
    for network in networks:
        ends = work.access.uses(network, now=now)
        elsewhere = max(0, failures - len(ends))
        _require_patience(ends, free=max(0, allowance.count - elsewhere), until=until)
    uses = [(Limit.SIGN_IN_ADDRESS, place.address)]
    if has_day_limit:
        uses.append((Limit.SIGN_IN_UNKNOWN, account))
    acquired = rate_limits.acquire_within(context, work, limits, uses)
    buckets = (*networks, everywhere)
    return Attempt(buckets, count(*buckets), acquired)


def _own_place(context: Context, work: UnitOfWork, account: str, place: Place) -> str | None:
    """Return where a session or a known device is counted; None for an unknown device."""
    if place.session is not None:
        return rate_limits.bucket_of(context, _PLACE, f"session\0{place.session}")
    if place.device is None:
        return None
    device = _hash(context, account, place.device)
    if not work.access.knows_device(device, now=context.now()):
        return None
    return rate_limits.bucket_of(context, _PLACE, f"device\0{device}")


def withdraw_attempt(context: Context, attempt: Attempt) -> None:
    """Withdraw an attempt that was not a wrong password."""
    context.store.write_grouped(lambda work: withdraw_within(work, attempt))


def withdraw_within(work: UnitOfWork, attempt: Attempt) -> None:
    """Like `withdraw_attempt`, inside a transaction."""
    for use_id in attempt.use_ids:
        work.access.remove_use(use_id)
    rate_limits.release_within(work, attempt.acquired)


def end_delays(work: UnitOfWork, attempt: Attempt) -> None:
    """Clear the failures of this place after a sign-in; other networks keep their delays."""
    for bucket in attempt.buckets:
        work.access.remove_uses(bucket)
    rate_limits.release_within(work, attempt.acquired)


def remember_device(
    context: Context, work: UnitOfWork, *, member_id: str, email: str, device: str | None
) -> str:
    """Remember a device after a sign-in; return its token, or a new one for an unknown device."""
    day = context.today() + DEVICE_LIFE
    until = UTC_ZONE.start_of(day)  # only the day, so that no row reveals the time
    is_known = device is not None and work.access.knows_device(
        _hash(context, email, device), now=context.now()
    )
    if device is None or not is_known:
        device = urlsafe_b64encode(context.entropy.token(DEVICE_BYTES)).decode("ascii")
    work.access.put_device(
        _hash(context, email, device), owner=device_owner(context, member_id), until=until
    )
    return device


def device_owner(context: Context, member_id: str) -> str:
    """Return the name under which a member's devices are stored."""
    return context.vault.keyed_hash("device owner", member_id)


def _hash(context: Context, account: str, device: str) -> str:
    return context.vault.keyed_hash("device", f"{account}\0{device}")


def _require_patience(ends: list[datetime], *, free: int, until: datetime) -> None:
    """Refuse until the delay since the last attempt at this place is over.

    Failures elsewhere use up the free attempts, but never delay the first attempt at a place.
    """
    if not ends or len(ends) < free:
        return
    doublings = min(len(ends) - free, DELAY_MAX_SECONDS)
    delay = min(DELAY_MAX_SECONDS, DELAY_FIRST_SECONDS * 2**doublings)
    since_last = until - ends[-1]
    wait = delay - int(since_last.total_seconds())
    if wait > 0:
        raise TooManyRequests(
            "Too many attempts; please wait a moment and try again.", retry_after_seconds=wait
        )
