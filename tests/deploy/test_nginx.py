"""nginx takes docs/deploy/nginx.conf and does what its comments say."""

import os
import re
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.deploy.proxied_hosts import SITE, Proxy, check_one_host_down, running, two_hosts
from tests.journeys.live_server import free_port

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "deploy" / "nginx.conf"
WITHOUT_IPV6 = (sys.executable, "-m", "tests.deploy.socket_families", "~AF_INET6")

NAME = "give.harbour.test"
MACHINE = """
cd {folder}
nginx() {{ command nginx -p {folder} -c {folder}/nginx.conf "$@"; }}
hostname() {{ echo {name}; }}
apt-get() {{  # as Debian: a site of its own, and nginx runs if it can
    mkdir -p www/html conf.d sites-available
    echo "server {{
        listen {port} default_server;
        listen [::]:{port} default_server;
        root {folder}/www/html;
    }}" > sites-available/default
    echo "user root; pid {folder}/pid; error_log stderr; events {{}} http {{
        access_log off; include conf.d/*.conf; include sites-available/*;
    }}" > nginx.conf
    dpkg --configure -a
}}
dpkg() {{ nginx > log 2>&1; }}
systemctl() {{ [ "$*" = "reload nginx" ] && nginx -s reload; }}
certbot() {{  # asks for a file by HTTP as the authority does
    [ "$1 $2 $3 $5 $6 $7" = "certonly --webroot -w -d {name} --deploy-hook" ] || return 1
    mkdir -p "$4/.well-known/acme-challenge" && echo yes > "$4/.well-known/acme-challenge/token"
    {python} - <<END || return 1
from urllib.request import Request, urlopen
address = "http://127.0.0.1:{port}/.well-known/acme-challenge/token"
assert urlopen(Request(address, headers={{"Host": "{name}"}}), timeout=300).read() == b"yes\\n"
END
    mkdir -p letsencrypt/live/{name}
    cp certificate.pem letsencrypt/live/{name}/fullchain.pem
    cp key.pem letsencrypt/live/{name}/privkey.pem
    certbot_again="certbot $1 $2 $3 $4 $5 $6 $7"
    hook=$8
    $hook
}}
"""
"""What the lines find: Debian's nginx, and an authority."""
RENEWAL = 'sleep 0.5; $certbot_again "$hook" && echo renewed'

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


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", None),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:"),
        ("2001:db8:1:2::9", "2001:db8:1:2:"),
        ("2001:db8::9", "2001:db8:"),
        ("fe80::1", "fe80:"),
    ],
)
def test_nginx_counts_a_network_of_ipv6_as_one_client(address: str, client: str | None) -> None:
    """A single person has all addresses of a /64, as Jara's own limits know."""
    patterns = re.findall(r'^    "~(\^.*)" \$jara_\w+;$', FILE.read_text("utf-8"), re.MULTILINE)
    matches = (re.search(pattern.replace("(?<", "(?P<"), address) for pattern in patterns)

    assert next((match[1] for match in matches if match), None) == client


@needs_nginx
def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    """``nginx -t`` passes, with a test certificate and free ports."""
    assert check(write_site(tmp_path, free_port())) == (0, "")


@needs_nginx
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_nginx_retries_only_safe_methods(tmp_path: Path, method: str) -> None:
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
@pytest.mark.parametrize("before", [(), WITHOUT_IPV6], ids=["IPv6", "no IPv6"])
def test_the_lines_of_the_page_lead_to_a_site(tmp_path: Path, before: tuple[str, ...]) -> None:
    """Typed in their order they get a certificate, run nginx, and the certificate is renewed."""
    plain, port = free_port(), free_port()
    write_machine(tmp_path, plain, port)
    typed = on_the_machine(lines_of_the_page(), tmp_path)
    machine = MACHINE.format(folder=tmp_path, python=sys.executable, port=plain, name=NAME)
    words = [*before, "bash", "-c", f"{machine}\n{typed}\n{RENEWAL}"]

    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)

        assert (ran.returncode, "renewed\n" in ran.stdout) == (0, True), ran.stdout + ran.stderr
        site = (tmp_path / "conf.d" / "jara.conf").read_text("utf-8")
        assert ("listen [::]" in site, SITE in site) == (not before, False)
        proxy = Proxy(port, tmp_path / "certificate.pem", NAME)
        assert [proxy.ask(path=path).status for path in ("/", "/metrics")] == [502, 404]
    finally:
        pid = tmp_path / "pid"
        if pid.exists():
            os.kill(int(pid.read_text("utf-8")), signal.SIGTERM)


def lines_of_the_page() -> str:
    """Return what the deployment page tells to type for nginx."""
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / "deployment.md").read_text("utf-8"), re.DOTALL)
    (block,) = [block for block in blocks if "nginx-light" in block]
    return str(block)


def on_the_machine(text: str, folder: Path) -> str:
    """Return lines or a file with the places of a machine whose files are in a folder."""
    for there, here in (
        ("/etc/nginx/", f"{folder}/"),
        ("/etc/letsencrypt/", f"{folder}/letsencrypt/"),
        ("/var/www/", f"{folder}/www/"),
        ("docs/deploy/", f"{folder}/docs/"),
    ):
        text = text.replace(there, here)
    return text


def write_machine(folder: Path, plain: int, port: int) -> None:
    """Write what is there before the first line: our file, with ports that are free."""
    make_certificate(folder, NAME)
    site = on_the_machine(FILE.read_text("utf-8"), folder)
    site = re.sub(r"(listen (?:\[::\]:)?)80\b", rf"\g<1>{plain}", site)
    site = re.sub(r"(listen (?:\[::\]:)?)443\b", rf"\g<1>{port}", site)
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{free_port()}")
    (folder / "docs").mkdir()
    (folder / "docs" / "nginx.conf").write_text(site, "utf-8")


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


def make_certificate(folder: Path, site: str = SITE) -> tuple[Path, Path]:
    """Write a self-signed certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, site)])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(site)]), critical=False)
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
