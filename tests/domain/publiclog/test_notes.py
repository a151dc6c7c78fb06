"""Signed notes: canonical bytes, checkpoints and the chain of keys."""

import unicodedata
from base64 import b64decode
from enum import StrEnum

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.publiclog.canonical import DEPTH_MAX, INTEGER_MAX, NotCanonical, decode, encode
from jara.domain.publiclog.leaves import log_key_leaf
from jara.domain.publiclog.merkle import EMPTY_ROOT
from jara.domain.publiclog.notes import (
    BrokenKeyChain,
    Checkpoint,
    KeyChain,
    MalformedNote,
    NoteSignature,
    VerificationKey,
    assemble,
    checkpoint_text,
    parse_checkpoint,
    replay_keys,
    sign_checkpoint,
    signature_line,
)
from tests.domain.publiclog.test_cosignatures import verifies

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
def test_an_invalid_checkpoint_cannot_be_written(size: int, root: bytes) -> None:
    """A size is 0 or more, a root has 32 bytes."""
    with pytest.raises(MalformedNote):
        checkpoint_text("log", size, root)


keys = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
strings = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8
).map(lambda text: unicodedata.normalize("NFC", text))
values = st.recursive(
    strings | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
)


def nested(levels: int) -> object:
    """Return nested lists."""
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_keys_are_sorted_and_nothing_is_escaped_without_need() -> None:
    """The bytes are those of RFC 8785."""
    value = {"b": [True, -1, '\u20ac\n\x01"\\/\x7f'], "a_1": {}}

    assert '{"a_1":{},"b":[true,-1,"\u20ac\\n\\u0001\\"\\\\/\x7f"]}'.encode() == encode(value)


def test_words_of_an_enumeration_are_written_as_text() -> None:
    """An enumeration member is encoded as its text without conversion."""

    class Word(StrEnum):
        UP = "up"

    assert encode((Word.UP, "up")) == b'["up","up"]'
    assert encode(Word.UP) == b'"up"'


@given(values)
def test_written_values_read_back_equal(value: object) -> None:
    """Law: decoding the encoded bytes gives the value, and its encoding is unique."""
    assert decode(encode(value)) == value
    assert encode(value) == encode(decode(encode(value)))


@given(st.binary(max_size=40))
def test_bytes_are_refused_or_are_the_values_own(data: bytes) -> None:
    """Law: accepted bytes encode to the same bytes again."""
    try:
        value = decode(data)
    except NotCanonical:
        return

    assert encode(value) == data


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.0,
        float("nan"),
        b"bytes",
        {1},
        [None],
        {"a": 0.5},
        INTEGER_MAX + 1,
        -INTEGER_MAX - 1,
        "\0",
        ["e\u0301"],
        {"a": "\ud800"},
        {"A": 1},
        {"": 1},
        {"1a": 1},
        {"\u00e9": 1},
        {"a-b": 1},
        {1: 1},
        nested(DEPTH_MAX + 1),
    ],
)
def test_values_without_canonical_bytes_are_refused(value: object) -> None:
    """Floats, null, large integers, unusual keys and text in two spellings are refused."""
    with pytest.raises(NotCanonical):
        encode(value)


def test_the_limits_themselves_are_allowed() -> None:
    """The largest integers, the deepest nesting and an escaped backslash u0000 are canonical."""
    assert encode([INTEGER_MAX, -INTEGER_MAX]) == b"[9007199254740991,-9007199254740991]"
    assert encode(nested(DEPTH_MAX)) == b"[" * DEPTH_MAX + b"1" + b"]" * DEPTH_MAX
    assert decode(encode([r"\u0000", 1, {"a": True}])) == [r"\u0000", 1, {"a": True}]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"\xef\xbb\xbf1",
        '{"a":1}'.encode("utf-16"),
        b' {"a":1}',
        b'{"a": 1}',
        b'{"b":1,"a":1}',
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b"1.0",
        b"1e2",
        b"-0",
        b"01",
        b"NaN",
        b"null",
        b'"\\u0041"',
        b'"\\/"',
        b'"\\u0000"',
        b'"\\ud800"',
        b'"e\xcc\x81"',
        b"9" * 5000,
        b"[" * 9999 + b"]" * 9999,
    ],
)
def test_other_spellings_are_refused(data: bytes) -> None:
    """Valid JSON that is not canonical is refused."""
    with pytest.raises(NotCanonical):
        decode(data)


TREE_ROOT = bytes(32)
PRIVATE = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3)]
FIRST, SECOND, THIRD = (
    VerificationKey("log", private.public_key().public_bytes_raw()) for private in PRIVATE
)
RENAMED = VerificationKey("log/restored-1", SECOND.public_key)
CHAIN = replay_keys(
    [
        (4, log_key_leaf(FIRST.text(), SECOND.text())),
        (9, log_key_leaf(SECOND.text(), RENAMED.text())),
    ],
    RENAMED,
)


def signed(size: int, key: VerificationKey, private: int) -> Checkpoint:
    """Return a checkpoint."""
    return parse_checkpoint(sign_checkpoint(size, TREE_ROOT, key=key, sign=PRIVATE[private].sign))


def test_the_key_in_force_depends_on_the_size() -> None:
    """A key change applies from the size that includes its leaf."""
    assert CHAIN.first == FIRST
    assert [CHAIN.at(one) for one in (1, 4, 5, 9, 10)] == [FIRST, FIRST, SECOND, SECOND, RENAMED]
    assert CHAIN.texts() == (FIRST.text(), SECOND.text(), RENAMED.text())
    assert THIRD == KeyChain(THIRD).first == KeyChain(THIRD).at(7)


@pytest.mark.parametrize(
    ("size", "key", "private", "holds"),
    [
        (4, FIRST, 0, True),
        (4, SECOND, 1, True),
        (5, SECOND, 1, True),
        (5, FIRST, 0, False),
        (10, SECOND, 1, False),
        (10, RENAMED, 1, True),
        (4, FIRST, 2, False),
        (4, THIRD, 2, False),
    ],
)
def test_a_checkpoint_is_signed_by_its_key_or_a_later_one(
    size: int, key: VerificationKey, private: int, holds: bool
) -> None:
    """A replaced key cannot sign checkpoints from after its replacement."""
    assert CHAIN.is_signed(signed(size, key, private), verifies) == holds


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([(FIRST, FIRST)], "must change either"),
        ([(FIRST, VerificationKey("other", SECOND.public_key))], "must change either"),
        ([(FIRST, SECOND), (FIRST, THIRD)], "was not in force"),
        ([(FIRST, SECOND)], "The newest key in the log"),
    ],
)
def test_a_broken_chain_is_named(
    changes: list[tuple[VerificationKey, VerificationKey]], message: str
) -> None:
    """Each change must start with the previous key, and the last must lead to the newest."""
    leaves = [
        (number, log_key_leaf(old.text(), new.text())) for number, (old, new) in enumerate(changes)
    ]

    with pytest.raises(BrokenKeyChain, match=message):
        replay_keys(leaves, THIRD)
