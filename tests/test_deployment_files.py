"""The deployment page and its files name existing things, and the tools accept them."""

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from jara.config.loading import load_settings
from jara.config.settings import RETIRED, SETTING_NAMES, Settings, variable_of
from jara.domain.errors import InvalidInput
from jara_cli.root import build_root
from jara_cli.setup.answers import read_answers
from jara_cli.setup.questions import TERMS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "deployment.md"
OPERATIONS = DOCS / "operations.md"
PAGES = (PAGE, OPERATIONS, DOCS / "upgrading.md", DOCS / "postgresql.md")
UNITS = sorted((DOCS / "deploy").glob("jara*"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
ANSWERS = DOCS / "deploy" / "answers.toml"
NGINX = DOCS / "deploy" / "nginx.conf"

HARDENED = {
    "User=jara",
    "UMask=0077",
    "StateDirectory=jara jara-signer",
    "StateDirectoryMode=0700",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
}


def whole_commands() -> list[str]:
    """Return every command line for people or units."""
    text = "".join(page.read_text("utf-8") for page in PAGES).replace("\\\n", " ")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    lines += [
        line.removeprefix("ExecStart=")
        for unit in SERVICES
        for line in unit.read_text("utf-8").splitlines()
        if line.startswith("ExecStart=")
    ]
    before = r"^|/opt/jara/bin/|'exec \S*/|^docker compose exec jara |^docker compose run .*?"
    found = [
        re.search(rf"(?:{before})\bjara ((?!--config \S+ +\"\$@\").*?)(?: [<>] .*)?$", line)
        for line in lines
    ]
    return [match[1].rstrip("'") for match in found if match and not match[1].startswith("/")]


def mentioned_commands() -> list[str]:
    """Return the commands in the sentences of the pages."""
    return [
        command
        for page in PAGES
        for command in re.findall(r"`jara ([a-z][^`]*)`", page.read_text("utf-8"))
    ]


def parse(line: str, *, whole: bool) -> None:
    """Parse a line with the command's own parser, which raises on unknown words."""
    command: Any = build_root()
    name, words, context = "jara", shlex.split(line), None
    while True:
        context = command.make_context(
            name, list(words), parent=context, resilient_parsing=not whole
        )
        if not hasattr(command, "commands"):
            return
        rest = [*context._protected_args, *context.args]
        name, command, words = command.resolve_command(context, rest)


@pytest.mark.parametrize("line", whole_commands())
def test_every_command_line_is_understood(line: str) -> None:
    """Options and arguments on the page and in units are accepted."""
    parse(line, whole=True)


@pytest.mark.parametrize("line", sorted(set(mentioned_commands())))
def test_every_command_that_is_mentioned_exists(line: str) -> None:
    """Every command in a sentence exists."""
    parse(line, whole=False)


def test_the_page_shows_commands() -> None:
    """The pages have commands; without them the tests above would check nothing."""
    lines = whole_commands()

    configured = [line for line in lines if "--config /etc/jara/jara.toml" in line]
    assert len(configured) == sum("--config" in unit.read_text("utf-8") for unit in SERVICES)
    for start in ("setup", "migrate", "doctor", "backup "):
        assert any(line.startswith(start) for line in lines), start


def test_every_variable_is_a_setting() -> None:
    """No JARA_ name is misspelled on the pages or in the files."""
    texts = [path.read_text("utf-8") for path in (*PAGES, NGINX, *UNITS)]
    named = {name for text in texts for name in re.findall(r"\bJARA_[A-Z_]+", text)}

    assert named - {variable_of(name) for name in (*SETTING_NAMES, *RETIRED)} == set()
    assert "JARA_TRUSTED_PROXIES" in named


def test_the_settings_that_are_shown_are_valid(tmp_path: Path) -> None:
    """Jara accepts the settings as they are shown."""
    (shown, *_) = re.findall(r"```toml\n(.*?)```", OPERATIONS.read_text("utf-8"), re.DOTALL)
    place = tmp_path / "jara.toml"
    place.write_text(shown, encoding="utf-8")

    settings = load_settings({}, toml_path=place)

    assert len(tomllib.loads(shown)) == sum(
        source == "jara.toml" for source in settings.sources.values()
    )


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_well_formed(unit: Path, tmp_path: Path) -> None:
    """A unit passes systemd's own check if that is installed, and a check of its grammar."""
    lines = unit.read_text("utf-8").splitlines()
    keys = [line for line in lines if line and not line.startswith(("#", "["))]

    assert all(re.fullmatch(r"[A-Z][A-Za-z]+=.*", line) for line in keys)
    assert [line for line in lines if line.startswith("[")][:1] == ["[Unit]"]
    if unit.suffix == ".timer":
        assert unit.with_suffix(".service") in UNITS
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return
    for other in UNITS:  # a timer names its service
        text = re.sub("/opt/jara/bin/(jara|python)", "/bin/true", other.read_text("utf-8"))
        (tmp_path / other.name).write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit.name)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    about_ours = [line for line in ran.stderr.splitlines() if unit.name in line]
    assert about_ours == []


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_can_write_nothing_but_its_data(unit: Path) -> None:
    """Every service has the same sandboxing options."""
    lines = set(unit.read_text("utf-8").splitlines())

    assert HARDENED - lines == set()


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_reaches_a_database_on_another_machine(unit: Path) -> None:
    """Each unit works with PostgreSQL over TCP as well as with a file."""
    values = dict(
        line.split("=", 1) for line in unit.read_text("utf-8").splitlines() if "=" in line
    )

    assert {"AF_INET", "AF_INET6", "AF_UNIX"} == set(values["RestrictAddressFamilies"].split())
    assert values.get("PrivateNetwork", "no") == "no"
    assert "IPAddressDeny" not in values


def test_the_form_of_answers_lacks_a_key_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`jara setup` takes every answer of the form as it is, but for the key."""
    with pytest.raises(InvalidInput, match="has a mistake"):
        read_answers(str(ANSWERS), {}, Settings())
    assert "'key'" in capsys.readouterr().err

    own = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4 ada"
    place = tmp_path / "answers.toml"
    text = ANSWERS.read_text("utf-8")
    place.write_text(text.replace("ssh-ed25519 AAAA ada", own), "utf-8")
    answers = read_answers(str(place), {}, Settings())

    assert set(answers) >= {"address", "contact", *TERMS, "effective", "log-days"}
    assert answers["key"] == own


ROOT = Path(__file__).parents[1]
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"


@pytest.mark.parametrize("name", ["noxfile.py", ".ci/run", ".github/CONTRIBUTING.md", "README.md"])
def test_nothing_asks_pip_for_a_dependency_group(name: str) -> None:
    """``pip install --group`` needs pip 25.1; Debian's Python 3.11 has 23.0."""
    assert "--group" not in (ROOT / name).read_text("utf-8")


def test_nox_is_installed_into_an_environment() -> None:
    """Debian's pip refuses to install into the system's packages (PEP 668)."""
    lines = CONTRIBUTING.read_text("utf-8").splitlines()
    steps = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]

    assert steps[0].startswith("python3 -m venv ")
    folder = steps[0].split()[-1]
    assert steps[1:3] == [f"{folder}/bin/pip install nox", f"{folder}/bin/nox -s dev"]
