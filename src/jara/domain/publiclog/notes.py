"""Checkpoints as signed notes, and the successive keys of a log that sign them.

The formats are C2SP 'signed-note' and 'tlog-checkpoint'. A checkpoint is three lines (origin, size,
root in base64), an empty line, and one line for each signature. The caller signs and verifies with
Ed25519.

A leaf of type `log_key` replaces the key: the new one signs each checkpoint of a larger size.
A change replaces either the key or the log's name. A log that lost its newest leaves continues
under another name, so that it cannot be mistaken for the published log.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from jara.domain.errors import InvalidInput

Verifies: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Verifies an Ed25519 signature. Arguments: key, message, signature."""

_KEY_ID_BYTES = 4
_PUBLIC_KEY_BYTES = 32
_ROOT_BYTES = 32
_SIZE = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]+")
_ORIGIN = re.compile(r"[^\x00-\x1f\x7f]+")
_SIGNATURE_LINE = re.compile(r"\u2014 (?P<name>[^\s+]+) (?P<bytes>[A-Za-z0-9+/]+={0,2})")


class MalformedNote(InvalidInput):
    """The text is not a checkpoint, a signature line or a key name."""

    code: ClassVar[str] = "malformed_note"


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """The public half of a log's signing key, with the name it signs under."""

    ALGORITHM: ClassVar[bytes] = b"\x01"
    """The signature type: notes, as in C2SP 'signed-note'."""

    name: str
    public_key: bytes

    def __post_init__(self) -> None:
        if _NAME.fullmatch(self.name) is None:
            raise MalformedNote(f"'{self.name}' is not a key name; it has no blanks and no '+'.")
        if len(self.public_key) != _PUBLIC_KEY_BYTES:
            raise MalformedNote(f"An Ed25519 key has 32 bytes, not {len(self.public_key)}.")

    @property
    def key_id(self) -> bytes:
        """The four bytes that identify the key in signature lines."""
        name = self.name.encode()
        return sha256(name + b"\n" + self.ALGORITHM + self.public_key).digest()[:_KEY_ID_BYTES]

    def text(self) -> str:
        """Return the key in its published form: `name+id+base64`."""
        return f"{self.name}+{self.key_id.hex()}+{_base64(self.ALGORITHM + self.public_key)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a published key, `name+id+base64`, and check its id.

        Raises:
            MalformedNote: it is not a key of this algorithm in the exact format.
        """
        name, plus, rest = text.strip().partition("+")
        data = _from_base64(rest.partition("+")[2]) if plus else b""
        if data[:1] != cls.ALGORITHM:
            raise MalformedNote(
                f"'{text}' is not a key of the expected kind: name, '+', 8 hex digits, '+', base64."
            )
        key = cls(name, data[1:])
        if key.text() != text.strip():
            raise MalformedNote(f"'{text}' is not a key: its id does not belong to it.")
        return key


class NoteSignature(NamedTuple):
    """One signature under a note."""

    name: str
    key_id: bytes
    signature: bytes


class Checkpoint(NamedTuple):
    """A signed size and root of a log."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[NoteSignature, ...] = ()
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the signed text."""
        text = checkpoint_text(self.origin, self.size, self.root)
        return text + "".join(f"{line}\n" for line in self.extensions)

    def signatures_by(self, key: VerificationKey) -> list[bytes]:
        """Return the signatures with the key's name and id."""
        named = (key.name, key.key_id)
        return [one.signature for one in self.signatures if (one.name, one.key_id) == named]

    def is_signed_by(self, key: VerificationKey, verifies: Verifies) -> bool:
        """Return whether it is signed by a key, and no signature in the key's name is false.

        ``verifies`` checks an Ed25519 signature.
        """
        signatures, text = self.signatures_by(key), self.text().encode()
        return bool(signatures) and all(verifies(key.public_key, text, one) for one in signatures)


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """Return the three lines to sign.

    Raises:
        MalformedNote: the origin is not one line, the size is negative, or the root is
            not 32 bytes.
    """
    if _ORIGIN.fullmatch(origin) is None or size < 0 or len(root) != _ROOT_BYTES:
        raise MalformedNote(f"'{origin}', {size} and {root.hex()} do not make a checkpoint.")
    return f"{origin}\n{size}\n{_base64(root)}\n"


def signature_line(key: VerificationKey, signature: bytes) -> str:
    """Return the signature line of a note."""
    return f"\u2014 {key.name} {_base64(key.key_id + signature)}\n"


def assemble(text: str, signature_lines: Iterable[str]) -> str:
    """Return the note: its text, an empty line, its signatures."""
    return f"{text}\n{''.join(signature_lines)}"


def sign_checkpoint(
    size: int, root: bytes, *, key: VerificationKey, sign: Callable[[bytes], bytes]
) -> str:
    """Return the signed checkpoint of a log whose origin is the key's name."""
    text = checkpoint_text(key.name, size, root)
    return assemble(text, [signature_line(key, sign(text.encode()))])


