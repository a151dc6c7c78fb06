"""Encrypted files: who can decrypt them, and how they fail; temporary folders after a kill."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pyrage
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrage import x25519

from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.security.age import AgeDecryption, AgeEncryption, is_encrypted
from jara.security.files import scratch_folder, unfinished

CHUNK = 64 * 1024
"""The chunk size of age; at each chunk border a truncation could go unnoticed."""
DAMAGED = r"damaged or incomplete|another identity"
BOB, EVE = x25519.Identity.generate(), x25519.Identity.generate()


def identity_file(folder: Path, *identities: x25519.Identity) -> Path:
    """Write a file as `age-keygen` does."""
    path = folder / "identity.txt"
    lines = [f"# created: today\n# public key: {one.to_public()}\n{one}\n" for one in identities]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_every_recipient_can_read_a_file_and_nobody_else(tmp_path: Path, size: int) -> None:
    """Each of several recipients can decrypt the file with their own identity."""
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(b"x" * size)
    AgeEncryption([str(BOB.to_public()), str(EVE.to_public())]).encrypt_file(plain, sealed)

    for number, one in enumerate((BOB, EVE)):
        reader = AgeDecryption(identity_file(tmp_path, x25519.Identity.generate(), one))
        reader.decrypt_file(sealed, tmp_path / f"again{number}")
        assert plain.read_bytes() == reader.decrypt(sealed)
        assert plain.read_bytes() == (tmp_path / f"again{number}").read_bytes()
        assert (tmp_path / f"again{number}").stat().st_mode & 0o777 == 0o600
    assert is_encrypted(sealed)
    assert not is_encrypted(plain)
    stranger = AgeDecryption(identity_file(tmp_path, x25519.Identity.generate()))
    with pytest.raises(Unavailable, match="is encrypted for another identity than") as caught:
        stranger.decrypt_file(sealed, tmp_path / "never")
    assert caught.value.message.replace(str(tmp_path), "").count(".") <= 3


@given(data=st.data())
def test_a_file_that_was_cut_or_changed_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A change or truncation anywhere gives one error message."""
    folder = tmp_path_factory.mktemp("age")
    reader = AgeDecryption(identity_file(folder, BOB))
    whole = AgeEncryption([str(BOB.to_public())]).encrypt(b"x" * (2 * CHUNK + 5))
    # Counted from the end, because headers differ in length.
    borders = [5 + 16, CHUNK + 16 + 5 + 16, 2 * (CHUNK + 16) + 5 + 16]
    cut = len(whole) - data.draw(st.integers(1, borders[-1] + 60) | st.sampled_from(borders))
    flipped = bytearray(whole)
    flipped[cut] ^= 1

    for damaged in (whole[:cut], bytes(flipped), whole + b"x"):
        (folder / "damaged").write_bytes(damaged)
        with pytest.raises(Unavailable, match=DAMAGED):
            reader.decrypt(folder / "damaged")
        with pytest.raises(Unavailable, match=DAMAGED):
            reader.decrypt_file(folder / "damaged", folder / "out")
        (folder / "out").unlink(missing_ok=True)


@pytest.mark.parametrize("content", [b"", b"age-encryption.org/v2\n", b"SQLite format 3\0"])
def test_a_file_of_another_kind_needs_no_identity(tmp_path: Path, content: bytes) -> None:
    """A file that is not encrypted is not decrypted."""
    (tmp_path / "other").write_bytes(content)
    reader = AgeDecryption(identity_file(tmp_path, BOB))

    with pytest.raises(InvalidInput, match="is not encrypted with age; leave out --identity"):
        reader.decrypt(tmp_path / "other")
    with pytest.raises(InvalidInput, match="is not encrypted with age; leave out --identity"):
        reader.decrypt_file(tmp_path / "other", tmp_path / "out")


