"""Which fund policies there are."""

from __future__ import annotations

from dataclasses import dataclass

from jara.domain.books.fund_policy import FundPolicy, policy_in_force
from jara.services.context import Context


@dataclass(frozen=True, slots=True)
class Policies:
    """Every fund policy there was or will be, and the one in force today."""

    in_force: FundPolicy
    all: tuple[FundPolicy, ...]


def show_policies(context: Context) -> Policies:
    """Return the policy in force today, and all in the order they were set."""
    with context.store.read() as work:
        policies = tuple(work.book_settings.policies())
    return Policies(policy_in_force(policies, context.today()), policies)
