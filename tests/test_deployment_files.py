"""The deployment page and its files name existing things, and the tools accept them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from jara.config.loading import load_settings
from jara.config.settings import SETTING_NAMES, variable_of
from jara_cli.root import build_root
from tests.journeys.live_server import free_port

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "deployment.md"
PAGES = (PAGE, DOCS / "postgresql.md")
UNITS = sorted((DOCS / "deploy").glob("jara*"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
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
    text = "".join(page.read_text("utf-8") for page in PAGES)
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    lines += [
        line.removeprefix("ExecStart=")
        for unit in SERVICES
        for line in unit.read_text("utf-8").splitlines()
        if line.startswith("ExecStart=")
    ]
    found = [
        re.search(r"(?:^|/opt/jara/bin/|'exec \S*/)jara ((?!--config \S+ \"\$@\").*)", line)
        for line in lines
    ]
    return [match[1].rstrip("'") for match in found if match and not match[1].startswith("/")]


def mentioned_commands() -> list[str]:
    """Return the commands in the sentences of the pages."""
    return [
        command
        for page in PAGES
        for command in re.findall(r"`jara ([a-z-][^`]*)`", page.read_text("utf-8"))
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
    for start in ("init", "migrate", "doctor", "backup ", "restore "):
        assert any(line.startswith(start) for line in lines), start


def test_every_variable_is_a_setting() -> None:
    """No JARA_ name is misspelled on the pages or in the files."""
    texts = [path.read_text("utf-8") for path in (*PAGES, NGINX, *UNITS)]
    named = {name for text in texts for name in re.findall(r"\bJARA_[A-Z_]+", text)}

    assert named - {variable_of(name) for name in SETTING_NAMES} == set()
    assert "JARA_TRUSTED_PROXIES" in named


def test_the_settings_that_are_shown_are_valid(tmp_path: Path) -> None:
    """Jara accepts the settings as they are shown."""
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
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


def test_nginx_hands_on_one_address_and_buffers() -> None:
    """Nginx replaces the client's address header, and buffers or refuses bodies."""
    text = NGINX.read_text("utf-8")

    for line in (
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_request_buffering on;",
        "proxy_buffering on;",
        "client_max_body_size 64k;",
        "proxy_next_upstream off;",
        "ssl_protocols TLSv1.2 TLSv1.3;",
    ):
        assert f"    {line}\n" in text
    assert "$proxy_add_x_forwarded_for" not in text
    assert text.count("{") == text.count("}")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    """``nginx -t`` passes, with a test certificate and free ports."""
    certificate, key = make_certificate(tmp_path)
    text = NGINX.read_text("utf-8")
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"listen \d+", lambda _: f"listen 127.0.0.1:{free_port()}", text)
    text = re.sub(r"ssl_certificate /.*;", f"ssl_certificate {certificate};", text)
    text = re.sub(r"ssl_certificate_key /.*;", f"ssl_certificate_key {key};", text)
    (tmp_path / "site.conf").write_text(text, encoding="utf-8")
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ include site.conf; }}\n",
        encoding="utf-8",
    )

    ran = subprocess.run(
        ["nginx", "-t", "-q", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "give.example.org")])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths
