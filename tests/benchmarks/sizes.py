"""The sizes of the benchmarks: those of the goals, unless the environment sets smaller ones.

``nox -s bench -- --small`` sets all of them for a first try.
"""

import os


def _size(name: str, full: int) -> int:
    return int(os.environ.get(f"JARA_BENCH_{name}", str(full)))


POSTINGS = _size("POSTINGS", 1_000_000)
"""Of the large books."""

BALLOTS = _size("BALLOTS", 100_000)
VOTERS = _size("VOTERS", 4_000)
"""More than can vote in one round: each has one vote."""

CROWD = _size("CROWD", 4_000)
"""Members who come in the last minute of a vote."""

CROWD_SECONDS = _size("CROWD_SECONDS", 60)
"""From the first arrival to the end of the vote."""

GROWN_POSTINGS = _size("GROWTH", 1_000_000)
"""Of the largest organisation that is compared with smaller ones."""

SMALL = {
    "JARA_BENCH_POSTINGS": "20000",
    "JARA_BENCH_BALLOTS": "20000",
    "JARA_BENCH_VOTERS": "4000",
    "JARA_BENCH_CROWD": "300",
    "JARA_BENCH_CROWD_SECONDS": "15",
    "JARA_BENCH_GROWTH": "10000",
    "JARA_BENCH_PAGES": "2",
}
"""For a first try: the ratios mean little."""
