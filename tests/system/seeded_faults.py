"""Faults that are added to the code, one at a time; the machine must find each of them.

Each is a plausible mistake: a missing line, a wrong argument, a missing check.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from jara.domain.books import movements
from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.giving import changemaker
from jara.domain.giving.member import Member
from jara.services.ballots import counting
from jara.services.context import Context
from jara.services.giving import joining
from jara.services.members import accounts as membership
from jara.services.members.profiles import require_member
from jara.services.payments import movement_booking, refunding
from jara.services.proposals import closing_steps
from jara.store.repositories.books import electors
from jara.store.unit_of_work import UnitOfWork

Seed = Callable[[pytest.MonkeyPatch], None]


def refund_takes_all_from_one_fund(patch: pytest.MonkeyPatch) -> None:
    """A refund ignores the fund split and takes everything from `projects`."""

    def given_back(parts: Mapping[Fund, int], refunded_cents: int) -> dict[Fund, int]:
        return {fund: refunded_cents if fund is Fund.PROJECTS else 0 for fund in parts}

    patch.setattr("jara.domain.books.movements.given_back", given_back)


def fee_is_borne_by_all_funds(patch: pytest.MonkeyPatch) -> None:
    """A card fee is split like a payment, mostly to `projects`."""
    real: Any = movements.entry_from_row

    def entry_from_row(row: Any, facts: Any) -> Any:
        wrong = replace(facts.policy, fee_weights=facts.policy.weights)
        return real(row, replace(facts, policy=wrong))

    patch.setattr(movement_booking, "entry_from_row", entry_from_row)


def vote_counts_again_on_retry(patch: pytest.MonkeyPatch) -> None:
    """A retry of the same ballot is counted again."""
    real = counting.count_open

    def count_open(context: Context, work: UnitOfWork, proposal: str) -> tuple[int, int]:
        yes, no = real(context, work, proposal)
        return yes + (yes > 0), no

    patch.setattr(counting, "count_open", count_open)


def roll_has_only_voters(patch: pytest.MonkeyPatch) -> None:
    """The roll of a closing vote lacks the changemakers who did not vote."""
    patch.setattr(closing_steps, "electors_on_roll", lambda *_: frozenset())


def close_drops_nothing(patch: pytest.MonkeyPatch) -> None:
    """A member with a full refund keeps the ballot after the close."""
    patch.setattr(closing_steps, "lost_ballots", lambda *_: frozenset())


def erased_member_is_still_counted(patch: pytest.MonkeyPatch) -> None:
    """Leaving erases the person, but the pledge stays and still counts for votes."""
    real = membership._erase

    def erase(context: Context, work: UnitOfWork, member: Member, customers: set[str]) -> None:
        pledge = work.pledges.get(member.id)
        real(context, work, member, customers)
        if pledge is not None:
            work.members.add(member._replace(email=f"{member.id}@x.org"), password_hash="x")
            work.pledges.put(pledge, member_key=member.key, at=context.now())

    patch.setattr(membership, "_erase", erase)


def leaving_cancels_nothing(patch: pytest.MonkeyPatch) -> None:
    """The account is erased, but the card is still charged."""

    def stay(context: Context, member_id: str) -> tuple[Member, set[str | None]]:
        with context.store.read() as work:
            pledge = work.pledges.get(member_id)
            return require_member(work, member_id), {None if pledge is None else pledge.customer_id}

    patch.setattr(membership, "_leave_provider", stay)


def movement_is_booked_twice(patch: pytest.MonkeyPatch) -> None:
    """A charge that is read again is booked again, under other ids."""
    real = movement_booking.MovementBooker.book
    heard: set[str] = set()
    numbers = count()

    def book(self: movement_booking.MovementBooker, row: Any) -> bool:
        if row.category == "charge" and row.txn_id in heard:
            heard.discard(row.txn_id)
            again = f"again_{next(numbers)}"
            row = replace(row, txn_id=again, source_id=again, charge_id=again)
        elif row.txn_id:
            heard.add(row.txn_id)
        return real(self, row)

    patch.setattr(movement_booking.MovementBooker, "book", book)


def refund_has_a_new_key_each_time(patch: pytest.MonkeyPatch) -> None:
    """A retry after a lost answer refunds the money twice."""
    real: Any = refunding.refund_payment
    numbers = count()

    class Rekeying:
        def __init__(self, inner: Any) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        def refund(self, charge_id: str, cents: int, *, key: str) -> str:
            return str(self._inner.refund(charge_id, cents, key=f"{key}:{next(numbers)}"))

    def refund_payment(context: Context, *args: Any, **kwargs: Any) -> Any:
        gateway: Any = Rekeying(context.gateway)
        return real(replace(context, gateway=gateway), *args, **kwargs)

    patch.setattr("tests.system.money_rules.refund_payment", refund_payment)


def joining_again_forgets_the_first_try(patch: pytest.MonkeyPatch) -> None:
    """A second registration charges again, and the first subscription continues."""

    def take_up_nothing(context: Context, registration: Any) -> None:
        with context.store.write() as work:
            earlier = work.registrations.by_email(registration.email)
            if earlier is not None:
                work.registrations.remove(earlier.id)

    patch.setattr(joining, "take_up_earlier", take_up_nothing)


def grace_has_no_end(patch: pytest.MonkeyPatch) -> None:
    """A failed charge never ends the right to vote (the rule: after 14 days)."""
    for module in (changemaker, electors):
        patch.setattr(module, "GRACE", timedelta(days=365))


def topping_up_forgets_what_was_paid(patch: pytest.MonkeyPatch) -> None:
    """The money paid for a project is held again, beyond its goal."""

    def to_hold(self: Commitment, free_projects_cents: int) -> int:
        return max(0, min(self.goal - self.held - self.released, free_projects_cents))

    patch.setattr(Commitment, "to_hold", to_hold)


FAULTS: tuple[Seed, ...] = (
    refund_takes_all_from_one_fund,
    fee_is_borne_by_all_funds,
    vote_counts_again_on_retry,
    roll_has_only_voters,
    close_drops_nothing,
    erased_member_is_still_counted,
    leaving_cancels_nothing,
    movement_is_booked_twice,
    refund_has_a_new_key_each_time,
    joining_again_forgets_the_first_try,
    grace_has_no_end,
    topping_up_forgets_what_was_paid,
)
