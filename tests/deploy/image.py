"""Builds the image of the Containerfile on this machine, and runs its services."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
CONTAINERFILE = ROOT / "Containerfile"
IMAGE, BASE = "localhost/jara", "localhost/base"
PROGRAMS = ("podman", "buildah", "runc", "mmdebstrap", "socat", "ssh-agent")
CAN_BUILD = os.geteuid() == 0 and all(map(shutil.which, PROGRAMS))

_PACKAGES = "python3,python3-venv,ca-certificates"
_MACHINE = ("NODE_EXTRA_CA_CERTS", "PIP_CERT", "https_proxy", "no_proxy")
_LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000")


class Engine(NamedTuple):
    """Podman with a store of its own, which a test removes."""

    store: Path

    def run(
        self, *words: str, check: bool = True, given: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a podman command; return what it said."""
        command = ["podman", *self._place, "--runtime", "runc", *words]
        return _run(command, check=check, given=given)

    def build(self) -> None:
        """Build the image on a Debian that is made here, since no registry may be near."""
        tree = self.store / "base.tar"
        _run(["mmdebstrap", "--variant=minbase", f"--include={_PACKAGES}", "bookworm", str(tree)])
        changes = [f"ENV {name}={os.environ[name]}" for name in _MACHINE if name in os.environ]
        options = [word for change in changes for word in ("--change", change)]
        self.run("import", *options, str(tree), BASE)
        tree.unlink()
        words = ["buildah", *self._place, "build", "--isolation", "chroot", "--format", "docker"]
        words += ["--volume", "/etc/ssl/certs:/etc/ssl/certs:ro", "--pull-never"]
        words += ["--build-arg", f"BASE={BASE}", "--file", str(CONTAINERFILE), "--tag", IMAGE]
        _run([*words, str(ROOT)])

    def once(
        self, service: Mapping[str, Any], *words: str, options: Sequence[str] = (), given: str = ""
    ) -> str:
        """Run a command as a service, and return what it said."""
        command = ["run", "--rm", "--interactive", *_options(service), *options, IMAGE, *words]
        ran = self.run(*command, given=given)
        return ran.stdout + ran.stderr

    @contextmanager
    def service(self, name: str, service: Mapping[str, Any]) -> Iterator[None]:
        """Run a service until the block ends; it must then stop by itself."""
        command = ["run", "--detach", "--name", name, *_options(service)]
        if "entrypoint" in service:
            command += ["--entrypoint", service["entrypoint"][0]]
        words = [*service.get("entrypoint", [])[1:], *service.get("command", [])]
        self.run(*command, IMAGE, *(word.replace("$$", "$") for word in words))
        try:
            yield
            self.run("stop", "--time", "20", name)
            state = self.run("inspect", "--format", "{{.State.ExitCode}}", name).stdout.strip()
            assert state == "0", self.run("logs", name).stdout
        finally:
            self.run("rm", "--force", "--time", "0", name)

    @property
    def _place(self) -> tuple[str, ...]:
        folders = ("--root", str(self.store / "images"), "--runroot", str(self.store / "state"))
        return (*folders, "--storage-driver", "vfs")


def _options(service: Mapping[str, Any]) -> list[str]:
    """Return a service of compose.yaml as options of podman, without its network."""
    options = ["--network", "none", *_LIMITS]
    options += [f"--volume={volume}" for volume in service["volumes"]]
    options += [f"--tmpfs={place}" for place in service["tmpfs"]]
    options += [f"--cap-drop={name}" for name in service["cap_drop"]]
    options += [
        f"--security-opt={option.replace(':true', '')}" for option in service["security_opt"]
    ]
    options += [f"--env={name}={value}" for name, value in service["environment"].items()]
    return [*options, "--read-only"] if service["read_only"] else options


def _run(
    words: list[str], *, check: bool = True, given: str = ""
) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run(
        words, input=given, capture_output=True, text=True, timeout=900, check=False
    )
    assert ran.returncode == 0 or not check, ran.stdout + ran.stderr
    return ran