def test_an_armored_age_file_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """It is encrypted, but as text; the message says how to go on, with and without an identity."""
    armored = tmp_path / "copy.age"
    armored.write_bytes(b"-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n")
    reader = AgeDecryption(identity_file(tmp_path, BOB))

    for act in (reader.decrypt, is_encrypted):
        with pytest.raises(InvalidInput, match=r"copy\.age' is encrypted with age as text"):
            act(armored)


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"AGE-SECRET-KEY-1XX\n", b"\xff\xfe"])
def test_only_identity_files_are_read(tmp_path: Path, content: bytes) -> None:
    """The message names the file and the expected start, and repeats nothing of the content."""
    (tmp_path / "bad.txt").write_bytes(content)

    with pytest.raises(InvalidInput, match=r"bad.txt' is not an age identity file") as caught:
        AgeDecryption(tmp_path / "bad.txt")
    with pytest.raises(NotFound, match="No such file"):
        AgeDecryption(tmp_path / "none.txt")

    assert "1XX" not in caught.value.message


def test_only_recipients_are_encrypted_to() -> None:
    """A typing error would make a backup that nobody can decrypt."""
    for text in ("", "age1", "bob", str(BOB), f"{BOB.to_public()}x"):
        with pytest.raises(InvalidInput, match="is not an age recipient"):
            AgeEncryption([text])


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's error becomes one of Jara's."""
    (tmp_path / "plain").write_bytes(b"x")

    def is_full(*_: object) -> None:
        raise pyrage.EncryptError("OSError: [Errno 28] No space left on device")

    monkeypatch.setattr("jara.security.age.pyrage.encrypt_io", is_full)

    with pytest.raises(Unavailable, match=r"sealed' cannot be written: .*No space left"):
        AgeEncryption([str(BOB.to_public())]).encrypt_file(tmp_path / "plain", tmp_path / "sealed")


KILLED = """
import os, sys
from pathlib import Path
from jara.security.files import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "plain.db").write_text("secret")
    os.kill(os.getpid(), 9)
"""


def test_a_folder_lives_as_long_as_its_block(tmp_path: Path) -> None:
    """The folder is private, and removed when the block ends or fails."""
    with scratch_folder(tmp_path) as folder:
        (folder / "plain.db").write_text("secret")
        mode = folder.stat().st_mode & 0o777
    with suppress(ZeroDivisionError), scratch_folder(tmp_path) as folder:
        (folder / "plain.db").write_text(str(1 // 0))

    assert mode == 0o700
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_of_a_killed_command_are_removed(tmp_path: Path) -> None:
    """The folder of a command that is still running is not removed."""
    with scratch_folder(tmp_path) as running:
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
        assert len(list(tmp_path.iterdir())) == 2
        with scratch_folder(tmp_path) as other:
            assert set(tmp_path.iterdir()) == {running, other}


def test_a_folder_is_marked_while_it_is_made(tmp_path: Path) -> None:
    """No other process starts meanwhile, and no marker is left afterwards."""
    folder = tmp_path / "secrets"
    with unfinished(folder) as was_left:
        assert not was_left
        assert [path.name for path in folder.iterdir()] == ["unfinished"]
        with pytest.raises(Conflict, match="Another process"), unfinished(folder):
            pass
        (folder / "key").touch()

    assert [path.name for path in folder.iterdir()] == ["key"]


def test_a_failed_folder_leaves_nothing(tmp_path: Path) -> None:
    """An existing folder stays."""
    (tmp_path / "there").mkdir()
    for name in ("new", "there"):
        with pytest.raises(KeyError), unfinished(tmp_path / name):
            raise KeyError

    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_a_mark_of_a_killed_process_stays_until_it_is_dealt_with(tmp_path: Path) -> None:
    """A failure keeps the marker of a killed process, and success removes it."""
    mark = tmp_path / "unfinished"
    mark.touch()
    with pytest.raises(KeyError), unfinished(tmp_path):
        raise KeyError
    assert mark.exists()

    with unfinished(tmp_path) as was_left:
        assert was_left
    assert not mark.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The folder's parent may be a file."""
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="file/secrets cannot be written"):
        unfinished(tmp_path / "file" / "secrets").__enter__()
