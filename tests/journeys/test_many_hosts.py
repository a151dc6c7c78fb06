"""Two servers, as on two machines, with one PostgreSQL database and a limited role."""

import json
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
import pytest

from jara.services.books.verification import verify_books
from jara.store.schema import append_only_tables
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, reopen
from tests.journeys.live_server import LiveServer
from tests.journeys.test_join_and_vote import walk_the_whole_path
from tests.places import keep_on_server
from tests.postgres_server import PostgresServer, find_program
from tests.sizes import PATIENCE_SECONDS

ROLES = Path(__file__).parents[2] / "docs" / "deploy" / "postgresql-roles.sql"
VOTERS = 30


@dataclass(frozen=True)
class TwoHosts:
    """One organisation and the two servers that serve it."""

    folder: Path
    owner: str
    url: str
    first: LiveServer
    second: LiveServer
    voters: list[Voter]
    proposal: str

    def counts(self, host: LiveServer) -> tuple[int, int]:
        """Return a host's public counts of the vote."""
        [shown] = [
            proposal
            for proposal in host.call("GET", "/user/get-proposals").json
            if proposal["id"] == self.proposal
        ]
        return shown["tally"]["yes"], shown["tally"]["no"]


@pytest.fixture(scope="module")
def hosts(
    postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory, programs: Path
) -> Iterator[TwoHosts]:
    """The owner creates it; two servers use a role with fewer rights and the same secrets."""
    folder = tmp_path_factory.mktemp("organisation")
    owner = postgres.create_database()
    keep_on_server(folder, owner)
    found(folder).context.store.close()
    # The role exists if a worker runs this module again.
    make_role = "CREATE ROLE jara LOGIN; EXCEPTION WHEN duplicate_object THEN NULL"
    postgres.execute("postgres", f"DO $$ BEGIN {make_role}; END $$")
    grant = ["--set=ON_ERROR_STOP=1", "--set=role=jara", f"--file={ROLES}", "--quiet"]
    subprocess.run([find_program("psql"), owner, *grant], check=True)
    url = owner.replace("owner@", "jara@")
    keep_on_server(folder, url)

    application = reopen(folder)
    voters = add_voters(application, VOTERS)
    proposal = put_to_vote(application)
    application.context.store.close()
    shared = {"JARA_DATABASE_URL": url, "JARA_SECRETS_DIR": str(folder / "jara.secrets")}
    jara = [str(programs / "jara")]
    servers = [Server(tmp_path_factory.mktemp(name), shared, jara) for name in ("first", "second")]
    try:
        for server in servers:
            server.start()
        yield TwoHosts(folder, owner, url, servers[0].live, servers[1].live, voters, proposal)
    finally:
        for server in servers:
            server.stop()


def test_a_member_may_come_to_either_host(hosts: TwoHosts) -> None:
    """The whole path of a person works with alternating hosts."""
    turn = iter([hosts.first, hosts.second] * 50)

    walk_the_whole_path(lambda *words: next(turn).call(*words))


def test_a_vote_counts_once_and_is_seen_everywhere_at_once(hosts: TwoHosts) -> None:
    """Two opposite votes race on two hosts, and the next page of both shows the answer."""
    before = hosts.counts(hosts.first)
    counted: Counter[str] = Counter()
    for voter in hosts.voters:
        answers: dict[str, int] = {}

        def vote(host: LiveServer, choice: str, voter: Voter = voter) -> None:
            body = {"id": hosts.proposal, "voteType": choice, "nonce": voter.nonce}
            answers[choice] = host.call("POST", "/user/votes", body, voter.token).status  # noqa: B023 - joined before the next turn

        race = [
            threading.Thread(target=vote, args=act)
            for act in ((hosts.first, "upvote"), (hosts.second, "downvote"))
        ]
        for thread in race:
            thread.start()
        for thread in race:
            thread.join()
        assert sorted(answers.values()) == [200, 409]
        counted[next(choice for choice, status in answers.items() if status == 200)] += 1
        expected = (before[0] + counted["upvote"], before[1] + counted["downvote"])
        assert expected == hosts.counts(hosts.first) == hosts.counts(hosts.second)

    context = reopen(hosts.folder).context
    # Another test writes who took part in the vote on the roof.
    assert [one for one in verify_books(context).findings if one.where != "roof"] == []
    assert context.store.integrity_findings() == []
    context.store.close()


def test_both_hosts_are_ready(hosts: TwoHosts) -> None:
    """Both hosts have the correct database, schema version and secrets."""
    for host in (hosts.first, hosts.second):
        with urlopen(f"http://127.0.0.1:{host.port}/readyz", timeout=PATIENCE_SECONDS) as answer:
            assert json.load(answer) == {"ok": True, "message": ""}


def may(url: str, table: str, right: str) -> bool:
    """Ask PostgreSQL whether the role in an address has a right."""
    with psycopg.connect(url) as connection:
        row: Any = connection.execute("SELECT has_table_privilege(%s, %s)", (table, right))
        return bool(row.fetchone()[0])


@pytest.mark.parametrize("table", [*append_only_tables(), "schema_steps"])
def test_the_servers_role_cannot_rewrite_history(hosts: TwoHosts, table: str) -> None:
    """The role can neither change history nor disable the triggers."""
    assert may(hosts.url, table, "SELECT")
    assert not may(hosts.url, table, "UPDATE, DELETE, TRUNCATE")
    with (
        psycopg.connect(hosts.url) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())


def test_the_servers_role_changes_no_tables(hosts: TwoHosts) -> None:
    """The role creates no tables, but can write the list of participants of a vote."""
    application = reopen(hosts.folder)
    proposal = put_to_vote(application, "roof")
    for voter in hosts.voters[:3]:
        body = {"id": proposal, "voteType": "upvote", "nonce": voter.nonce}
        assert hosts.first.call("POST", "/user/votes", body, voter.token).status == 200
    with application.context.store.write() as work:
        work.ballots.write_participants(proposal, ["ada", "ben"])
    with application.database.transaction(write=True) as sql:
        rows = sql.all(
            "SELECT DISTINCT CAST(xmin AS TEXT) FROM participations WHERE proposal = :id",
            {"id": proposal},
        )
    application.context.store.close()
    assert len(rows) == 1
    with (
        psycopg.connect(hosts.url) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("CREATE TABLE more (name TEXT)")
