"""An organisation on disk, its members with tokens, and a server that can be killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from jara.bootstrap import Application
from jara.bootstrap.organisation import initialise
from jara.domain.giving.member import Member
from jara.domain.publiclog.ballots import nonce_hash
from jara.services.context import Context
from jara.services.members.sessions import start_session
from jara.services.publiclog.receipts import check_receipt
from tests.journeys.live_server import LiveServer, free_port, wait_until_ready
from tests.places import database_of, open_place
from tests.services.ballots.voting_world import add_member, open_sealed, open_vote
from tests.sizes import PATIENCE_SECONDS

T = TypeVar("T")
GENEROUS = {
    f"JARA_LIMIT_{name}": "1000000/h"
    for name in (
        *("SIGN_IN_ADDRESS", "REGISTER_ADDRESS", "DECLINED_ADDRESS", "EMAIL_EXISTS_ADDRESS"),
        *("MAIL_NETWORK", "MAIL_ALL", "DECLINED_ALL"),
    )
}
"""Limits per address that no test reaches by accident."""

_JARA = (sys.executable, "-c", "from jara_cli.main import run; run()")


@dataclass(frozen=True)
class Voter:
    """A signed-in member who may vote."""

    member: Member
    token: str
    nonce: str


def found(folder: Path) -> Application:
    """Create an organisation in a folder, with the machine's own clock and randomness."""
    application = reopen(folder)
    initialise(application)
    return application


def reopen(folder: Path) -> Application:
    """Open the organisation of a folder for direct use by a test."""
    return open_place(folder, {}, any_mode=True)


def add_voters(application: Application, count: int) -> list[Voter]:
    """Register paying members and sign them in."""
    context, voters = application.context, []
    for number in range(count):
        member = add_member(context, f"voter{number}")
        token = start_session(context, application.tokens, member)
        voters.append(Voter(member, token, f"{number:032x}"))
    return voters


def put_to_vote(application: Application, name: str = "wells", *, ends: str = "2999-12-31") -> str:
    """Open a vote; return its id."""
    return open_vote(application.context, id=name, slug=name, title=name, endDate=ends)


def require_ballots(context: Context, proposal: str, receipts: Mapping[str, Any]) -> None:
    """Assert that the box has exactly the ballots of these receipts, by nonce; all say yes."""
    ballots = open_sealed(context, proposal)
    marks = {nonce_hash(proposal, bytes.fromhex(nonce)) for nonce in receipts}
    assert {ballot.nonce_hash for ballot in ballots} == marks
    assert [ballot.choice for ballot in ballots] == ["up"] * len(receipts)
    for receipt in receipts.values():
        assert all(point.ok for point in check_receipt(context, receipt))


def at_once(acts: Sequence[Callable[[], T]]) -> list[T]:
    """Run all functions at the same time; return their results."""
    gate = threading.Barrier(len(acts))

    def go(act: Callable[[], T]) -> T:
        gate.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(go, acts))


@dataclass
class Server:
    """A server of two processes that can be started, killed and restarted."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    jara: Sequence[str] = _JARA
    port: int = field(default_factory=free_port)
    live: LiveServer = field(init=False)

    def start(self) -> float:
        """Start the server; return the seconds until it answers."""
        begin = time.monotonic()
        log = self.folder / "server.log"
        kept = {name: text for name, text in os.environ.items() if not name.startswith("JARA_")}
        url = {"JARA_DATABASE_URL": database_of(self.folder)}
        environ = {**kept, **GENEROUS, **url, **self.settings}
        place = ["--port", str(self.port), "--workers", "2", "--threads", "8"]
        with log.open("ab") as out:
            process = subprocess.Popen(
                [*self.jara, "serve", *place],
                env=environ,
                cwd=self.folder,
                stdout=out,
                stderr=out,
                start_new_session=True,  # lets a kill reach the workers too
            )
        self.live = LiveServer(self.port, process, log)
        wait_until_ready(self.live)
        return time.monotonic() - begin

    def kill(self) -> None:
        """Kill its processes, as a power failure does."""
        if self.live.process.poll() is None:
            os.killpg(self.live.process.pid, signal.SIGKILL)
        self.live.process.wait(timeout=PATIENCE_SECONDS)

    def stop(self) -> None:
        """Stop it as an operator does."""
        if self.live.process.poll() is None:
            self.live.process.send_signal(signal.SIGTERM)
        self.live.process.wait(timeout=PATIENCE_SECONDS)

    def memory_bytes(self) -> int:
        """Return the memory that all its processes use now."""
        pages = 0
        for pid in self.processes():
            with suppress(FileNotFoundError, ProcessLookupError):  # the process has just ended
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processes(self) -> list[int]:
        """Return the ids of its processes."""
        group, found = self.live.process.pid, []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError):
                after_name = (place / "stat").read_text().rpartition(")")[2].split()
                if int(after_name[2]) == group:
                    found.append(int(place.name))
        return found


@contextmanager
def serving(folder: Path, programs: Path | None = None, /, **settings: str) -> Iterator[Server]:
    """Serve an existing organisation, at once with quick programs, and stop it at the end."""
    server = Server(folder, settings, _JARA if programs is None else [str(programs / "jara")])
    server.start()
    try:
        yield server
    finally:
        server.stop()
