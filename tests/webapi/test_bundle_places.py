"""Downloads of the whole log: a few at a time, whoever asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from falcon import testing

from jara_webapi.app import create_app
from jara_webapi.resources.publiclog import BUNDLES_AT_ONCE
from tests.webapi.desk import open_desk

BUNDLE = "/api/proofs/bundle.tar"


def begin(app: Any, method: str = "GET") -> tuple[int, Any]:
    """Begin a download without reading it, as a slow client does."""
    statuses: list[str] = []
    environ = testing.create_environ(BUNDLE, method=method)
    body = app(environ, lambda status, _headers, _exc=None: statuses.append(status))
    return int(statuses[0][:3]), body


@pytest.mark.parametrize("reads", [False, True])
def test_few_bundles_are_sent_at_once(place: Path, *, reads: bool) -> None:
    """Beyond them a visitor is asked to come again; each place comes back, read or not."""
    desk = open_desk(place)
    app = create_app(desk.application)
    for _ in range(3):
        begun = [begin(app) for _ in range(BUNDLES_AT_ONCE)]
        refused = desk.get("/proofs/bundle.tar")
        others = (desk.get("/config").status_code, begin(app, "HEAD")[0])

        assert [status for status, _ in begun] == [200] * BUNDLES_AT_ONCE
        assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
        assert others == (200, 200)
        for _, body in begun:
            if reads:
                assert b"".join(body)
            body.close()  # as the server does when a client has left

    assert desk.get("/proofs/bundle.tar").status_code == 200
