"""One operator of each role alone: random commands never pass the limits or the rules."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jara.domain.control.effects import ACTS, TOUCHES, About, Rule, Touch
from jara.domain.control.state import BrokenControl, Control
from jara.services import approvals
from jara.services.books.outflows import Outflows
from jara_cli.exits import ExitCode
from tests.acts_of_commands import acts_of, touches_of
from tests.alone.alone_rules import findings, read_governed, verify_alone
from tests.alone.alone_world import OPERATORS, AloneWorld, copy_world, make_world
from tests.alone.random_acts import Chooser, commands
from tests.alone.random_calls import Caller
from tests.sizes import IS_FULL, SEED, size

HISTORIES = size(6, 500, full=500)
STEPS = 12
CALLS = 0.25
"""The share of steps that are calls of the API."""
TRIES = 60
"""Histories in which a planted hole must be found."""
WHO = ("ada", "ada", "ben", "ben", "ben", "eve", "eve", "cyd", "sam", "aud")
"""Those whose roles allow more act more often."""


class Outcome(NamedTuple):
    """What one person alone reached: what was changed, what the verifier says, and by what."""

    operator: str
    found: list[str]
    verdict: str
    done: list[str]

    @property
    def is_good(self) -> bool:
        """Whether the rules were kept."""
        return not self.found and not self.verdict


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AloneWorld]:
    """The organisation that each history begins with."""
    with pytest.MonkeyPatch.context() as patch:
        yield make_world(tmp_path_factory.mktemp("alone"), patch)


def play(
    world: AloneWorld, folder: Path, operator: str, names: Sequence[str], draw: random.Random
) -> Outcome:
    """Play one history in a copy of the organisation."""
    with pytest.MonkeyPatch.context() as patch:
        copy = copy_world(world, folder, patch)
        application = copy.application()
        context = application.context
        before = read_governed(context)
        done: list[str] = []
        caller = Caller(application, draw)
        for _ in range(STEPS):
            if draw.random() < CALLS:
                done += filter(None, [caller.call()])
                continue
            words = Chooser(draw, context).words(draw.choice(names))
            if copy.run(operator, words)[0] in {ExitCode.DONE, ExitCode.WAITING}:
                done.append(" ".join(words))
        try:
            found = findings(context, before)
        except BrokenControl as error:
            found = [error.message]
        context.store.close()
        return Outcome(operator, found, verify_alone(copy), done)


def names_for(operator: str) -> list[str]:
    """Return the commands that the operator's role may do."""
    role = OPERATORS[operator]
    return [name for name in commands() if any(role in ACTS[act].roles for act in acts_of(name))]


def test_one_person_alone(world: AloneWorld, tmp_path: Path) -> None:
    """Nothing that two people must sign happens in any history."""
    failed = []
    done: set[str] = set()
    known = [f"{name} " for name in commands()]
    for number in range(HISTORIES):
        draw = random.Random(f"{SEED} {number}")
        operator = draw.choice(WHO)
        names = names_for(operator) if draw.random() < 0.9 else []
        outcome = play(world, tmp_path / str(number), operator, names or list(commands()), draw)
        failed += [] if outcome.is_good else [outcome]
        done |= {name for line in outcome.done for name in known if f"{line} ".startswith(name)}

    assert failed == []
    assert len(done) >= (len(known) / 2 if IS_FULL else 1), sorted({*known} - done)


def unruled(*touches: Touch) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what switches off the rules of some touches."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        for touch in touches:
            patch.setitem(TOUCHES, touch, About(Rule.ALONE, ""))

    return plant


def unguarded(*touches: Touch) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what switches off the rules of some touches, and the check of each entry."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        unruled(*touches)(patch)
        patch.setattr(Outflows, "require_small", lambda *_: None)

    return plant


def patched(owner: Any, name: str, result: object) -> Callable[[pytest.MonkeyPatch], None]:
    """Return what replaces a function by a constant answer."""
    return lambda patch: patch.setattr(owner, name, lambda *_: result)


def signed_twice(patch: pytest.MonkeyPatch) -> None:
    """Let one person's second signature count as another's."""
    patch.setattr(Control, "join", lambda _, before, key, *_args, **_more: [*before, key])
    patch.setattr(approvals, "has_enough", lambda *_: True)


HOLES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str, tuple[Touch, ...]]] = {
    "split": (unruled(Touch.SPLIT), "ada", (Touch.SPLIT,)),
    "purpose": (unguarded(Touch.PURPOSE), "ben", (Touch.PURPOSE,)),
    "outlay": (unguarded(Touch.OUTLAY, Touch.PURPOSE), "ben", (Touch.OUTLAY,)),
    "each entry": (patched(Outflows, "require_small", None), "ben", (Touch.OUTLAY,)),
    "ways in": (unruled(Touch.WAYS_IN), "ada", (Touch.WAYS_IN,)),
    "signers": (unruled(Touch.SIGNERS), "ada", (Touch.SIGNERS,)),
    "terms": (unruled(Touch.TERMS), "ada", (Touch.TERMS,)),
    "years": (unruled(Touch.YEARS), "ben", (Touch.YEARS,)),
    "voters": (unruled(Touch.VOTERS), "ben", (Touch.VOTERS,)),
    "own approval": (signed_twice, "ada", (Touch.SPLIT,)),
}
"""Holes: what is switched off, who uses it, and what the commands touch that are tried."""


@pytest.mark.parametrize("hole", HOLES if IS_FULL else list(HOLES)[:2])
def test_a_planted_hole_is_found(
    world: AloneWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hole: str
) -> None:
    """A rule that is switched off is noticed."""
    plant, operator, touches = HOLES[hole]
    plant(monkeypatch)
    names = [name for name in names_for(operator) if not {*touches}.isdisjoint(touches_of(name))]
    names.append("approvals approve")  # of one's own act
    draw = random.Random(f"{SEED} {hole}")
    tries = (play(world, tmp_path / str(number), operator, names, draw) for number in range(TRIES))

    assert any(not outcome.is_good for outcome in tries)
