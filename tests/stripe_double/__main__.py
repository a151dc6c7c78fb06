"""``python -m tests.stripe_double``: serve the double, for ``jara rehearse``."""

from __future__ import annotations

import sys
import time

from jara.bootstrap import SystemClock
from tests.fakes.clock import FakeClock
from tests.stripe_double.double import StripeDouble

if __name__ == "__main__":
    real = SystemClock()
    with StripeDouble(FakeClock(real.now())) as double:
        sys.stdout.write(
            f"JARA_STRIPE_API={double.url}, key {double.secret_key}; Ctrl-C ends it.\n"
        )
        sys.stdout.flush()
        while True:
            time.sleep(1)
            double.advance_to(real.now())
