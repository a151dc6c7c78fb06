"""Fixtures of the benchmarks: Jara as it is installed, and a served sample organisation."""

import os
import subprocess
import time
import urllib.request
from collections.abc import Iterator

import pytest

from tests.benchmarks.processes import JARA, WEBUI
from tests.journeys.live_server import free_port

# An installed package has bytecode. With PYTHONDONTWRITEBYTECODE, an editable installation
# would compile every module at each start, and the benchmarks would measure that.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the demo with the built website."""
    built = WEBUI / "dist" / "index.html"
    assert built.is_file(), "build the website first: npm ci && npm run build in webui/"
    folder = tmp_path_factory.mktemp("site")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("JARA_")}
    make = [JARA, "demo", "--no-serve", "--members", "40"]
    subprocess.run(make, cwd=folder, env=environ, check=True, capture_output=True)
    port = free_port()
    command = [JARA, "--db", "jara-demo/jara.db", "serve", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/readyz")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - our own
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"nobody answers at {address}")
