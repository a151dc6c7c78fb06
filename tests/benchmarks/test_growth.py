"""What a person waits for does not grow with history (goal G1).

The demonstration with few and with many members, each answer made anew inside one
process. ``JARA_BENCH_MEMBERS`` sets the larger number: 2,000 by default, of about 300,000
postings; 70 members have about 10,000.
"""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from falcon.testing import TestClient

from jara.bootstrap import build_from_environ
from jara_webapi import public_cache
from jara_webapi.app import create_app
from tests.benchmarks.figures import saw, saw_table
from tests.benchmarks.processes import JARA, seconds_of

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
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every answer that a person waits for, over many members and over few."""
    monkeypatch.setattr(public_cache, "LIFE", timedelta(0))
    few = Site(tmp_path_factory.mktemp("few"), FEW)
    many = Site(tmp_path_factory.mktemp("many"), MEMBERS)
    seen = {}
    for pages, signed_in in ((FOR_ALL, False), (FOR_MEMBERS, True)):
        for name, path in pages.items():
            headers = [{"token": site.token} if signed_in else {} for site in (few, many)]
            seen[name] = (few.milliseconds(path, headers[0]), many.milliseconds(path, headers[1]))

    saw_table(
        "Answers as history grows",
        "The least milliseconds of an answer that is made anew, inside one process.",
        ("Answer", f"{few.entries:,} entries", f"{many.entries:,} entries", "Times"),
        [
            (name, f"{small:.1f} ms", f"{large:.1f} ms", f"{large / small:.2f}")
            for name, (small, large) in seen.items()
        ],
    )
    most = max(seen, key=lambda name: seen[name][1] / seen[name][0])
    small, large = seen[most]
    saw("G1.growth", [large / small], f"{most}: {large:.1f} ms for {small:.1f} ms")
