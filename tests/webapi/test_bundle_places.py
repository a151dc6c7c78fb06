"""Downloads of the whole log and ledger: a few at a time, whoever asks."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from falcon import testing

from jara.domain.errors import Unavailable
from jara.store.unit_of_work import UnitOfWork
from jara_webapi.app import create_app
from jara_webapi.calls.operations import DOWNLOADS_AT_ONCE
from jara_webapi.resources import publiclog
from tests.webapi.desk import open_desk

BUNDLE = "/api/proofs/bundle.tar"


def begin(app: Any, path: str, token: str | None, method: str = "GET") -> tuple[int, Any]:
    """Begin a download without reading it, as a slow client does."""
    statuses: list[str] = []
    headers = {} if token is None else {"token": token}
    environ = testing.create_environ(path, method=method, headers=headers)
    body = app(environ, lambda status, _headers, _exc=None: statuses.append(status))
    return int(statuses[0][:3]), body


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize(
    ("path", "is_for_members"),
    [(BUNDLE, False), ("/api/proofs/entries", False), ("/api/ledger/export.csv", True)],
)
def test_few_large_files_are_sent_at_once(
    place: Path, monkeypatch: pytest.MonkeyPatch, path: str, *, reads: bool, is_for_members: bool
) -> None:
    """Beyond them a visitor is asked to come again; each place comes back, read or not."""
    monkeypatch.setattr(publiclog, "_LEAVES_AT_ONCE", 1)
    desk = open_desk(place)
    token = desk.join() if is_for_members else None
    app = create_app(desk.application)
    for _ in range(3):
        begun = [begin(app, path, token) for _ in range(DOWNLOADS_AT_ONCE)]
        refused = desk.get(path.removeprefix("/api"), token=token)
        others = (desk.get("/config").status_code, begin(app, BUNDLE, None, "HEAD")[0])

        assert [status for status, _ in begun] == [200] * DOWNLOADS_AT_ONCE
        assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
        assert others == (200, 200)
        for _, body in begun:
            if reads:
                assert b"".join(body)
            body.close()  # as the server does when a client has left

    assert desk.get(path.removeprefix("/api"), token=token).status_code == 200


def test_a_short_list_of_leaves_needs_no_place(place: Path) -> None:
    """Whoever reads on from a known size is not refused because others read the whole log."""
    desk = open_desk(place)
    app = create_app(desk.application)
    begun = [begin(app, "/api/proofs/entries", None) for _ in range(DOWNLOADS_AT_ONCE + 1)]

    assert [status for status, _ in begun] == [200] * (DOWNLOADS_AT_ONCE + 1)
    for _, body in begun:
        body.close()


class CutStore:
    """A store whose disk fails in the middle of the log."""

    def __init__(self, inner: Any) -> None:
        """Fail while the leaves are read."""
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        """Forward everything else."""
        return getattr(self._inner, name)

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Open a transaction that reads a few leaves."""
        with self._inner.read() as work, pytest.MonkeyPatch.context() as patch:
            leaves = work.log.leaves

            def cut(first: int, stop: int) -> Iterator[Any]:
                yield from islice(leaves(first, stop), 2)
                raise Unavailable("The disk of db.example fails.")

            patch.setattr(work.log, "leaves", cut)
            yield work


@pytest.mark.parametrize("path", ["/proofs/bundle.tar", "/proofs/entries"])
def test_a_failure_while_making_a_bundle_is_an_error(place: Path, path: str) -> None:
    """No part of a file is sent, which a client could take for the whole."""
    desk = open_desk(place)
    token = desk.join()
    whole = desk.get(path, token=token)
    store: Any = CutStore(desk.application.context.store)
    context = replace(desk.application.context, store=store)
    desk.client.app = create_app(replace(desk.application, context=context))

    answer = desk.get(path, token=token)

    assert whole.status_code == 200
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert "content-disposition" not in answer.headers


@pytest.mark.parametrize(
    ("path", "bytes_left"), [("/proofs/bundle.tar", 4096), ("/ledger/export.csv", 0)]
)
def test_a_full_temporary_folder_is_an_error(place: Path, path: str, bytes_left: int) -> None:
    """Nothing is sent; the place is free again for others."""
    desk = open_desk(place)
    token = desk.join()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, limit[1]))
    try:
        answers = [desk.get(path, token=token) for _ in range(2 * DOWNLOADS_AT_ONCE)]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)

    assert {(one.status_code, one.json["code"]) for one in answers} == {(503, "unavailable")}
    assert desk.get(path, token=token).status_code == 200
