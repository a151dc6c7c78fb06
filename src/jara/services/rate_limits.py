"""Limits on what one person or one address may try, kept in the database (trust §4).

A use is counted before the deed, so that a crowd of attempts at once cannot pass the
limit, and given back where only failures count. The database survives a restart and is
shared by every process, so a limit does and is too.
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
    """What is limited; each is a setting ``JARA_LIMIT_…``."""

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
    """So many uses within so many seconds."""

    count: int
    seconds: int


Limits = Mapping[Limit, Allowance]
Use = tuple[Limit, str]
"""A limit, and whose: an address, a member's id, an email in lower case."""


@dataclass(frozen=True, slots=True)
class Tickets:
    """The uses that were counted for one deed, to be given back."""

    ids: Mapping[Limit, str]


def take(context: Context, limits: Limits, *uses: Use) -> Tickets:
    """Count a use of each limit, or of none.

    Raises:
        TooManyRequests: one of them is used up; it says when to come back.
    """
    return context.store.write_grouped(lambda work: take_within(context, work, limits, uses))


def take_within(context: Context, work: UnitOfWork, limits: Limits, uses: Iterable[Use]) -> Tickets:
    """Count a use of each limit inside a transaction, or of none.

    Raises:
        TooManyRequests: one of them is used up.
    """
    now = context.now()
    wanted = [(limit, _bucket(limit, whose), limits[limit]) for limit, whose in uses]
    for _, bucket, allowance in wanted:
        ends = work.access.uses(bucket, now=now)
        if len(ends) >= allowance.count:
            free_at = ends[len(ends) - allowance.count]
            raise TooManyRequests(
                "That was tried too often; please wait a while and try again.",
                retry_after_seconds=max(1, int((free_at - now).total_seconds())),
            )
    ids: dict[Limit, str] = {}
    for limit, bucket, allowance in wanted:
        # A random name: the order of the rows must not tell who voted when (trust §2).
        ids[limit] = context.new_key("use_")
        until = now + timedelta(seconds=allowance.seconds)
        work.access.add_use(ids[limit], bucket, at=now, until=until)
    return Tickets(ids)


def give_back(context: Context, tickets: Tickets, *limits: Limit) -> None:
    """Take the uses of these limits back, or all when none is named."""
    context.store.write_grouped(lambda work: give_back_within(work, tickets, *limits))


def give_back_within(work: UnitOfWork, tickets: Tickets, *limits: Limit) -> None:
    """Take the uses of these limits back inside a transaction, or all when none is named."""
    for limit in limits or tuple(tickets.ids):
        work.access.remove_use(tickets.ids[limit])


def _bucket(limit: Limit, whose: str) -> str:
    # A hash, so that no table of limits lists the addresses of people.
    return sha256(f"{limit}\0{whose}".encode("utf-8", "surrogatepass")).hexdigest()
