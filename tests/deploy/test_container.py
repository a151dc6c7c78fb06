"""The Containerfile and compose.yaml: what they name exists, and the image does its work."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psycopg
import pytest
import yaml

from jara.config.settings import SETTING_NAMES, variable_of
from tests.deploy.image import CAN_BUILD, CONTAINERFILE, ROOT, Engine
from tests.journeys.live_server import free_port, serve
from tests.postgres_server import PostgresServer
from tests.sizes import IS_FULL, PATIENCE_SECONDS, wait_until
from tests.test_deployment_files import PAGE, parse

COMPOSE = ROOT / "compose.yaml"
CHECKER = ROOT / ".nox" / "podman-compose" / "bin" / "podman-compose"
ANSWERS = ROOT / "docs" / "deploy" / "answers.toml"
OURS = ("jara", "daily", "backup")

Steps = list[tuple[str, str]]


def steps() -> list[Steps]:
    """Return the steps of each stage: the instruction, and what it is given."""
    text = re.sub(r"^#.*\n|^\n", "", CONTAINERFILE.read_text("utf-8"), flags=re.MULTILINE)
    stages: list[Steps] = []
    for line in text.splitlines():
        instruction, _, given = line.partition(" ")
        if instruction == "FROM":
            stages.append([])
        elif stages:
            stages[-1].append((instruction, given))
    return stages


def services() -> dict[str, Any]:
    """Return the services of compose.yaml, for a site of that name."""
    text = COMPOSE.read_text("utf-8")
    text = re.sub(r"\$\{SITE_HOST[^}]*\}", "give.example.org", text)
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    found: dict[str, Any] = yaml.safe_load(text)["services"]
    return found


def test_the_last_stage_has_no_root_and_builds_nothing() -> None:
    """The program is copied into it, belongs to root, and runs as another user."""
    build, last = steps()
    last_user = [given for instruction, given in last if instruction == "USER"][-1]

    assert [given for instruction, given in build if instruction == "COPY"] == [". /source"]
    assert [given for instruction, given in last if instruction == "COPY"] == [
        "--from=build /opt/jara /opt/jara"
    ]
    assert last_user == "10001:10001"
    assert f"--uid {last_user.partition(':')[0]} " in dict(last[1:2])["RUN"]


def test_the_build_gets_every_file_that_it_needs() -> None:
    """The list of what is let in has all that the wheel is built from, and nothing private."""
    lines = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    inside = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert lines[1] == "*"
    assert {"src", "cli", "webapi", "webui", "data", "pyproject.toml", "hatch_build.py"} <= inside
    assert all((ROOT / name).exists() for name in inside - {"build.txt"})


def test_a_source_release_can_build_the_container() -> None:
    """The sdist has the container's files, and what they let in."""
    lines = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    needed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    made = {"build.txt", "pyproject.toml"}  # hatchling adds both by itself
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    packed = set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])

    assert {"Containerfile", "compose.yaml", ".containerignore", *needed} - made <= packed


def test_the_command_of_the_image_is_understood() -> None:
    """The image runs a command that Jara has."""
    given = dict(steps()[1])

    assert json.loads(given["ENTRYPOINT"]) == ["jara"]
    parse(" ".join(json.loads(given["CMD"])), whole=True)


def test_the_health_check_tells_a_server_from_none(tmp_path: Path, programs: Path) -> None:
    """It passes with a server that is ready, and fails without one."""
    words = json.loads(dict(steps()[1])["HEALTHCHECK"].removeprefix("CMD "))
    assert words[:2] == ["python", "-c"]

    def check(port: int) -> int:
        code = words[2].replace(":8000", f":{port}")
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=False
        ).returncode

    with serve(tmp_path, [str(programs / "jara")]) as server:
        assert check(server.port) == 0
    assert check(free_port()) == 1


def test_compose_names_settings_commands_and_files() -> None:
    """Settings, commands and files of compose.yaml exist."""
    text = COMPOSE.read_text("utf-8")
    commands = re.findall(r"^ +jara (.*?)(?: \|\| .*)?$", text, re.MULTILINE)

    names = set(re.findall(r"\bJARA_[A-Z_]+", text))
    assert names - {variable_of(name) for name in SETTING_NAMES} == set()
    proxy = (ROOT / "docs/deploy/Caddyfile").read_text("utf-8")
    assert set(services()["caddy"]["environment"]) == set(re.findall(r"\{\$(\w+):", proxy))
    assert [command.split()[0] for command in commands] == ["run", "backup"]
    for command in commands:
        parse(command, whole=True)
    assert all(
        (ROOT / volume.partition(":")[0]).is_file()
        for service in services().values()
        for volume in service["volumes"]
        if volume.startswith("./")
    )


