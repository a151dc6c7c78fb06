"""The units do their work under their own restrictions, with a file and with PostgreSQL."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deploy.unit_sandbox import CAN_SANDBOX, Machine
from tests.journeys.live_server import free_port
from tests.postgres_server import PostgresServer, database_name
from tests.sizes import some

UNITS = Path(__file__).parents[2] / "docs" / "deploy"
BACKUP, DAILY = UNITS / "jara-backup.service", UNITS / "jara-daily.service"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CAN_SANDBOX, reason="needs root, bubblewrap and setpriv"),
]

DATABASES: dict[str, Callable[[PostgresServer], str]] = {
    "a file": lambda _server: "/var/lib/jara/jara.db",
    "PostgreSQL's socket": lambda server: server.create_database(),
    "PostgreSQL over TCP": lambda server: server.tcp_url(database_name(server.create_database())),
}


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server with a socket and an address."""
    server = PostgresServer(port=free_port())
    server.folder.chmod(0o755)  # the socket is for every user, as Debian's
    yield server
    server.stop()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the user of the units may enter."""
    place = Path(tempfile.mkdtemp(prefix="jara-units-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.mark.parametrize("name", some(DATABASES, 2))
def test_the_units_do_their_work_wherever_the_database_is(
    name: str, server: PostgresServer, folder: Path
) -> None:
    """A backup is made and due work is done; only over TCP the backup needs the network."""
    machine = Machine(folder, server)
    machine.prepare(DATABASES[name](server))

    made = machine.start(BACKUP)
    files = list((folder / "backups").glob("*.backup"))
    assert (made.returncode, len(files)) == (0, 1), made.stderr
    assert files[0].stat().st_mode & 0o077 == 0
    files[0].unlink()
    alone = machine.start(BACKUP, PrivateNetwork="yes")
    assert (alone.returncode == 0) == ("TCP" not in name), alone.stderr
    done = machine.start(DAILY)
    assert done.returncode == 0, done.stderr


def test_the_daily_unit_writes_nothing_but_its_data(server: PostgresServer, folder: Path) -> None:
    """Nor does it open sockets of other kinds."""
    machine = Machine(folder, server)
    machine.make_folders("/var/lib/jara/jara.db")

    for place in ("/etc/jara", "/opt/jara", "/usr", "/var/lib", str(UNITS)):
        written = machine.start(DAILY, ExecStart=f"touch {place}/x")
        assert (written.returncode, "Read-only file system" in written.stderr) == (1, True)
    raw = "python3 -c 'import socket; socket.socket(socket.AF_PACKET)'"
    assert "not supported by protocol" in machine.start(DAILY, ExecStart=raw).stderr
