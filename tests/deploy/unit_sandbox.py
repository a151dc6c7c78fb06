"""Runs the program of a systemd unit under the unit's restrictions, without systemd.

Bubblewrap makes the file system and the network, setpriv takes the rights away, and a filter
refuses sockets. Limits of memory and tasks, and the filter of other system calls, are left out.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.postgres_server import PostgresServer

ROOT = Path(__file__).parents[2]
PROGRAMS = ("bwrap", "setpriv")
CAN_SANDBOX = os.geteuid() == 0 and all(map(shutil.which, PROGRAMS))
_SETTINGS, _USER, _GROUP = "/etc/jara", "nobody", "nogroup"


class Machine(NamedTuple):
    """What the units find: their data, their settings, and a database server.

    Args:
        folder: holds the data; every user may enter it.
        server: its socket is visible in the sandbox.
    """

    folder: Path
    server: PostgresServer

    def prepare(self, database_url: str) -> None:
        """Make folders, settings and an organisation, as an installation does."""
        self.make_folders(database_url)
        made = self.run({}, f"/opt/jara/bin/jara --config {_SETTINGS}/jara.toml init")
        assert made.returncode == 0, made.stderr

    def make_folders(self, database_url: str) -> None:
        """Make the folders of the units and the settings."""
        for name in ("jara", "jara-signer", "backups", "settings"):
            (self.folder / name).mkdir()
        settings = self.folder / "settings" / "jara.toml"
        settings.write_text(f'database_url = "{database_url}"\n', "utf-8")
        subprocess.run(["chown", "-R", _USER, str(self.folder)], check=True)

    def start(self, unit: Path, **changes: str) -> subprocess.CompletedProcess[str]:
        """Run what a unit starts; options of it may be changed."""
        text = unit.read_text("utf-8")
        values = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)) | changes
        command = values["ExecStart"].replace("$$", "$").replace("%%", "%")
        return self.run(values, command)

    def run(self, values: dict[str, str], command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the user of the units, with the restrictions of one of them."""
        outside = ["bwrap", "--cap-add", "ALL", "--die-with-parent", "--ro-bind", "/", "/"]
        for place in ("/home", "/root", "/tmp", "/opt", "/var/lib", "/var/backups", "/etc"):  # noqa: S108 - of the sandbox
            outside += ["--tmpfs", place]
        # Before what is bound: temporary files may be below /dev/shm.
        outside += ["--dev", "/dev", "--proc", "/proc"]
        for name in ("passwd", "group", "hosts", "ssl", "ld.so.cache", "localtime"):
            outside += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        for source in {Path(sys.prefix), Path(sys.base_prefix), ROOT, self.server.folder}:
            for parent in reversed(source.parents[:-1]):
                outside += ["--perms", "0755", "--dir", str(parent)]
            outside += ["--ro-bind", str(source), str(source)]
        outside += ["--ro-bind", sys.prefix, "/opt/jara"]
        for place, name in (
            ("/var/lib/jara", "jara"),
            ("/var/lib/jara-signer", "jara-signer"),
            ("/var/backups/jara", "backups"),
        ):
            outside += ["--bind", str(self.folder / name), place]
        outside += ["--ro-bind", str(self.folder / "settings"), _SETTINGS]
        for place in ("/opt", "/var/lib", "/var/backups", "/etc"):
            outside += ["--remount-ro", place]
        outside += ["--chdir", values.get("WorkingDirectory", "/var/lib/jara")]
        if values.get("PrivateNetwork") == "yes":
            outside.append("--unshare-net")
        rights = ["setpriv", f"--reuid={_USER}", f"--regid={_GROUP}", "--clear-groups"]
        rights += ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
        families = values.get("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX")
        sockets = [sys.executable, "-m", "tests.deploy.socket_families"]
        sockets += [families.replace(" ", ",")]
        environ = {"PATH": "/usr/bin:/bin", "HOME": "/var/lib/jara", "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [*outside, *rights, *sockets, *shlex.split(command)],
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
