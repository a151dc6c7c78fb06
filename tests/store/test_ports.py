"""The store has every repository of the services' ports, with each of its methods."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

import pytest

import jara.services.ports
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from tests.harness import make_organisation
from tests.places import NewPlace

PORTS = {
    name: port
    for module in iter_modules(jara.services.ports.__path__, "jara.services.ports.")
    for name, port in vars(import_module(module.name)).items()
}
"""By name, because a port imports the others only for type checkers."""

REPOSITORIES = [name for name, member in vars(UnitOfWork).items() if isinstance(member, property)]


@pytest.fixture(scope="module")
def context(new_place: NewPlace) -> Context:
    """An organisation on each engine."""
    return make_organisation(new_place())


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_repository_has_what_its_port_asks_for(context: Context, name: str) -> None:
    """A transaction has each repository by name, with every method of its port."""
    getter: Any = vars(UnitOfWork)[name].fget
    port = get_type_hints(getter, globalns=PORTS)["return"]
    methods = {one for kind in port.__mro__ for one in vars(kind) if one[0] != "_"}

    with context.store.read() as work:
        repository = getattr(work, name)

    assert methods
    assert set() == {one for one in methods if not callable(getattr(repository, one, None))}
