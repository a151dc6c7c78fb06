"""The stand-alone verifier: checkpoints, and unreadable input."""

from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.papers import Paper, PaperKind, document_leaf
from jara.files.publiclog import bundle
from tests.verifier.controlled_log import moved
from tests.verifier.log_builder import (
    Check,
    Files,
    LogBuilder,
    small_organisation,
    tiny_log,
    write_folder,
)

# ---------------------------------------------------------------- checkpoints


def replaced(files: Files, old: str, new: str) -> Files:
    """Replace the first occurrence of a text in checkpoints.txt."""
    text = files[bundle.CHECKPOINTS].decode()
    assert old in text
    return {**files, bundle.CHECKPOINTS: text.replace(old, new, 1).encode()}


def test_the_last_checkpoint_is_of_the_bundles_size(check: Check) -> None:
    """The bundle fails if leaves follow the last checkpoint, or if there is none."""
    log = small_organisation()
    log.checkpoint_sizes.pop()
    status, out = check(log.files())
    assert (status, "checkpoints: the last is of 14 leaves, the bundle has 25" in out) == (1, True)

    status, out = check({**log.files(), bundle.CHECKPOINTS: b""})
    assert (status, "checkpoints: note 1: it is no signed checkpoint" in out) == (1, True)


def test_an_empty_log_is_not_good(check: Check) -> None:
    """Nothing was logged, so nothing is proven."""
    log = LogBuilder()
    log.leaves.clear()
    log.checkpoint()

    status, out = check(log.files())

    assert (status, "FAILED  leaves: the log is empty" in out) == (1, True)


def test_a_second_signature_of_the_key_is_checked_too(check: Check) -> None:
    """A true signature does not cover for a false one of the same key."""
    files = tiny_log().files()
    *_, line = files[bundle.CHECKPOINTS].decode().splitlines(keepends=True)
    name, signature = line.rsplit(" ", 1)
    data = bytearray(b64decode(signature))
    data[-1] ^= 1
    false = f"{name} {b64encode(data).decode()}\n".encode()
    files[bundle.CHECKPOINTS] += false

    status, out = check(files)

    assert (status, "is not the key's" in out) == (1, True)


def test_checkpoints_never_shrink(check: Check) -> None:
    """A checkpoint with a smaller size than the one before it is an error."""
    log = small_organisation()
    log.checkpoint_sizes[:2] = [14, 7]

    status, out = check(log.files())

    assert (status, "note 2: it covers 7 leaves, an earlier one 14" in out) == (1, True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("jara.example/log\n7", "jara.example/dog\n7", "note 1: the checkpoint is of the log 'ja"),
        ("log\n7\n", "log\n07\n", "note 1: it is no signed checkpoint"),
        ("log\n7\n", "log\n8\n", "note 1: the signature at size 7"),
        ("\n\n\u2014", "\n\n-", "note 1: it is no signed checkpoint"),
        ("\u2014 jara", "\u2014 kara", "note 1: the checkpoint at size 7 has no signature"),
        ("\u2014 jara", "\u2014  jara", "note 1: the checkpoint at size 7 has no signature"),
        ("=\n\n\u2014", "==\n\n\u2014", "note 1: it is no signed checkpoint"),
        ("=\n\n\u2014", "?\n\n\u2014", "note 1: it is no signed checkpoint"),
    ],
)
def test_a_changed_note_is_reported_by_number(
    check: Check, old: str, new: str, message: str
) -> None:
    """Origin, size, root and signature are all checked."""
    status, out = check(replaced(small_organisation().files(), old, new))

    message = message.replace("signature at size 7", "signature at size 8")
    assert status == 1
    assert f"FAILED  checkpoints: {message}" in out


def test_other_signatures_beside_the_logs_are_no_matter(check: Check) -> None:
    """Notes may also have witnesses' signatures (C2SP signed-note)."""
    files = replaced(
        small_organisation().files(), "\n\n\u2014", "\n\n\u2014 w.org AAAAAAAA\n\u2014"
    )

    assert check(files)[0] == 0


def test_another_key_does_not_pass(check: Check) -> None:
    """The notes must be signed with the key in key.txt."""
    other = LogBuilder(seed=8)

    status, out = check(
        {**small_organisation().files(), bundle.KEY: other.key.text().encode() + b"\n"}
    )

    assert (status, "note 1: the checkpoint at size 7 has no signature" in out) == (1, True)


# ---------------------------------------------------------------- --since


def test_since_finds_cut_and_rewritten_logs(check: Check, tmp_path: Path) -> None:
    """A valid log fails against an earlier checkpoint of a longer or different log."""
    log = small_organisation()
    kept = tmp_path / "kept.txt"
    kept.write_text(log.note_at(25), encoding="utf-8")
    assert (
        "ok      since: the log begins with the 25 leaves you knew"
        in check(log.files(), "--since", kept)[1]
    )

    cut = small_organisation()
    del cut.leaves[14:], cut.checkpoint_sizes[2:]
    assert check(cut.files())[0] == 0
    status, out = check(cut.files(), "--since", kept)
    assert (status, "since: it covers 25 leaves, but the bundle ends after 14" in out) == (1, True)

    log.leaves[10]["nonce_hash"] = "0" * 64
    assert check(log.files())[0] == 0
    status, out = check(log.files(), "--since", kept)
    assert (status, "since: the leaves from 0 to 24 do not give its root" in out) == (1, True)


