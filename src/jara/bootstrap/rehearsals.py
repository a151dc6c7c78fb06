"""Rehearsals with the payment provider, for the command line."""

from __future__ import annotations

import time
from collections.abc import Callable

from jara.bootstrap import Application
from jara.payments.stripe.client import StripeAccess
from jara.payments.stripe.rehearsal import (
    Rehearsal,
    Row,
    RowResult,
    Verdict,
    choose_rows,
    is_rehearsal,
    read_rehearsal,
)
from jara.payments.stripe.rehearsal_rows import ROWS

__all__ = [
    "ROWS",
    "Rehearsal",
    "Row",
    "RowResult",
    "Verdict",
    "choose_rows",
    "is_rehearsal",
    "open_rehearsal",
    "read_rehearsal",
]

_RETRIES = 2


def open_rehearsal(application: Application, key: str, *, ask: Callable[[str], bool]) -> Rehearsal:
    """Return a rehearsal with a key; nothing is sent yet.

    Raises:
        InvalidInput: it is not a key of test mode.
    """
    access = StripeAccess(key, api_base=application.settings.stripe_api, retries=_RETRIES)
    return Rehearsal(access, clock=application.context.clock, pause=time.sleep, ask=ask)
