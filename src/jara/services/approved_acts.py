"""Every act that may wait for a second operator, with what carries it out."""

from __future__ import annotations

from collections.abc import Mapping

from jara.services import bookkeeping, disbursing, policies, refunding, years
from jara.services.approvals import Handler

HANDLERS: Mapping[str, Handler] = {
    **bookkeeping.HANDLERS,
    **disbursing.HANDLERS,
    **policies.HANDLERS,
    **years.HANDLERS,
    refunding.ACTION: refunding.refund_approved,
}
