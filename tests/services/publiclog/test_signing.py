"""Signing with the log's key: only committed leaves of one history, the same for everybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.errors import Refused
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerRefused
from jara.records.operations import Operator
from jara.services.context import Context
from jara.services.publiclog.proofs import make_checkpoint, open_bundle
from jara.services.publiclog.signer import CommittedLog, sign_newest
from tests.harness import make_context, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote


@pytest.fixture
def context(place: Path) -> Context:
    """A new organisation."""
    return make_organisation(place)


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
    with restored.store.read() as work:
        size = work.log.size()

    with pytest.raises(SignerRefused, match=f"highest signed log has {size + 1} leaves"):
        vote(restored, members[2])
    with pytest.raises(SignerRefused):
        make_checkpoint(restored)
    with restored.store.read() as work:
        assert size == work.log.size()


def test_who_may_not_act_signs_nothing(context: Context) -> None:
    """The signature is refused before it is made, since it cannot be rolled back."""
    with context.store.write() as work:
        work.operations.put_operator(Operator("ada", context.now()))
    with pytest.raises(Refused):
        make_checkpoint(context)
    with context.store.read() as work:
        assert context.vault.signer_standing(work.log).seen is None
