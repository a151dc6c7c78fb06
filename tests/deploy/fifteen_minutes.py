"""Types the lines of two pages into bare systems, and takes the time of each line.

`nox -s full -- server` runs `test_bare_systems.py`, which needs root, mmdebstrap and Debian's and
Ubuntu's archives. The pages are deployment.md, with its first way, and the README, with its first
command. What a machine without systemd and without a name in the DNS cannot do is imitated: the
script itself starts what `systemctl` would, `nano` is a script that edits, the certificate is by
Caddy's own authority, the name stands in /etc/hosts, and the mail server takes every email.
"""

import http.client
import json
import os
import re
import resource
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
from urllib.request import urlopen

from tests.releases.packages import DIST, ROOT, build_debian, run, say
from tests.sizes import PATIENCE_SECONDS, wait_until

PAGE = ROOT / "docs" / "deployment.md"
README = ROOT / "README.md"
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
_AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
_OF_THIS_MACHINE = ("NODE_EXTRA_CA_CERTS", "PIP_CERT", "https_proxy", "no_proxy")
"""How this machine reaches the packages of PyPI and npm."""


class System(NamedTuple):
    """A system that a stranger may have.

    Args:
        suite: the name of its release.
        archive: where it comes from, if not from Debian.
        keys: the package of Debian 13 with the keys of that archive, and its file.
    """

    suite: str
    archive: str = ""
    keys: tuple[str, str] = ("", "")

    def make(self, tree: Path) -> None:
        """Make this system, bare, in a folder."""
        options = ["--quiet", "--variant=minbase", "--include=apt,ca-certificates,systemd"]
        if self.archive:
            package, file = self.keys
            keys = tree.parent / "keys"
            run(
                "mmdebstrap",
                "--quiet",
                "--variant=extract",
                f"--include={package}",
                "trixie",
                str(keys),
            )
            options += ["--components=main,universe", f"--keyring={keys / file}"]
        run("mmdebstrap", *options, self.suite, str(tree), *filter(None, [self.archive]))


UBUNTU_KEYS = ("ubuntu-keyring", "usr/share/keyrings/ubuntu-archive-keyring.gpg")
SYSTEMS = {
    "Debian 12": System("bookworm"),
    "Debian 13": System("trixie"),
    "Ubuntu 24.04": System("noble", "http://archive.ubuntu.com/ubuntu", UBUNTU_KEYS),
}


def typed_lines(page: Path, heading: str) -> list[str]:
    """Return the lines that a section of a page tells to type."""
    section = page.read_text("utf-8").partition(f"{heading}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


class Server(NamedTuple):
    """A bare Debian in a folder, and the programs that run in it."""

    tree: Path
    programs: list[subprocess.Popen[bytes]]

    def type(self, line: str) -> None:
        """Run a line as root's shell does; then do what systemd would."""
        outside = "apt-get" in line or "pip install" in line
        sys.stdout.write(self.run(line, outside=outside))
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

    def begin(self, line: str) -> None:
        """Run a line as root's shell does, until the end of the test."""
        words = ["chroot", str(self.tree), "bash", "-c", f"cd; {line}"]
        self.programs.append(subprocess.Popen(words, env=self._environ))

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
            assert program.wait(PATIENCE_SECONDS) == 0, name
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
            **{name: os.environ[name] for name in _OF_THIS_MACHINE if name in os.environ},
        }


def build_package() -> Path:
    """Build the package of this source; return its file."""
    wheels = DIST / "typed"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(wheels)]
    run(*pip, str(ROOT))
    (wheel,) = wheels.glob("*.whl")
    return build_debian(wheel)


