"""The file of checkpoints only grows, and reports when it is ahead of the database."""

import time
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.services.context import Context
from jara.services.proposals.closing import close_vote
from jara.services.publiclog.proofs import make_checkpoint, publish_checkpoints, published_notes
from jara.store.checkpoint_file import CheckpointFile
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the checkpoints file."""
    return tmp_path / "jara.checkpoints.txt"


@pytest.fixture
def context(tmp_path: Path, path: Path) -> Context:
    """An organisation that publishes its checkpoints."""
    return replace(make_organisation(tmp_path), note_file=CheckpointFile(path))


def kept(context: Context) -> str:
    """Return every checkpoint in the database as one text."""
    with context.store.read() as work:
        return published_notes(work)


def test_each_close_and_each_day_appends_a_checkpoint(context: Context, path: Path) -> None:
    """New checkpoints are appended, existing bytes stay, and every published one is included."""
    make_checkpoint(context)
    first = path.read_bytes()
    vote(context, add_member(context, "ama"), open_vote(context) and "up")
    clock_of(context).advance(days=20)
    close_vote(context, "prop_01")
    second = path.read_bytes()
    make_checkpoint(context)  # nothing new, because one size has one note

    assert second.startswith(first)
    assert second.decode().count("\n\n\u2014 ") == 2
    assert kept(context).encode() == second == path.read_bytes()
    assert publish_checkpoints(context) == 0


def test_a_torn_last_line_is_completed(context: Context, path: Path) -> None:
    """A line that a crash cut short is completed."""
    make_checkpoint(context)
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])

    assert publish_checkpoints(context) == 10
    assert whole == path.read_bytes()


def test_a_file_ahead_of_the_database_is_named_and_left_alone(context: Context, path: Path) -> None:
    """After the restore of an older backup, the published file is not shortened."""
    make_checkpoint(context)
    more = path.read_text() + "\njara.example/log\n99\n"
    path.write_text(more)

    with pytest.raises(Conflict, match="the database is older than what was published"):
        publish_checkpoints(context)
    assert more == path.read_text()


def test_a_file_of_another_history_is_named_and_left_alone(context: Context, path: Path) -> None:
    """Two logs never share a file, so a fork is noticed."""
    path.write_text("other.example/log\n")

    with pytest.raises(Conflict, match="another log or another history"):
        make_checkpoint(context)
    assert path.read_text() == "other.example/log\n"


def test_a_vote_is_decided_though_its_checkpoint_cannot_be_published(
    context: Context, path: Path
) -> None:
    """The result stands, and the daily run appends the note later."""
    vote(context, add_member(context, "ama"), open_vote(context) and "up")
    clock_of(context).advance(days=20)
    path.mkdir()

    assert close_vote(context, "prop_01").passed
    with pytest.raises(Unavailable, match="cannot be written"):
        make_checkpoint(context)
    path.rmdir()
    assert publish_checkpoints(context) > 0
    assert kept(context) == path.read_text()


def test_a_good_checkpoint_file_has_no_finding(context: Context, path: Path) -> None:
    """There is no finding for a missing file or for one that this database published."""
    file = CheckpointFile(path)
    assert file.check("") is None
    make_checkpoint(context)

    assert file.check(kept(context)) is None
    assert "older than what was published" in str(file.check(""))
    assert "cannot be read" in str(CheckpointFile(path.parent).check(""))


def _append_many(path: str, notes: list[str]) -> None:
    file = CheckpointFile(Path(path))
    for count in range(1, len(notes) + 1):
        file.extend(partial(_published, path, notes, count))


def _published(path: str, notes: list[str], count: int) -> str:
    """Return the given number of notes, or more if another process published more meanwhile."""
    text = Path(path).read_text()
    time.sleep(0.005)  # long enough for another process to interfere if it could
    return "\n".join(notes[: max(count, sum(note in text for note in notes))])


def test_two_processes_append_each_note_once(path: Path) -> None:
    """A close and the daily run may publish at the same time."""
    notes = [f"log\n{size}\nroot{size:03}\n\nsigned\n" for size in range(40)]
    runs = [
        get_context("fork").Process(target=_append_many, args=(str(path), notes)) for _ in range(2)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join(30)

    assert [run.exitcode for run in runs] == [0, 0]
    assert "\n".join(notes) == path.read_text()
