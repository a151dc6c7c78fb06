"""Types the lines of deployment.md's first way into a bare Debian, and takes the time.

``python -m tests.deploy.fifteen_minutes`` needs root and Debian's mmdebstrap and socat. What a
machine without systemd and without a name in the DNS cannot do is imitated: the script itself
starts what `systemctl` would, `nano` is a script that edits, the certificate is by Caddy's own
authority, the name stands in /etc/hosts, and the mail server takes every email.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.releases.packages import DIST, ROOT, build_debian, run, say

PAGE = ROOT / "docs" / "deployment.md"
WAY = "## One small server, by package"
SITE = "give.harbour.test"
AGENT = "srv/agent"
LINES_MAX, SECONDS_MAX = 10, 15 * 60
OUTSIDE = "JARA_TEST_OUTSIDE"
"""Names the file descriptor of the network with Debian's archive."""

_EDIT = """#!/bin/sh
sed -i 's#give.example.org#{site}#; s#smtps://[^"]*#smtp://127.0.0.1:2525#' "$1"
sed -i 's#^key = .*#key = "{key}"#' "$1"
"""
_SYSTEMCTL = """#!/bin/sh
case $1 in
    enable) shift 2; exec /usr/bin/systemctl enable "$@" ;;
    is-enabled) exec /usr/bin/systemctl "$@" ;;
esac
"""
_MUST_BE_WELL = {"site", "proxies", "mail", "legal", "daily", "backup", "secrets", "books"}


def typed_lines() -> list[str]:
    """Return the lines that the page tells to type."""
    section = PAGE.read_text("utf-8").partition(f"{WAY}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


class Server(NamedTuple):
    """A bare Debian in a folder, and the programs that run in it."""

    tree: Path
    programs: list[subprocess.Popen[bytes]]

    def type(self, line: str) -> None:
        """Run a line as root's shell does; then do what systemd would."""
        sys.stdout.write(self.run(line, outside="apt-get" in line))
        if line.startswith("systemctl"):
            for unit in re.findall(r"([\w-]+)\.service|(caddy)", line):
                self.start("".join(unit))

    def run(self, line: str, *, outside: bool = False) -> str:
        """Run a line in the tree, in root's folder; return what it printed."""
        before = ["nsenter", f"--net=/proc/self/fd/{os.environ[OUTSIDE]}"] if outside else []
        ran = subprocess.run(
            [*before, "chroot", str(self.tree), "bash", "-c", f"cd; {line}"],
            env=self._environ,
            pass_fds=[int(os.environ[OUTSIDE])],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return ran.stdout

    def start(self, name: str) -> None:
        """Run a unit's program as its user; wait for it if the unit does."""
        text = (self.tree / f"usr/lib/systemd/system/{name}.service").read_text("utf-8")
        values = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
        if name == "caddy":
            self._use_own_authority()
        command = values["ExecStart"].replace("$$", "$").replace("%%", "%")
        folder = values.get("WorkingDirectory", "/")
        words = ["chroot", f"--userspec={values['User']}", str(self.tree), "bash", "-c"]
        home = f"/var/lib/{values['User']}"
        words += [f"export HOME={home}; cd {folder}; exec {command}"]
        log = (self.tree / f"var/log/{name}.log").open("wb")
        program = subprocess.Popen(words, env=self._environ, stdout=log, stderr=log)
        if values["Type"] == "oneshot":
            assert program.wait(300) == 0, name
        else:
            self.programs.append(program)

    def _use_own_authority(self) -> None:
        place = self.tree / "etc/caddy/Caddyfile"
        text = place.read_text("utf-8")
        own = "{\n\tlocal_certs\n\tskip_install_trust\n\tservers"
        place.write_text(text.replace("{\n\tservers", own, 1), "utf-8")

    @property
    def _environ(self) -> dict[str, str]:
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "DEBIAN_FRONTEND": "noninteractive",
            "LANG": "C.UTF-8",
            "SSH_AUTH_SOCK": f"/{AGENT}",
            "SYSTEMD_OFFLINE": "1",
        }


def main() -> None:
    """Make a bare Debian, type the lines, and check what they made."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("mmdebstrap", "unshare", "ssh-agent"))):
        say("The lines were not typed: that needs root, mmdebstrap, unshare and ssh-agent.")
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "server")
        _make_server(tree)
        outside = os.open("/proc/self/ns/net", os.O_RDONLY)
        words = [
            "unshare",
            "--net",
            "--mount",
            "--uts",
            sys.executable,
            "-m",
            __spec__.name,
            str(tree),
        ]
        environ = {**os.environ, OUTSIDE: str(outside)}
        subprocess.run(words, env=environ, pass_fds=[outside], check=True)


def _make_server(tree: Path) -> None:
    """Make a bare Debian with the package of this source in root's folder."""
    wheels = DIST / "typed"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(wheels)]
    run(*pip, str(ROOT))
    (wheel,) = wheels.glob("*.whl")
    packages = "--include=ca-certificates,systemd"
    run("mmdebstrap", "--quiet", "--variant=minbase", packages, "bookworm", str(tree))
    shutil.copy(build_debian(wheel), tree / "root")


