"""The steps of docs/test-your-backup.md, run while people vote."""

import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.services.books.verification import verify_books
from tests.faults.fault_world import Server, Voter, add_voters, found, put_to_vote, reopen, serving
from tests.places import database_of, so_many
from tests.sizes import PATIENCE_SECONDS, saw, size

ROOT = Path(__file__).parents[2]
VOTERS = size(60, 4000)
WRITERS = 4
BEFORE = 40
"""The number of votes when the restore test starts."""

pytestmark = pytest.mark.slow


def blocks() -> list[str]:
    """Return the scripts of the page: the restore test and its cleanup."""
    text = (ROOT / "docs" / "test-your-backup.md").read_text("utf-8")
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


class Crowd:
    """Several threads of voters who vote until they are stopped."""

    def __init__(self, server: Server, proposal: str, voters: list[Voter]) -> None:
        """Start voting."""
        self.confirmed: set[str] = set()
        self.enough = threading.Event()
        self._stop = threading.Event()
        self._server, self._proposal = server, proposal
        self._threads = [
            threading.Thread(target=self._vote, args=(voters[hand::WRITERS],))
            for hand in range(WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Start no more votes."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _vote(self, voters: list[Voter]) -> None:
        for voter in voters:
            if self._stop.is_set():
                return
            body = {"id": self._proposal, "voteType": "upvote", "nonce": voter.nonce}
            answer = self._server.live.call("POST", "/user/votes", body, voter.token)
            assert answer.status in {200, 503}
            if answer.status == 200:
                self.confirmed.add(answer.json["receipt"]["leaf"])
            if len(self.confirmed) >= BEFORE:
                self.enough.set()


def do(script: str, folder: Path, programs: Path) -> str:
    """Run a script in the organisation's folder, as a user would type it."""
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JARA_")}
    ran = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env={**kept, "PATH": path, "JARA_DATABASE_URL": database_of(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_a_backup_made_while_people_vote_is_restored_and_verified(
    place: Path, programs: Path
) -> None:
    """The root was published, and no vote confirmed before the backup is missing."""
    steps, tidy = blocks()
    application = found(place)
    voters = add_voters(application, so_many(VOTERS, place))
    proposal = put_to_vote(application)
    application.context.store.close()
    with serving(place, programs) as server:
        crowd = Crowd(server, proposal, voters)
        assert crowd.enough.wait(PATIENCE_SECONDS)
        before = len(crowd.confirmed)
        told = do(steps, place, programs)
        crowd.stop()
    rehearsal = {"database_url": str(place / "restore-test" / "jara.db")}
    restored = build_from_environ({}, overrides=rehearsal).context
    live = reopen(place).context
    with restored.store.read() as work, live.store.read() as now:
        root = work.log.root()
        votes, later = len(work.box.tokens(proposal)), len(now.box.tokens(proposal))
        assert root == now.log.root(work.log.size())
    saw(votes_before=before, votes_in_backup=votes, votes_in_the_end=later)

    assert "every check passed" in told
    assert "the log begins with the" in told
    assert before <= votes <= later == len(crowd.confirmed)
    assert verify_books(restored).findings == ()
    assert verify_books(live).findings == ()
    restored.store.close()
    live.store.close()
    do(tidy, place, programs)
    assert not (place / "restore-test").exists()
