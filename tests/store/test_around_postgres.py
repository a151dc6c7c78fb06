"""Programs around PostgreSQL: a pooler, a standby that is read, and one that takes over."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from jara.services.operations.diagnosis import diagnose
from jara.services.operations.diagnosis_setup import Environment
from jara.store.postgres.database import PostgresDatabase
from jara_cli.main import execute
from tests.pgbouncer import PGBOUNCER, pooling
from tests.places import keep_on_server
from tests.postgres_server import PostgresServer, database_name
from tests.services.ballots.voting_world import open_sealed
from tests.sizes import PATIENCE_SECONDS, only_full, size, wait_until
from tests.store.meta_rows import ADD_META, count_meta, put_meta
from tests.webapi.desk import open_desk, registration

JOINS = size(12, 24)
_USER = "postgres" if os.geteuid() == 0 else None

pytestmark = pytest.mark.slow


@pytest.fixture
def pooler(postgres: PostgresServer) -> Iterator[Path]:
    """PgBouncer in transaction mode: the folder of its socket."""
    with pooling(postgres) as folder:
        yield folder


@pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")
def test_a_crowd_passes_a_pooler_in_transaction_mode(
    postgres: PostgresServer, pooler: Path, tmp_path: Path
) -> None:
    """Each transaction may get another connection: joins, gifts and votes are all answered."""
    name = database_name(postgres.create_database())
    keep_on_server(tmp_path, f"postgresql://owner@/{name}?host={pooler}&port=6432")
    desk = open_desk(tmp_path)

    def insist(*words: Any, **more: Any) -> Any:
        # Few people join or give at once, and others are asked to wait.
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := desk.post(*words, **more)).status_code == 503:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        return answer

    def join(number: int) -> str:
        form = registration(email=f"member{number}@example.org")
        headers = {"Idempotency-Key": f"joining-{number:04}"}
        return str(insist("/register", form, headers=headers).json["token"])

    with ThreadPoolExecutor(6) as threads:
        tokens = list(threads.map(join, range(JOINS)))
    vote = desk.open_vote()

    def act(number: int) -> tuple[int, int]:
        gift = {
            "amountCents": 2500 + number,
            "email": f"giver{number}@example.org",
            "paymentMethodId": "pm_card_visa",
        }
        ballot = {"id": vote, "voteType": "upvote", "nonce": f"{number:032x}"}
        given = insist("/gifts", gift, headers={"Idempotency-Key": f"gift-{number:04}"})
        return given.status_code, desk.post("/user/votes", ballot, token=tokens[number]).status_code

    with ThreadPoolExecutor(6) as threads:
        acts = set(threads.map(act, range(JOINS)))
    with desk.application.context.store.read() as work:
        booked = sorted(payment.cents for payment in work.payments.all())
    ballots = len(open_sealed(desk.application.context, vote))
    profiles = [desk.get("/user/get-profile", token=token).status_code for token in tokens]
    statuses = {desk.get("/stats").status_code for _ in range(30)}
    found = diagnose(desk.application.context, Environment())
    desk.application.context.store.close()
    postgres.drop_database(postgres.url(name))

    assert (profiles, statuses, acts) == ([200] * JOINS, {200}, {(201, 200)})
    assert booked == [1000] * JOINS + [2500 + number for number in range(JOINS)]
    assert ballots == JOINS
    assert {one.name for one in found} >= {"database", "books"}
    assert not [one for one in found if one.name in {"database", "books"} and not one.ok]


class Standby(PostgresServer):
    """A standby of a server: a copy that follows it."""

    def __init__(self, primary: PostgresServer) -> None:
        """Copy the primary's cluster, and follow it."""
        self._primary = primary
        super().__init__(durable=True, settings=primary.settings)

    def __post_init__(self) -> None:
        """Make the copy instead of a new cluster."""
        self.folder = Path(tempfile.mkdtemp(prefix="jara-standby-"))
        if _USER is not None:
            shutil.chown(self.folder, _USER, _USER)
        self._run(
            "pg_basebackup",
            *("--host", str(self._primary.folder), "--username", "owner"),
            *("--write-recovery-conf", "--checkpoint=fast"),
            *("--pgdata", str(self.folder / "data")),
        )
        self.start()

    def promote(self) -> None:
        """Let it take over."""
        self._run("pg_ctl", "promote", "-D", str(self.folder / "data"))


@pytest.fixture
def pair() -> Iterator[tuple[PostgresServer, Standby]]:
    """A primary with its own standby."""
    primary = PostgresServer(durable=True, settings=("wal_level=replica", "max_wal_senders=4"))
    standby = Standby(primary)
    yield primary, standby
    standby.stop()
    primary.stop()


@only_full
def test_a_backup_of_a_standby_ends_well(
    pair: tuple[PostgresServer, Standby],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The documented commands on a replica: exit 0, with the file written and compared."""
    primary, standby = pair
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JARA_OPERATOR", "tester")
    url = primary.create_database()
    replica = standby.url(database_name(url))
    assert execute(["--db", url, "init"]) == 0
    wait_until(lambda: _size(replica) == _size(url))
    statuses = {
        " ".join(words): execute(["--db", replica, *words])
        for words in (
            ["ledger", "verify"],
            ["report", "impact", "--month", "2026-10", "--format", "json"],
            ["backup", "copy.db"],
        )
    }

    assert set(statuses.values()) == {0}, (statuses, capsys.readouterr().err)
    assert Path("copy.db").is_file()


@only_full
def test_an_address_of_two_hosts_finds_the_one_that_took_over(
    pair: tuple[PostgresServer, Standby],
) -> None:
    """The primary is killed, the standby promoted: the same address goes on, with every row."""
    primary, standby = pair
    url = primary.create_with_tables()
    hosts = f"{primary.folder},{standby.folder}"
    both = f"postgresql://owner@/{database_name(url)}?host={hosts}&target_session_attrs=read-write"
    database = PostgresDatabase(both)
    put_meta(database, "before", "x")
    wait_until(lambda: _size(standby.url(database_name(url))) == _size(url))
    primary.kill()
    standby.promote()
    wait_until(lambda: _writes(database))

    assert count_meta(database) == 2
    database.close()


def _writes(database: PostgresDatabase) -> bool:
    try:
        with database.transaction(write=True) as sql:
            sql.append(ADD_META, ("after", "1"))
    except Exception:  # noqa: BLE001 - until the standby took over
        return False
    return True


def _size(url: str) -> Any:
    try:
        with psycopg.connect(url) as connection:
            return connection.execute("SELECT count(*) FROM meta").fetchone()
    except psycopg.Error:
        return url
