"""The disk of PostgreSQL is full: nothing is half written, and with room everything goes on."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.records.journal import EntryQuery
from jara.services.books.verification import verify_books
from jara.services.payments.reconciling import reconcile
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.closing_steps import LEASE
from jara.store.postgres.database import PostgresDatabase
from jara.store.schema import STEPS, Step
from tests.benchmarks.full_box import fill_box
from tests.fakes.clock import FakeClock
from tests.faults.fault_world import found
from tests.places import keep_on_server, leave, open_place
from tests.postgres_server import PostgresServer
from tests.sizes import only_full
from tests.webapi.desk import open_desk

GIFTS_MAX = 400
BALLOTS = 500

pytestmark = [
    only_full,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a file system"),
]


@dataclass
class SmallDisk:
    """A file system of its own for databases."""

    server: PostgresServer
    path: Path

    @property
    def filler(self) -> Path:
        """What takes the room."""
        return self.path / "filler"

    def fill(self) -> None:
        """Take all room that is left."""
        free = os.statvfs(self.path)
        self.filler.write_bytes(bytes(free.f_bavail * free.f_frsize))

    def make_room(self) -> None:
        """Give the room back."""
        self.filler.unlink()


@pytest.fixture(scope="module")
def small_disk(postgres: PostgresServer) -> Iterator[SmallDisk]:
    """Mount a file system, on which new databases of the server are made."""
    path = Path(tempfile.mkdtemp(prefix="jara-tablespace-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", str(path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        path.rmdir()
        pytest.skip("this machine mounts no file system")
    folder = path / "databases"
    folder.mkdir()
    for each in (path, folder):
        shutil.chown(each, "postgres", "postgres")
    postgres.execute("postgres", f"CREATE TABLESPACE small LOCATION '{folder}'")
    yield SmallDisk(postgres, path)
    postgres.execute("postgres", "DROP TABLESPACE small")
    subprocess.run(["umount", str(path)], check=True)
    path.rmdir()


@pytest.fixture
def url(small_disk: SmallDisk) -> Iterator[str]:
    """An empty database on the small disk."""
    server = small_disk.server
    server.execute("postgres", "CREATE DATABASE on_small_disk TABLESPACE small")
    yield server.url("on_small_disk")
    server.drop_database(server.url("on_small_disk"))


def test_a_migration_without_room_changes_nothing(
    small_disk: SmallDisk, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All steps are taken, or none; the sentence says why."""
    database = PostgresDatabase(url, durable=False)
    database.create()
    database.close()
    grow = "CREATE TABLE later AS SELECT repeat('x', 1000) FROM generate_series(1, 20000)"
    monkeypatch.setitem(STEPS, "m0036_later", Step((grow,)))
    small_disk.fill()

    for _ in range(2):
        with pytest.raises(Unavailable, match="disk of the database is full; nothing was changed"):
            database.migrate()
    small_disk.make_room()

    assert database.migrate() == ["m0036_later"]
    assert database.migrate() == []
    database.close()


def test_a_gift_without_room_is_taken_once(small_disk: SmallDisk, url: str, tmp_path: Path) -> None:
    """It is answered 503, and the same request is answered 201 when there is room."""
    keep_on_server(tmp_path, url)
    PostgresDatabase(url, durable=False).create()
    desk = open_desk(tmp_path)
    gift = {"amountCents": 500, "email": "g@example.org", "paymentMethodId": "pm_card_visa"}
    small_disk.fill()
    statuses = []
    for number in range(GIFTS_MAX):
        headers = {"Idempotency-Key": f"a-gift-{number:04}"}
        answer = desk.post("/gifts", gift, headers=headers)
        statuses.append(answer.status_code)
        if answer.status_code != 201:
            break
    still = desk.post("/gifts", gift, headers=headers)
    small_disk.make_room()
    again = desk.post("/gifts", gift, headers=headers)

    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert still.status_code == 503
    assert again.status_code == 201
    context = desk.application.context
    assert reconcile(context).ok
    assert verify_books(context).findings == ()
    with context.store.read() as work:
        gifts = list(work.journal.entries(EntryQuery(kinds=("gift",))))
    assert len(gifts) == len(statuses)
    context.store.close()
    leave(tmp_path)


def test_a_close_without_room_goes_on_later(
    small_disk: SmallDisk, url: str, tmp_path: Path
) -> None:
    """The vote stays open for everybody, and the next run after there is room closes it."""
    keep_on_server(tmp_path, url)
    PostgresDatabase(url, durable=False).create()
    application = found(tmp_path)
    context = application.context
    at = context.now() + timedelta(hours=1)
    proposal = fill_box(application, at.strftime("%Y-%m-%dT%H:%M:%SZ"), BALLOTS)
    context.store.close()
    small_disk.fill()
    later = open_place(tmp_path, {}, any_mode=True, clock=FakeClock(at)).context
    with pytest.raises(Unavailable, match="disk of the database is full"):
        close_due_votes(later)
    with later.store.read() as work:
        before = len(list(work.ballots.ballots(proposal)))
    small_disk.make_room()
    later.store.close()
    again = open_place(tmp_path, {}, any_mode=True, clock=FakeClock(at + LEASE)).context
    (closed,) = close_due_votes(again)

    assert before == 0
    assert closed.tally.yes + closed.tally.no + closed.tally.void == BALLOTS
    again.store.close()
    leave(tmp_path)
