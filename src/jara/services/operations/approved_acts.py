"""Every act that may wait for a second operator, with its handler."""

from __future__ import annotations

from collections.abc import Mapping

from jara.services.approvals import Handler
from jara.services.books import bookkeeping, policies
from jara.services.operations import control_policy, import_undo, operators, years
from jara.services.payments import refunding
from jara.services.projects import disbursing

HANDLERS: Mapping[str, Handler] = {
    **bookkeeping.HANDLERS,
    **import_undo.HANDLERS,
    **disbursing.HANDLERS,
    **policies.HANDLERS,
    **control_policy.HANDLERS,
    **operators.HANDLERS,
    **years.HANDLERS,
    refunding.ACTION: refunding.refund_approved,
}
