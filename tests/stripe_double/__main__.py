"""``python -m tests.stripe_double``: serve the double, for ``jara rehearse``.

With a file of ``jara rehearse stripe``, compare what Stripe answered with the double's answers.
"""

import sys
import time
from pathlib import Path

from jara.bootstrap import SystemClock
from tests.fakes.clock import FakeClock
from tests.stripe_double.double import StripeDouble
from tests.stripe_double.replay import compare


def main() -> int:
    """Return 1 if a recording differs."""
    real = SystemClock()
    if sys.argv[1:]:
        differences, compared = compare(Path(sys.argv[1]).read_text("utf-8").splitlines())
        for one in differences:
            sys.stdout.write(f"{one.call}, {one.field}: {one.recorded}, double: {one.double}\n")
        sys.stdout.write(f"{compared:,} requests, {len(differences):,} differences.\n")
        return 1 if differences else 0
    with StripeDouble(FakeClock(real.now())) as double:
        sys.stdout.write(
            f"JARA_STRIPE_API={double.url}, key {double.secret_key}; Ctrl-C ends it.\n"
        )
        sys.stdout.flush()
        while True:
            time.sleep(1)
            double.advance_to(real.now())


if __name__ == "__main__":
    sys.exit(main())
