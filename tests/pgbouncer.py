"""PgBouncer in transaction mode before the tests' PostgreSQL."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres_server import PostgresServer
from tests.sizes import PATIENCE_SECONDS, wait_until

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
PORT = 6432
_USER = "postgres" if os.geteuid() == 0 else None


@contextmanager
def pooling(server: PostgresServer) -> Iterator[Path]:
    """Run PgBouncer for a ``with`` block; yield the folder of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="jara-pgbouncer-"))
    if _USER is not None:
        shutil.chown(folder, _USER, _USER)
    (folder / "users").write_text('"owner" ""\n')
    (folder / "ini").write_text(
        f"[databases]\n* = host={server.folder}\n[pgbouncer]\nlisten_port={PORT}\n"
        f"unix_socket_dir={folder}\nauth_type=trust\nauth_file={folder / 'users'}\n"
        "pool_mode=transaction\ndefault_pool_size=12\n"
    )
    assert PGBOUNCER is not None
    words = [PGBOUNCER, "-q", str(folder / "ini")]
    program = subprocess.Popen(words, user=_USER, group=_USER, stderr=subprocess.DEVNULL)
    wait_until((folder / f".s.PGSQL.{PORT}").exists)
    yield folder
    program.terminate()
    program.wait(timeout=PATIENCE_SECONDS)
    shutil.rmtree(folder)
