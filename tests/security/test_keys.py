"""The secrets folder: key files that only their owner can read."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.publiclog.notes import VerificationKey, parse_checkpoint
from jara.security import key_folder
from jara.security.key_folder import KeyFolder
from jara.security.keys import SecretsFolder
from tests.security.trees import MemoryTree

TREE = MemoryTree(b"leaf")


@pytest.fixture
def folder(tmp_path: Path) -> SecretsFolder:
    """A folder with the keys of a new organisation."""
    made = SecretsFolder(tmp_path / "secrets")
    made.create(log_name="jara.example/log")
    return made


def _sign(folder: SecretsFolder) -> str:
    return folder.log_signer().sign(TREE.seen(1), TREE)


def test_the_folder_and_its_files_are_for_the_owner_alone(folder: SecretsFolder) -> None:
    """Mode 0700 for the folder and 0600 for the keys."""
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.folder.iterdir()}

    assert folder.folder.stat().st_mode & 0o777 == 0o700
    assert modes == dict.fromkeys(("index.key", "log.key", "log.name", "token.key"), 0o600)
    assert folder.findings() == []


def test_keys_are_never_replaced(folder: SecretsFolder) -> None:
    """Replacing keys would make everything that they signed unverifiable."""
    before = folder.fingerprint()

    with pytest.raises(Conflict, match="contains the keys of an organisation"):
        folder.create(log_name="other")
    assert folder.fingerprint() == before


def test_a_log_is_known_by_its_first_key_while_another_process_replaces_it(
    folder: SecretsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signer's state is found by the first key; another name would start a new state."""
    _sign(folder)
    folder.prepare_log_key()
    late = SecretsFolder(folder.folder)
    read, changes = KeyFolder.read_if_there, iter([folder.adopt_log_key])

    def read_before_the_change(keys: KeyFolder, name: str) -> bytes | None:
        found = read(keys, name)
        if name == "log.first":
            next(changes, lambda: None)()
        return found

    monkeypatch.setattr(KeyFolder, "read_if_there", read_before_the_change)
    assert late.log_signer().place == folder.log_signer().place is not None


def test_a_signature_verifies_and_a_changed_message_does_not(folder: SecretsFolder) -> None:
    """The signature is Ed25519 with the log's key."""
    checkpoint = parse_checkpoint(_sign(folder))
    key = VerificationKey("jara.example/log", folder.log_public_key())
    (signature,) = checkpoint.signatures_by(key)

    assert folder.verifies(folder.log_public_key(), checkpoint.text().encode(), signature)
    assert not folder.verifies(folder.log_public_key(), b"massage", signature)


def test_a_ballot_key_stays_the_same_until_it_is_destroyed(folder: SecretsFolder) -> None:
    """Creating a ballot key twice gives the same key; destroying it is final."""
    key = folder.make_ballot_key("prop_1")

    assert folder.make_ballot_key("prop_1") == key
    assert folder.ballot_key("prop_1") == key
    assert folder.destroy_ballot_key("prop_1")
    assert folder.ballot_key("prop_1") is None
    assert not folder.destroy_ballot_key("prop_1")


