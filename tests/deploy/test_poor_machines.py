"""The first day with Jara works on a machine without IPv6, without Node, without systemd."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sizes import only_full

MACHINES = {
    "nothing but Python on a kernel without IPv6": {
        "path": "",
        "words": f"{sys.executable} -m tests.deploy.socket_families ~AF_INET6",
    },
    "IPv6 turned off": {
        "words": "unshare --net sh -c 'ip link set lo up && "
        'sysctl -qw net.ipv6.conf.all.disable_ipv6=1 && exec "$@"\' sh',
        "needs_root": "yes",
    },
}


@pytest.mark.slow
@only_full
@pytest.mark.parametrize("name", MACHINES)
def test_the_first_day_works(name: str, tmp_path: Path) -> None:
    """Setup, a test email, the site by both of its names, a taken port, the demo."""
    machine = MACHINES[name]
    if "needs_root" in machine and os.geteuid() != 0:
        pytest.skip("only root makes a network")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("JARA_")}
    environ = {**kept, "HOME": str(tmp_path), "PATH": machine.get("path", os.environ["PATH"])}
    words = shlex.split(machine.get("words", ""))

    ran = subprocess.run(
        [*words, sys.executable, "-m", "tests.deploy.everyday", str(tmp_path)],
        env=environ,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
