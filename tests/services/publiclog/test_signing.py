"""Signing with the log's key: one history, and the state after a loss."""

from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, Refused, Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerRefused
from jara.records.operations import Operator
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import Environment, Level
from jara.services.operations.diagnosis_trust import check_signer
from jara.services.publiclog.proofs import make_checkpoint, open_bundle, published_notes
from jara.services.publiclog.signer import (
    CommittedLog,
    Position,
    describe_signer,
    read_signer,
    reset_signer,
    sign_newest,
)
from jara.store.store import CLOSED
from tests.harness import make_context, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote


def test_a_newer_leaf_than_the_bundle_does_not_matter(tmp_path: Path) -> None:
    """A bundle has the size that was signed for it, even if the log has grown since."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    with open_bundle(context, whole=True) as before:
        size, notes = before.size, before.checkpoints
    assert (before.work.log.size(), len(notes)) == (size, 1)
    make_checkpoint(context)
    with open_bundle(context, whole=True) as kept:
        assert notes == kept.checkpoints


def test_the_log_is_asked_outside_of_transactions(tmp_path: Path) -> None:
    """Size, root and proofs are those of the committed log."""
    context = make_organisation(tmp_path)
    log = CommittedLog(context)

    seen, _ = sign_newest(context)
    assert Seen(log.size(), log.root()) == seen
    assert log.root() == log.root(2)
    assert len(log.consistency(1, 2)) == 1


def test_a_database_put_back_takes_no_vote(tmp_path: Path) -> None:
    """The vote would continue a second history, so it is refused before it is counted."""
    file, older = tmp_path / "jara.db", tmp_path / "older.db"
    context = make_organisation(tmp_path, database=file)
    members = [add_member(context, f"m{number}") for number in range(3)]
    open_vote(context)
    vote(context, members[0])
    context.store.backup(older)
    add_member(context, "later")
    make_checkpoint(context)
    context.store.close()
    older.replace(file)
    for rest in (tmp_path / "jara.db-wal", tmp_path / "jara.db-shm"):
        rest.unlink(missing_ok=True)
    restored = make_context(tmp_path, database=file, seed="again")
    size = restored.store.read_once().log.size()

    with pytest.raises(SignerRefused, match=f"highest signed log has {size + 1} leaves"):
        vote(restored, members[2])
    with pytest.raises(SignerRefused):
        make_checkpoint(restored)
    assert size == restored.store.read_once().log.size()


def test_an_unlisted_operator_signs_nothing(context: Context) -> None:
    """The signature is refused before it is made, since it cannot be rolled back."""
    with context.store.write() as work:
        work.operations.put_operator(Operator("ada", context.now()))
    with pytest.raises(Refused):
        make_checkpoint(context)
    assert context.vault.log_signer().standing(context.store.read_once().log).seen is None


def position(context: Context) -> Position:
    """Return the signer's position."""
    return read_signer(context, context.store.read_once())[0]


def sentence(context: Context) -> str:
    """Return the sentence about the position."""
    with context.store.read() as work:
        return describe_signer(*read_signer(context, work), work.log.size())


def lose_state(context: Context) -> None:
    """Remove the file of the signer's state."""
    Path(context.vault.log_signer().standing(context.store.read_once().log).place).unlink()


def pretend(context: Context, seen: Seen) -> None:
    """Make the signer's state claim a signature."""
    context.vault.log_signer().adopt(seen)


def test_the_signer_is_in_step_or_behind(context: Context) -> None:
    """The signer signs only on request, not for each leaf."""
    before = position(context), sentence(context)
    make_checkpoint(context)
    signed = position(context), sentence(context)
    add_member(context, "ama")

    assert before == (Position.NEW, "The log's key has not signed yet.")
    assert signed == (Position.IN_STEP, "The signer has signed the log of 2 leaves.")
    assert position(context) == Position.BEHIND
    assert "signed 2 of 3 leaves" in sentence(context)


@pytest.mark.parametrize(
    ("seen", "expected", "said"),
    [
        (Seen(9, bytes(32)), Position.AHEAD, "a log of 9 leaves, and this database has 2"),
        (Seen(2, bytes(32)), Position.FORKED, "a different log of 2 leaves"),
    ],
)
def test_a_database_put_back_is_named_with_both_sizes(
    context: Context, seen: Seen, expected: Position, said: str
) -> None:
    """The doctor reports an error, and the state cannot be reset."""
    pretend(context, seen)
    found = list(check_signer(context, Environment()))

    assert position(context) == expected
    assert [one.level for one in found] == [Level.ERROR]
    assert said in found[0].message
    with pytest.raises(Conflict, match="Nothing was changed"):
        reset_signer(context, "")


def test_a_closed_database_that_never_signed_says_so(context: Context) -> None:
    """It signs nothing, and has no checkpoint to show."""
    with context.store.write() as work:
        work.meta.put(CLOSED, "It moved.")

    with pytest.raises(Unavailable, match="no checkpoint, and a closed database signs none"):
        sign_newest(context)
    assert position(context) == Position.NEW


def test_a_lost_state_is_made_again_with_a_checkpoint(context: Context) -> None:
    """The log must contain the given checkpoints; then the signer signs its current size."""
    make_checkpoint(context)
    add_member(context, "ama")
    make_checkpoint(context)
    text = published_notes(context.store.read_once())
    lose_state(context)
    missing = sentence(context)
    reset = reset_signer(context, text)

    assert "jara proofs signer reset" in missing
    assert position(context) == Position.IN_STEP
    assert reset == sign_newest(context)[0]
    assert [one.ok for one in check_signer(context, Environment())] == [True]
    with context.store.read() as work:
        assert [one.subject for one in work.operations.audit(action="proofs.signer-reset")] == [
            str(reset.size)
        ]


def test_a_checkpoint_that_the_log_lacks_makes_no_state(context: Context, tmp_path: Path) -> None:
    """A longer checkpoint, or one with another root or key, does not restore the state."""
    other = make_organisation(tmp_path / "other", seed="other")
    foreign = make_checkpoint(other).note
    make_checkpoint(context)
    longer = context.vault.log_signer().sign
    notes = {}
    for size in (1, 9):
        pretend(context, Seen(size, bytes(32)))
        notes[size] = longer(Seen(size, bytes(32)), context.store.read_once().log)
    lose_state(context)

    with pytest.raises(Conflict, match="9 leaves and this log 2"):
        reset_signer(context, notes[9])
    with pytest.raises(Conflict, match="another root at 1 leaves"):
        reset_signer(context, notes[1])
    with pytest.raises(InvalidInput, match="not signed by this log's key"):
        reset_signer(context, foreign)
    assert position(context) == Position.MISSING
