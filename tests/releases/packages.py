"""Build a release into dist/ and check each file as a user gets it: `nox -s release`.

The wheel holds the built site, so that nobody needs Node to install it. The Debian package
holds the wheel and what it needs. `SHA256SUMS` has the checksums, the ``.cdx.json`` files list
what is inside (CycloneDX).
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from urllib.request import urlopen

from jara import __version__
from tests.journeys.live_server import serve

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
SITE = ROOT / "webui" / "dist"
DEBIAN = ROOT / "docs" / "deploy" / "debian"
RUNTIME = ROOT / "requirements" / "runtime.txt"
"""What Jara needs, each package with its version and hashes; `nox -s lock` renews it."""
PYTHONS = ("3.11", "3.12", "3.13")
"""Those of Debian 12, Ubuntu 24.04 and Debian 13: one package is for all of them."""

IN_SDIST = (
    *("Containerfile", ".containerignore", "compose.yaml"),
    *("docs/deployment.md", "tests/conftest.py", "webui/package-lock.json", "data/README.md"),
)


def main() -> None:
    """Build and check everything; the last line says where it is."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        python = str(Path(temporary, "bin", "python"))
        run(sys.executable, "-m", "virtualenv", "--quiet", temporary)
        pip = ("-m", "pip", "install", "--quiet", "--require-hashes", "--requirement")
        run(python, *pip, str(ROOT / "requirements" / "build.txt"))
        run(python, "-m", "build", "--no-isolation", "--outdir", str(DIST), str(ROOT))
    wheel, sdist = _only("*.whl"), _only("*.tar.gz")
    shutil.copy(RUNTIME, DIST / f"jara-{__version__}-requirements.txt")
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    check_contents(wheel, sdist)
    with tempfile.TemporaryDirectory() as temporary:
        environment = install(wheel, Path(temporary, "environment"))
        check_program(environment, Path(temporary))
        list_contents(environment)
    if shutil.which("dpkg-deb"):
        check_debian(build_debian(wheel))
    files = sorted(path for path in DIST.iterdir() if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(sums), "utf-8")
    for path in files:
        say(f"{path.stat().st_size / 1e6:7.1f} MB  {path.name}")


def check_contents(wheel: Path, sdist: Path) -> None:
    """Check that the wheel has every file of the site and no test, and that the sdist has all."""
    names = set(zipfile.ZipFile(wheel).namelist())
    site = {f"jara_webapi/webui/{path}" for path in site_files()}
    assert site <= names, sorted(site - names)
    strangers = {name for name in names if name.startswith(("tests/", "webui/", "docs/"))}
    assert not strangers, strangers
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    assert set(IN_SDIST) <= inside, set(IN_SDIST) - inside
    assert not any("node_modules" in name for name in inside)


def site_files() -> list[str]:
    """Return the files of the built site."""
    return [path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()]


def addresses() -> list[str]:
    """Return where the server answers with a file: pages by their route, other files by name."""
    files = [Path(name) for name in site_files() if not name.startswith("fr/")]
    pages = [f"{file.parent}" for file in files if file.name == "index.html"]
    others = [
        f"{file}" for file in files if file.suffix in {".css", ".js", ".svg", ".woff2", ".png"}
    ]
    return [address.removeprefix(".") for address in [*pages, *others]]


def install(wheel: Path, environment: Path) -> Path:
    """Install the wheel into a new environment on a machine without Node; return its programs."""
    run(sys.executable, "-m", "virtualenv", "--quiet", str(environment))
    pip = (str(environment / "bin" / "pip"), "install", "--quiet")
    run(*pip, "--require-hashes", "--requirement", str(RUNTIME), without_node=True)
    run(*pip, "--no-deps", "--no-index", str(wheel), without_node=True)
    return environment / "bin"


def check_program(programs: Path, folder: Path) -> None:
    """Make a sample organisation and ask its server for every file of the site."""
    jara = str(programs / "jara")
    run(jara, "demo", "--no-serve", "--members", "12", folder=folder, without_node=True)
    with serve(folder / "jara-demo", [jara]) as server:
        for address in addresses():
            with urlopen(f"http://127.0.0.1:{server.port}/{address}", timeout=30) as answer:
                assert answer.status == 200, address