def test_since_must_be_a_checkpoint_of_this_log(check: Check, tmp_path: Path) -> None:
    """A checkpoint of another log, or another text, is refused."""
    kept = tmp_path / "kept.txt"
    kept.write_text(LogBuilder(seed=9).note_at(1), encoding="utf-8")
    assert (
        "FAILED  since: the checkpoint at size 1 has no"
        in check(small_organisation().files(), "--since", kept)[1]
    )

    kept.write_bytes(b"\xff")
    status, out = check(small_organisation().files(), "--since", kept)
    assert (status, "FAILED  since: note 1: it is no signed checkpoint" in out) == (1, True)


# ---------------------------------------------------------------- unreadable


@pytest.mark.parametrize(
    "name",
    ["entries.ndjson", "checkpoints.txt", "key.txt", "rolls/prop_01.txt", "proposals/prop_02.json"],
)
def test_a_missing_file_is_named_with_status_2(check: Check, tmp_path: Path, name: str) -> None:
    """A missing file gives status 2, and the file is named."""
    files = small_organisation().files()
    del files[name]

    status, out = check(files)
    assert (status, out.splitlines()[-1]) == (2, f"UNREADABLE the bundle has no {name}")

    tar = tmp_path / "b.tar"
    with tar.open("wb") as file:
        file.writelines(bundle.tar_pieces([(n, len(data), [data]) for n, data in files.items()]))
    assert jara_verify.main([str(tar)]) == 2


@pytest.mark.parametrize(
    "key",
    [
        b"",
        b"\xff",
        b"jara.example/log+00000000+AQ==\n",
        b"jara.example/log+00000000+" + b"A" * 44 + b"\n",
        b"jara.example/log+00000000+AX" + b"A" * 42 + b"\n",
    ],
)
def test_a_malformed_key_is_unreadable(check: Check, key: bytes) -> None:
    """Without a key, no signature can be checked."""
    status, out = check({**small_organisation().files(), bundle.KEY: key})

    assert status == 2
    assert out.startswith("UNREADABLE key.txt")


def test_files_that_are_not_bundles_are_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing path, a file that is no tar, and a tar with a repeated name are unreadable."""
    assert jara_verify.main([str(tmp_path / "nothing")]) == 2
    (tmp_path / "text").write_text("no tar at all")
    assert jara_verify.main([str(tmp_path / "text")]) == 2
    with (tmp_path / "twice.tar").open("wb") as out:
        out.writelines(bundle.tar_pieces([("key.txt", 1, [b"a"]), ("key.txt", 1, [b"b"])]))
    assert jara_verify.main([str(tmp_path / "twice.tar")]) == 2

    assert "UNREADABLE key.txt is in the tar twice" in capsys.readouterr().out


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(["entries.ndjson", "checkpoints.txt"]), st.binary()))
def test_no_content_makes_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, broken: Files
) -> None:
    """Any content gives a status."""
    folder = write_folder({**tiny_log().files(), **broken}, tmp_path_factory.mktemp("b"))

    assert jara_verify.main([str(folder)]) in ({1, 2} if broken else {0})


def test_a_hostile_bundle_drives_no_terminal() -> None:
    """Whatever a bundle puts into a message is one printable line."""
    told: list[str] = []
    report = jara_verify.Report(told.append)
    report.fail("books", "the account \x1b[2J\x9b31m\u202eevil\n GOOD    every check passed")
    report.close("books", "")
    report.close("key", "\x9b0m")

    assert told == [
        "FAILED  books: the account \\x1b[2J\\x9b31m\\u202eevil\\n GOOD    every check passed\n",
        "ok      key: \\x9b0m\n",
    ]


INVOICE = Paper("ab" * 32, PaperKind.INVOICE)


@pytest.mark.parametrize("withhold", [False, True])
@pytest.mark.parametrize(
    ("ahead", "is_good"), [(0, True), (1, False), (2, False), (-1, False), (99, False)]
)
def test_a_document_of_no_entry_is_named(
    check: Check, ahead: int, is_good: bool, withhold: bool
) -> None:
    """Its leaf names the entry, not another leaf, itself, or one that is still to come."""
    log = LogBuilder()
    entry = log.post(moved("expenses:operations", 500))
    log.open_vote("p")
    log.append(document_leaf(entry + ahead, INVOICE, bytes(16), public=False))
    log.checkpoint()

    status, out = check(log.files(withhold=withhold))

    assert (status, "ok      documents: 1 of 1 entries" in out) == (not is_good, is_good), out
    assert ("whose document it is, is no entry before it" in out) is not is_good
