"""Without the vote's key nobody can link a member to a choice; see `tests.secrecy.attacker`."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.places import in_the_end, keep_on_server, leave
from tests.secrecy.attacker import Attack
from tests.secrecy.elections import begin
from tests.secrecy.planted_leaks import PLANTED, Planted
from tests.secrecy.turnout import TURNOUT_LEAKS, begin_turnout
from tests.sizes import only_full, saw, size, some

SEED = 5
VOTES = size(1, 40, full=10)
ENGINES = ("sqlite", "postgresql")
Places = Callable[[str], tuple[Path, str]]


@pytest.fixture
def new_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Places]:
    """A function that returns a new folder, and the address of its database on an engine."""
    folders: list[Path] = []

    def make(engine: str) -> tuple[Path, str]:
        folder = tmp_path_factory.mktemp("election")
        folders.append(folder)
        if engine == "sqlite":
            return folder, str(folder / "jara.db")
        server = request.getfixturevalue("postgres")
        url = server.create_with_tables()
        keep_on_server(folder, url)
        in_the_end(folder, partial(server.drop_database, url))
        return folder, url

    yield make
    for folder in folders:
        leave(folder)


@pytest.mark.slow
@pytest.mark.parametrize("engine", some(ENGINES, step=2))
def test_no_trace_links_members_to_choices(new_place: Places, engine: str) -> None:
    """Whatever members do around a vote, no trace tells their choices better than chance."""
    attack = Attack()
    for number in range(VOTES):
        folder, place = new_place(engine)
        begin(folder, attack, place=place, seed=SEED + number).hold()
    saw(engine=engine, **{kind: one.sentence for kind, one in attack.scores().items()})

    assert attack.leaks() == {}
    assert len(attack.agreement) > 500


TURNOUTS = size(1, 20, full=5)


@pytest.mark.slow
@pytest.mark.parametrize("engine", some(ENGINES, step=2))
def test_no_backup_tells_who_voted(new_place: Places, engine: str) -> None:
    """Rows, ids, order, times and sizes tell no more than chance, also after reminders."""
    attack = Attack()
    for number in range(TURNOUTS):
        begin_turnout(new_place(engine)[0], attack, seed=SEED + number).hold()
    saw(engine=engine, **{kind: one.sentence for kind, one in attack.scores().items()})

    assert attack.leaks() == {}
    assert len(attack.agreement) > 100


@only_full
@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "engine"),
    [pytest.param(one, engine, id=one.name) for one in PLANTED for engine in one.engines],
)
def test_planted_leaks_are_found(
    new_place: Places, monkeypatch: pytest.MonkeyPatch, planted: Planted, engine: str
) -> None:
    """The same attacker finds each leak that is added on purpose."""
    folder, place = new_place(engine)
    election = begin(folder, Attack(), place=place, seed=SEED)
    election.leaks = [planted.leak]
    if planted.patch is not None:
        planted.patch(monkeypatch, election)
    election.hold()

    assert any(planted.trace in trace for trace in election.attack.leaks())


@only_full
@pytest.mark.slow
@pytest.mark.parametrize("name", TURNOUT_LEAKS)
def test_a_planted_leak_of_who_voted_is_found(
    new_place: Places, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The same attacker finds an email's own time, and a row that voting changes."""
    patch, voted, trace = TURNOUT_LEAKS[name]
    patch(monkeypatch)
    turnout = begin_turnout(new_place("sqlite")[0], Attack(), seed=SEED)
    turnout.voted = voted
    turnout.hold()

    assert any(trace in leak for leak in turnout.attack.leaks())