def copy_source(tree: Path) -> None:
    """Copy what a clone has into root's folder."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    for name in files.stdout.decode().split("\0")[:-1]:
        place = tree / "root" / "jara" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place)


def type_into(tree: Path, way: str) -> None:
    """Type the lines of a way, on a system with a network, mounts and a name of its own."""
    with Path("/proc/self/ns/net").open("rb") as outside:
        unshare = ["unshare", "--net", "--mount", "--uts"]
        words = [*unshare, sys.executable, "-m", __name__, str(tree), way]
        environ = {**os.environ, OUTSIDE: str(outside.fileno())}
        subprocess.run(words, env=environ, pass_fds=[outside.fileno()], check=True, cwd=ROOT)


def inside(tree: Path, way: str) -> None:
    """Type the lines of one way and look at what they made."""
    server = Server(tree, [])
    try:
        _prepare(server)
        if way == "package":
            _prepare_volunteer(server)
            _type_all(server, typed_lines(PAGE, "## One small server, by package"))
            _check(server)
        else:
            _try_demo(server)
    finally:
        for program in reversed(server.programs):
            program.terminate()
            program.wait(PATIENCE_SECONDS)


def _prepare(server: Server) -> None:
    """Give the system a network, mounts and the name of the site."""
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


def _prepare_volunteer(server: Server) -> None:
    """Make what a volunteer has before the first line: a key, and a mail server."""
    tree = server.tree
    with tempfile.TemporaryDirectory() as folder:
        private = Path(folder, "key")
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", str(private)]
        subprocess.run(make, check=True)
        sock = tree / AGENT
        server.programs.append(subprocess.Popen(["ssh-agent", "-D", "-a", str(sock)]))
        wait_until(sock.exists)
        environ = {**os.environ, "SSH_AUTH_SOCK": str(sock)}
        subprocess.run(["ssh-add", "-q", str(private)], env=environ, check=True)
        key = private.with_suffix(".pub").read_text("utf-8").strip()
    for name, text in (("nano", _EDIT.format(site=SITE, key=key)), ("systemctl", _SYSTEMCTL)):
        place = tree / "usr/local/bin" / name
        place.write_text(text, "utf-8")
        place.chmod(0o755)
    mail = [sys.executable, "-m", "aiosmtpd", "--nosetuid", "--listen", "127.0.0.1:2525"]
    server.programs.append(subprocess.Popen([*mail, "--class", "aiosmtpd.handlers.Sink"]))


def _try_demo(server: Server) -> None:
    """Type what the README says for this system, in a copy of the source; ask the site."""
    shutil.copy(f"/{_AUTHORITIES}", server.tree / _AUTHORITIES)
    server.run("apt-get update", outside=True)  # a system that somebody uses did this before
    both, environment, activate, *_ = typed_lines(README, "## Two commands")
    install, _, demo = both.partition(" && ")
    _type_all(server, [environment, f"{activate} && cd jara && {install}"])
    begin = time.monotonic()
    server.begin(f"{activate} && cd jara && exec {demo}")
    wait_until(_demo_answers)
    say(f"{time.monotonic() - begin:8.1f} s  {demo}")


def _demo_answers() -> bool:
    try:
        with urlopen("http://127.0.0.1:8000/api/stats", timeout=20) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _type_all(server: Server, lines: list[str]) -> None:
    assert 0 < len(lines) <= LINES_MAX, lines
    begin, cpu_begin = time.monotonic(), _cpu_seconds()
    for line in lines:
        before = time.monotonic()
        say(f"# {line}")
        server.type(line)
        say(f"{time.monotonic() - before:8.1f} s")
    seconds = time.monotonic() - begin
    cpu = _cpu_seconds() - cpu_begin
    say(f"{seconds:8.1f} s in all, {len(lines)} lines, {cpu:.0f} s of a processor")
    assert seconds < SECONDS_MAX


def _cpu_seconds() -> float:
    """Return what the lines used, which a busy machine does not change."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _check(server: Server) -> None:
    """Check that there is a site with TLS, legal texts, a key, a timer and a backup."""
    authority = server.tree / "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
    wait_until(authority.exists)
    wait_until(lambda: _get("/", authority)[0] == 200)
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


if __name__ == "__main__":
    inside(Path(sys.argv[1]), sys.argv[2])
