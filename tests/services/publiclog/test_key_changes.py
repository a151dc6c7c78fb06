"""A new key for the log, and a log that lost leaves: both continue and record it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from jara import jara_verify
from jara.domain.errors import InvalidInput
from jara.domain.publiclog import notes
from jara.domain.publiclog.witnessing import Seen
from jara.files.publiclog.bundle import bundle_pieces
from jara.records.access import StoredSession
from jara.security.keys import SecretsFolder
from jara.security.log_signer import LogSigner
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.log_keys import key_chain, organisation_key, verification_key
from jara.services.publiclog.key_changes import append_key_change, finish_key_change, rotate_log_key
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint, published_notes
from jara.services.publiclog.receipts import check_receipt
from jara.services.publiclog.restoring import RestoredLog, continue_log, read_checkpoints
from jara.store.checkpoint_file import CheckpointFile
from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store
from tests.harness import make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    """An organisation with an open vote, which publishes its checkpoints."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    open_vote(context)
    yield replace(context, note_file=CheckpointFile(tmp_path / "checkpoints.txt"))
    context.store.close()


def check_bundle(context: Context, folder: Path, *options: str) -> tuple[int, str]:
    """Return the status and the output lines of the independent verifier."""
    with context.store.read() as work:
        contents = bundle_contents(context, work, whole=True)
        (folder / "bundle.tar").write_bytes(b"".join(bundle_pieces(contents)))
    lines = StringIO()
    with redirect_stdout(lines):
        status = jara_verify.main([str(folder / "bundle.tar"), *options])
    return status, lines.getvalue()


def findings(context: Context) -> list[str]:
    """Return the findings about the books and the log."""
    return [finding.message for finding in verify_books(context).findings]


def restarted(context: Context, folder: Path) -> Context:
    """Return the organisation as another process opens it."""
    return replace(context, vault=SecretsFolder(folder / "secrets"))


def test_a_new_key_follows_on_the_old_one(context: Context, tmp_path: Path) -> None:
    """Receipts and checkpoints of the old key still verify; the new ones need the new key."""
    old = verification_key(context)
    (tmp_path / "old.txt").write_text(old.text())
    before = vote(context, add_member(context, "ada"))
    make_checkpoint(context)

    new = rotate_log_key(context)
    after = vote(context, add_member(context, "bob"))
    make_checkpoint(context)

    assert (new.name, old.public_key != new.public_key) == (old.name, True)
    assert all(point.ok for point in check_receipt(context, before.document()))
    assert all(point.ok for point in check_receipt(context, after.document()))
    assert findings(context) == []
    with context.store.read() as work:
        assert old.text() == organisation_key(context, work)
        assert key_chain(context, work).texts() == (old.text(), new.text())
        published = published_notes(work)
    handover = next(one for one in published.split("\n\n\u2014") if one.count("\u2014") == 1)
    assert handover
    assert published == (tmp_path / "checkpoints.txt").read_text()
    status, lines = check_bundle(context, tmp_path, "--key", str(tmp_path / "old.txt"))
    assert (status, "it follows on yours" in lines) == (0, True), lines
    assert not (tmp_path / "secrets" / "log.key.old").exists()


def test_a_running_server_signs_with_the_new_key_at_once(context: Context, tmp_path: Path) -> None:
    """The server checks whether the key file was replaced."""
    server = restarted(context, tmp_path)
    assert verification_key(server) == verification_key(context)

    rotate_log_key(context)
    receipt = vote(server, add_member(server, "ada"))

    assert verification_key(server) == verification_key(context)
    assert all(point.ok for point in check_receipt(context, receipt.document()))


def test_the_key_changes_again(context: Context, tmp_path: Path) -> None:
    """Several changes make a chain of keys."""
    keys = [verification_key(context), *(rotate_log_key(context) for _ in range(3))]

    with context.store.read() as work:
        assert tuple(key.text() for key in keys) == key_chain(context, work).texts()
    assert findings(context) == []
    assert check_bundle(context, tmp_path)[0] == 0


class Killed(BaseException):
    """The process is killed."""


@pytest.mark.parametrize(
    ("of", "place"),
    [
        (LogSigner, "stopped"),
        (SecretsFolder, "adopt_log_key"),
        (LogSigner, "sign"),
        (SecretsFolder, "forget_old_log_key"),
    ],
)
def test_an_interrupted_change_is_completed(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: type, place: str
) -> None:
    """Running the change again completes it, and nothing is signed twice."""
    old = verification_key(context)

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(of, place, killed)
        with pytest.raises(Killed):
            rotate_log_key(context)
    again = restarted(context, tmp_path)
    new = rotate_log_key(again)

    assert old != new
    assert key_chain(again, again.store.read_once()).texts()[0] == old.text()
    assert findings(again) == []
    assert check_bundle(again, tmp_path)[0] == 0
    assert not finish_key_change(again)


def lose(context: Context, folder: Path, publish: Callable[[Context], None]) -> Context:
    """Make a backup, publish something, and restore the backup."""
    context.store.backup(folder / "backup.db")
    publish(context)
    context.store.close()
    for leftover in folder.glob("jara.db*"):
        leftover.unlink()
    shutil.copyfile(folder / "backup.db", folder / "jara.db")
    database = SqliteDatabase(folder / "jara.db", durable=False)
    return replace(restarted(context, folder), store=Store(database))


