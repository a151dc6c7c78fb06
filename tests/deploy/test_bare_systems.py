"""On bare systems, the lines of two pages make a server and a demo, see fifteen_minutes.py."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.fifteen_minutes import SYSTEMS, build_package, copy_source, type_into
from tests.full import parts
from tests.releases.packages import say
from tests.sizes import IS_FULL

(SERVER,) = parts.choose(["server"])

pytestmark = pytest.mark.skipif(
    not IS_FULL or bool(os.geteuid()) or bool(parts.missing(SERVER)),
    reason="makes bare systems; nox -s full does",
)


@pytest.fixture(scope="module")
def package() -> Path:
    """The package of this source."""
    return build_package()


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A bare system in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "system")
        try:
            SYSTEMS[request.param].make(tree)
        except subprocess.CalledProcessError:
            pytest.skip(f"no archive of {request.param} answers")
        say(f"\n{request.param}")
        yield tree


@pytest.fixture
def copy(system: Path) -> Iterator[Path]:
    """A copy of it, which the test changes."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "copy")
        subprocess.run(["cp", "--archive", str(system), str(tree)], check=True)
        yield tree


def test_the_lines_of_the_package_make_a_server(copy: Path, package: Path) -> None:
    """In less than fifteen minutes there is a site with TLS, a daily run and a backup."""
    shutil.copy(package, copy / "root")

    type_into(copy, "package")


def test_the_command_of_the_readme_serves_a_demo(copy: Path) -> None:
    """Somebody who only wants to look needs nothing but Python."""
    copy_source(copy)

    type_into(copy, "readme")