def test_compose_trusts_the_proxy_alone() -> None:
    """The address that Jara trusts is Caddy's, and nobody else has a fixed one."""
    trusted = {services()[name]["environment"]["JARA_TRUSTED_PROXIES"] for name in OURS}
    fixed = {
        name: service["networks"]["default"]["ipv4_address"]
        for name, service in services().items()
        if "networks" in service
    }

    assert fixed == {"caddy": trusted.pop()}
    assert trusted == set()


@pytest.mark.parametrize("name", OURS)
def test_a_service_can_write_nothing_but_its_data(name: str) -> None:
    """Each of our services has a read-only file system and no capabilities."""
    service = services()[name]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 - of the container
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert [volume.partition(":")[2] for volume in service["volumes"]] == json.loads(
        dict(steps()[1])["VOLUME"]
    )


@pytest.mark.parametrize(
    ("name", "codes", "pauses"),
    [
        ("daily", (5, 3, 1), (60, 60, 3600)),
        ("daily", (0,), (3600,)),
        ("backup", (5, 0), (60, 86400)),
    ],
)
def test_without_a_database_a_service_tries_again_soon(
    name: str, codes: tuple[int, ...], pauses: tuple[int, ...], tmp_path: Path
) -> None:
    """PostgreSQL may start later; no day passes without a backup for that."""
    (tmp_path / "codes").write_text("".join(f"{code}\n" for code in codes), "utf-8")
    programs = {
        "jara": "code=$(head -n 1 codes); sed -i 1d codes; exit $code",
        "sleep": "echo $1 >> pauses; [ -s codes ] || kill -TERM $PPID",
        "find": "true",
    }
    for program, text in programs.items():
        (tmp_path / program).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (tmp_path / program).chmod(0o755)
    service = services()[name]
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"

    ran = subprocess.run(
        [*service["entrypoint"], *(word.replace("$$", "$") for word in service["command"])],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        timeout=PATIENCE_SECONDS,
        check=False,
    )

    assert ran.returncode == 0
    assert (tmp_path / "pauses").read_text("utf-8").split() == [f"{pause}" for pause in pauses]


def test_postgresql_says_when_it_is_ready() -> None:
    """The page waits for it before the setup; while it fills its volume it has no address yet."""
    check = services()["postgres"]["healthcheck"]["test"]

    assert (check[:2], "--host=127.0.0.1" in check) == (["CMD", "pg_isready"], True)
    assert "\ndocker compose up --detach --wait postgres\n" in PAGE.read_text("utf-8")


def test_jara_is_not_the_superuser_of_its_server() -> None:
    """The script that PostgreSQL's image runs once makes a role that owns its database alone."""
    (mount,) = (one for one in services()["postgres"]["volumes"] if one.startswith("./"))
    script = ROOT / mount.partition(":")[0]
    postgres = PostgresServer()  # roles belong to the whole server
    environ = {
        "POSTGRES_USER": "owner",
        "POSTGRES_PASSWORD": "it's",
        "PGHOST": str(postgres.folder),
    }
    subprocess.run(["sh", str(script)], env={**os.environ, **environ}, check=True)
    with psycopg.connect(postgres.url("postgres")) as server:
        rows = server.execute(
            "SELECT rolname, rolsuper, rolcanlogin, pg_get_userbyid(datdba) FROM pg_roles "
            "JOIN pg_database ON datname = 'jara' WHERE rolname = 'jara'"
        ).fetchall()
        passwords = server.execute("SELECT rolname FROM pg_authid WHERE rolpassword IS NOT NULL")
        with_password = [row[0] for row in passwords]
    postgres.stop()

    assert rows == [("jara", False, True, "jara")]
    assert with_password == ["jara"]