def test_nothing_is_lost_by_a_fresh_backup(context: Context, tmp_path: Path) -> None:
    """The log records the restore and keeps its name; every session has ended."""
    with context.store.write() as work:
        work.sessions.add(StoredSession("s1", "member", "Firefox", context.today()))
    make_checkpoint(context)
    restored = lose(context, tmp_path, lambda _: None)

    continued = continue_log(restored, "backup.db", known=[])

    assert (continued.is_whole, continued.lost, continued.name) == (True, 0, "jara.example/log")
    assert restored.store.read_once().sessions.of_owner("member") == []
    assert findings(restored) == []
    status, lines = check_bundle(restored, tmp_path)
    assert (status, "1 from backups" in lines) == (0, True), lines


def test_lost_leaves_are_named_and_the_log_gets_another_name(
    context: Context, tmp_path: Path
) -> None:
    """The signer knows what it signed, so nobody can hide the loss by restoring."""
    make_checkpoint(context)

    def publish(context: Context) -> None:
        for name in ("ada", "bob"):
            vote(context, add_member(context, name))
        make_checkpoint(context)

    restored = lose(context, tmp_path, publish)
    continued = continue_log(restored, "backup.db", known=[])

    assert (continued.is_whole, continued.name) == (False, "jara.example/log/restored-1")
    assert continued.last is not None
    assert continued.lost == continued.last.size - continued.size > 0
    assert findings(restored) == []
    status, lines = check_bundle(restored, tmp_path)
    assert (status, f"lost leaves: {continued.size} to" in lines) == (0, True), lines
    assert (tmp_path / "checkpoints.txt.before-restore-1").exists()
    receipt = vote(restored, add_member(restored, "cyd"))
    assert all(point.ok for point in check_receipt(restored, receipt.document()))
    again = continue_log(restored, "backup.db", known=[Seen(continued.size + 99, bytes(32))])
    assert again.name == "jara.example/log/restored-2"
    assert check_bundle(restored, tmp_path)[0] == 0


def test_a_checkpoint_that_somebody_kept_shows_the_loss(context: Context, tmp_path: Path) -> None:
    """On a new machine, only a stored checkpoint shows what was signed."""
    make_checkpoint(context)
    kept: list[str] = []

    def publish(context: Context) -> None:
        vote(context, add_member(context, "ada"))
        kept.append(make_checkpoint(context).note)

    restored = lose(context, tmp_path, publish)
    next((tmp_path / "secrets").glob("*.signed")).unlink()
    known = read_checkpoints(restored, "\n".join(kept), "kept.txt")
    continued = continue_log(restored, "backup.db", known=known)

    assert known == [continued.last]
    assert not continued.is_whole


def test_a_new_machine_takes_the_newest_checkpoint_of_the_backup(
    context: Context, tmp_path: Path
) -> None:
    """Without a newer checkpoint the log continues, and the result names the one compared."""
    made = make_checkpoint(context)
    restored = lose(context, tmp_path, lambda _: None)
    next((tmp_path / "secrets").glob("*.signed")).unlink()

    continued = continue_log(restored, "backup.db", known=[])

    assert Seen(made.size, made.root) == continued.last
    assert continued.is_whole


def test_a_log_without_checkpoints_goes_on(context: Context) -> None:
    """Without a published checkpoint, nothing published can be lost."""
    without = replace(context, note_file=None)

    continued = continue_log(without, "backup.db", known=[])

    assert (continued.last, continued.lost, continued.is_whole) == (None, 0, True)


@pytest.mark.parametrize("text", ["", "hello\n", "a\n\nb\n"])
def test_a_file_that_holds_no_checkpoints_is_refused(context: Context, text: str) -> None:
    """The file is refused before anything is written."""
    with pytest.raises(InvalidInput, match=r"'kept\.txt' is not a file of checkpoints"):
        read_checkpoints(context, text, "kept.txt")


def test_a_checkpoint_of_another_key_is_refused(context: Context, tmp_path: Path) -> None:
    """A checkpoint of another key says nothing about this log."""
    other = SecretsFolder(tmp_path / "other")
    other.create(log_name="jara.example/log")
    text = notes.checkpoint_text("jara.example/log", 9, bytes(32))
    key = notes.VerificationKey("jara.example/log", other.log_public_key())

    with pytest.raises(InvalidInput, match="was not signed by the key of this log"):
        read_checkpoints(
            context, notes.assemble(text, [notes.signature_line(key, bytes(64))]), "kept.txt"
        )


def test_a_prepared_key_that_the_log_does_not_name_changes_nothing(
    context: Context, tmp_path: Path
) -> None:
    """A change that was interrupted before its leaf was committed has no effect."""
    old = rotate_log_key(context)
    context.vault.prepare_log_key()

    assert not finish_key_change(context)
    assert old == verification_key(context)
    assert old != rotate_log_key(context)


def test_a_loss_is_completed_after_a_kill(context: Context, tmp_path: Path) -> None:
    """If the leaf is committed, repeating the command does the rest."""
    made = make_checkpoint(context)
    with context.store.write() as work:
        append_key_change(context, work, name="jara.example/log/restored-1")

    assert finish_key_change(replace(restarted(context, tmp_path), note_file=None))
    assert verification_key(context).name == "jara.example/log/restored-1"
    assert RestoredLog(made.size, None, is_whole=True, name="x").lost == 0