def list_contents(programs: Path) -> None:
    """Write what is inside, for Python and for the site."""
    name = f"jara-{__version__}"
    python = ("environment", str(programs / "python"), "--output-file")
    run(str(_tool("cyclonedx-py")), *python, str(DIST / f"{name}-python.cdx.json"))
    (DIST / f"{name}-site.cdx.json").write_text(list_site(), "utf-8")
    for path in DIST.glob("*.cdx.json"):
        assert json.loads(path.read_text("utf-8"))["components"], path


def list_site() -> str:
    """Return what is inside the site; npm lists no package without a version."""
    document = json.loads((ROOT / "webui" / "package.json").read_text("utf-8"))
    npm = ["npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, document["name"])
        folder.mkdir()
        text = json.dumps({**document, "version": __version__})
        (folder / "package.json").write_text(text, "utf-8")
        shutil.copy(ROOT / "webui" / "package-lock.json", folder)
        listed = subprocess.run(npm, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return listed.stdout


def build_debian(wheel: Path) -> Path:
    """Build the Debian package for these Pythons and this processor; return its file."""
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary, "jara")
        wheels = tree / "usr/share/jara/wheels"
        wheels.mkdir(parents=True)
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(wheels))
        for version in PYTHONS:
            which = ("--only-binary", ":all:", "--no-deps", "--python-version", version)
            run(*pip, *which, "--require-hashes", "--requirement", str(RUNTIME))
        shutil.copy(wheel, wheels)
        _copy(DEBIAN / "jara", tree / "usr/bin/jara", 0o755)
        units = [*DEBIAN.parent.glob("*.service"), *DEBIAN.parent.glob("*.timer")]
        for unit in units:
            _copy(unit, tree / "usr/lib/systemd/system" / unit.name, 0o644)
        for name in ("Caddyfile", "nginx.conf", "answers.toml", "monthly_report.py"):
            _copy(DEBIAN.parent / name, tree / "usr/share/jara" / name, 0o644)
        _copy(ROOT / "LICENSE", tree / "usr/share/doc/jara/copyright", 0o644)
        for script in ("postinst", "prerm"):
            _copy(DEBIAN / script, tree / "DEBIAN" / script, 0o755)
        architecture = _output("dpkg", "--print-architecture")
        values = {
            "VERSION": __version__,
            "ARCHITECTURE": architecture,
            "KILOBYTES": str(sum(path.stat().st_size for path in tree.rglob("*")) // 1024),
            "NEXT_PYTHON": f"3.{int(PYTHONS[-1].removeprefix('3.')) + 1}",
            "PYTHON": PYTHONS[0],
        }
        control = (DEBIAN / "control").read_text("utf-8")
        for name, value in values.items():
            control = control.replace(name, value)
        (tree / "DEBIAN/control").write_text(control, "utf-8")
        package = DIST / f"jara_{__version__}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", str(tree), str(package))
    return package


def check_debian(package: Path) -> None:
    """Install the package, make an organisation, and remove it; in a copy of this system.

    The copy is an overlay that vanishes with its mount namespace, so nothing stays installed.
    """
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        say("The Debian package was not installed: that needs root and unshare.")
        return
    with tempfile.TemporaryDirectory() as temporary:
        for name in ("changes", "work", "system"):
            Path(temporary, name).mkdir()
        script = (DEBIAN / "try.sh").read_text("utf-8")
        environ = {**os.environ, "AREA": temporary, "PACKAGE": str(package)}
        command = ["unshare", "--mount", "bash", "-euo", "pipefail", "-c", script]
        subprocess.run(command, env=environ, check=True)


def run(*command: str, folder: Path = ROOT, without_node: bool = False) -> None:
    """Run a program; stop with its output if it fails."""
    environ = dict(os.environ)
    if without_node:
        environ["PATH"] = str(Path(command[0]).parent)
    say(f"$ {' '.join(command)}")
    subprocess.run(command, cwd=folder, env=environ, check=True)


def say(text: str) -> None:
    """Print a line at once, in order with what programs print."""
    print(text, flush=True)  # noqa: T201


def _only(pattern: str) -> Path:
    (path,) = DIST.glob(pattern)
    return path


def _tool(name: str) -> Path:
    return Path(sys.executable).parent / name


def _copy(source: Path, target: Path, mode: int) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
