"""The project's checks, cheapest first: ``nox`` runs all, ``nox -s tests`` runs one."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nox
from nox.command import CommandFailed, run

sys.path.insert(0, str(Path(__file__).parent))
from tests.full import page, parts

nox.options.default_venv_backend = "none"  # the sessions share one environment, see `install`
nox.options.sessions = ["format", "lint", "imports", "types", "tests", "ui", "browser"]

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml("pyproject.toml")
ENVIRONMENT = ROOT / ".nox" / "jara"
FONTS = Path("/usr/share/fonts")
CORE = "*/jara/domain/*,*/jara/services/*"
WITHOUT_CARDS = tuple(
    f"tests/{folder}"
    for folder in ["services", "cli", "webapi", "reports", "mail", "verifier", "secrecy", "witness"]
)
"""These tests also run in an organisation without cards, see tests/cards.py."""

PARALLEL = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
"""One worker more than processors: some tests wait for a process that they started."""

LOCK_NOTE = "# Written by nox -s lock, for these packages of pyproject.toml:\n"

BARE_SYSTEMS = "tests/deploy/test_bare_systems.py"
CONTAINER_TESTS = "tests/deploy/test_container.py"

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
    need_programs(session, "hledger", "initdb")
    use_memory(session)
    if not session.posargs and not any(ROOT.glob("tests/**/*-pytest-*.pyc")):
        # Once; otherwise each process compiles every module.
        session.run("pytest", "--collect-only", "-qq", silent=True)
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
    """Run every test, in parts: ``-- --list`` says which, ``-- PART…`` runs these alone.

    Each part writes its row into docs/reliability.md. One that fails does not stop the others.
    """
    names = [word for word in session.posargs if word != "--list"]
    try:
        chosen = parts.choose(names)
    except ValueError as error:
        session.error(str(error))
    if "--list" in session.posargs:
        session.log(f"It would run these parts:\n{parts.listing(chosen)}")
        return
    install(session)
    use_memory(session)
    session.env["JARA_FULL"] = "1"
    ended = [f"{part.name}: {run_part(session, part)}" for part in chosen]
    session.log("\n".join(["The parts ended so:", *ended]))
    if any(": failed" in one for one in ended):
        session.error("not every part passed")


def run_part(session: nox.Session, part: parts.Part) -> str:
    """Run a part and write its row; return how it ended."""
    session.log(f"{part.name}: {part.does}")
    for name in (*part.programs, *part.helpers):
        if parts.PROGRAMS[name].comes_from(apt=may_install()):
            with suppress(CommandFailed):
                need_programs(session, name)
    if lacking := parts.missing(part):
        return page.write_lack(part, lacking)
    results, stopped = ROOT / ".nox" / "full" / part.name, ""
    shutil.rmtree(results, ignore_errors=True)
    try:
        PARTS[part.name](session, results)
    except CommandFailed as error:
        stopped = str(error)
    return page.write_result(part, page.read_result(results.glob("*.xml"), stopped))


def run_pytest(
    session: nox.Session, results: Path, *words: str, env: dict[str, str], pytest: str = "pytest"
) -> None:
    """Run tests in parallel, with a report for the page."""
    session.run(pytest, *PARALLEL, f"--junit-xml={results / 'tests.xml'}", *words, env=env)


def run_engines(session: nox.Session, results: Path) -> None:
    """Run all but the parts of their own, and measure the coverage."""
    session.run("coverage", "erase")
    words = ("-m", "not hypothesis", f"--ignore={CONTAINER_TESTS}", f"--ignore={BARE_SYSTEMS}")
    report = f"--junit-xml={results / 'tests.xml'}"
    session.run(
        *("coverage", "run", "-m", "pytest", *PARALLEL, report, *words),
        success_codes=[0, 1],  # the row counts the tests that failed
    )
    session.run("coverage", "combine", "--quiet")
    need_coverage(session, 100, f"--include={CORE}")
    need_coverage(session, 90, f"--omit={CORE}")


def run_properties(session: nox.Session, results: Path) -> None:
    """Run the property tests; with coverage they take four times as long."""
    run_pytest(session, results, "-m", "hypothesis", env={})


def run_without_cards(session: nox.Session, results: Path) -> None:
    """Run what does not need cards in an organisation without them."""
    # What differs without cards shows at the usual sizes.
    env = {"JARA_TEST_WITHOUT_CARDS": "1", "JARA_FULL": "0"}
    run_pytest(session, results, *WITHOUT_CARDS, env=env)


def run_containers(session: nox.Session, results: Path) -> None:
    """Build the image and run its services, one test at a time."""
    session.run("pytest", f"--junit-xml={results / 'tests.xml'}", CONTAINER_TESTS)


def run_browsers(session: nox.Session, results: Path) -> None:
    """Build the website and run all its journeys, and the tests that `nox -s ui` shortens."""
    install_website(session)
    need_browser(session)
    session.run("npm", "run", "test:full", "--prefix", "webui")
    session.run("npm", "run", "build", "--prefix", "webui")
    report = ("--reporter=default", "--reporter=junit", f"--outputFile={results / 'tests.xml'}")
    session.run("npm", "run", "e2e", "--prefix", "webui", "--", *report)


def run_server(session: nox.Session, results: Path) -> None:
    """Type what the pages say into bare systems; it prints how long each line took."""
    session.run("pytest", "-s", f"--junit-xml={results / 'tests.xml'}", BARE_SYSTEMS)


def run_open_data(session: nox.Session, _: Path) -> None:
    """Check a demo's data package with the standard's reference program.

    It needs two dozen packages, so it has a separate environment.
    """
    program = parts.PROGRAMS["frictionless"].environment / "bin" / "frictionless"
    with TemporaryDirectory() as folder, session.chdir(folder):
        session.run("jara", "demo", "--no-serve", silent=True)
        with session.chdir("jara-demo"):
            session.run("jara", "export", "datapackage", "open-data")
            session.run(str(program), "validate", "open-data/datapackage.json")


def run_python(session: nox.Session, results: Path) -> None:
    """Make a demo with another Python and run most tests."""
    python = next(parts.PROGRAMS[results.name].places())
    environment = ROOT / ".nox" / results.name
    session.run(sys.executable, "-m", "virtualenv", "--quiet", "-p", python, str(environment))
    programs = environment / "bin"
    packages = nox.project.dependency_groups(PYPROJECT, "test")
    session.run(str(programs / "pip"), "install", "--quiet", "-e", ".", *packages)
    # What differs between versions shows at the usual sizes. The PATH is for what the tests start;
    # nox looks for a program in its own.
    env = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "JARA_FULL": "0"}
    with TemporaryDirectory() as folder, session.chdir(folder):
        for words in ("demo --no-serve", "--db jara-demo/jara.db ledger verify"):
            session.run(str(programs / "jara"), *words.split(), silent=True, env=env)
    folders = ("tests/domain", "tests/services", "tests/cli")
    run_pytest(session, results, *folders, env=env, pytest=str(programs / "pytest"))


PARTS = {
    "browsers": run_browsers,
    "containers": run_containers,
    "engines": run_engines,
    "open-data": run_open_data,
    "properties": run_properties,
    "python3.12": run_python,
    "python3.13": run_python,
    "server": run_server,
    "without-cards": run_without_cards,
}


@nox.session
def release(session: nox.Session) -> None:
    """Build the wheel, the sdist and the Debian package into dist/, and check each."""
    install(session, "release")
    need_programs(session, "socat")  # the Debian package needs it
    install_website(session)
    session.run("npm", "run", "build", "--prefix", "webui")
    session.run("python", "-m", "tests.releases.packages", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Pin what is shipped and what builds it, with hashes, in requirements/.

    The versions are the newest that pyproject.toml allows, for all its versions of Python.
    """
    programs = install_apart(session, parts.Program("uv"))
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
    need_programs(session, "hledger")
    need_browser(session)
    session.run("python", "-m", "tests.soak.run", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed against a peer or a limit of the same run and write docs/performance.md."""
    install(session)
    need_programs(session, "hledger", "wrk")
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


def need_coverage(session: nox.Session, percent: int, files: str) -> None:
    """Fail if the branch coverage of these files is lower."""
    try:
        session.run("coverage", "report", "--skip-covered", f"--fail-under={percent}", files)
    except CommandFailed as error:
        raise CommandFailed(f"branch coverage below {percent} % with {files}") from error


def install_apart(session: nox.Session, program: parts.Program) -> Path:
    """Install a package of PyPI into an environment of its own; return its folder of programs."""
    programs = program.environment / "bin"
    session.run(sys.executable, "-m", "virtualenv", "--quiet", str(programs.parent))
    session.run(str(programs / "pip"), "install", "--quiet", program.name)
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


def need_programs(session: nox.Session, *names: str) -> None:
    """Find each program or install its package, or fail with instructions."""
    for name in names:
        program = parts.PROGRAMS[name]
        if program.version() is None:
            if program.is_python:
                install_apart(session, program)
            else:
                need_package(session, name, program.package)


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
