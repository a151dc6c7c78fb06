"""What a person waits for does not grow with history (goal G1).

The demonstration with few and with many members, each answer made anew inside one
process. ``JARA_BENCH_MEMBERS`` sets the larger number: 2,000 by default, of about 300,000
postings; 70 members have about 10,000.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import TestClient

from jara.bootstrap import build_from_environ
from jara_webapi.app import create_app
from jara_webapi.public_cache import PublicCache
from tests.benchmarks.test_books_speed import JARA, seconds_of

MEMBERS = int(os.environ.get("JARA_BENCH_MEMBERS", "2000"))
FEW = 70
ROUNDS = 9
EMAIL, PASSWORD = "ama.mensah@example.org", "kente-harbour-sunrise"
FOR_ALL = {
    "the home page's figures": "/api/stats",
    "the overview": "/api/user/get-cash-overviews",
    "proposals with their tallies": "/api/user/get-proposals",
    "a project": "/api/projects/clean-water-boreholes",
}
FOR_MEMBERS = {
    "the profile": "/api/user/get-profile",
    "a page of the ledger": "/api/ledger/transactions",
    "the budget": "/api/ledger/budget",
    "a row of the budget": "/api/ledger/budget/available",
    "where my dollars went": "/api/user/impact",
    "my contributions": "/api/user/contributions",
    "all that is held about me": "/api/user/export",
}


class Site:
    """The API over the demonstration of some size."""

    def __init__(self, folder: Path, members: int) -> None:
        """Make the demonstration and sign in."""
        command = [JARA, "demo", "--no-serve", "--members", str(members), "--seed", "7"]
        seconds_of(command, folder)
        url = f"sqlite:///{folder / 'jara-demo' / 'jara.db'}"
        application = build_from_environ({"JARA_DATABASE_URL": url})
        self.client = TestClient(create_app(application))
        with application.context.store.read() as work:
            self.entries = work.journal.count()
        signed_in = self.client.simulate_post(
            "/api/user/login", json={"email": EMAIL, "password": PASSWORD}
        )
        self.token: str = signed_in.json["token"]

    def milliseconds(self, path: str, headers: dict[str, str]) -> float:
        """Return the least time of an answer."""
        taken = []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            answer = self.client.simulate_get(path, headers=headers)
            taken.append((time.perf_counter() - begin) * 1000)
            assert answer.status_code == 200
        return min(taken)


def test_answers_do_not_grow(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, benchmark: Any
) -> None:
    """Every answer that a person waits for, over many members and over few."""
    monkeypatch.setattr(PublicCache, "_is_fresh", lambda *_: False)
    few = Site(tmp_path_factory.mktemp("few"), FEW)
    many = Site(tmp_path_factory.mktemp("many"), MEMBERS)

    def measure() -> None:
        sys.stdout.write(f"\nentries: {few.entries:,} and {many.entries:,} (goal <= 2)\n")
        for pages, signed_in in ((FOR_ALL, False), (FOR_MEMBERS, True)):
            for name, path in pages.items():
                small, large = (
                    site.milliseconds(path, {"token": site.token} if signed_in else {})
                    for site in (few, many)
                )
                benchmark.extra_info[name] = round(large / small, 2)
                sys.stdout.write(f"{name}: {small:.1f} ms, {large:.1f} ms: {large / small:.2f}\n")

    benchmark.pedantic(measure, rounds=1)
