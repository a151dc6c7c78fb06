"""Runs `jara` and its server as separate programs that use the tests' Stripe double.

``python -m tests.journeys.stripe_program serve --port 8000`` serves; any other words are
a command line. ``STRIPE_DOUBLE`` holds the double's address; nothing else in the programs is
changed, so they use real HTTP.
"""

from __future__ import annotations

import os
import sys
from functools import partial

from jara.payments.stripe import wiring
from jara.payments.stripe.client import StripeAccess

DOUBLE_VARIABLE = "STRIPE_DOUBLE"


def main() -> None:
    """Run the server or a command against the double."""
    reach = partial(StripeAccess, api_base=os.environ[DOUBLE_VARIABLE])
    vars(wiring)["StripeAccess"] = reach  # in this process only
    if sys.argv[1:2] == ["serve"]:
        del sys.argv[1]
        from jara_webapi.__main__ import main as serve  # noqa: PLC0415 - after the settings are in place

        serve()
    else:
        from jara_cli.main import run  # noqa: PLC0415 - after the settings are in place

        run()


if __name__ == "__main__":
    main()
