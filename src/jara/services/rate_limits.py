"""Rate limits for one person, one network or everybody.

A use is counted before the action, so that parallel attempts cannot exceed the limit. It
is released afterwards where only failures count. Limits survive a restart and are
shared by all processes. Only the limit on votes is in memory, because a row written for each
vote could reveal the order in which members voted.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

from jara.domain.errors import CardDeclined, JaraError, TooManyRequests, Unavailable
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class Limit(StrEnum):
    """What is limited; each has a setting ``JARA_LIMIT_…``."""

    SIGN_IN_ACCOUNT = "sign_in_account"
    SIGN_IN_ADDRESS = "sign_in_address"
    SIGN_IN_UNKNOWN = "sign_in_unknown"
    EMAIL_EXISTS_ADDRESS = "email_exists_address"
    REGISTER_ADDRESS = "register_address"
    DECLINED_ADDRESS = "declined_address"
    DECLINED_EMAIL = "declined_email"
    DECLINED_ALL = "declined_all"
    VOTE_MEMBER = "vote_member"
    STATEMENT_MEMBER = "statement_member"
    PROVIDER_MEMBER = "provider_member"
    MAIL_ADDRESS = "mail_address"
    MAIL_NETWORK = "mail_network"
    MAIL_ALL = "mail_all"
    FIELD_LINK = "field_link"
    FIELD_NETWORK = "field_network"


class MailCause(StrEnum):
    """What a stranger can do that sends an email to an address of their choice."""

    RESET = "reset"
    CONFIRMATION = "confirm"
    NEWSLETTER = "newsletter"
    SIGN_UP = "sign_up"
    GIFT = "gift"


PER_NETWORK = frozenset(
    {
        Limit.SIGN_IN_ADDRESS,
        Limit.EMAIL_EXISTS_ADDRESS,
        Limit.REGISTER_ADDRESS,
        Limit.DECLINED_ADDRESS,
        Limit.MAIL_NETWORK,
        Limit.FIELD_NETWORK,
    }
)
"""Limits of a network address; the others count a person, an email address or everybody."""

EVERYBODY = ""
"""The subject of a limit that everybody shares."""

SITE_FACTOR = 10
"""A provider gives one site up to a /48 of IPv6, which may hold many households."""

CEILINGS = {Limit.DECLINED_ALL: "declined.ceiling", Limit.MAIL_ALL: "mail.ceiling"}
"""Keys in `meta`: the hour in which a limit for everybody was reached."""

DECLINED_LIMITS = (Limit.DECLINED_ADDRESS, Limit.DECLINED_EMAIL, Limit.DECLINED_ALL)
MAIL_LIMITS = (Limit.MAIL_ADDRESS, Limit.MAIL_NETWORK, Limit.MAIL_ALL)

_HOUSEHOLD, _SITE = 64, 48
_IPV6_NESTED, _IPV4_NESTED = (_HOUSEHOLD, 56, _SITE, 32), (32, 24)
"""The networks that guesses at a password are counted under: what one customer may hold, up to
a whole provider."""
_GRAINS = 12
_TRY_LATER = "Too many attempts; please wait a while and try again."


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of uses allowed within a number of seconds."""

    count: int
    seconds: int


Limits = Mapping[Limit, Allowance]
Use = tuple[Limit, str]
"""A limit and whom it applies to: an address, a member's id, an email in lower case."""


class Acquired(NamedTuple):
    """The uses counted for one action; `release` takes their ids."""

    ids: Mapping[Limit, tuple[str, ...]]


class _Wanted(NamedTuple):
    limit: Limit
    bucket: str
    allowance: Allowance
    is_last: bool = False


def acquire(context: Context, limits: Limits, *uses: Use) -> Acquired:
    """Count one use of every limit, or none if any limit is reached.

    Raises:
        TooManyRequests: a limit is reached; it says when to try again.
    """
    return context.store.write_grouped(lambda work: acquire_within(context, work, limits, uses))


def acquire_within(
    context: Context, work: UnitOfWork, limits: Limits, uses: Iterable[Use]
) -> Acquired:
    """Like `acquire`, inside a transaction.

    Raises:
        TooManyRequests: a limit is reached.
    """
    now = context.now()
    wanted = require_room(context, work, limits, uses)
    for each in wanted:
        if each.limit in CEILINGS and each.is_last:
            work.meta.put(CEILINGS[each.limit], now.strftime("%Y-%m-%d %H:00"))
    ids: dict[Limit, tuple[str, ...]] = {}
    for each in wanted:
        # A random id and a coarse time: rows must not reveal the order of uses.
        use_id = context.new_key("use_")
        ids[each.limit] = (*ids.get(each.limit, ()), use_id)
        until = _coarse(now, each.allowance.seconds)
        work.access.add_use(use_id, each.bucket, at=now, until=until)
    return Acquired(ids)


