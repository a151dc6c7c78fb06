"""The schema, step by step; a step that has been released is never edited."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from jara.store.schema import m0001_foundation, m0002_flat_costs


class SchemaStep(Protocol):
    """A module that takes the schema one version further."""

    __name__: str

    @property
    def STATEMENTS(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """What is executed, in order."""
        ...

    @property
    def APPEND_ONLY(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """New tables that refuse UPDATE and DELETE."""
        ...

    @property
    def WITHOUT_ROWID(self) -> Collection[str]:  # noqa: N802 - a module's constant
        """New tables that keep no order of insertion."""
        ...


STEPS: tuple[SchemaStep, ...] = (m0001_foundation, m0002_flat_costs)
"""Every step, oldest first; the version of a database is how many of them it has."""
