"""Response times do not grow with history (goal G1).

One member with the same few payments, in organisations with ten times more postings each, up to
``JARA_BENCH_GROWTH``: a million by default.
"""

from collections.abc import Sequence

import pytest

from jara_webapi.middleware import response_cache
from tests.benchmarks.answers import Site, measure
from tests.benchmarks.figures import saw, saw_table
from tests.benchmarks.grown_organisation import grow
from tests.benchmarks.sizes import GROWN_POSTINGS

BASE = 10_000


def test_answers_do_not_grow(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time every response over more and more history."""
    monkeypatch.setattr(response_cache, "ENTRIES_MAX", 0)
    sizes = [10**power for power in range(3, 9) if 10**power <= GROWN_POSTINGS]
    sites = [Site(grow(tmp_path_factory.mktemp("grown"), size)) for size in sizes]

    tell(sites, measure(sites))


def tell(sites: Sequence[Site], seen: dict[str, list[float]]) -> None:
    """Report every response time at each size, and the one that grew most."""
    base = min(range(len(sites)), key=lambda place: abs(sites[place].postings - BASE))
    ratios = {name: row[-1] / row[base] for name, row in seen.items()}
    saw_table(
        "Response times as history grows",
        "The shortest time of a response that is not cached, inside one process, for one member "
        "with the same few payments. The last column compares the largest books with those of "
        f"{sites[base].postings:,} postings.",
        ("Response", *(f"{site.postings:,} postings" for site in sites), "Times"),
        [
            (name, *(f"{ms:.2f} ms" for ms in row), f"{ratios[name]:.2f}")
            for name, row in seen.items()
        ],
    )
    most = max(ratios, key=lambda name: ratios[name])
    detail = (
        f"{most}: {seen[most][-1]:.2f} ms at {sites[-1].postings:,} postings for "
        f"{seen[most][base]:.2f} ms at {sites[base].postings:,}"
    )
    saw("G1.growth", [ratios[most]], detail)
