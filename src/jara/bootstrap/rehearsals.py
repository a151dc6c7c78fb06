"""Rehearsals with the payment provider, for the command line."""

import time
from collections.abc import Callable

from jara.bootstrap import Application
from jara.payments.stripe import rehearsal
from jara.payments.stripe.client import StripeAccess
from jara.payments.stripe.rehearsal_rows import ROWS

__all__ = ["ROWS", "open_rehearsal", "rehearsal"]

_RETRIES = 2


def open_rehearsal(
    application: Application, key: str, *, ask: Callable[[str], bool]
) -> rehearsal.Rehearsal:
    """Return a rehearsal with a key; nothing is sent yet.

    Raises:
        InvalidInput: it is not a key of test mode.
    """
    access = StripeAccess(key, api_base=application.settings.stripe_api, retries=_RETRIES)
    clock = application.context.clock
    return rehearsal.Rehearsal(access, clock=clock, pause=time.sleep, ask=ask)
