"""`jara` and its server as programs of their own, whose Stripe is the double of the tests.

``python -m tests.journeys.stripe_program serve --port 8000`` serves; any other words are
those of the command line. Where the double listens stands in ``STRIPE_DOUBLE``; nothing
else of the programs is changed, so that Stripe is spoken to over real HTTP.
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
    vars(wiring)["StripeAccess"] = reach  # for this process
    if sys.argv[1:2] == ["serve"]:
        del sys.argv[1]
        from jara_webapi.__main__ import main as serve  # noqa: PLC0415 - after the settings are in place

        serve()
    else:
        from jara_cli.main import run  # noqa: PLC0415 - after the settings are in place

        run()


if __name__ == "__main__":
    main()
