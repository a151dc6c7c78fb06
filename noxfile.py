"""The project's checks, cheapest first: ``nox`` runs them all, ``nox -s tests`` one of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nox

nox.options.sessions = ["format", "lint", "imports", "types", "tests", "ui", "browser"]
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = True

PYPROJECT = nox.project.load_toml("pyproject.toml")
POSTGRESQL = Path("/usr/lib/postgresql")
"""Where Debian keeps PostgreSQL's programs: not on the path."""

CORE = "*/jara/domain/*,*/jara/services/*"


@nox.session
def format(session: nox.Session) -> None:  # noqa: A001 - the session's name on the command line
    """The layout is the formatter's."""
    install(session, "lint")
    session.run("ruff", "format", "--check", ".")


@nox.session
def lint(session: nox.Session) -> None:
    """Style, docstrings, complexity."""
    install(session, "lint")
    session.run("ruff", "check", ".")


@nox.session
def imports(session: nox.Session) -> None:
    """The layers: an import points downwards only."""
    install(session, "lint", with_jara=True)
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Strict types, in the tests too."""
    install(session, "dev", with_jara=True)
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """Behaviour, with branch coverage: all of the core, nine tenths of the rest."""
    need_program(session, "hledger", package="hledger")
    need_program(session, "initdb", package="postgresql", beside=POSTGRESQL)
    install(session, "test", with_jara=True)
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *(session.posargs or ["-n", "auto"]))
    session.run("coverage", "combine", "--quiet")
    if not session.posargs:
        session.run("coverage", "report", f"--include={CORE}", "--fail-under=100")
        session.run("coverage", "report", f"--omit={CORE}", "--fail-under=90")


@nox.session(venv_backend="none")
def ui(session: nox.Session) -> None:
    """The website: types, lint, unused code, its own tests, and the build that Jara serves."""
    with into_website(session):
        session.run("npm", "run", "check", external=True)
        session.run("npm", "run", "build", external=True)


@nox.session
def browser(session: nox.Session) -> None:
    """Every journey through the built website, in Chromium, at two widths."""
    need_program(session, "chromium", package="chromium")
    install(session, with_jara=True)
    session.chdir("webui")
    session.run("npm", "run", "e2e", external=True)


@nox.session
def properties(session: nox.Session) -> None:
    """The laws and state machines, with many more examples; and the services on every engine."""
    need_program(session, "initdb", package="postgresql", beside=POSTGRESQL)
    install(session, "test", with_jara=True)
    options = ["--hypothesis-profile=thorough", "--every-engine"]
    session.run("pytest", "-n", "auto", *options, *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """The faults and attacks of docs/reliability.md at their long sizes, and that page anew."""
    need_program(session, "hledger", package="hledger")
    need_program(session, "chromium", package="chromium")
    install(session, "test", with_jara=True)
    session.run("python", "-m", "tests.soak.run", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Speed as ratios to a peer or a limit of the same run, and docs/performance.md anew."""
    for program in ("hledger", "ledger", "wrk", "chromium"):
        need_program(session, program, package=program)
    with into_website(session):
        session.run("npm", "run", "build", external=True)
    install(session, "test", "bench", with_jara=True)
    session.run("python", "-m", "tests.benchmarks.run", *session.posargs)


@contextmanager
def into_website(session: nox.Session) -> Iterator[None]:
    """Go to webui/ with its packages installed, and come back."""
    if shutil.which("npm") is None:
        session.error("npm is missing; install Node 20.19 or newer, which brings it along")
    with session.chdir("webui"):
        session.run("npm", "ci", "--ignore-scripts", external=True)
        yield


def install(session: nox.Session, *groups: str, with_jara: bool = False) -> None:
    """Install the named dependency groups of pyproject.toml, and Jara itself."""
    packages = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install(*(["-e", "."] if with_jara else []), *packages)


def need_program(
    session: nox.Session, program: str, *, package: str, beside: Path | None = None
) -> None:
    """Make sure of a program from outside: install its Debian package, or say how."""
    if shutil.which(program) or (beside and any(beside.glob(f"*/bin/{program}"))):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        session.error(f"{program} is missing; install it: sudo apt-get install {package}")
    session.run("apt-get", "update", "--quiet", external=True)
    session.run(
        "apt-get",
        "install",
        "--yes",
        "--quiet",
        "--no-install-recommends",
        package,
        external=True,
        env={"DEBIAN_FRONTEND": "noninteractive"},
    )
