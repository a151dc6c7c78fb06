"""Caddy takes docs/deploy/Caddyfile and does what its comments say."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.deploy.proxied_hosts import SITE, Host, Proxy, check_one_host_down, running, two_hosts
from tests.journeys.live_server import free_port, serve
from tests.sizes import some

FILE = Path(__file__).parents[2] / "docs" / "deploy" / "Caddyfile"
WITHOUT_IPV6 = (sys.executable, "-m", "tests.deploy.socket_families", "~AF_INET6")

pytestmark = pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")


@contextmanager
def caddy(folder: Path, *hosts: int, before: tuple[str, ...] = ()) -> Iterator[Proxy]:
    """Run Caddy with its own authority, and free ports, in front of hosts."""
    port = free_port()
    own = (
        f"admin off\nlocal_certs\nskip_install_trust\nhttp_port {free_port()}\nhttps_port {port}\n"
    )
    text = FILE.read_text("utf-8").replace("{\n\tservers", f"{{\n{own}\tservers", 1)
    text = text.replace(f"http://{{$SITE_HOST:{SITE}}}", f"http://{SITE}")
    names = " ".join(f"127.0.0.1:{host}" for host in hosts)
    (folder / "Caddyfile").write_text(text.replace("{$UPSTREAMS:127.0.0.1:8000}", names), "utf-8")
    authority = folder / "caddy/pki/authorities/local/root.crt"
    command = [
        *before,
        "env",
        f"XDG_DATA_HOME={folder}",
        f"XDG_CONFIG_HOME={folder}",
        f"HOME={folder}",
    ]
    command += ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with running(command, port, authority, folder=folder) as proxy:
        yield proxy


def test_caddy_accepts_its_file(tmp_path: Path) -> None:
    """``caddy validate`` passes, and ``caddy fmt`` has nothing to change."""
    environ = {**os.environ, "HOME": str(tmp_path)}
    for verb in (("validate", "--adapter", "caddyfile", "--config"), ("fmt",)):
        ran = subprocess.run(
            ["caddy", *verb, str(FILE)], env=environ, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
    assert ran.stdout == FILE.read_text("utf-8")


def test_caddy_names_the_client(tmp_path: Path) -> None:
    """Jara gets the client's address; what the client says of itself is thrown away."""
    lies = {"X-Forwarded-For": "203.0.113.5", "Forwarded": "for=203.0.113.5", "Expect": ""}
    with two_hosts() as hosts, caddy(tmp_path, hosts[1]) as proxy:
        proxy.ask(headers=lies)

    ((_, headers),) = Host.requests
    assert (headers["X-Forwarded-For"], headers.get("Forwarded"), headers["Host"]) == (
        "127.0.0.1",
        None,
        SITE,
    )


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_caddy_retries_only_safe_methods(tmp_path: Path, method: str) -> None:
    """With one of two hosts broken, visitors see none of it, and no change is sent twice."""
    with two_hosts() as hosts, caddy(tmp_path, *hosts) as proxy:
        check_one_host_down(proxy, method)


@pytest.mark.parametrize("before", some([(), WITHOUT_IPV6], 2), ids=bool)
def test_jara_answers_through_caddy(tmp_path: Path, before: tuple[str, ...]) -> None:
    """Calls arrive over TLS; not the counts, nor a body that is too long."""
    settings = {
        "JARA_SITE_URL": f"https://{SITE}",
        "JARA_PUBLIC_SANDBOX": "true",
        "JARA_TRUSTED_PROXIES": "127.0.0.1",
    }
    place = tmp_path / "site"
    place.mkdir()
    with serve(place, **settings) as jara, caddy(tmp_path, jara.port, before=before) as proxy:
        answers = {path: proxy.ask(path=path) for path in ("/readyz", "/api/config", "/metrics")}
        as_json = {"Content-Type": "application/json"}
        too_long = [
            proxy.ask("POST", "/api/gifts", b"x" * size, as_json).status
            for size in (70_000, 200_000)
        ]

    assert [one.status for one in answers.values()] == [200, 200, 404]
    # Jara refuses before it has read the body; Caddy may still be sending, and say 502 then.
    assert set(too_long) <= {413, 502}
    assert {one.headers.get("Strict-Transport-Security") for one in answers.values()} == {
        "max-age=31536000; includeSubDomains"
    }
