"""The password hasher of a server, whose processes share the machine's cores."""

from __future__ import annotations

import os

from jara.security.passwords import ArgonHasher
from jara.security.throttling import ThrottledHasher

HASHES_WAITING = 6
"""Sign-ins of one process that may wait for a core; fewer than its threads."""


def throttled_hasher(processes: int) -> ThrottledHasher:
    """Return the hasher of one process, given the number of server processes."""
    at_once = max(1, (os.cpu_count() or 1) // processes)
    return ThrottledHasher(ArgonHasher(), at_once=at_once, waiting=HASHES_WAITING)