def test_two_processes_may_destroy_a_ballot_key_at_once(
    folder: SecretsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process finishes while the first is between its two steps."""
    folder.make_ballot_key("prop_01")
    wait_for_disk = os.fsync

    def meanwhile(handle: int) -> None:
        monkeypatch.undo()
        assert folder.destroy_ballot_key("prop_01")
        wait_for_disk(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)

    assert folder.destroy_ballot_key("prop_01")
    assert folder.ballot_key("prop_01") is None
    assert not folder.destroy_ballot_key("prop_01")


def test_secrets_findings_name_open_or_missing_files(folder: SecretsFolder) -> None:
    """A folder that others can read, or that lacks a key, is a finding."""
    (folder.folder / "log.key").chmod(0o644)
    (folder.folder / "token.key").unlink()

    assert folder.findings() == [
        f"{folder.folder / 'token.key'} is missing",
        f"{folder.folder / 'log.key'} can be read by others (mode 644)",
    ]
    assert SecretsFolder(folder.folder / "none").findings() == [
        f"the secrets folder {folder.folder / 'none'} is missing"
    ]


def test_the_log_s_own_key_is_read_again_only_when_it_was_replaced(
    folder: SecretsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log's key is cached, because every receipt needs it; ballot keys are read each time."""
    folder.make_ballot_key("prop_1")
    before = _sign(folder), folder.log_key_name()
    monkeypatch.setattr(key_folder, "read_short", _fail)

    assert (_sign(folder), folder.log_key_name()) == before
    with pytest.raises(AssertionError, match="is read"):
        folder.ballot_key("prop_1")


def test_a_log_key_that_went_away_signs_nothing_more(folder: SecretsFolder) -> None:
    """If the secrets are removed, a running server stops signing."""
    _sign(folder)
    (folder.folder / "log.key").unlink()

    with pytest.raises(Unavailable, match=r"log\.key is missing"):
        _sign(folder)


def _fail(path: str) -> bytes:
    raise AssertionError(f"{path} is read")


def test_a_missing_or_broken_key_is_named(folder: SecretsFolder) -> None:
    """A missing or damaged key gives an error and no signature."""
    (folder.folder / "token.key").unlink()
    with pytest.raises(Unavailable, match=r"token\.key is missing"):
        folder.token_key()

    (folder.folder / "log.key").write_text("zz")
    with pytest.raises(Unavailable, match=r"log\.key cannot be read: it is damaged\.$"):
        folder.log_public_key()

    (folder.folder / "log.key").write_text("00")
    with pytest.raises(Unavailable, match="not 32 bytes long"):
        folder.log_public_key()

    (folder.folder / "log.name").unlink()
    with pytest.raises(Unavailable, match="name of the log"):
        folder.log_key_name()


def test_exported_secrets_make_the_same_folder_elsewhere(
    folder: SecretsFolder, tmp_path: Path
) -> None:
    """The export has the log, token and index keys and the log's name, but no ballot keys."""
    folder.make_ballot_key("prop_1")
    folder.export(tmp_path / "secrets.txt")
    other = SecretsFolder(tmp_path / "other")
    other.restore(tmp_path / "secrets.txt")

    assert other.fingerprint() == folder.fingerprint()
    assert other.index_fingerprint() == folder.index_fingerprint()
    assert other.log_key_name() == "jara.example/log"
    assert other.ballot_key("prop_1") is None
    with pytest.raises(Conflict, match="exists already"):
        folder.export(tmp_path / "secrets.txt")
    with pytest.raises(Conflict, match="contains keys already"):
        other.restore(tmp_path / "secrets.txt")


def test_a_killed_restore_is_done_again(
    folder: SecretsFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the log's key exists, a restore may write the other keys again."""
    folder.export(tmp_path / "secrets.txt")
    other = SecretsFolder(tmp_path / "other")
    monkeypatch.setattr(KeyFolder, "write", _kill)
    with pytest.raises(KeyboardInterrupt):
        other.restore(tmp_path / "secrets.txt")
    assert (other.folder / "token.key").exists()
    monkeypatch.undo()

    other.restore(tmp_path / "secrets.txt")

    assert folder.fingerprint() == other.fingerprint()
    assert other.findings() == []


def _kill(*_words: object) -> None:
    raise KeyboardInterrupt


def test_only_a_file_of_secrets_is_restored(folder: SecretsFolder, tmp_path: Path) -> None:
    """Another file, a damaged one or a missing one creates no folder."""
    (tmp_path / "letter.txt").write_text("Dear treasurer\n")
    other = SecretsFolder(tmp_path / "other")

    with pytest.raises(Unavailable, match="not a secrets file"):
        other.restore(tmp_path / "letter.txt")
    with pytest.raises(NotFound, match="no file"):
        other.restore(tmp_path / "none.txt")
    exported = tmp_path / "secrets.txt"
    folder.export(exported)
    exported.write_text(exported.read_text().replace("log.key ", "log.key x"))
    with pytest.raises(Unavailable, match=r"A key in .*secrets.txt is damaged"):
        other.restore(exported)
    assert not other.folder.exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """If a file has the folder's name, the error is one sentence."""
    (tmp_path / "file").write_text("")

    with pytest.raises(Unavailable, match="cannot be made"):
        SecretsFolder(tmp_path / "file" / "secrets").create(log_name="x")
    made = SecretsFolder(tmp_path / "secrets")
    made.create(log_name="x")
    with pytest.raises(Unavailable, match="cannot be written"):
        made.export(tmp_path / "missing" / "export.txt")


def test_the_next_token_key_is_prepared_before_it_is_adopted(tmp_path: Path) -> None:
    """After an interrupted change, the same prepared key is used."""
    folder = SecretsFolder(tmp_path / "secrets")
    folder.create(log_name="jara.example/log")
    old, before = folder.token_key(), folder.fingerprint()
    prepared = folder.prepare_token_key()

    assert (folder.token_key(), folder.fingerprint()) == (old, before)
    assert prepared == folder.prepare_token_key() != before
    folder.adopt_token_key()
    assert old != folder.token_key()
    assert prepared == folder.fingerprint()
    assert prepared != folder.prepare_token_key()


def test_a_keyed_hash_needs_the_key_and_names_its_purpose(tmp_path: Path) -> None:
    """A hash changes with the key, the purpose and the division of the text."""
    one, two = SecretsFolder(tmp_path / "one"), SecretsFolder(tmp_path / "two")
    for folder in (one, two):
        folder.create(log_name="jara.example/log")
    hashes = {
        one.keyed_hash("limit", "ada@example.org"),
        one.keyed_hash("giver", "ada@example.org"),
        one.keyed_hash("limi", "tada@example.org"),
        two.keyed_hash("limit", "ada@example.org"),
        sha256(b"ada@example.org").hexdigest(),
        one.keyed_hash("limit", "\ud800"),
    }

    assert len(hashes) == 6
    assert one.keyed_hash("limit", "a") == SecretsFolder(one.folder).keyed_hash("limit", "a")


def test_the_index_key_outlives_the_token_key(folder: SecretsFolder) -> None:
    """A new token key, which ends all sessions, does not change the index key."""
    before = folder.index_fingerprint()
    folder.prepare_token_key()
    folder.adopt_token_key()

    assert before == folder.index_fingerprint() == folder.make_index_key()
