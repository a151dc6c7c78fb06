"""Without the ballot key nobody can link a member to a ballot; see `tests.secrecy.attacker`."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.giving.member import Member
from jara.records.operations import AuditRow
from jara.services.context import Context
from tests.secrecy.elections import Act, begin
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


def row_in_order(context: Context, proposal: str, member: Member) -> None:
    """Store a row about a voter at the time of the vote, without the time."""
    with context.store.write() as work:
        work.meta.put(f"voted:{proposal}:{member.id}", "1")


def exact_time(context: Context, _proposal: str, member: Member) -> None:
    """Store when a member was last seen."""
    with context.store.write() as work:
        work.meta.put(f"seen:{member.key}", context.now().isoformat())


def audit_row(context: Context, proposal: str, member: Member) -> None:
    """Log a vote as an act on the member."""
    row = AuditRow(context.now(), "web", "votes.cast", member.key, "", {}, {"proposal": proposal})
    with context.store.write() as work:
        work.operations.record(row)


@pytest.mark.parametrize("address", some(ENGINES, step=2), indirect=True)
@pytest.mark.parametrize("leak", some([row_in_order, exact_time, audit_row], step=2))
def test_a_planted_leak_is_found(tmp_path: Path, address: str, leak: Act) -> None:
    """The attacker finds each leak that is added on purpose."""
    election = begin(tmp_path, address, SEED)
    election.leak = leak
    election.hold(0)

    assert election.attack.leaks()
    election.context.store.close()
