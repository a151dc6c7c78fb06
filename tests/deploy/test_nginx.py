"""nginx takes docs/deploy/nginx.conf and does what its comments say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.deploy.proxied_hosts import SITE, check_one_host_down, running, two_hosts
from tests.journeys.live_server import free_port

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "deploy" / "nginx.conf"
WITHOUT_IPV6 = (sys.executable, "-m", "tests.deploy.socket_families", "~AF_INET6")

needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


def test_nginx_hands_on_one_address_and_buffers() -> None:
    """Nginx replaces the client's address header, and buffers or refuses bodies."""
    text = FILE.read_text("utf-8")

    for line in (
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_request_buffering on;",
        "proxy_buffering on;",
        "client_max_body_size 64k;",
        "proxy_next_upstream error timeout;",
        "ssl_protocols TLSv1.2 TLSv1.3;",
    ):
        assert f"    {line}\n" in text
    assert "$proxy_add_x_forwarded_for" not in text
    assert text.count("{") == text.count("}")


@needs_nginx
def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    """``nginx -t`` passes, with a test certificate and free ports."""
    assert check(write_site(tmp_path, free_port())) == (0, "")


@needs_nginx
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_nginx_moves_on_with_what_changes_nothing(tmp_path: Path, method: str) -> None:
    """With one of two hosts broken, visitors see none of it, and no change is sent twice."""
    port = free_port()
    with two_hosts() as hosts:
        write_site(tmp_path, port, *hosts)
        with running(words(tmp_path), port, tmp_path / "certificate.pem", folder=tmp_path) as proxy:
            check_one_host_down(proxy, method)


@needs_nginx
def test_nginx_serves_both_protocols(tmp_path: Path) -> None:
    """The site answers at an IPv4 address and at an IPv6 one."""
    port = free_port()
    with two_hosts() as hosts:
        write_site(tmp_path, port, hosts[1])
        with running(words(tmp_path), port, tmp_path / "certificate.pem", folder=tmp_path) as proxy:
            statuses = [proxy.ask(address=address).status for address in ("127.0.0.1", "::1")]

    assert statuses == [200, 200]


@needs_nginx
def test_nginx_starts_without_ipv6(tmp_path: Path) -> None:
    """On a machine without IPv6 the line of the page takes out what nginx refuses."""
    port = free_port()
    with two_hosts() as hosts:
        place = write_site(tmp_path, port, hosts[1])
        status, said = check(place, *WITHOUT_IPV6)
        assert (status, "Address family not supported" in said) == (1, True)

        subprocess.run([*WITHOUT_IPV6, "sh", "-c", line_of_the_page(place)], check=False)

        command = [*WITHOUT_IPV6, *words(tmp_path)]
        with running(command, port, tmp_path / "certificate.pem", folder=tmp_path) as proxy:
            assert proxy.ask().status == 200


@needs_nginx
def test_the_line_of_the_page_leaves_ipv6_alone(tmp_path: Path) -> None:
    """Where there is IPv6, the same line changes nothing."""
    place = write_site(tmp_path, free_port())
    before = place.read_text("utf-8")

    subprocess.run(["sh", "-c", line_of_the_page(place)], check=False)

    assert place.read_text("utf-8") == before


def line_of_the_page(place: Path) -> str:
    """Return the line of the deployment page that is for machines without IPv6."""
    (line,) = re.findall(
        r"^nginx -t 2>&1 .*$", (DOCS / "deployment.md").read_text("utf-8"), re.MULTILINE
    )
    own = f"nginx -t -p {place.parent} -c {place.parent}/nginx.conf"
    return str(line).replace("nginx -t", own).replace("/etc/nginx/conf.d/jara.conf", str(place))


def check(place: Path, *before: str) -> tuple[int, str]:
    """Return what ``nginx -t`` says."""
    folder = place.parent
    ran = subprocess.run(
        [*before, "nginx", "-t", "-q", "-p", str(folder), "-c", str(folder / "nginx.conf")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return ran.returncode, ran.stderr


def words(folder: Path) -> list[str]:
    """Return the command that runs nginx in the foreground."""
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]


def write_site(folder: Path, port: int, *hosts: int) -> Path:
    """Write nginx's file for tests: a certificate of our own, free ports, and these hosts."""
    certificate, key = make_certificate(folder)
    text = FILE.read_text("utf-8")
    text = re.sub(r"(listen (?:\[::\]:)?)80\b", lambda found: f"{found[1]}{free_port()}", text)
    text = re.sub(r"(listen (?:\[::\]:)?)443\b", lambda found: f"{found[1]}{port}", text)
    text = re.sub(r"ssl_certificate /.*;", f"ssl_certificate {certificate};", text)
    text = re.sub(r"ssl_certificate_key /.*;", f"ssl_certificate_key {key};", text)
    if hosts:
        servers = "".join(f"server 127.0.0.1:{host};" for host in hosts)
        text = text.replace("server 127.0.0.1:8000;", servers)
    (folder / "site.conf").write_text(text, encoding="utf-8")
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid; error_log stderr; events {{}} http {{ include site.conf; }}\n",
        encoding="utf-8",
    )
    return folder / "site.conf"


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SITE)])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(SITE)]), critical=False)
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