def require_room(
    context: Context, work: UnitOfWork, limits: Limits, uses: Iterable[Use]
) -> list[_Wanted]:
    """Check that no limit is reached, and write nothing.

    Raises:
        TooManyRequests: a limit is reached.
    """
    now = context.now()
    wanted = []
    for limit, whose in uses:
        for each in _wanted(context, limits, limit, whose):
            ends, count = work.access.uses(each.bucket, now=now), each.allowance.count
            if len(ends) >= count:
                raise _refusal(ends[len(ends) - count] - now)
            wanted.append(each._replace(is_last=len(ends) == count - 1))
    return wanted


def acquire_in_memory(context: Context, limits: Limits, limit: Limit, whose: str) -> None:
    """Count one use in this process only; nothing is written.

    Raises:
        TooManyRequests: the limit is reached.
    """
    allowance = limits[limit]
    wait = context.recent.count(
        f"{limit}\0{whose}", context.now(), most=allowance.count, seconds=allowance.seconds
    )
    if wait is not None:
        raise _refusal(wait)


def release(context: Context, acquired: Acquired, *limits: Limit) -> None:
    """Release the counted uses of these limits, or all of them.

    They stay counted if the database has gone away: what they were counted for has ended.
    """
    with suppress(Unavailable):
        context.store.write_grouped(lambda work: release_within(work, acquired, *limits))


def release_within(work: UnitOfWork, acquired: Acquired, *limits: Limit) -> None:
    """Like `release`, inside a transaction."""
    for limit in limits or tuple(acquired.ids):
        for use_id in acquired.ids[limit]:
            work.access.remove_use(use_id)


def declined_uses(email: str, *, network: str) -> tuple[Use, ...]:
    """Return what a declined card counts for: its network, its holder's address, everybody."""
    return tuple(zip(DECLINED_LIMITS, (network, email, EVERYBODY), strict=True))


@contextmanager
def counting_declined(
    context: Context, limits: Limits, email: str, *, network: str
) -> Iterator[None]:
    """Count a declined card of the block; any other end of it is not counted.

    Raises:
        TooManyRequests: too many declined cards.
    """
    acquired = acquire(context, limits, *declined_uses(email, network=network))
    try:
        yield
    except CardDeclined:
        raise
    except JaraError:
        release(context, acquired)
        raise
    release(context, acquired)


def mail_uses(cause: MailCause, email: str, *, network: str) -> tuple[Use, ...]:
    """Return what an email counts for: its mailbox, the network that causes it, everybody.

    The kinds share the limit of a network only: otherwise requests for the newsletter would use
    up a member's password resets, and a flood of them would stop sign-ups and gifts.
    """
    name, _, host = email.strip().casefold().partition("@")
    mailbox = f"{name.partition('+')[0]}@{host}"  # many servers deliver name+anything to name
    return (
        (Limit.MAIL_ADDRESS, f"{cause} {mailbox}"),
        (Limit.MAIL_NETWORK, network),
        (Limit.MAIL_ALL, cause),
    )


def bucket_of(context: Context, kind: str, whose: str) -> str:
    """Return the name under which uses are counted: a keyed hash, so that it names nobody."""
    return context.vault.keyed_hash("limit", f"{kind}\0{whose}")


def nested_networks(address: str) -> tuple[str, ...]:
    """Return the networks around an address, the smallest first.

    Of IPv6 the /64, /56, /48 and /32, of IPv4 the address and its /24. Text that is no address
    stands for itself.
    """
    parsed = _parse_address(address)
    if parsed is None:
        return (address,)
    prefixes = _IPV6_NESTED if isinstance(parsed, IPv6Address) else _IPV4_NESTED
    return tuple(str(ip_network((parsed, prefix), strict=False)) for prefix in prefixes)


def _wanted(context: Context, limits: Limits, limit: Limit, whose: str) -> Iterator[_Wanted]:
    allowance = limits[limit]
    networks = _networks(whose) if limit in PER_NETWORK else (whose,)
    for factor, network in zip((1, SITE_FACTOR), networks, strict=False):
        each = Allowance(allowance.count * factor, allowance.seconds)
        yield _Wanted(limit, bucket_of(context, limit, network), each)


def _networks(address: str) -> tuple[str, ...]:
    """Return the networks that an address is counted under, the smallest first."""
    parsed = _parse_address(address)
    if parsed is None:
        return (address,)
    if not isinstance(parsed, IPv6Address):
        return (str(parsed),)
    return tuple(str(ip_network((parsed, prefix), strict=False)) for prefix in (_HOUSEHOLD, _SITE))


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address; IPv4 written as IPv6 is IPv4. None if the text is no address."""
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return mapped or parsed


def _coarse(now: datetime, seconds: int) -> datetime:
    """Return when a use ends, rounded up to a twelfth of its time."""
    grain = max(1, seconds // _GRAINS)
    ends = int((now + timedelta(seconds=seconds)).timestamp())
    return datetime.fromtimestamp(-(-ends // grain) * grain, UTC)


def _refusal(wait: timedelta) -> TooManyRequests:
    return TooManyRequests(_TRY_LATER, retry_after_seconds=max(1, int(wait.total_seconds())))
