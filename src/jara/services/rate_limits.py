"""Rate limits for one person or one address, stored in the database.

A use is counted before the action, so that parallel attempts cannot exceed the limit. It
is released afterwards where only failures count. Limits survive a restart and hold for
all processes together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256

from jara.domain.errors import TooManyRequests
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork


class Limit(StrEnum):
    """What is limited; each has a setting ``JARA_LIMIT_…``."""

    SIGN_IN_ACCOUNT = "sign_in_account"
    SIGN_IN_ADDRESS = "sign_in_address"
    EMAIL_EXISTS_ADDRESS = "email_exists_address"
    REGISTER_ADDRESS = "register_address"
    DECLINED_ADDRESS = "declined_address"
    DECLINED_EMAIL = "declined_email"
    VOTE_MEMBER = "vote_member"
    MAIL_ADDRESS = "mail_address"


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of uses allowed within a number of seconds."""

    count: int
    seconds: int


Limits = Mapping[Limit, Allowance]
Use = tuple[Limit, str]
"""A limit and whom it applies to: an address, a member's id, an email in lower case."""


@dataclass(frozen=True, slots=True)
class Acquired:
    """The uses counted for one action; `release` takes their ids."""

    ids: Mapping[Limit, str]


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
    wanted = [(limit, _bucket(limit, whose), limits[limit]) for limit, whose in uses]
    for _, bucket, allowance in wanted:
        ends = work.access.uses(bucket, now=now)
        if len(ends) >= allowance.count:
            free_at = ends[len(ends) - allowance.count]
            raise TooManyRequests(
                "Too many attempts; please wait a while and try again.",
                retry_after_seconds=max(1, int((free_at - now).total_seconds())),
            )
    ids: dict[Limit, str] = {}
    for limit, bucket, allowance in wanted:
        # A random id: the order of the rows must not reveal who voted when.
        ids[limit] = context.new_key("use_")
        until = now + timedelta(seconds=allowance.seconds)
        work.access.add_use(ids[limit], bucket, at=now, until=until)
    return Acquired(ids)


def release(context: Context, acquired: Acquired, *limits: Limit) -> None:
    """Give back the uses of these limits, or all of them."""

    def remove(work: UnitOfWork) -> None:
        for limit in limits or tuple(acquired.ids):
            work.access.remove_use(acquired.ids[limit])

    context.store.write_grouped(remove)


def _bucket(limit: Limit, whose: str) -> str:
    # A hash, so that the table does not list addresses.
    return sha256(f"{limit}\0{whose}".encode("utf-8", "surrogatepass")).hexdigest()
