"""Emails about waiting acts: to those who may approve, and to whoever asked.

They hold no code, and their link only opens the desk. They hold the six words of the act, which
stand on the desk and in `jara approvals show` too: whoever compares them trusts no single screen.
"""

from __future__ import annotations

from jara.domain.control.roles import APPROVING
from jara.domain.control.statement import digest_of
from jara.domain.control.words import words_of
from jara.records.operations import Approval
from jara.services.authority import active_operators, read_control
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.notices.emails import queue_email
from jara.services.operations.effect_sentences import effect_of
from jara.store.unit_of_work import UnitOfWork

WAITS, DECIDED = "approval_waits", "approval_decided"


def words_of_act(context: Context, work: UnitOfWork, approval: Approval) -> str:
    """Return the six words of an act: of the digest that its signatures cover."""
    organisation = organisation_key(context, work)
    digest = digest_of(approval.id, approval.action, approval.payload, organisation)
    return words_of(bytes.fromhex(digest))


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
    for name in _readers(context, work, approval):
        address = active_operators(work)[name].email
        kind = DECIDED if is_decided else WAITS
        once_key = f"{kind}:{approval.id}:{approval.state}:{name}"
        queue_email(context, work, kind, address=address, values=values, once_key=once_key)


def _readers(context: Context, work: UnitOfWork, approval: Approval) -> list[str]:
    """Return the operators with an address whom an act concerns."""
    listed = [name for name, one in active_operators(work).items() if one.email]
    if approval.decided_at is not None:
        asker = approval.prepared_by
        return [asker] if asker in listed and asker != approval.decided_by else []
    control, names = read_control(context, work), work.operations.key_names()
    may = {names.get(key) for key, one in control.keys.items() if one.roles & APPROVING}
    return [
        name
        for name in listed
        if name != approval.prepared_by and (name in may or not control.needs_keys)
    ]
