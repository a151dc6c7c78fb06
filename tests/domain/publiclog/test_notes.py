"""Checkpoints as signed notes, in the formats of C2SP."""

from __future__ import annotations

from base64 import b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.publiclog.merkle import EMPTY_ROOT
from jara.domain.publiclog.notes import (
    Checkpoint,
    MalformedNote,
    NoteSignature,
    VerificationKey,
    assemble,
    checkpoint_text,
    parse_checkpoint,
    sign_checkpoint,
    signature_line,
)

SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = VerificationKey("jara.example/log", SIGNER.public_key().public_bytes_raw())
NOTE = sign_checkpoint(0, EMPTY_ROOT, key=KEY, sign=SIGNER.sign)
ROOT = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_a_checkpoint_is_three_lines_and_a_signature() -> None:
    """The text is as in C2SP tlog-checkpoint, and the signature covers exactly that text."""
    text = f"jara.example/log\n0\n{ROOT}\n"

    assert checkpoint_text(KEY.name, 0, EMPTY_ROOT) == text
    assert NOTE.startswith(f"{text}\n\u2014 jara.example/log ")
    (signature,) = parse_checkpoint(NOTE).signatures_by(KEY)
    SIGNER.public_key().verify(signature, text.encode())


def test_a_key_has_32_bytes() -> None:
    """A shorter or longer one is refused."""
    with pytest.raises(MalformedNote, match="has 32 bytes, not 31"):
        VerificationKey(KEY.name, bytes(31))


def test_the_key_of_the_go_checksum_database_has_its_known_id() -> None:
    """The published key of the Go checksum database, `sum.golang.org+033de0ae+...`, has its id."""
    name, key_id = "sum.golang.org", "033de0ae"
    data = "Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"

    key = VerificationKey(name, b64decode(data)[1:])

    assert key.text() == f"{name}+{key_id}+{data}"


@given(st.integers(0, 2**50), st.binary(min_size=32, max_size=32), st.binary(min_size=1))
def test_a_note_is_read_back_as_it_was_written(size: int, root: bytes, signature: bytes) -> None:
    """Law: parsing an assembled note gives origin, size, root and signatures."""
    text = checkpoint_text("a log", size, root)

    note = assemble(text, [signature_line(KEY, signature)])

    expected = Checkpoint("a log", size, root, (NoteSignature(KEY.name, KEY.key_id, signature),))
    assert parse_checkpoint(note) == expected
    assert text == expected.text()


def test_signatures_of_others_are_passed_over() -> None:
    """Signatures with another name or key id are ignored, such as those of witnesses."""
    other = VerificationKey(KEY.name, bytes(32))
    ours, theirs = signature_line(KEY, b"ours"), signature_line(other, b"theirs")
    text = checkpoint_text(KEY.name, 0, EMPTY_ROOT)

    assert parse_checkpoint(assemble(text, [theirs, ours])).signatures_by(KEY) == [b"ours"]
    assert parse_checkpoint(assemble(text, [theirs])).signatures_by(KEY) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n", "\n"),
        ("\n0\n", "\n00\n"),
        ("\n0\n", "\n-1\n"),
        ("\n0\n", "\n0\nextension\n"),
        ("jara.example/log\n0", "\n0"),
        ("jara.example/log\n0", "jara\texample/log\n0"),
        (ROOT, ROOT[:-2] + "V="),
        (ROOT, "AAAA"),
        (ROOT, "A"),
        (ROOT, ""),
        ("\u2014 jara", "- jara"),
        ("\u2014 jara", "\u2014  jara"),
    ],
)
def test_a_note_in_another_spelling_is_refused(old: str, new: str) -> None:
    """One checkpoint has one text."""
    with pytest.raises(MalformedNote):
        parse_checkpoint(NOTE.replace(old, new, 1))


def test_a_note_that_is_cut_off_is_refused() -> None:
    """Signature lines end with a line feed, and hold more than the key id."""
    with pytest.raises(MalformedNote):
        parse_checkpoint(NOTE[:-1])
    with pytest.raises(MalformedNote):
        parse_checkpoint(NOTE[: NOTE.index("\u2014")] + "\u2014 jara.example/log AAAAAA==\n")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb"])
def test_a_key_name_is_one_word_without_a_plus(name: str) -> None:
    """A key name has no blanks or plus signs, which separate the fields (C2SP signed-note)."""
    with pytest.raises(MalformedNote):
        VerificationKey(name, bytes(32))


@pytest.mark.parametrize(("size", "root"), [(-1, EMPTY_ROOT), (0, b"short")])
def test_what_is_no_checkpoint_cannot_be_written(size: int, root: bytes) -> None:
    """A size is 0 or more, a root has 32 bytes."""
    with pytest.raises(MalformedNote):
        checkpoint_text("log", size, root)
