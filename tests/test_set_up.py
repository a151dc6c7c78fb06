"""The setup of CONTRIBUTING works with the pip of Python 3.11."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"


@pytest.mark.parametrize("name", ["noxfile.py", ".ci/run", ".github/CONTRIBUTING.md", "README.md"])
def test_nothing_asks_pip_for_a_dependency_group(name: str) -> None:
    """``pip install --group`` needs pip 25.1; Debian's Python 3.11 has 23.0."""
    assert "--group" not in (ROOT / name).read_text("utf-8")


def test_nox_is_installed_into_an_environment() -> None:
    """Debian's pip refuses to install into the system's packages (PEP 668)."""
    lines = CONTRIBUTING.read_text("utf-8").splitlines()
    steps = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]

    assert steps[0].startswith("python3 -m venv ")
    folder = steps[0].split()[-1]
    assert steps[1:3] == [f"{folder}/bin/pip install nox", f"{folder}/bin/nox -s dev"]
