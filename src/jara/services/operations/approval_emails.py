"""Emails about waiting acts: to those who may approve, and to whoever asked.

They hold no code, and their link only opens the desk. They hold the six words of the act, which
stand on the desk and in `jara approvals show` too: whoever compares them trusts no single screen.
"""

from __future__ import annotations

from jara.domain.control.roles import APPROVING
from jara.domain.control.words import words_of
from jara.records.operations import Approval
from jara.services.approvals import digest_of_act
from jara.services.authority import active_operators, read_control
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.services.operations.effect_sentences import effect_of
from jara.store.unit_of_work import UnitOfWork

WAITS, DECIDED = "approval_waits", "approval_decided"


def words_of_act(context: Context, work: UnitOfWork, approval: Approval) -> str:
    """Return the six words of an act: of the digest that its signatures cover."""
    return words_of(bytes.fromhex(digest_of_act(context, work, approval)))


def follow_approval(context: Context, work: UnitOfWork, approval: Approval) -> None:
    """Queue the emails about an act that waits now, or was decided now."""
    is_decided = approval.decided_at is not None
    values = {
        "firstname": "",
        "asker": approval.prepared_by,
        "effect": effect_of(approval)._asdict(),
        "why": approval.why,
        "words": words_of_act(context, work, approval),
        "desk": f"{context.rules.site_url}/desk",
        "id": approval.id,
    }
    if is_decided:
        values |= {"state": approval.state, "decider": approval.decided_by or ""}
    kind = DECIDED if is_decided else WAITS
    for name, address in _readers(context, work, approval).items():
        once_key = f"{kind}:{approval.id}:{approval.state}:{name}"
        queue_email(context, work, kind, address=address, values=values, once_key=once_key)


def _readers(context: Context, work: UnitOfWork, approval: Approval) -> dict[str, str]:
    """Return the addresses of the operators whom an act concerns, by name."""
    listed = {name: one.email for name, one in active_operators(work).items() if one.email}
    asker = approval.prepared_by
    if approval.decided_at is not None:
        return {asker: listed[asker]} if asker in listed and asker != approval.decided_by else {}
    control, names = read_control(context, work), work.operations.key_names()
    may = {names.get(key) for key, one in control.keys.items() if one.roles & APPROVING}
    return {
        name: address
        for name, address in listed.items()
        if name != asker and (name in may or not control.needs_keys)
    }
