"""Settings of the books: fund policies, chart of accounts, fixed costs."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.account import SPLIT_FUNDS, ChartOfAccounts, account_type
from jara.domain.books.fund_policy import FundPolicy, Weights, policy_in_force
from jara.domain.books.outflow import AT_PROVIDER
from jara.domain.books.overview import FixedCost
from jara.domain.coming_change import Topic
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.lookup import beginning_with, choose_one
from jara.records.journal import FixedCostLine
from jara.records.operations import Approval
from jara.services.approvals import Handler, require_approval
from jara.services.audit import record_act
from jara.services.books.entry_documents import parse_day
from jara.services.context import Context
from jara.services.notices.coming_changes import announce_change, earliest_change, require_notice
from jara.services.organisation import add_policy
from jara.store.unit_of_work import UnitOfWork

POLICY_ACTION = "policy.set"


class Policies(NamedTuple):
    """Every past, present and future fund policy, and the one in force today."""

    in_force: FundPolicy
    all: tuple[FundPolicy, ...]


def show_policies(context: Context) -> Policies:
    """Return the policy in force today, and all policies in the order they were set."""
    with context.store.read() as work:
        policies = tuple(work.book_settings.policies())
    return Policies(policy_in_force(policies, context.today()), policies)


def set_policy(context: Context, policy: FundPolicy, *, why: str) -> FundPolicy | Approval:
    """Append a policy to the log; it applies from its day on, which may be in the future.

    If actions need a second operator's approval, every policy change needs it. All members hear
    of it by email before it applies.

    Returns:
        The policy, or the approval it waits for.

    Raises:
        InvalidInput: no reason is given, or its day is before the newest policy's, or so early
            that members could not hear of it before.
    """
    if not why.strip():
        raise InvalidInput("A change of the fund policy needs a reason; say --why.")
    with context.store.write() as work:
        newest = max(other.valid_from for other in work.book_settings.policies())
        if policy.valid_from < newest:
            raise InvalidInput(
                f"A policy from {policy.valid_from} would precede the newest one, which "
                f"applies from {newest}."
            )
        require_notice(context, work, Topic.SPLIT, policy.valid_from)
        waiting = require_approval(
            context, work, action=POLICY_ACTION, payload={**_shown(policy), "why": why}, why=why
        )
        if waiting is not None:
            return waiting
        before = policy_in_force(work.book_settings.policies(), policy.valid_from)
        _announce(context, work, before, policy)
        index = add_policy(work, policy)
        record_act(
            context,
            work,
            POLICY_ACTION,
            str(index),
            why=why,
            before=_shown(before),
            facts=_shown(policy),
        )
    return policy


def earliest_day(context: Context) -> date:
    """Return the first day from which a policy that is set now may apply."""
    with context.store.read() as work:
        return earliest_change(context, work, Topic.SPLIT)


def _announce(context: Context, work: UnitOfWork, before: FundPolicy, after: FundPolicy) -> None:
    announce_change(
        context,
        work,
        Topic.SPLIT,
        starts_on=after.valid_from,
        about={
            "before": _document(before.weights),
            "after": _document(after.weights),
            "feesBefore": _document(before.fee_weights),
            "feesAfter": _document(after.fee_weights),
        },
    )


def list_accounts(context: Context) -> list[tuple[str, str, str]]:
    """Return name, type and meaning of every account of the chart.

    Without cards, those at the provider are left out if nothing was ever booked on them.
    """
    with context.store.read() as work:
        return [
            row
            for row in work.book_settings.accounts()
            if context.takes_cards
            or row[0] not in AT_PROVIDER
            or work.inspection.entries_on(row[0])
        ]


def read_chart(context: Context) -> ChartOfAccounts:
    """Return the chart of accounts."""
    with context.store.read() as work:
        return work.book_settings.chart()


def add_account(context: Context, name: str, *, meaning: str) -> None:
    """Add an account to the chart.

    Raises:
        UnknownAccount: its name is malformed.
        Conflict: the chart has it already.
    """
    kind = account_type(name)
    with context.store.write() as work:
        if name in work.book_settings.chart():
            raise Conflict(f"The chart of accounts has '{name}' already.")
        work.book_settings.put_account(name, kind=kind, meaning=meaning)
        record_act(context, work, "accounts.add", name, facts={"meaning": meaning})


def list_fixed_costs(context: Context) -> list[FixedCostLine]:
    """Return the lines of the monthly fixed-cost budget."""
    with context.store.read() as work:
        return work.book_settings.fixed_costs()


def add_fixed_cost(context: Context, cost: FixedCost) -> FixedCostLine:
    """Add a line to the monthly fixed-cost budget."""
    line = FixedCostLine(context.new_key("cost_"), cost)
    with context.store.write() as work:
        work.book_settings.put_fixed_cost(line)
        record_act(context, work, "fixed_costs.add", line.id, facts=show_fixed_cost(cost))
    return line


def remove_fixed_cost(context: Context, line_id: str) -> str:
    """Remove a fixed cost by a unique prefix of its id or name; return its id.

    Raises:
        NotFound: there is none.
        Conflict: several fixed costs match.
    """
    with context.store.write() as work:
        lines = work.book_settings.fixed_costs()
        removed = choose_one(
            line_id,
            beginning_with(line_id, lines, lambda line: (line.id, line.cost.name)),
            kinds="fixed costs",
            label=lambda line: f"{line.id} ({line.cost.name})",
            missing=f"There is no fixed cost '{line_id}'.",
            names=lambda line: (line.id, line.cost.name),
        )
        work.book_settings.remove_fixed_cost(removed.id)
        before = show_fixed_cost(removed.cost)
        record_act(context, work, "fixed_costs.remove", removed.id, before=before)
    return removed.id


def show_fixed_cost(cost: FixedCost) -> dict[str, Any]:
    """Return a fixed cost as recorded in the audit log."""
    return {
        "name": cost.name,
        "cents": cost.monthly_cents,
        "from": cost.valid_from.isoformat(),
        "to": None if cost.valid_to is None else cost.valid_to.isoformat(),
    }


def _shown(policy: FundPolicy) -> dict[str, Any]:
    return {
        "from": policy.valid_from.isoformat(),
        "weights": _document(policy.weights),
        "feeWeights": _document(policy.fee_weights),
    }


def _document(weights: Weights) -> dict[str, int]:
    return {fund.value: weights[fund] for fund in SPLIT_FUNDS}


def _set_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day: date = parse_day(payload["from"])
    weights, fees = (
        {fund: payload[key][fund.value] for fund in SPLIT_FUNDS}
        for key in ("weights", "feeWeights")
    )
    return set_policy(context, FundPolicy(day, weights, fees), why=payload["why"])


HANDLERS: Mapping[str, Handler] = {POLICY_ACTION: _set_approved}