@pytest.mark.skipif(not CHECKER.exists(), reason="nox -s full installs podman-compose")
def test_a_program_reads_compose() -> None:
    """podman-compose understands the file; without the site's name it says what is missing."""

    def read(**environ: str) -> subprocess.CompletedProcess[str]:
        words = [str(CHECKER), "--file", str(COMPOSE), "--profile", "postgres", "config"]
        return subprocess.run(
            words, env={**os.environ, **environ}, capture_output=True, text=True, check=False
        )

    ran = read(SITE_HOST="give.example.org")
    assert ran.returncode == 0, ran.stderr
    shown = yaml.safe_load(ran.stdout)["services"]
    assert set(shown) == {*OURS, "caddy", "postgres"}
    assert shown["jara"]["environment"]["JARA_SITE_URL"] == "https://give.example.org"
    refused = read()
    assert (refused.returncode, "the site's own name is missing" in refused.stderr) == (1, True)


@pytest.mark.skipif(not (IS_FULL and CAN_BUILD), reason="builds an image; nox -s full does")
def test_the_image_is_built_and_does_its_work() -> None:
    """Its services run read-only: the site answers, what is due is done, a backup is made."""
    # Podman takes no long path, such as that of tmp_path.
    with short_folder() as folder:
        engine, ours = Engine(folder), services()
        engine.build()
        server = ours["jara"]

        assert engine.once(server, "--version").startswith("jara ")
        with ssh_agent(folder) as (agent, key):
            options = [f"--volume={agent}:/agent", "--env=SSH_AUTH_SOCK=/agent"]
            answers = re.sub("^smtp-url.*\n", "", ANSWERS.read_text("utf-8"), flags=re.MULTILINE)
            answers = answers.replace("ssh-ed25519 AAAA ada", key)
            words = ("setup", "--answers", "-")
            said = engine.once(server, *words, options=options, given=answers)
            assert "jara operators add scheduler --role scheduler" in said
        with engine.service("server", server):
            wait_until(
                lambda: engine.run("healthcheck", "run", "server", check=False).returncode == 0
            )
            page = (
                "import urllib.request as web; print(web.urlopen('http://127.0.0.1:8000/').status)"
            )
            assert engine.run("exec", "server", "python", "-c", page).stdout == "200\n"
            assert engine.run("exec", "server", "id", "-u").stdout == "10001\n"
            for place in ("/x", "/opt/jara/x", "/etc/x"):
                assert engine.run("exec", "server", "touch", place, check=False).returncode == 1
            assert engine.run("exec", "server", "which", "node", check=False).returncode == 1
            with engine.service("daily", ours["daily"]):
                wait_until(lambda: "books" in engine.run("logs", "daily").stdout)
            with engine.service("backup", ours["backup"]):
                wait_until(lambda: "backup" in engine.run("logs", "backup").stdout)
            made = engine.run("exec", "server", "ls", "/var/backups/jara").stdout.split()
            assert [name.endswith(".backup") for name in made] == [True]


@contextmanager
def short_folder() -> Iterator[Path]:
    """Make a folder, and remove it once Podman has cleaned up behind its containers."""
    folder = Path(mkdtemp())

    def is_gone() -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    try:
        yield folder
    finally:
        wait_until(is_gone)


@contextmanager
def ssh_agent(folder: Path) -> Iterator[tuple[Path, str]]:
    """Run an SSH agent that the image's user may ask; yield its socket and its public key."""
    private, agent, relay = folder / "id", folder / "own", folder / "agent"
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", str(private)]
    subprocess.run(made, check=True)
    (line,) = re.findall(r"^socat .*$", PAGE.read_text("utf-8"), re.MULTILINE)
    line = line.replace("/run/jara-agent", str(relay)).replace("$SSH_AUTH_SOCK", str(agent))
    with (
        subprocess.Popen(["ssh-agent", "-D", "-a", str(agent)], stdout=subprocess.DEVNULL) as own,
        subprocess.Popen(shlex.split(line.removesuffix("&"))) as other,
    ):
        try:
            wait_until(lambda: agent.exists() and relay.exists())
            environ = {**os.environ, "SSH_AUTH_SOCK": str(agent)}
            subprocess.run(["ssh-add", "-q", str(private)], env=environ, check=True)
            yield relay, private.with_suffix(".pub").read_text("utf-8").strip()
        finally:
            own.terminate()
            other.terminate()
