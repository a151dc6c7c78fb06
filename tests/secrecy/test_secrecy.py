"""Without the vote's key nobody can link a member to a choice; see `tests.secrecy.attacker`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.places import in_the_end, keep_on_server, leave
from tests.secrecy.attacker import Attack
from tests.secrecy.elections import Election, begin
from tests.secrecy.planted_leaks import PLANTED, Planted
from tests.sizes import only_full, saw, size, some

SEED = 5
VOTES = size(1, 40, full=10)
ENGINES = ("sqlite", "postgresql")
Begin = Callable[[str, Attack, int], Election]


@pytest.fixture
def begun(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Begin]:
    """A function that creates an organisation on an engine."""
    folders: list[Path] = []

    def make(engine: str, attack: Attack, seed: int) -> Election:
        folder = tmp_path_factory.mktemp("election")
        folders.append(folder)
        if engine == "sqlite":
            return begin(folder, attack, place=str(folder / "jara.db"), seed=seed)
        server = request.getfixturevalue("postgres")
        url = server.create_with_tables()
        keep_on_server(folder, url)
        in_the_end(folder, partial(server.drop_database, url))
        return begin(folder, attack, place=url, seed=seed)

    yield make
    for folder in folders:
        leave(folder)


@pytest.mark.slow
@pytest.mark.parametrize("engine", some(ENGINES, step=2))
def test_no_trace_links_members_to_choices(begun: Begin, engine: str) -> None:
    """Whatever members do around a vote, no trace tells their choices better than chance."""
    attack = Attack()
    for number in range(VOTES):
        begun(engine, attack, SEED + number).hold()
    saw(engine=engine, **{kind: one.sentence for kind, one in attack.scores().items()})

    assert attack.leaks() == {}
    assert len(attack.agreement) > 500


@only_full
@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "engine"),
    [pytest.param(one, engine, id=one.name) for one in PLANTED for engine in one.engines],
)
def test_planted_leaks_are_found(
    begun: Begin, monkeypatch: pytest.MonkeyPatch, planted: Planted, engine: str
) -> None:
    """The same attacker finds each leak that is added on purpose."""
    election = begun(engine, Attack(), SEED)
    election.leaks = [planted.leak]
    if planted.patch is not None:
        planted.patch(monkeypatch, election)
    election.hold()

    assert any(planted.trace in trace for trace in election.attack.leaks())