def inside(tree: Path) -> None:
    """Type the lines on the server; it has a network, mounts and a name of its own."""
    server = Server(tree, [])
    try:
        _prepare(server)
        _type_all(server)
        _check(server)
    finally:
        for program in reversed(server.programs):
            program.terminate()
            program.wait(30)


def _prepare(server: Server) -> None:
    """Make what a volunteer has before the first line: a key, a name, a mail server."""
    tree = server.tree
    for line in (
        "ip link set lo up",
        f"hostname {SITE}",
        "sysctl -qw net.ipv4.ip_unprivileged_port_start=0",
        f"mount -t proc proc {tree}/proc",
        f"mount --rbind /dev {tree}/dev",
        f"mount -t tmpfs tmpfs {tree}/run",
    ):
        subprocess.run(shlex.split(line), check=True)
    shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    (tree / "etc/hosts").write_text(f"127.0.0.1 {SITE} localhost\n", "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        private = Path(folder, "key")
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", str(private)]
        subprocess.run(make, check=True)
        sock = tree / AGENT
        server.programs.append(subprocess.Popen(["ssh-agent", "-D", "-a", str(sock)]))
        _wait_for(sock.exists)
        environ = {**os.environ, "SSH_AUTH_SOCK": str(sock)}
        subprocess.run(["ssh-add", "-q", str(private)], env=environ, check=True)
        key = private.with_suffix(".pub").read_text("utf-8").strip()
    for name, text in (("nano", _EDIT.format(site=SITE, key=key)), ("systemctl", _SYSTEMCTL)):
        place = tree / "usr/local/bin" / name
        place.write_text(text, "utf-8")
        place.chmod(0o755)
    mail = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--listen", "127.0.0.1:2525"]
    server.programs.append(subprocess.Popen([*mail, "--class", "aiosmtpd.handlers.Sink"]))


def _type_all(server: Server) -> None:
    lines = typed_lines()
    assert 0 < len(lines) <= LINES_MAX, lines
    begin = time.monotonic()
    for line in lines:
        before = time.monotonic()
        say(f"# {line}")
        server.type(line)
        say(f"{time.monotonic() - before:8.1f} s")
    seconds = time.monotonic() - begin
    say(f"{seconds:8.1f} s in all, {len(lines)} lines")
    assert seconds < SECONDS_MAX


def _check(server: Server) -> None:
    """Check that there is a site with TLS, legal texts, a key, a timer and a backup."""
    authority = server.tree / "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
    _wait_for(authority.exists)
    _wait_for(lambda: _get("/", authority)[0] == 200)
    for path in ("/terms", "/privacy", "/api/config"):
        status, text = _get(path, authority)
        assert (status, "____" in text) == (200, False), path
    checks = json.loads(server.run("jara doctor --json"))["checks"]
    assert {one["name"] for one in checks} >= _MUST_BE_WELL
    assert not [one for one in checks if one["level"] != "ok" and one["name"] in _MUST_BE_WELL]
    operators = json.loads(server.run("jara operators list --json"))
    assert [one["id"] for one in operators if one["keys"]] == ["ada", "scheduler"]
    for timer in ("jara-daily.timer", "jara-backup.timer"):
        assert server.run(f"systemctl is-enabled {timer}") == "enabled\n"
    assert list((server.tree / "var/backups/jara").glob("*.backup"))
    say(f"https://{SITE} answers, with legal texts, a key, a daily timer and a backup.")


def _get(path: str, authority: Path) -> tuple[int, str]:
    """Ask the site by its name; 0 if nothing listens yet."""
    context = ssl.create_default_context(cafile=str(authority))
    try:
        with socket.create_connection(("127.0.0.1", 443), timeout=20) as plain:
            connection = http.client.HTTPConnection(SITE)
            connection.sock = context.wrap_socket(plain, server_hostname=SITE)
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
    except OSError:
        return 0, ""


def _wait_for(happened: object) -> None:
    deadline = time.monotonic() + 60
    while not happened():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.2)


if __name__ == "__main__":
    if OUTSIDE in os.environ:
        inside(Path(sys.argv[1]))
    else:
        main()
