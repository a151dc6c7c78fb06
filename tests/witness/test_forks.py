"""1,000 forks and rollbacks for three witnesses, one of which signs anything."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.domain.publiclog.merkle import EMPTY_ROOT
from jara.domain.publiclog.witnessing import AddCheckpoint, default_quorum
from jara.witness.cosigner import Cosigner, Refused, Signed
from jara.witness.folder import WitnessedLog as Followed
from jara_webapi.witness import create_witness_app
from tests.fakes.clock import FakeClock
from tests.fakes.witness_servers import App, app_of, asked, served
from tests.fakes.witnesses import Answer, Liar, honest, make_cosigner
from tests.harness import NOON
from tests.sizes import SEED, size
from tests.witness.witnessed_log import WitnessedLog

FORKS = size(100, 1000, full=1000)
FORKS_BY_HTTP = size(60, 1000, full=100)
QUORUM = default_quorum(3)


@dataclass
class Three:
    """Two honest witnesses and a liar."""

    honest: list[Cosigner]
    answers: list[Answer]
    forks: int = FORKS


@pytest.fixture
def clock() -> FakeClock:
    """Noon."""
    return FakeClock(NOON)


@pytest.fixture
def three(tmp_path: Path, clock: FakeClock) -> Three:
    """The witnesses; the honest ones follow the log."""
    key = WitnessedLog().key
    good = [make_cosigner(tmp_path, name, clock, key) for name in ("w1", "w2")]
    return Three(good, [*map(honest, good), Liar("w3", clock)])


@pytest.fixture(params=["here", "http"])
def everywhere(request: pytest.FixtureRequest, three: Three) -> Iterator[Three]:
    """The witnesses, called in this process or over HTTP."""
    if request.param == "here":
        yield three
        return
    apps: list[App] = [*map(create_witness_app, three.honest), app_of(three.answers[2])]
    with ExitStack() as stack:
        urls = [stack.enter_context(served(app)) for app in apps]
        yield Three(three.honest, [asked(url) for url in urls], FORKS_BY_HTTP)


def count_signatures(three: Three, log: WitnessedLog, size: int) -> int:
    """Offer a checkpoint with every useful old size; return the number of signatures."""
    return sum(
        any(answer(log.request(old, size)).status == 200 for old in range(size + 1))
        for answer in three.answers
    )


def test_no_fork_or_rollback_gets_a_second_cosignature(everywhere: Three) -> None:
    """Only the liar signs another history; honest witnesses store each fork that is proven.

    A smaller fork looks like an older checkpoint, so it is answered with the signed size. A
    larger one is refused, but proves nothing: whoever sent it may have withheld the proof.
    """
    three, kept = everywhere, set()
    chance, log = random.Random(SEED), WitnessedLog()
    for number in range(three.forks):
        if log.size > 40:  # a tree of this size has every shape of proof
            log = restart(three, log)
        before = log.size
        log.grow(chance, chance.randint(1, 3))
        for answer in three.answers:
            assert answer(log.request(before)).status == 200
        back = chance.randint(0, log.size - 1)
        fork = log.fork(chance, back)
        old = chance.randint(0, fork.size)

        said = [answer(fork.request(old)).status for answer in three.answers]

        assert said[2] == 200
        assert set(said[:2]) <= {400, 409, 422}, f"fork {number}: {said}"
        rolled_back = [one(log.request(0, back)).status for one in three.answers]
        assert rolled_back == [409, 409, 200]
        if fork.size == log.size:
            kept |= keep_fork(three, log, fork)

    assert kept == {"OTHER_ROOT"}


def keep_fork(three: Three, log: WitnessedLog, fork: WitnessedLog) -> set[str]:
    """Offer a fork from the signed size; return the reason that honest witnesses stored."""
    why = set()
    for one, answer in zip(three.honest, three.answers, strict=False):
        forget_refusals(one)
        assert answer(fork.request(log.size)).status == 422
        (there,) = followed(one)
        assert there.refused_note == fork.note()
        assert there.signed_note == log.note()
        why.add(there.refusal)
    return why


def forget_refusals(cosigner: Cosigner) -> None:
    """Let a witness store the next refusal, even after a fork of the same size."""
    with cosigner.folder.transaction() as state:
        state._connection.execute(
            "UPDATE logs SET refusal = '', refused_note = '', signed_note = ''"
        )


def restart(three: Three, log: WitnessedLog) -> WitnessedLog:
    """Let the witnesses follow the log from its start again."""
    for one in three.honest:
        with one.folder.transaction() as state:
            state._connection.execute("UPDATE logs SET size = 0, root = ?", (EMPTY_ROOT,))
    return WitnessedLog(name=log.key.name)


def followed(cosigner: Cosigner) -> list[Followed]:
    """Return the logs that a witness follows."""
    with cosigner.folder.transaction() as state:
        return state.logs()


def test_two_histories_never_both_reach_the_quorum(three: Three) -> None:
    """The quorum stays unique for any earlier state of the honest witnesses, in any order."""
    chance = random.Random(SEED)
    for _ in range(30):
        log = restart(three, WitnessedLog())
        log.grow(chance, 6)
        for answer in three.answers:
            if chance.random() < 0.7:  # the others were unreachable
                answer(log.request(0, 3))
        first, second = log.fork(chance, 5), log.fork(chance, 4)

        signed = [count_signatures(three, one, one.size) for one in (first, second)]

        assert min(signed) < QUORUM, signed


def test_the_size_that_was_signed_is_told(three: Three) -> None:
    """The log then sends its proof from that size."""
    log = WitnessedLog([b"a", b"b", b"c"])
    cosigner = three.honest[0]
    assert isinstance(cosigner.add_checkpoint(log.request(0, 2)), Signed)

    refused = cosigner.add_checkpoint(log.request(1))

    assert isinstance(refused, Refused)
    assert (
        refused.answer.body, refused.answer.status, refused.answer.media_type,
    ) == ("2\n", 409, "text/x.tlog.size")  # fmt: skip
    assert isinstance(cosigner.add_checkpoint(log.request(2)), Signed)


def test_a_stranger_raises_no_alarm(three: Three) -> None:
    """Whoever repeats the log's public checkpoint with a wrong proof leaves no trace."""
    log, cosigner = WitnessedLog([b"a", b"b", b"c"]), three.honest[0]
    assert isinstance(cosigner.add_checkpoint(log.request(0, 2)), Signed)
    (before,) = followed(cosigner)
    note = log.note()
    wrong = [
        AddCheckpoint(2, (), note),
        AddCheckpoint(2, (b"x" * 32,), note),
        AddCheckpoint(2, (b"x" * 32,) * 63, note),
        AddCheckpoint(3, (), note),
        AddCheckpoint(0, (), log.note(2)),
        AddCheckpoint(2, (), unsigned(note)),
        AddCheckpoint(2, (), unsigned(log.fork(random.Random(SEED), 1).note())),
    ]

    for request in wrong:
        assert isinstance(cosigner.add_checkpoint(request.text().encode()), Refused)

    assert followed(cosigner) == [before]
    assert isinstance(cosigner.add_checkpoint(log.request(2)), Signed)


def unsigned(note: str) -> str:
    """Return a checkpoint with a signature of nobody under the log's name."""
    text, mark, line = note.partition("\n\n")
    name, key = line.rsplit(" ", 1)
    return f"{text}{mark}{name} {key[:8]}{'A' * (len(key.strip()) - 10)}==\n"


def test_a_state_of_another_version_is_refused(tmp_path: Path, clock: FakeClock) -> None:
    """The sentence names the release that brings an older state up to date."""
    log = WitnessedLog([b"a"])
    cosigner = make_cosigner(tmp_path, "w1", clock, log.key)
    with cosigner.folder.transaction() as state:
        state._connection.execute("PRAGMA user_version = 0")

    with pytest.raises(Unavailable, match="use it once with Jara"):
        followed(cosigner)
