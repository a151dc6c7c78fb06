"""What is shipped is pinned, and the domain imports none of it but two packages."""

import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS = PROJECT["dependency-groups"]
WANTED: dict[str, list[str]] = {
    "runtime": PROJECT["project"]["dependencies"],
    "build": [one for one in (*GROUPS["build"], *GROUPS["node"]) if isinstance(one, str)],
}
PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)
OF_THE_DOMAIN = {"idna", "markdown_it"}


@pytest.mark.parametrize("name", WANTED)
def test_what_is_shipped_is_pinned(name: str) -> None:
    """`nox -s lock` wrote the file for today's dependencies; each has a version that they allow."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    pinned = {package: version for package, version, _ in PINNED.findall(text)}
    wanted = [Requirement(package) for package in WANTED[name]]

    head = [line[2:] for line in text.splitlines()[1:] if line.startswith("# ")]

    assert list(map(Requirement, head)) == wanted
    for one in wanted:
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), one


@pytest.mark.parametrize("name", WANTED)
def test_each_pin_has_hashes_and_no_host(name: str) -> None:
    """Every file is checked, wherever pip gets it."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    pins = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]

    assert len(pins) == len(PINNED.findall(text)) > 0
    assert all("--hash=sha256:" in pin for pin in pins)
    assert "://" not in text


def test_the_build_has_what_the_build_system_asks_for() -> None:
    """A build without isolation has the same packages as one that pip isolates."""
    asked = PROJECT["build-system"]["requires"]

    assert all(one in WANTED["build"] for one in asked)


def test_the_domain_may_import_no_package_but_two() -> None:
    """The contract forbids every package of the dependencies, except idna and markdown-it."""
    (contract,) = (
        one
        for one in PROJECT["tool"]["importlinter"]["contracts"]
        if "domain is pure" in one["name"]
    )
    names = {canonicalize_name(Requirement(one).name) for one in WANTED["runtime"]}
    modules = {
        module
        for module, owners in packages_distributions().items()
        if names & set(map(canonicalize_name, owners)) and not module.startswith("_")
    }

    assert modules - OF_THE_DOMAIN <= set(contract["forbidden_modules"])
    assert not OF_THE_DOMAIN & set(contract["forbidden_modules"])
