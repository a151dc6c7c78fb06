"""The limits from which an act needs approval, and by how many people; stored in the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jara.domain.control.state import APPROVALS, POLICY_ACTION, Limits
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.errors import InvalidInput
from jara.domain.publiclog.leaves import LeafType
from jara.records.operations import Approval
from jara.services.approvals import Handler, Shared, share
from jara.services.audit import record_act
from jara.services.authority import limits_in_force, read_control
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.signatures import append_leaf
from jara.store.unit_of_work import UnitOfWork

APPROVALS_MAX = 10


def show_limits(context: Context) -> Limits:
    """Return the limits in force."""
    with context.store.read() as work:
        return limits_in_force(context, read_control(context, work))


def set_limits(context: Context, limits: Limits, *, why: str) -> Limits | Approval:
    """Set the limits; if limits or keys exist, other operators must approve the change.

    Returns:
        The limits, or the approval that they wait for.

    Raises:
        InvalidInput: no reason is given, or a value is out of range.
        Refused: the acting operator may not.
    """
    if not why.strip():
        raise InvalidInput("A change of the limits needs a reason; say --why.")
    if not APPROVALS <= limits.approvals <= APPROVALS_MAX:
        raise InvalidInput(
            f"{limits.approvals} is not a number of approvals from {APPROVALS} to "
            f"{APPROVALS_MAX}; the one who asks counts."
        )
    with context.store.write() as work:
        control = read_control(context, work)
        before = limits_in_force(context, control)
        by_names = before.approvals if before.is_set else 1
        document = limits.document()
        waiting = share(
            context,
            work,
            Shared(
                action=POLICY_ACTION,
                payload={**document, "why": why},
                why=why,
                public=document,
                leaf_type=LeafType.CONTROL_POLICY,
                needed=control.signatures_for_change if control.needs_keys else by_names,
            ),
        )
        if waiting is not None:
            return waiting
        record_act(
            context,
            work,
            POLICY_ACTION,
            "limits",
            why=why,
            before=before.document(),
            facts=document,
        )
    return limits


def store_first_limits(context: Context, work: UnitOfWork) -> None:
    """Before the first key, append the limits of the settings to the log, unless it has some."""
    control = read_control(context, work)
    if control.limits is not None:
        return
    document = limits_in_force(context, control._replace(limits=Limits())).document()
    digest = digest_of("first", POLICY_ACTION, document, organisation_key(context, work))
    act = SharedAct(POLICY_ACTION, digest, document)
    append_leaf(context, work, act, [], LeafType.CONTROL_POLICY)


def _set_approved(context: Context, payload: Mapping[str, Any]) -> object:
    limits = Limits(
        payload.get("limit_cents"), payload.get("day_limit_cents"), payload["approvals"]
    )
    return set_limits(context, limits, why=payload["why"])


HANDLERS: Mapping[str, Handler] = {POLICY_ACTION: _set_approved}
"""Carries out approved actions."""