def parse_checkpoint(note: str, *, extended: bool = False) -> Checkpoint:
    """Parse a signed checkpoint without verifying its signatures.

    With `extended`, more lines may follow the root; Jara's own logs have none.

    Raises:
        MalformedNote: the note is not in the exact format.
    """
    text, empty_line, signed = note.partition("\n\n")
    origin, size, root, *extensions = [*text.split("\n"), "", ""]
    del extensions[-2:]
    if not empty_line or not signed.endswith("\n") or (extensions and not extended):
        raise MalformedNote("A checkpoint has three lines, an empty line, and signatures.")
    if _SIZE.fullmatch(size) is None:
        raise MalformedNote(f"'{size}' is not a log size.")
    if not all(_ORIGIN.fullmatch(line) for line in extensions):
        raise MalformedNote("A further line of a checkpoint has text, and no control characters.")
    checkpoint = Checkpoint(
        origin, int(size), _from_base64(root), parse_signatures(signed), tuple(extensions)
    )
    checkpoint.text()  # validates origin and root
    return checkpoint


def parse_signatures(lines: str) -> tuple[NoteSignature, ...]:
    """Parse signature lines, each with its line feed, without verifying them.

    Raises:
        MalformedNote: a line is not a signature line.
    """
    if not lines.endswith("\n"):
        raise MalformedNote("A signature line ends with a line feed.")
    return tuple(_parse_signature(line) for line in lines[:-1].split("\n"))


def join_notes(notes: Iterable[str]) -> str:
    """Join notes with an empty line between them."""
    return "\n".join(notes)


def _parse_signature(line: str) -> NoteSignature:
    match = _SIGNATURE_LINE.fullmatch(line)
    data = b"" if match is None else _from_base64(match["bytes"])
    if match is None or len(data) <= _KEY_ID_BYTES:
        raise MalformedNote(f"'{line}' is not a signature line.")
    return NoteSignature(match["name"], data[:_KEY_ID_BYTES], data[_KEY_ID_BYTES:])


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _from_base64(text: str) -> bytes:
    """Decode base64; reject non-canonical encodings."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or _base64(data) != text:
        raise MalformedNote(f"'{text}' is not canonical base64.")
    return data


class BrokenKeyChain(InvalidInput):
    """The `log_key` leaves do not form a chain."""

    code: ClassVar[str] = "broken_key_chain"


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A change of the log's key: the index of its leaf, and both keys."""

    index: int
    old: VerificationKey
    new: VerificationKey


class KeyChain(NamedTuple):
    """All keys of a log: the one in force now, and the changes that led to it."""

    newest: VerificationKey
    changes: tuple[KeyChange, ...] = ()

    @property
    def first(self) -> VerificationKey:
        """The log's first key, which identifies the organisation in statements."""
        return self.changes[0].old if self.changes else self.newest

    def keys(self) -> tuple[VerificationKey, ...]:
        """Return all keys, oldest first."""
        return (*(change.old for change in self.changes), self.newest)

    def texts(self) -> tuple[str, ...]:
        """Return all keys in their published form, oldest first."""
        return tuple(key.text() for key in self.keys())

    def at(self, size: int) -> VerificationKey:
        """Return the key in force at a log size."""
        return next((change.old for change in self.changes if size <= change.index), self.newest)

    def is_signed(self, checkpoint: Checkpoint, verifies: Verifies) -> bool:
        """Return whether a checkpoint is signed by a key that may sign it.

        That is the key in force at its size, or a later one; a replaced key cannot sign leaves
        added later.
        """
        later = [change.new for change in self.changes if checkpoint.size <= change.index]
        return any(
            checkpoint.origin == key.name and checkpoint.is_signed_by(key, verifies)
            for key in (self.at(checkpoint.size), *later)
        )


def read_change(index: int, leaf: Mapping[str, Any]) -> KeyChange:
    """Read a `log_key` leaf.

    Raises:
        MalformedNote: it has no valid key.
    """
    old, new = (VerificationKey.parse(str(leaf.get(name, ""))) for name in ("old", "new"))
    return KeyChange(index, old, new)


def replay_keys(
    leaves: Iterable[tuple[int, Mapping[str, Any]]], newest: VerificationKey
) -> KeyChain:
    """Return the keys of a log, up to the newest, which signs now.

    `leaves` are index and fields of each `log_key` leaf, in order.

    Raises:
        BrokenKeyChain: a change does not start from the key before it, changes both or neither
            of name and key, or the last one does not lead to the newest key.
        MalformedNote: a leaf has no valid key.
    """
    changes = tuple(read_change(index, leaf) for index, leaf in leaves)
    for change in changes:
        old, new = change.old, change.new
        if (old.name == new.name) == (old.public_key == new.public_key):
            raise BrokenKeyChain(
                f"Leaf {change.index} must change either the name or the key of the log, not both."
            )
    for change, following in pairwise(changes):
        if change.new != following.old:
            raise BrokenKeyChain(f"Leaf {following.index} replaces a key that was not in force.")
    if changes and changes[-1].new != newest:
        raise BrokenKeyChain(
            f"The newest key in the log is '{changes[-1].new.text()}', not '{newest.text()}'."
        )
    return KeyChain(newest, changes)
