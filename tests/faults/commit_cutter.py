"""A proxy before PostgreSQL that lets a commit through and loses its answer."""

import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from select import select
from shutil import rmtree

SOCKET = ".s.PGSQL.5432"
_COMMIT = b"COMMIT\0"


class CommitCutter:
    """Relays connections; after one chosen commit it cuts the connection instead of answering."""

    def __init__(self, server: Path, port: int = 5432) -> None:
        """Listen in a folder of its own, before the server whose socket is in another one."""
        self._server = server / f".s.PGSQL.{port}"
        self.folder = Path(tempfile.mkdtemp(prefix="jara-cutter-"))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen(64)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self.commits = 0
        self._cut_at = 0
        self._stays_down = self._is_down = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, number: int, *, stays_down: bool) -> None:
        """Lose the answer to the nth commit from now on.

        Args:
            number: which commit, from 1; 0 for none.
            stays_down: whether no connection is made until `recover`.
        """
        with self._lock:
            self.commits, self._cut_at, self._stays_down = 0, number, stays_down

    def recover(self) -> None:
        """Take connections again, and cut none."""
        self.cut(0, stays_down=False)
        self._is_down = False

    def close(self) -> None:
        """Stop listening, and end every connection."""
        self._listener.close()
        self._end_all()
        rmtree(self.folder)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_down:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                threading.Thread(target=self._relay, args=(client, server), daemon=True).start()

    def _relay(self, client: socket.socket, server: socket.socket) -> None:
        """Relay both ways until one side ends, or until the chosen commit is done."""
        is_cutting = False
        self._open.add(client)
        with client, server, suppress(OSError):
            while True:
                for source in select([client, server], [], [])[0]:
                    piece = source.recv(65536)
                    if not piece:
                        return
                    if source is client:
                        is_cutting = is_cutting or (_COMMIT in piece and self._is_chosen())
                        server.sendall(piece)
                    elif is_cutting and _COMMIT in piece:  # its answer names the command
                        self._is_down = self._stays_down
                        self._end_all()
                        return
                    else:
                        client.sendall(piece)

    def _is_chosen(self) -> bool:
        with self._lock:
            self.commits += 1
            return self.commits == self._cut_at

    def _end_all(self) -> None:
        """End idle connections too, as when a host disappears."""
        for client in list(self._open):
            with suppress(OSError):  # it has ended
                client.shutdown(socket.SHUT_RDWR)
        self._open.clear()
