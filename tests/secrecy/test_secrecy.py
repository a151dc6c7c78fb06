"""Without the ballot key nobody can link a member to a ballot; see `tests.secrecy.attacker`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.secrecy.elections import begin
from tests.sizes import IS_FULL, some

SEED = 5
VOTES = 20 if IS_FULL else 2


ENGINES = ["sqlite", "postgresql"]


@pytest.fixture(params=ENGINES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each engine."""
    if request.param == "sqlite":
        return str(tmp_path / "jara.db")
    return str(request.getfixturevalue("postgres").create_database())


@pytest.mark.parametrize("address", some(ENGINES, step=2), indirect=True)
def test_no_trace_links_members_to_ballots(tmp_path: Path, address: str) -> None:
    """The order of each trace agrees with the log's order only by chance."""
    election = begin(tmp_path, address, SEED)
    for number in range(VOTES):
        election.hold(number)

    assert election.attack.leaks() == {}
    assert len(election.attack.agreement) > 50
    election.context.store.close()
