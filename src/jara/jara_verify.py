"""Check a bundle of Jara's public log without importing or trusting the rest of Jara.

    python jara_verify.py BUNDLE [--receipt R.json] [--since OLD_CHECKPOINT]
                          [--key FILE] [--witness FILE... [--quorum K]]

BUNDLE is the tar file, or the folder it was unpacked into; or the zip that an auditor got. The
program prints one line for each check. Its exit status is 0 if the bundle is good, 1 if a check
failed, and 2 if the bundle cannot be read or lacks a file. It needs only Python 3.11 and the
standard library.

The rules, in the order of the lines:

leaves       Line i of entries.ndjson is leaf i, and there is at least one: canonical JSON (UTF-8,
             sorted keys, no white space, no needless escapes, strings in NFC without U+0000,
             integers below 2^53, no floats, no null, at most 20 levels) with exactly the fields
             of its type `t`. If the reader may not see the leaf, the line is {"leaf":"<hex>"}
             with its hash. Leaf 0, and no other leaf, is the genesis; its name is the name of
             the log.
audit        The zip of an auditor, with its parts, has exactly the files that manifest.txt names,
             with these SHA-256 and sizes, besides manifest.txt and log.tar. A leaf `audit` of the
             log in log.tar has the SHA-256 of manifest.txt.
key          key.txt holds the verification key, which has the log's name. If the key was ever
             changed, keys.txt holds all keys, oldest first. A leaf `log_key` names the old and
             the new key of each change; either the name or the key stays the same. The checkpoint
             that ends with this leaf is signed by the new key, and also by the old key unless the
             name is new. The maker of the bundle chose the key, so it proves nothing by itself.
             With --key, the key in your file must be this key or an earlier one in keys.txt.
checkpoints  Every note in checkpoints.txt names the log and is signed (Ed25519) by the key that
             was in force at its size, or by a later one. Its root is the Merkle root (RFC 6962
             §2.1) of the first `size` leaves. Sizes never decrease, and the last one is the size
             of the bundle.
witness      With --witness, for each key in your files: the size of the newest checkpoint in the
             bundle that this witness cosigned (C2SP tlog-cosignature v1, Ed25519), and the time.
             Every cosignature with the witness's name and key id fails if its key did not make
             it, and so does every signature with those of a key of the log.
quorum       K of these witnesses (all of them without --quorum) cosigned the log up to the size
             in this line: each one cosigned a checkpoint of that size or a larger one.
since        The checkpoint that you kept is signed as above, and this log begins with its leaves.
restores     A leaf `restore` names the size and root of the log before it. If the last checkpoint
             that it names is larger, the line says which leaves were lost.
currency     All amounts are hundredths of the currency in the last leaf `currency`; without one
             they are US dollars. No such leaf comes after an entry.
balance      The postings of every entry sum to zero in every fund.
splits       A payment (kind pledge or gift) credits its sum to the funds by the weights of the
             policy in force, with the largest-remainder method (ties go to the earlier of
             projects, staff, marketing, other, committed). The policy in force comes from a
             policy leaf before the entry: the leaf with the newest `from` that is no later than
             the true_day of the entry (or its day, without a true_day); of several, the last. A
             refund or dispute that names no payment is split like a payment. The postings of
             all these entries on expenses:fees are split by fee_weights in the same way, and so
             are those on expenses:fees:tax.
refunds      An entry with `of` (except a return) changes what payment `of` has given back from R
             to R2, never below 0. In each fund, its income postings are what R2 gives back less
             what R gives back. The j-th cent of a fund that got `part` has the key (2j - 1) / part;
             cents are given back in order of key, ties to the earlier fund. If more is given back
             than was paid (a refund, then a dispute of everything), the numbering starts again,
             and the line says so. Reversing such an entry undoes its change.
reversals    An entry with `reverses` is the exact negative of the entry it names. No entry is
             reversed twice.
years        No entry is of a year that was closed before it, or of an earlier one, until that
             year was opened again. What each fund has at the end of a year, as its leaf says, is
             what the entries of that year and before add up to.
documents    Every document names an entry before it (its leaf may be withheld).
control      A key is Ed25519 (in a file, or in a security key that was touched) or a passkey:
             P-256, with the host of a website. A signature is OpenSSH's, in the namespace
             jara-act; that of a passkey (WebAuthn) also says that a person was there and was
             verified, and is from https:// and this host, without a port, not in another frame.
             Once the log has an operator's key, every key added or removed and every change of
             the limits has the signatures of as many people as the limits required at the time
             (or of everyone who could approve, if they were fewer), including an admin. The first
             key signs for itself. A passkey is no admin's and no bookkeeper's, and counts only
             for acts that take out no more than `phone_limit_cents`, if the limits have it; 0
             means never. A signature and an act count once, and nothing counts whose
             newest signature is more than 5 minutes older than the last change of keys, limits
             or ways in.
             What an entry takes out needs an approval if it reaches the limit of an act, if with
             it an account gets the limit of a day, or if with it the limit of a day or of a
             calendar month over all is reached, in which approved entries do not count. The
             approval is the leaf before the entry (or before the first of `entries` entries),
             made for the same accounts and sums, and signed by the required number of people
             with keys enrolled at the time. Two keys of one person count once. An entry takes
             out what each account gets that is not `assets:`, and what each asset account that
             the limits do not name in `assets` gets from others, whatever its kind. Not
             counted are fees, refunds, disputes and unknown movements of the payment provider,
             if the entry is of its kinds and lowers no asset account but its own:
             assets:stripe, assets:stripe-reserve and assets:in-transit. While the limits have
             no `assets`, returns and reversals take nothing out, and of the provider's kinds
             only expenses other than fees count. While the limits name `funds`, what an
             account that is no asset gets is added up in each of the funds projects and
             committed, and in all other funds together; so money that leaves a purpose counts,
             but not what equity:transfers takes from projects to committed. An approval is
             then for sums that are made in the same way. The sums of a day and a month are then
             made by the day of the entries, and once more by the day on which they were posted:
             `posted`, or the entry's own day without it. What takes money out is never posted
             on an earlier day than what took money out before it. What a release gives up of a
             goal beyond the entry before it was not held yet; it counts on the day of the
             release, like an entry. A change of a way in, where payers
             send their money, is signed like one of the limits; the log has the hash of each
             value. Once two people may approve, a withdrawal with `ballots` and a correction
             of an open vote follow an approval that names the proposal. With limits, a year is
             opened again after an approval. A note and an opinion of an audit are signed by an
             auditor's key, and a bundle for one by that or by an admin's or a bookkeeper's.
proposal     content_hash is the SHA-256 of proposals/<id>.json, and its goal is that of the leaf.
             `translations` has that of proposals/<id>/<language>.json: what readers of another
             language saw. A leaf `proposal_correct` has the text of a translation that changed
             after the opening; the line names its language.
             No voter has two ballots. rolls/<id>.txt is sorted without duplicates, and its Merkle
             root and length are those in the close. The voter of every ballot is on the roll. yes,
             no and void match the ballots. last_index is the leaf before. The proposal passed
             exactly if, with base = roll_size, or yes + no where the rule is `of` votes, base > 0
             and den * yes >= num * base (or > where the rule has `more`), and yes + no is at least
             the `quorum` of roll_size. The line names a rule other than 1/2. The rule is that of
             the leaf `vote_rule` with the newest `from` that is no later than the `day` of the
             opening (of several, the last), or 1/2 of the roll without one.
             `off_roll` counts the members who were not on the roll, by reason; the line names how
             many of them give, and lack a confirmed address. `lost_votes` counts payers who may
             not vote since an operator acted; the line names it unless it is 0.
             An entry that moves money of the fund committed names its proposal, but for those of
             earlier versions. The proposal has passed (or comes from books
             that were imported before keys were enrolled), and what it was paid, holds and
             released is no more than its goal, with gains of exchange.
             A leaf `milestones` has the cost of each milestone of its project, and what is done;
             from then on no milestone is paid before those before it are done, or more than its
             cost.
             Ballots are sealed while their vote is open: all ballots of a vote are together,
             directly before its close; a withdrawn or open vote lists none. Each hash in `dropped`
             is of another ballot, which does not count and is not listed; `void` is their number.
             `ways` counts the ballots by how the payment was made that gives the vote.
             `changed_addresses` is at most yes + no; the line names it unless it is 0.
receipt      The leaf's bytes hash to the leaf. It is a ballot that contains your nonce.
             The receipt promises that the log will list the ballot. A leaf `promise_key` of this
             log names its key, which signed (Ed25519) the canonical JSON of leaf, listed_by,
             proposal and t (jara/v1/promise). It promises no later time than one day after the
             vote's end. The line says what became of the promise: promised (the vote is open, and
             by this computer's clock the time has not passed), listed and counted, dropped (its
             hash is in the close), or withdrawn with the vote. Anything else is promised and
             missing, and fails: the receipt is the proof that the log broke its promise.

If entries are withheld, the checks that need them are skipped, and the lines say so. A good
bundle proves that nothing was altered, dropped or reordered after a checkpoint that you or
someone else kept, or that the witnesses you named cosigned. It does not prove that the entries
are true. Without --key, compare the printed key with one that you got elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tarfile
import tempfile
import unicodedata
import zipfile
from array import array
from base64 import b32encode, b64decode, b64encode, urlsafe_b64encode
from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

GOOD, FAILED, UNREADABLE = 0, 1, 2
FUNDS = ("projects", "staff", "marketing", "other", "committed")
DECIDED = ("projects", "committed")
"""The funds whose money others decided on, by the split or a vote."""

TRANSFERS = "equity:transfers"
EXCHANGE = "expenses:fx"
PAYMENTS = ("pledge", "gift")
RETURN = "return"
"""Money that a payee sent back; it changes no contribution."""

GIVING_BACK = ("refund", "refund_failure", "dispute", "dispute_reversal")
SPLIT = PAYMENTS + GIVING_BACK
FEE_ACCOUNTS = ("expenses:fees", "expenses:fees:tax")
UNDOING = ("return", "reversal")
OF_PROVIDER = (
    *SPLIT, "fee", "payout", "payout_arrived", "payout_reversal", "reserve", "topup", "suspense",
)  # fmt: skip


class Bad(Exception):
    """A check fails; the message says where and why."""


class Unreadable(Exception):
    """The bundle, or a file given with it, cannot be read."""


# ---------------------------------------------------------------- Ed25519 (RFC 8032 §5.1)

_HASH_BYTES = 32  # the length of a SHA-256, and of an encoded point
_SIGNATURE_BYTES = 64
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)


class Point(NamedTuple):
    """A point of the curve in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""

    x: int
    y: int
    z: int
    t: int


_NEUTRAL = Point(0, 1, 1, 0)


def ed25519_verifies(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the key made the signature: S < L, and [S]B - [k]A encodes to R."""
    point = _decoded(public_key)
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != _SIGNATURE_BYTES or s >= _ORDER or point is None or _is_small(point):
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % _ORDER
    minus_a = Point(-point.x % _P, point.y, point.z, -point.t % _P)
    return _encoded(_sum_of_multiples(s, _BASE, k, minus_a)) == signature[:32]


def _add(p: Point, q: Point) -> Point:
    a = (p.y - p.x) * (q.y - q.x) % _P
    b = (p.y + p.x) * (q.y + q.x) % _P
    c = 2 * p.t * q.t * _D % _P
    d = 2 * p.z * q.z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _sum_of_multiples(m: int, p: Point, n: int, q: Point) -> Point:
    """Return [m]p + [n]q, doubling for both at once."""
    terms = (_NEUTRAL, p, q, _add(p, q))
    total = _NEUTRAL
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = _add(total, total)
        total = _add(total, terms[(m >> bit & 1) + 2 * (n >> bit & 1)])
    return total


def _is_small(point: Point) -> bool:
    """Return whether 8 times the point is neutral: such a key accepts forged signatures."""
    for _ in range(3):
        point = _add(point, point)
    return point.x == 0 and point.y == point.z


def _encoded(point: Point) -> bytes:
    inverse = pow(point.z, -1, _P)
    x, y = point.x * inverse % _P, point.y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decoded(data: bytes) -> Point | None:
    """Return the point that 32 bytes encode; None if they encode none (RFC 8032 §5.1.3)."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if len(data) != _HASH_BYTES or y >= _P:
        return None
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if (v * x * x + u) % _P == 0:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (v * x * x - u) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return Point(x, y, 1, x * y % _P)


_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE = Point(_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)

# ------------------------------------------------- ECDSA on P-256 (FIPS 186-5, passkeys)

Affine = tuple[int, int] | None
"""A point of P-256; None is the one at infinity."""

_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_P256_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_P256_BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def p256_verifies(public_key: bytes, message: bytes, r: int, s: int) -> bool:
    """Return whether the key, an uncompressed point, made the signature with SHA-256."""
    x, y = (int.from_bytes(half, "big") for half in (public_key[1:33], public_key[33:]))
    is_point = public_key[:1] == b"\4" and len(public_key) == 65  # noqa: PLR2004 - mark, x and y
    if not is_point or max(x, y) >= _P256 or (y * y - x**3 + 3 * x - _P256_B) % _P256:
        return False
    if not (0 < r < _P256_ORDER and 0 < s < _P256_ORDER):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, _P256_ORDER)
    terms = (None, _P256_BASE, (x, y), _p256_add(_P256_BASE, (x, y)))
    m, n = digest * inverse % _P256_ORDER, r * inverse % _P256_ORDER
    total: Affine = None
    for bit in range(255, -1, -1):
        total = _p256_add(_p256_add(total, total), terms[(m >> bit & 1) + 2 * (n >> bit & 1)])
    return total is not None and total[0] % _P256_ORDER == r


def _p256_add(p: Affine, q: Affine) -> Affine:
    if p is None or q is None:
        return p or q
    (x1, y1), (x2, y2) = p, q
    if x1 == x2 and (y1 + y2) % _P256 == 0:
        return None
    if p == q:
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, _P256) % _P256
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, _P256) % _P256
    x = (slope * slope - x1 - x2) % _P256
    return x, (slope * (x1 - x) - y1) % _P256


# ------------------------------------------------------- Merkle tree (RFC 6962, RFC 9162)


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A growing tree that stores its peaks, and its roots at the requested sizes."""

    def __init__(self, sizes: set[int]) -> None:
        """Start empty."""
        self.size = 0
        self._peaks: list[bytes] = []
        self._sizes = sizes
        self.roots: dict[int, bytes] = {0: hashlib.sha256(b"").digest()}

    def append(self, leaf: bytes) -> None:
        """Append a leaf hash."""
        index = self.size
        while index & 1:
            leaf = node_hash(self._peaks.pop(), leaf)
            index >>= 1
        self._peaks.append(leaf)
        self.size += 1
        if self.size in self._sizes:
            self.roots[self.size] = self.root()

    def root(self) -> bytes:
        """Return the root of the leaves so far."""
        root = self._peaks[-1] if self._peaks else self.roots[0]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


# ------------------------------------------------------------- signed notes (C2SP)

_KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n")
_NOTE = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]+)\n\n((?:\u2014 [^\n]+\n)+)")
_SIGNATURE = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)")


_SIGNS, _COSIGNS = 1, 4  # the kinds of keys: of logs, of witnesses
_KINDS = {_SIGNS: "verification", _COSIGNS: "witness"}


class Key(NamedTuple):
    """A verification key: its text, name, key id and 32 bytes."""

    text: str
    name: str
    key_id: bytes
    public: bytes


class Note(NamedTuple):
    """A signed checkpoint: what is signed, and by whom."""

    origin: str
    size: int
    root: bytes
    text: str
    signatures: list[tuple[str, bytes]]


def read_key(data: bytes, source: str = "key.txt", kind: int = _SIGNS) -> Key:
    """Read a verification key `name+id+base64`, one line."""
    match = _KEY.fullmatch(data.decode("utf-8", "replace"))
    key = _base64(match[3]) if match else b""
    if match is None or len(key) != 1 + _HASH_BYTES or key[0] != kind:
        raise Unreadable(f"{source} holds no Ed25519 {_KINDS[kind]} key")
    key_id = hashlib.sha256(match[1].encode() + b"\n" + key).digest()[:4]
    if key_id.hex() != match[2]:
        raise Unreadable(f"{source}: the key's id is {key_id.hex()}, not {match[2]}")
    return Key(match[0].rstrip("\n"), match[1], key_id, key[1:])


def read_witnesses(data: bytes, source: str) -> list[Key]:
    """Read the keys of witnesses, one on each line; a line that begins with # is a comment."""
    lines = [line.strip() for line in data.splitlines()]
    keys = [line + b"\n" for line in lines if line and not line.startswith(b"#")]
    if not keys:
        raise Unreadable(f"{source} holds no Ed25519 {_KINDS[_COSIGNS]} key")
    return [read_key(line, source, _COSIGNS) for line in keys]


def read_note(text: str) -> Note:
    """Read one signed checkpoint."""
    match = _NOTE.fullmatch(text)
    root = _base64(match[3]) if match else b""
    if match is None or len(root) != _HASH_BYTES:
        raise Bad("it is no signed checkpoint")
    signatures = []
    for line in match[4][:-1].split("\n"):
        signed = _SIGNATURE.fullmatch(line)
        signatures.append((signed[1], _base64(signed[2])) if signed else ("", b""))
    signed_text = text[: match.start(4) - 1]
    return Note(match[1], int(match[2]), root, signed_text, signatures)


def read_notes(text: str) -> Iterator[Note]:
    """Read the notes of checkpoints.txt, which are separated by empty lines."""
    blocks = text.removesuffix("\n").split("\n\n")
    for number in range(0, len(blocks), 2):
        try:
            yield read_note("\n\n".join(blocks[number : number + 2]) + "\n")
        except Bad as error:
            raise Bad(f"note {number // 2 + 1}: {error}") from None


def is_signed(note: Note, key: Key) -> bool:
    """Return whether a key signed a note; fail on any false signature in its name."""
    signatures = _signatures_of(note, key)
    if not all(ed25519_verifies(key.public, note.text.encode(), one) for one in signatures):
        raise Bad(f"the signature at size {note.size} is not the key's")
    return bool(signatures)


def _signatures_of(note: Note, key: Key) -> list[bytes]:
    """Return the signatures with the name and id of a key, without the id."""
    return [
        data[4:] for name, data in note.signatures if name == key.name and data[:4] == key.key_id
    ]


class Keys:
    """The keys of the log, oldest first, and the leaves that changed them."""

    def __init__(self, keys: Sequence[Key], report: Report) -> None:
        """Start with the given keys; `add` reads the leaves."""
        self.known = keys
        self._changes: list[int] = []
        self._report = report

    @property
    def newest(self) -> Key:
        """The key that signs now."""
        return self.known[-1]

    def add(self, index: int, leaf: Leaf) -> None:
        """Read a leaf that changes the key."""
        number = len(self._changes)
        named = [key.text for key in self.known[number : number + 2]]
        if [leaf["old"], leaf["new"]] != named:
            self._report.fail("key", f"leaf {index} changes keys that keys.txt does not name")
        self._changes.append(index)

    def check(self, notes: Sequence[Note], known: Key | None) -> str:
        """Check each change of the key, and compare the keys with the reader's."""
        if len(self._changes) != len(self.known) - 1:
            raise Bad(f"{len(self._changes)} leaves change the key, keys.txt has {len(self.known)}")
        for index, old, new in zip(self._changes, self.known, self.known[1:], strict=False):
            if (old.name == new.name) == (old.public == new.public):
                raise Bad(f"leaf {index} does not change either the name or the key")
            signers = [new] if old.name != new.name else [old, new]
            at = [note for note in notes if note.size == index + 1]
            if not any(all(is_signed(note, key) for key in signers) for note in at):
                raise Bad(f"no checkpoint of {index + 1} leaves is signed by {len(signers)} keys")
        text = self.newest.text
        if known is None:
            return f"{text}; this is only the bundle's own: compare it, or give yours with --key"
        if known not in self.known:
            raise Bad(f"the bundle has {text}, not your {known.text}")
        return f"{text}; it is yours" if known == self.newest else f"{text}; it follows on yours"

    def check_signature(self, note: Note) -> None:
        """Require a signature by the key in force at the size of the note, or by a later one."""
        allowed = self.known[sum(index < note.size for index in self._changes) :]
        names = {key.name for key in allowed}
        if note.origin not in names:
            raise Bad(f"the checkpoint is of the log '{note.origin}', not of '{self.newest.name}'")
        if not any(is_signed(note, key) for key in allowed if key.name == note.origin):
            raise Bad(f"the checkpoint at size {note.size} has no signature of the key")


def _base64(text: str) -> bytes:
    """Decode canonical base64; return no bytes for anything else."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if b64encode(data).decode() == text else b""


# ------------------------------------------------------------- leaves

_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_ACCOUNT = re.compile(r"(assets|liabilities|equity|income|expenses)(:[a-z0-9][a-z0-9-]*)+")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
_LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
_SALT = re.compile(r"[0-9a-f]{32}")
_DEEPEST = 20
_WRITER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))

Leaf = dict[str, Any]


def read_canonical(data: bytes) -> object:
    """Read canonical JSON, in which a value has only one byte sequence."""
    try:
        value: object = json.loads(data.decode("utf-8"))
        same = _WRITER.encode(value).encode("utf-8") == data
    except (ValueError, RecursionError):
        raise Bad("not valid UTF-8 JSON") from None
    if not same or not _may_be_canonical(value, 0):
        raise Bad("not canonical JSON")
    return value


def _may_be_canonical(value: object, depth: int) -> bool:
    if isinstance(value, str):
        return "\0" not in value and (value.isascii() or unicodedata.is_normalized("NFC", value))
    if isinstance(value, list):
        return depth < _DEEPEST and all(_may_be_canonical(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return depth < _DEEPEST and all(
            _NAME.fullmatch(key) and _may_be_canonical(item, depth + 1)
            for key, item in value.items()
        )
    return isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**53)


def read_line(line: bytes) -> tuple[bytes, Leaf | None]:
    """Return the hash of a line's leaf, and the leaf unless it is withheld."""
    if not line.endswith(b"\n"):
        raise Bad("the line is cut off")
    value = read_canonical(line[:-1])
    if isinstance(value, dict) and set(value) == {"leaf"} and _is_hash(value["leaf"]):
        return bytes.fromhex(value["leaf"]), None
    if not isinstance(value, dict) or not _has_its_fields(value):
        raise Bad("not a leaf of a known type with exactly its fields")
    return leaf_hash(line[:-1]), value


def _has_its_fields(leaf: Leaf) -> bool:
    fields = _FIELDS.get(str(leaf.get("t")))
    if fields is None:
        return False
    required, optional = fields
    extra = leaf.keys() - required.keys()
    return (
        required.keys() <= leaf.keys()
        and extra <= optional.keys()
        and all(rule(leaf[name]) for name, rule in required.items())
        and all(optional[name](leaf[name]) for name in extra)
    )


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:  # noqa: ANN401 - whatever stands in the JSON
    return _is_integer(value) and value >= 0


def _matches(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


_is_hash = _matches(_HASH)
_is_fingerprint = _matches(_FINGERPRINT)
_is_account = _matches(_ACCOUNT)
_looks_like_day = _matches(_DAY)
_looks_like_instant = _matches(_INSTANT)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_day(value: object) -> bool:
    try:
        return _looks_like_day(value) and bool(date.fromisoformat(str(value)))
    except ValueError:
        return False


def _is_instant(value: object) -> bool:
    try:
        return _looks_like_instant(value) and bool(datetime.fromisoformat(str(value)))
    except ValueError:
        return False


def _is_weights(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() <= set(FUNDS)
        and all(_is_count(weight) for weight in value.values())
        and sum(value.values()) > 0
    )


def _is_object(
    optional: Mapping[str, Callable[[Any], bool]] | None = None, **rules: Callable[[Any], bool]
) -> Callable[[object], bool]:
    known = {**rules, **(optional or {})}
    return lambda value: (
        isinstance(value, dict)
        and rules.keys() <= value.keys() <= known.keys()
        and all(known[name](inner) for name, inner in value.items())
    )


def _is_postings(value: object) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(map(_is_posting, value))


def _is_posting(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 3:  # noqa: PLR2004 - account, fund, cents
        return False
    account, fund, cents = value
    return _is_account(account) and fund in FUNDS and _is_integer(cents) and cents != 0


def _is_list_of(rule: Callable[[Any], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(rule, value))


WAYS_IN = {"transfer", "cash", "mobile", "cheque", "account", "donate"}
"""Where payers send their money."""

_RULES: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "id": _matches(_ID),
    "hash": _is_hash,
    "hashes": _is_list_of(_is_hash),
    "count": _is_count,
    "day": _is_day,
    "instant": _is_instant,
    "salt": _matches(_SALT),
    "choice": _matches(re.compile("up|down")),
    "truth": lambda value: isinstance(value, bool),
    "ways_in": lambda value: (
        isinstance(value, dict)
        and bool(value)
        and value.keys() <= WAYS_IN
        and all(each == "" or _is_hash(each) for each in value.values())
    ),
    "language": _matches(_LANGUAGE),
    "figures": _matches(re.compile("live|at-close")),
    "object": lambda value: isinstance(value, dict),
    "hashes_by_language": lambda value: (
        isinstance(value, dict)
        and all(_LANGUAGE.fullmatch(each) is not None for each in value)
        and all(map(_is_hash, value.values()))
    ),
    "one": lambda value: value is not True and value == 1,
    "ways": _is_object(
        {"cheque": _is_count}, card=_is_count, cash=_is_count, mobile=_is_count, transfer=_is_count
    ),
    "off_roll": _is_object(address=_is_count, no_address=_is_count, payment=_is_count),
    "accounts": _is_list_of(_is_account),
    "several": lambda value: _is_integer(value) and value > 1,
    "weights": _is_weights,
    "postings": _is_postings,
    "currency": _matches(re.compile("[A-Z]{3}")),
    "rule": _is_object(
        {  # since 0.3
            "more": lambda value: isinstance(value, bool),
            "quorum": _is_object(num=_is_count, den=_is_count),
        },
        num=_is_count,
        den=_is_count,
        of=_matches(re.compile("roll|votes")),  # "votes" since 0.3
    ),
    "fingerprint": _is_fingerprint,
    "change": _matches(re.compile("add|remove")),
    "roles": _is_list_of(_is_text),
    "plan": _is_list_of(
        _is_object(
            id=_is_text, cost_cents=_is_count, completed=lambda value: isinstance(value, bool)
        )
    ),
    "year_change": _matches(re.compile("close|open")),
    "balances": lambda value: (
        isinstance(value, dict)
        and value.keys() <= set(FUNDS)
        and all(map(_is_integer, value.values()))
    ),
    "document": _matches(re.compile("invoice|receipt|contract|slip|minutes|other")),
    "audit": _matches(re.compile("bundle|note|close")),
    "opinion": _matches(re.compile("unqualified|qualified|adverse|disclaimer")),
    "fingerprints": _is_list_of(_is_fingerprint),
    "funds": lambda value: value == sorted(DECIDED),
    "signatures": _is_list_of(
        _is_object(
            key=_is_fingerprint,
            nonce=_matches(_SALT),
            signature=_is_text,
            time=_is_instant,
        )
    ),
    "foreign": _is_object(
        {"source": _is_hash, "receipt": _is_hash},
        currency=_is_text,
        amount=_is_integer,
        rate=_is_text,
    ),
}


def _fields(required: str, optional: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """Read `name:rule` words; every leaf also has its type."""
    pairs = [[word.split(":") for word in words.split()] for words in (required, optional)]
    first, second = ({name: _RULES[rule] for name, rule in words} for words in pairs)
    return {"t": _is_text, **first}, second


_FIELDS = {
    "jara/v1/genesis": _fields("name:text v:one"),
    "jara/v1/entry": _fields(
        "day:day kind:text description:text salt:salt postings:postings",
        "ref:hash reverses:count of:count true_day:day foreign:foreign "
        "proposal:id milestone:text posted:day",  # since 0.3
    ),
    "jara/v1/policy": _fields("from:day weights:weights fee_weights:weights"),
    "jara/v1/currency": _fields("currency:currency"),
    "jara/v1/proposal_open": _fields(
        "proposal:id content_hash:hash ends:instant rule:rule goal_cents:count",
        "translations:hashes_by_language figures:figures "  # since the second version
        "day:day",  # since 0.3, once the log has a vote_rule
    ),
    "jara/v1/ballot": _fields("proposal:id voter:hash choice:choice nonce_hash:hash"),
    "jara/v1/proposal_withdraw": _fields(
        "proposal:id reason:text last_index:count",
        "ballots:count",  # since the second version
    ),
    "jara/v1/proposal_correct": _fields(
        "proposal:id language:language content:object day:day reason:text"
    ),
    "jara/v1/proposal_close": _fields(
        "proposal:id roll_size:count roll_root:hash yes:count no:count void:count "
        "passed:truth last_index:count dropped:hashes ways:ways",
        "shared_cards:count emails:count "  # since the second version
        "changed_addresses:count off_roll:off_roll lost_votes:count",  # since 0.3.0
    ),
    "jara/v1/proposal_release": _fields(
        "proposal:id cents:count day:day reason:text signers:fingerprints"
    ),
    "jara/v1/vote_rule": _fields("from:day rule:rule"),  # since 0.3
    "jara/v1/promise_key": _fields("key:hash"),
    "jara/v1/operator_key": _fields(
        "change:change key:fingerprint public_key:text person:id roles:roles act:hash "
        "signatures:signatures"
    ),
    "jara/v1/control_policy": _fields(
        "approvals:count act:hash signatures:signatures",
        "limit_cents:count day_limit_cents:count "
        "total_limit_cents:count assets:accounts "  # since the second version
        "funds:funds month_limit_cents:count phone_limit_cents:count "  # since 0.3
        "documents_from_cents:count documents_within_days:count",
    ),
    "jara/v1/approval": _fields(
        "action:text act:hash signatures:signatures",
        "spends:hash entries:several "  # several entries since the second version
        "proposal:id",  # since the third version
    ),
    "jara/v1/ways_in": _fields("values:ways_in act:hash signatures:signatures"),
    "jara/v1/log_key": _fields("old:text new:text"),
    "jara/v1/milestones": _fields("proposal:id milestones:plan"),
    "jara/v1/year": _fields("year:count change:year_change", "balances:balances reason:text"),
    "jara/v1/document": _fields(
        "entry:count kind:document document:hash", "salt:salt"
    ),  # since 0.3
    "jara/v1/audit": _fields(  # since 0.3
        "what:audit hash:hash act:hash signatures:signatures",
        "year:count entry:count opinion:opinion",
    ),
    "jara/v1/restore": _fields("size:count root:hash last_size:count last_root:hash"),
}

# ------------------------------------------------------------- bundle, log, report


class Bundle:
    """The files of a bundle, from a folder or a tar."""

    def __init__(self, path: Path) -> None:
        """Open the folder or the tar, or the log in what an auditor got."""
        self._folder = path
        is_archive = (path / MANIFEST).is_file() or zipfile.is_zipfile(path)
        self.archive = Archive(path) if is_archive else None
        self._copy = None if self.archive is None else self.archive.copy_of(LOG)
        is_folder = self.archive is None and path.is_dir()
        # It is open as long as this.
        self._tar = None if is_folder else tarfile.open(path, "r:", self._copy)  # noqa: SIM115
        self._members: dict[str, tarfile.TarInfo] = {}
        self._opened = {"jara_verify.py"}

    def read_index(self) -> None:
        """Find the files in the tar."""
        for member in self._tar or ():
            name = member.name.removeprefix("./")
            if name in self._members:
                raise Unreadable(f"{name} is in the tar twice")
            if member.isreg():
                self._members[name] = member

    def has(self, name: str) -> bool:
        """Return whether the bundle has a file."""
        return name in self._members if self._tar else (self._folder / name).is_file()

    def open(self, name: str) -> IO[bytes]:
        """Open one file of the bundle."""
        self._opened.add(name)
        if self._tar is None:
            if not (self._folder / name).is_file():
                raise Unreadable(f"the bundle has no {name}")
            return (self._folder / name).open("rb")
        file = self._tar.extractfile(self._members[name]) if name in self._members else None
        if file is None:
            raise Unreadable(f"the bundle has no {name}")
        return file

    def unread(self) -> list[str]:
        """Return the files in the tar that no check has opened."""
        return sorted(self._members.keys() - self._opened)

    def close(self) -> None:
        """Close the files."""
        for file in (self._tar, self._copy, self.archive):
            if file is not None:
                file.close()

    def read(self, name: str) -> bytes:
        """Return the bytes of one file of the bundle."""
        with self.open(name) as file:
            return file.read()


MANIFEST, LOG = "manifest.txt", "log.tar"
_BROKEN = (tarfile.TarError, zipfile.BadZipFile)


class Archive:
    """What an auditor got: a zip with its further parts, or the folder they were unpacked into."""

    def __init__(self, path: Path) -> None:
        """List the files."""
        self._places: dict[str, Path | zipfile.ZipFile] = {}
        self._twice: list[str] = []
        self._parts: list[zipfile.ZipFile] = []
        if path.is_dir():
            found = (one for one in path.rglob("*") if one.is_file())
            self._places = {one.relative_to(path).as_posix(): one for one in found}
            return
        number = 1
        while path.is_file():
            part = zipfile.ZipFile(path)
            self._parts.append(part)
            for name in part.namelist():
                self._twice += [name] * (name in self._places)
                self._places[name] = part
            path = path.with_name(
                f"{path.stem.removesuffix(f'-{number}')}-{number + 1}{path.suffix}"
            )
            number += 1

    def open(self, name: str) -> IO[bytes]:
        """Open a file."""
        place = self._places.get(name)
        if place is None:
            raise Unreadable(f"the file has no {name}")
        return place.open("rb") if isinstance(place, Path) else place.open(name)

    def copy_of(self, name: str) -> IO[bytes]:
        """Return a copy of a file that can be read in any order."""
        copy = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        with self.open(name) as file:
            shutil.copyfileobj(file, copy)
        copy.seek(0)
        return copy

    def close(self) -> None:
        """Close the zips."""
        for part in self._parts:
            part.close()

    def check(self, manifests: set[str]) -> str:
        """Compare the files with the manifest, and its hash with those in the log."""
        with self.open(MANIFEST) as file:
            text = file.read()
        if hashlib.sha256(text).hexdigest() not in manifests:
            raise Bad(f"no leaf of the log names this {MANIFEST}")
        lines = (line.split(" ", 2) for line in text.decode().splitlines())
        wanted = {name: (digest, int(size)) for digest, size, name in lines}
        faults = [f"{name} is there twice" for name in self._twice]
        faults += [f"{name} is missing" for name in wanted.keys() - self._places.keys()]
        more = self._places.keys() - wanted.keys() - {MANIFEST, LOG}
        faults += [f"{name} was added later" for name in more]
        for name in wanted.keys() & self._places.keys():
            if self._digest_of(name) != wanted[name]:
                faults.append(f"{name} is not the file that the manifest names")
        if faults:
            raise Bad("; ".join(sorted(faults)))
        return f"{len(wanted)} files are those of {MANIFEST}, which the log names"

    def _digest_of(self, name: str) -> tuple[str, int]:
        digest, size = hashlib.sha256(), 0
        try:
            with self.open(name) as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
                    size += len(piece)
        except zipfile.BadZipFile:
            return "", 0
        return digest.hexdigest(), size


class Log:
    """The lines of entries.ndjson: in order, and by index once they were read."""

    def __init__(self, bundle: Bundle) -> None:
        """Open the file twice: to read it in order, and to look back."""
        self._file = bundle.open("entries.ndjson")
        self._back = bundle.open("entries.ndjson")
        self._starts = array("Q")

    def __iter__(self) -> Iterator[bytes]:
        start = 0
        for line in self._file:
            self._starts.append(start)
            start += len(line)
            yield line

    def line(self, index: int) -> bytes:
        """Return a line that was read before."""
        self._back.seek(self._starts[index])
        return self._back.readline()

    def leaf(self, index: int) -> Leaf | None:
        """Return a leaf that was read before; None if it is withheld or malformed."""
        try:
            return read_line(self.line(index))[1]
        except Bad:
            return None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._back.close()


def _printable(text: str) -> str:
    """Escape what could drive a terminal; a hostile bundle chooses parts of the messages."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


class Report:
    """Prints one line for each check, with the first failure and how many follow it."""

    def __init__(self, write: Callable[[str], object]) -> None:
        """Start without failures."""
        self._write = write
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def fail(self, check: str, message: object) -> None:
        """Record a failure of a check."""
        self._first.setdefault(check, str(message))
        self._count[check] = self._count.get(check, 0) + 1

    def close(self, check: str, summary: str, word: str = "ok") -> None:
        """Print the line of a check: its first failure, or the summary."""
        more = self._count.get(check, 0) - 1
        if more < 0:
            self._write(f"{word:<7} {check}: {_printable(summary)}\n")
        else:
            rest = f" (and {more} more)" if more else ""
            self._write(f"FAILED  {check}: {_printable(self._first[check])}{rest}\n")

    def verdict(self) -> int:
        """Print the last line, and return the exit status."""
        if not self._first:
            self._write("GOOD    every check passed\n")
            return GOOD
        self._write(f"FAILED  {len(self._first)} of the checks failed\n")
        return FAILED


# ------------------------------------------------------------- books


def split(cents: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Split cents by weights with the largest-remainder method; parts of 0 are left out."""
    whole, total = abs(cents), sum(weights.values())
    parts = {fund: whole * weights[fund] // total for fund in FUNDS if fund in weights}
    by_remainder = sorted(parts, key=lambda fund: -(whole * weights[fund] % total))
    for fund in by_remainder[: whole - sum(parts.values())]:
        parts[fund] += 1
    return {fund: part if cents > 0 else -part for fund, part in parts.items() if part}


def given_back(parts: Mapping[str, int], cents: int) -> dict[str, int]:
    """Return how much each fund has given back after `cents` of a payment were given back.

    Rounding selects the cents with keys up to 2 * cents / total; then single cents are
    added or removed in order of key until the sum is right.
    """
    total = sum(parts.values())
    rounds, rest = divmod(cents, total)
    back = {f: (2 * rest * parts[f] + total) // (2 * total) for f in FUNDS if f in parts}
    while sum(back.values()) < rest:
        back[min(back, key=lambda f: Fraction(2 * back[f] + 1, parts[f]))] += 1
    while sum(back.values()) > rest:
        back[max(reversed(back), key=lambda f: Fraction(2 * back[f] - 1, parts[f]))] -= 1
    return {fund: rounds * parts[fund] + count for fund, count in back.items()}


def _cells(leaf: Leaf) -> dict[tuple[str, str], int]:
    cells: dict[tuple[str, str], int] = {}
    for account, fund, cents in leaf["postings"]:
        cells[account, fund] = cells.get((account, fund), 0) + cents
    return {cell: cents for cell, cents in cells.items() if cents}


def _by_fund(leaf: Leaf, wanted: Callable[[str], bool]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for account, fund, cents in leaf["postings"]:
        if wanted(account):
            sums[fund] = sums.get(fund, 0) + cents
    return {fund: cents for fund, cents in sums.items() if cents}


def _income(leaf: Leaf) -> dict[str, int]:
    return _by_fund(leaf, lambda account: account.startswith("income:"))


class Books:
    """Checks entries in order: balance, splits, refunds, reversals."""

    def __init__(self, log: Log, report: Report) -> None:
        """Start with empty books."""
        self._log = log
        self._report = report
        self._policies: list[tuple[str, int, Leaf]] = []
        self._given_back: dict[int, int] = {}
        self._steps: dict[int, tuple[int, int]] = {}
        self._reversed: dict[int, int] = {}
        self._beyond: dict[int, None] = {}
        self._last_withheld = -1
        self._seen_entry = False
        self._currency = ""
        self.withheld = 0
        self.checked = dict.fromkeys(("balance", "splits", "refunds", "reversals"), 0)
        self.skipped = dict.fromkeys(("refunds", "reversals"), 0)

    def add_withheld(self, index: int) -> None:
        """Record a withheld leaf."""
        self._last_withheld = index
        self._seen_entry = True
        self.withheld += 1

    def add_policy(self, index: int, leaf: Leaf) -> None:
        """Add a policy, which applies from its day on."""
        insort(self._policies, (leaf["from"], index, leaf))

    def add_currency(self, index: int, leaf: Leaf) -> None:
        """Take the currency of all amounts."""
        self._currency = leaf["currency"]
        if self._seen_entry:
            self._report.fail("currency", f"leaf {index}: the currency changes after an entry")

    def add_entry(self, index: int, leaf: Leaf) -> None:
        """Check one entry."""
        self._seen_entry = True
        self._check("balance", index, leaf, self._balances)
        if "reverses" in leaf:
            self._check("reversals", index, leaf, self._reverses)
        elif "of" in leaf and leaf["kind"] != RETURN:
            self._check("refunds", index, leaf, self._gives_back)
        elif leaf["kind"] in SPLIT:
            self._check("splits", index, leaf, self._is_split)
        if "reverses" not in leaf and leaf["kind"] in SPLIT:
            self._check("splits", index, leaf, self._fees_are_split, counts=False)

    def close(self) -> None:
        """Print the lines of the four checks, and the currency if a leaf names it."""
        if self._currency:
            self._report.close("currency", self._currency)
        for check, done in self.checked.items():
            skipped = self.skipped.get(check, 0)
            notes = [f"{done} checked"]
            notes += [f"{skipped} skipped"] * (skipped > 0)
            notes += [f"{self.withheld} leaves are withheld"] * (self.withheld > 0)
            if check == "refunds" and self._beyond:
                leaves = ", ".join(map(str, self._beyond))
                notes.append(f"more was given back than paid in leaf {leaves}")
            word = "skipped" if self.withheld and not done else "ok"
            self._report.close(check, ", ".join(notes), word)

    def _check(
        self,
        check: str,
        index: int,
        leaf: Leaf,
        rule: Callable[[int, Leaf], bool],
        *,
        counts: bool = True,
    ) -> None:
        try:
            if not rule(index, leaf):
                self.skipped[check] += 1
            elif counts:
                self.checked[check] += 1
        except Bad as error:
            self._report.fail(check, f"leaf {index}: {error}")

    def _balances(self, _index: int, leaf: Leaf) -> bool:
        for fund, cents in _by_fund(leaf, lambda _account: True).items():
            raise Bad(f"the fund '{fund}' is off by {cents} cents")
        return True

    def _policy(self, index: int, leaf: Leaf) -> Leaf:
        day = leaf.get("true_day", leaf["day"])
        place = bisect_right(self._policies, (day, index, {}))
        if place == 0:
            raise Bad(f"no policy is in force on {day}")
        return self._policies[place - 1][2]

    def _is_split(self, index: int, leaf: Leaf) -> bool:
        income = _income(leaf)
        total = sum(income.values())
        if leaf["kind"] in PAYMENTS and total >= 0:
            raise Bad("the payment brings no income")
        _compare(income, split(total, self._policy(index, leaf)["weights"]), "income")
        return True

    def _fees_are_split(self, index: int, leaf: Leaf) -> bool:
        for account in FEE_ACCOUNTS:
            fees = _by_fund(leaf, account.__eq__)
            if fees:
                weights = self._policy(index, leaf)["fee_weights"]
                _compare(fees, split(sum(fees.values()), weights), account)
        return True

    def _gives_back(self, index: int, leaf: Leaf) -> bool:
        payment = self._earlier_entry(index, leaf["of"])
        if payment is None or self._last_withheld > leaf["of"]:
            return False
        parts = {fund: -cents for fund, cents in _income(payment).items()}
        if payment["kind"] not in PAYMENTS or min(parts.values(), default=0) <= 0:
            raise Bad(f"leaf {leaf['of']} is not a payment")
        moved = _income(leaf)
        before = self._given_back.get(leaf["of"], 0)
        self._take_step(index, leaf["of"], sum(moved.values()))
        after = self._given_back[leaf["of"]]
        if after > sum(parts.values()):
            self._beyond.setdefault(leaf["of"])
        was, now = given_back(parts, before), given_back(parts, after)
        expected = {f: now[f] - was[f] for f in now if now[f] != was[f]}
        _compare(moved, expected, "income")
        return True

    def _take_step(self, index: int, payment: int, cents: int) -> None:
        after = self._given_back.get(payment, 0) + cents
        self._given_back[payment], self._steps[index] = after, (payment, cents)
        if after < 0:
            raise Bad(f"the payment in leaf {payment} has a negative sum of refunds: {after} cents")

    def _reverses(self, index: int, leaf: Leaf) -> bool:
        target = leaf["reverses"]
        if target in self._reversed:
            raise Bad(f"leaf {target} is already reversed, by leaf {self._reversed[target]}")
        self._reversed[target] = index
        entry = self._earlier_entry(index, target)
        if entry is None:
            return False
        if _cells(leaf) != {cell: -cents for cell, cents in _cells(entry).items()}:
            raise Bad(f"it is not the exact negative of leaf {target}")
        if target in self._steps:
            payment, cents = self._steps[target]
            self._take_step(index, payment, -cents)
        return True

    def _earlier_entry(self, index: int, named: int) -> Leaf | None:
        """Return the earlier entry that another one names; None if it cannot be read."""
        if named >= index:
            raise Bad(f"it names leaf {named}, which is not before it")
        entry = self._log.leaf(named)
        if entry is not None and entry["t"] != "jara/v1/entry":
            raise Bad(f"leaf {named} is not an entry")
        return entry


def _compare(actual: Mapping[str, int], expected: Mapping[str, int], what: str) -> None:
    for fund in FUNDS:
        if actual.get(fund, 0) != expected.get(fund, 0):
            raise Bad(
                f"{what} in the fund '{fund}' is {actual.get(fund, 0)} cents, "
                f"by the rule {expected.get(fund, 0)}"
            )


# ------------------------------------------------------------- votes


class Cast(NamedTuple):
    """A ballot in the log: its voter, its choice, the hash of its leaf."""

    voter: str
    choice: str
    leaf: str


DEFAULT_RULE = {"den": 2, "num": 1, "of": "roll"}
HALF = "1/2"
"""The rule of a vote unless its line names another."""


class Vote:
    """One proposal between its opening and its end."""

    def __init__(self, opening: Leaf) -> None:
        """Start without ballots."""
        self.rule = opening["rule"]
        self.ends = datetime.fromisoformat(opening["ends"])
        self.outcome = "open"
        self.voters: set[str] = set()
        self.ballots: dict[int, Cast] = {}
        self.ending: Leaf | None = None
        self.corrected: list[str] = []
        """The language of each correction of a translation."""
        self.goal: int = opening["goal_cents"]
        self.released = 0
        self._paid = 0
        self._held = 0
        self._gained = 0
        """Exchange gains: more came back from a payee than was paid."""

    def move(self, leaf: Leaf) -> None:
        """Add what an entry moves in the fund committed."""
        for account, fund, cents in leaf["postings"]:
            if fund != "committed":
                continue
            if account == EXCHANGE:
                self._gained += max(0, -cents)
            elif account.startswith("expenses:"):
                self._paid += cents
            elif account.startswith(("assets:", "liabilities:")):
                self._held += cents

    def require_promised(self, *, is_whole: bool) -> None:
        """Check that no more is paid, held and released than the vote decided.

        Without the entries of earlier versions, which name no proposal, nothing is known of what
        is held.
        """
        if self.ending is None or not self.ending.get("passed"):
            raise Bad("its money moves, but it has not passed")
        if is_whole and self._held < 0:
            raise Bad(f"{-self._held} cents more are taken than are held for it")
        used = self._paid + self.released + (self._held if is_whole else 0)
        if used > self.goal + self._gained:
            raise Bad(f"{used} cents of it are paid, held or released; its goal is {self.goal}")

    @property
    def dropped(self) -> list[str]:
        """The hashes of the ballots that do not count, as the close names them."""
        hashes: list[str] = (self.ending or {}).get("dropped", [])
        return hashes

    @property
    def summary(self) -> str:
        """The outcome, and the rule if it is not half of the roll."""
        rule = rule_text(self.rule)
        parts = [self.outcome] + [f"by the rule {rule}"] * (rule != HALF)
        parts += [f"corrected: {', '.join(self.corrected)}"] * bool(self.corrected)
        return "; ".join(parts)

    def count(self, choice: str) -> int:
        """Count the ballots that stand for a choice."""
        return sum(choice == cast.choice for cast in self.ballots.values())


def passes_by(rule: Leaf, yes: int, no: int, roll: int) -> bool:
    """Return whether a vote passes by its rule."""
    base = yes + no if rule["of"] == "votes" else roll
    quorum = rule.get("quorum", {"num": 0, "den": 1})
    is_met = quorum["den"] * (yes + no) >= quorum["num"] * roll
    over = rule["den"] * yes - rule["num"] * base
    return base > 0 and is_met and (over > 0 if rule.get("more") else over >= 0)


def rule_text(rule: Leaf) -> str:
    """Return a rule in words: `more than 1/2 of the votes, quorum 1/5`."""
    text = f"{'more than ' if rule.get('more') else ''}{rule['num']}/{rule['den']}"
    text += " of the votes" if rule["of"] == "votes" else ""
    quorum = rule.get("quorum")
    return text + (f", quorum {quorum['num']}/{quorum['den']}" if quorum else "")


class Votes:
    """Checks proposals, ballots, withdrawals and results in order."""

    def __init__(self, bundle: Bundle, report: Report) -> None:
        """Start without proposals."""
        self._bundle = bundle
        self._report = report
        self._votes: dict[str, Vote] = {}
        self._named: dict[str, None] = {}
        self._names_proposals = False
        """Whether an entry has named its proposal; from then on all do that move its money."""
        self._is_whole = True
        self._imported: set[str] = set()
        """The proposals of a former log, whose books were imported before keys were enrolled."""
        self._plans: dict[str, list[Leaf]] = {}
        """The milestones of each proposal's project, as the log names them last."""
        self._milestone_of: dict[int, str] = {}
        """The milestone that each entry pays, or takes back."""
        self._tranches: dict[tuple[str, str], int] = {}
        """What was paid for each milestone of each proposal."""
        self.has_keys = False
        """Whether an operator's key was enrolled so far."""
        self.promise_keys: set[str] = set()
        self._rules_set: list[tuple[str, int, Leaf]] = []
        """The rules of new votes: from which day, the index, the rule."""
        self._rules: dict[str, Callable[[int, Leaf], None]] = {
            "jara/v1/proposal_open": self._open,
            "jara/v1/ballot": self._ballot,
            "jara/v1/proposal_correct": self._correct,
            "jara/v1/proposal_withdraw": self._withdraw,
            "jara/v1/proposal_close": self._close,
            "jara/v1/proposal_release": self._release,
            "jara/v1/milestones": self._change_plan,
            "jara/v1/entry": self._move,
        }

    def add(self, index: int, leaf: Leaf) -> None:
        """Check one leaf, if it belongs to a vote."""
        rule = self._rules.get(leaf["t"])
        if rule is None or (rule == self._move and not self._is_committed(leaf)):
            return
        proposal = leaf.get("proposal", "unnamed")
        self._named[proposal] = None
        try:
            rule(index, leaf)
        except Bad as error:
            self._report.fail(f"proposal {proposal}", f"leaf {index}: {error}")

    def add_promise_key(self, _index: int, leaf: Leaf) -> None:
        """Add a key that signs receipts."""
        self.promise_keys.add(leaf["key"])

    def add_rule(self, index: int, leaf: Leaf) -> None:
        """Add a rule of votes that open later."""
        self._rules_set.append((leaf["from"], index, leaf["rule"]))

    def _require_rule(self, leaf: Leaf) -> None:
        day, rule = leaf.get("day", ""), leaf["rule"]
        if bool(day) != bool(self._rules_set):
            raise Bad("it names a day of opening exactly if the log has a vote_rule before it")
        begun = [one for one in self._rules_set if one[0] <= day]
        in_force = max(begun, key=lambda one: one[:2])[2] if begun else DEFAULT_RULE
        if rule != in_force:
            raise Bad(f"its rule is {rule_text(rule)}, in force was {rule_text(in_force)}")

    def close(self) -> None:
        """Print a line for each proposal."""
        for proposal in self._named:
            vote = self._votes.get(proposal)
            if vote is not None and vote.ending is None and vote.ballots:
                self._report.fail(
                    f"proposal {proposal}",
                    f"leaf {min(vote.ballots)}: a ballot is listed, but the vote is open",
                )
            self._report.close(f"proposal {proposal}", vote.summary if vote else "")

    def get(self, proposal: str) -> Vote | None:
        """Return the vote on a proposal, if it was opened."""
        return self._votes.get(proposal)

    def _open(self, _index: int, leaf: Leaf) -> None:
        name = f"proposals/{leaf['proposal']}.json"
        if leaf["proposal"] in self._votes:
            raise Bad("the proposal was opened before")
        self._votes[leaf["proposal"]] = Vote(leaf)
        text = self._bundle.read(name)
        if hashlib.sha256(text).hexdigest() != leaf["content_hash"]:
            raise Bad(f"{name} is not the text that was voted on")
        for language, hashed in leaf.get("translations", {}).items():
            other = f"proposals/{leaf['proposal']}/{language}.json"
            if hashlib.sha256(self._bundle.read(other)).hexdigest() != hashed:
                raise Bad(f"{other} is not the text that was shown")
        if json.loads(text).get("figures") != leaf.get("figures"):
            raise Bad(f"its figures are not those of {name}")
        goal = json.loads(text).get("goal_cents", leaf["goal_cents"])
        if goal != leaf["goal_cents"]:
            raise Bad(f"its goal is {leaf['goal_cents']} cents, in {name} it is {goal}")
        self._require_rule(leaf)

    def _is_committed(self, leaf: Leaf) -> bool:
        """Return whether an entry is to be counted for its proposal."""
        if "proposal" in leaf:
            self._names_proposals = True
        elif any(fund == "committed" for _account, fund, _cents in leaf["postings"]):
            self._is_whole = False
            return self._names_proposals
        return "proposal" in leaf

    def _change_plan(self, _index: int, leaf: Leaf) -> None:
        self._plans[leaf["proposal"]] = leaf["milestones"]

    def _pay_tranche(self, index: int, leaf: Leaf) -> None:
        """Check that a milestone is paid after those before it, and no more than its cost."""
        undone = leaf["of"] if "of" in leaf else leaf.get("reverses")
        earlier = None if undone is None else self._milestone_of.get(undone)
        milestone, plan = leaf.get("milestone", earlier), self._plans.get(leaf["proposal"])
        if milestone is None:
            return
        self._milestone_of[index] = milestone
        cents = sum(
            c for name, _fund, c in leaf["postings"]
            if name.startswith("expenses:") and name != EXCHANGE
        )  # fmt: skip
        key = leaf["proposal"], milestone
        self._tranches[key] = self._tranches.get(key, 0) + cents
        if plan is None or cents <= 0:
            return
        names = [one["id"] for one in plan]
        if milestone not in names:
            raise Bad(f"its project has no milestone '{milestone}'")
        place = names.index(milestone)
        if not all(one["completed"] for one in plan[:place]):
            raise Bad(f"it pays '{milestone}' before the milestones before it are done")
        if self._tranches[key] > plan[place]["cost_cents"]:
            raise Bad(
                f"'{milestone}' was paid {self._tranches[key]} cents; it costs "
                f"{plan[place]['cost_cents']}"
            )

    def _move(self, index: int, leaf: Leaf) -> None:
        if "proposal" not in leaf:
            raise Bad("it moves the money of a vote and does not say of which")
        self._pay_tranche(index, leaf)
        vote = self._votes.get(leaf["proposal"])
        if vote is None:
            if self.has_keys and leaf["proposal"] not in self._imported:
                raise Bad("its money moves, but it was never opened")
            self._imported.add(leaf["proposal"])
            return
        vote.move(leaf)
        vote.require_promised(is_whole=self._is_whole)

    def _release(self, _index: int, leaf: Leaf) -> None:
        vote = self._votes.get(leaf["proposal"])
        if vote is None:
            if leaf["proposal"] not in self._imported:
                raise Bad("it is released, but it was never opened")
            return
        vote.released += leaf["cents"]
        vote.require_promised(is_whole=self._is_whole)

    def _open_vote(self, proposal: str) -> Vote:
        vote = self._votes.get(proposal)
        if vote is None or vote.ending is not None:
            raise Bad("the vote is not open")
        return vote

    def _ballot(self, index: int, leaf: Leaf) -> None:
        vote = self._open_vote(leaf["proposal"])
        if leaf["voter"] in vote.voters:
            raise Bad("a second ballot of the same voter")
        vote.voters.add(leaf["voter"])
        hashed = leaf_hash(_WRITER.encode(leaf).encode("utf-8")).hex()
        vote.ballots[index] = Cast(leaf["voter"], leaf["choice"], hashed)

    def _correct(self, _index: int, leaf: Leaf) -> None:
        vote = self._votes.get(leaf["proposal"])
        if vote is None:
            raise Bad("the proposal was not opened")
        vote.corrected.append(leaf["language"])

    def _withdraw(self, index: int, leaf: Leaf) -> None:
        vote = self._open_vote(leaf["proposal"])
        vote.ending = leaf
        vote.outcome = f"withdrawn with {leaf.get('ballots', 0)} ballots"
        if leaf["last_index"] != index - 1:
            raise Bad(f"last_index is {leaf['last_index']}, the leaf before is {index - 1}")
        if vote.ballots:
            raise Bad(f"the vote was withdrawn, but leaf {min(vote.ballots)} lists a ballot")

    def _close(self, index: int, leaf: Leaf) -> None:
        vote = self._open_vote(leaf["proposal"])
        vote.ending = leaf
        word = "passed" if leaf["passed"] else "rejected"
        counts = f"{leaf['yes']} yes and {leaf['no']} no of {leaf['roll_size']}"
        vote.outcome = f"{word}, {counts}, {leaf['void']} dropped"
        if leaf["last_index"] != index - 1:
            raise Bad(f"last_index is {leaf['last_index']}, the leaf before is {index - 1}")
        self._check_listing(index, vote)
        self._check_roll(vote, leaf)
        yes, no = vote.count("up"), vote.count("down")
        lost = len(vote.dropped)
        if (yes, no, lost) != (leaf["yes"], leaf["no"], leaf["void"]):
            raise Bad(f"the ballots are {yes} yes, {no} no, {lost} dropped; the result is not")
        self._check_ways(vote, leaf["ways"])
        changed = leaf.get("changed_addresses", 0)
        if changed > yes + no:
            raise Bad(f"{changed} ballots are of changed addresses, but {yes + no} count")
        lacking = {k: n for k, n in leaf.get("off_roll", {}).items() if n and k != "payment"}
        if lacking:
            vote.outcome += f"; givers without a confirmed address: {sum(lacking.values())}"
        if changed:
            vote.outcome += f"; {changed} of accounts whose address an operator changed"
        if leaf.get("lost_votes"):
            vote.outcome += f"; votes lost by acts of operators: {leaf['lost_votes']}"
        passes = passes_by(vote.rule, yes, no, leaf["roll_size"])
        if passes != leaf["passed"]:
            raise Bad(f"by the rule the proposal is {'passed' if passes else 'rejected'}")

    def _check_listing(self, index: int, vote: Vote) -> None:
        """Check that the ballots are listed together, without those that were dropped."""
        places = range(index - len(vote.ballots), index)
        for ballot, place in zip(vote.ballots, places, strict=True):
            if ballot != place:
                raise Bad(f"leaf {ballot} lists a ballot while the vote is open")
        lost = set(vote.dropped)
        if len(lost) != len(vote.dropped):
            raise Bad("it drops a ballot twice")
        for ballot, cast in vote.ballots.items():
            if cast.leaf in lost:
                raise Bad(f"it drops the ballot in leaf {ballot}, which it lists")

    def _check_ways(self, vote: Vote, ways: Mapping[str, int]) -> None:
        total, counted = sum(ways.values()), len(vote.ballots)
        if total != counted:
            raise Bad(f"the ways to pay are of {total} ballots, but {counted} of them count")
        paid = ", ".join(f"{way} {count}" for way, count in ways.items() if count)
        vote.outcome += f"; paid by {paid}" if paid else ""

    def _check_roll(self, vote: Vote, leaf: Leaf) -> None:
        name = f"rolls/{leaf['proposal']}.txt"
        voters = self._bundle.read(name).decode("utf-8", "replace").split("\n")
        if voters.pop() or not all(map(_is_hash, voters)) or voters != sorted(set(voters)):
            raise Bad(f"{name} is no sorted list of distinct voters")
        tree = Tree({len(voters)})
        for voter in voters:
            tree.append(leaf_hash(voter.encode()))
        if (len(voters), tree.roots[len(voters)].hex()) != (leaf["roll_size"], leaf["roll_root"]):
            raise Bad(f"{name} is not the roll of the result")
        on_roll = set(voters)
        for ballot, cast in vote.ballots.items():
            if cast.voter not in on_roll:
                raise Bad(f"the voter of the ballot in leaf {ballot} is not on the roll")


# ------------------------------------------------------------- operators' keys

ROLES = {"admin", "bookkeeper", "approver", "editor", "auditor", "scheduler"}
PASSKEY_ROLES = {"approver", "auditor", "editor"}
AT_PROVIDER = {"assets:stripe", "assets:in-transit", "assets:stripe-reserve"}
BY_PROVIDER = (*FEE_ACCOUNTS, "income:pledges", "income:gifts", "liabilities:suspense")
LATE = timedelta(minutes=5)


SECURITY_KEY, PASSKEY = b"sk-ssh-ed25519@openssh.com", b"sk-ecdsa-sha2-nistp256@openssh.com"
PRESENT_AND_VERIFIED, ATTESTED, EXTENDED = 0x05, 0x40, 0x80


def signed_with(data: bytes, message: bytes) -> bytes:
    """Return the SSH public key that signed a message for Jara (OpenSSH's PROTOCOL.sshsig)."""
    try:
        rest = _after(data, b"SSHSIG" + (1).to_bytes(4, "big"))
        (key, namespace, reserved, hash_name, made), rest = _strings(rest, 5)
        if rest or namespace != b"jara-act" or hash_name not in (b"sha256", b"sha512"):
            raise Bad("a signature was made for something else")
        digest = hashlib.new(hash_name.decode(), message).digest()
        signed = b"SSHSIG" + b"".join(map(_packed, (namespace, reserved, hash_name, digest)))
        (kind,), _rest = _strings(key, 1)
        if kind == PASSKEY:
            holds = _passkey_signed(key, made, signed)
        elif kind in (b"ssh-ed25519", SECURITY_KEY):
            holds = _ed25519_signed(key, made, signed)
        else:
            raise Bad("a key is of an unknown kind")
    except (ValueError, RecursionError):
        raise Bad("a signature cannot be read") from None
    if not holds:
        raise Bad("a signature is not of this act")
    return key


def _ed25519_signed(key: bytes, made: bytes, signed: bytes) -> bool:
    """Return whether an Ed25519 key, in a file or a security key, made a signature."""
    (kind, public), application = _strings(key, 2)
    (made_kind, signature), counter = _strings(made, 2)
    if kind == SECURITY_KEY:
        if len(counter) != 5 or not counter[0] & 1:  # noqa: PLR2004 - flags and a counter
            raise Bad("a security key signed without being touched")
        (made_for,), application = _strings(application, 1)
        parts = hashlib.sha256(made_for).digest(), counter, hashlib.sha256(signed).digest()
        signed, counter = b"".join(parts), b""
    if made_kind != kind or application or counter:
        raise ValueError
    return ed25519_verifies(public, signed, signature)


def _passkey_signed(key: bytes, made: bytes, signed: bytes) -> bool:
    """Return whether a passkey (WebAuthn) made a signature, as OpenSSH's PROTOCOL.u2f has it."""
    (_kind, curve, public, site), more = _strings(key, 4)
    (made_kind, numbers), rest = _strings(made, 2)
    flags, (origin, client_data, extensions), end = rest[:5], *_strings(rest[5:], 3)
    if curve != b"nistp256" or made_kind != b"webauthn-" + PASSKEY or more or end:
        raise ValueError
    if ~flags[0] & PRESENT_AND_VERIFIED:
        raise Bad("a passkey signed without a person who was there and verified")
    said = json.loads(client_data, object_pairs_hook=_object_of)
    if not isinstance(said, dict) or flags[0] & ATTESTED:
        raise ValueError
    local = site == b"localhost" and re.fullmatch(rb"http://localhost(:\d{1,5})?", origin)
    is_here = local or origin == b"https://" + site
    if not is_here or said.get("crossOrigin", False) is not False or "topOrigin" in said:
        raise Bad("a passkey signed for another website")
    pair, after = _strings(numbers, 2)
    r, s = (int.from_bytes(each, "big") for each in pair)
    is_short = [len(each) for each in pair] == [n.bit_length() // 8 + 1 for n in (r, s)]
    if after or not is_short or bool(flags[0] & EXTENDED) != bool(extensions):
        raise ValueError
    challenge = urlsafe_b64encode(signed).rstrip(b"=")
    start = b'{"type":"webauthn.get","challenge":"%s","origin":"%s"' % (challenge, origin)
    hashes = hashlib.sha256(site).digest(), hashlib.sha256(client_data).digest()
    data = hashes[0] + flags + extensions + hashes[1]
    return client_data.startswith(start) and p256_verifies(public, data, r, s)


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


def _after(data: bytes, start: bytes) -> bytes:
    if not data.startswith(start):
        raise ValueError
    return data[len(start) :]


def _strings(data: bytes, count: int) -> tuple[list[bytes], bytes]:
    """Return `count` strings in SSH encoding, and the bytes after them."""
    found = []
    for _ in range(count):
        length = int.from_bytes(data[:4], "big")
        if len(data) < 4 + length:
            raise ValueError
        found.append(data[4 : 4 + length])
        data = data[4 + length :]
    return found, data


def _packed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def fingerprint(blob: bytes) -> str:
    """Return a key's fingerprint as OpenSSH shows it."""
    return "SHA256:" + b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def paid_out(leaf: Leaf) -> dict[str, int]:
    """Return the cents that an entry pays to each payee, while the limits name no accounts."""
    if leaf["kind"] in UNDOING:
        return {}
    sums: dict[str, int] = {}
    for account, _fund, cents in leaf["postings"]:
        is_fee = account == "expenses:fees" or account.startswith("expenses:fees:")
        counts = account.startswith("expenses:") and not is_fee
        if counts if leaf["kind"] in OF_PROVIDER else not account.startswith("assets:"):
            sums[account] = sums.get(account, 0) + cents
    return {account: cents for account, cents in sums.items() if cents > 0}


def outflow(leaf: Leaf, own: Sequence[str], *, by_fund: bool = True) -> dict[str, int]:
    """Return the cents that an entry takes out of our own asset accounts, by who gets them.

    By fund, money that leaves projects or committed for another fund counts too.
    """
    parts = _parts(leaf) if by_fund else [_sums(leaf["postings"])]
    sums = _sums(leaf["postings"])
    given = -sum(cents for name, cents in sums.items() if cents < 0 and _is_asset(name))
    drawn = {n for part in parts for n, cents in part.items() if cents < 0 and _is_asset(n)}
    is_providers = leaf["kind"] in OF_PROVIDER and drawn <= AT_PROVIDER
    paid = {n: min(c, given) for n, c in sums.items() if _is_asset(n) and n not in own}
    for part in parts:
        for name, cents in part.items():
            if cents > 0 and not _is_asset(name) and not (is_providers and name in BY_PROVIDER):
                paid[name] = paid.get(name, 0) + cents
    if by_fund and TRANSFERS in paid:
        projects, committed = (part.get(TRANSFERS, 0) for part in parts[:2])
        paid[TRANSFERS] -= max(0, min(projects, -committed))
    return {name: cents for name, cents in paid.items() if cents > 0}


def _parts(leaf: Leaf) -> list[dict[str, int]]:
    """Return the sums by account in each fund of DECIDED, and in all others together."""
    rows = leaf["postings"]
    decided = [_sums([row for row in rows if row[1] == fund]) for fund in DECIDED]
    return [*decided, _sums([row for row in rows if row[1] not in DECIDED])]


def _sums(postings: Sequence[tuple[str, str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for account, _fund, cents in postings:
        sums[account] = sums.get(account, 0) + cents
    return sums


def _is_asset(account: str) -> bool:
    return account.startswith("assets:")


class Batch:
    """The entries that follow an approval and are what it approves."""

    def __init__(self, index: int, approval: Leaf) -> None:
        """Start before the first entry."""
        self.index = index
        self.left: int = approval.get("entries", 1)
        self._spends = approval["spends"]
        self._gets: dict[str, int] = {}
        self._paid: dict[str, int] = {}
        self._salt = b""
        self.cents = 0
        """What the entries take out."""

    def add(self, leaf: Leaf, total: int, *, by_fund: bool) -> None:
        """Add the next entry; its salt counts if it is the first."""
        self._salt = self._salt or bytes.fromhex(leaf["salt"])
        self.left -= 1
        self.cents += total
        for part in _parts(leaf) if by_fund else [_sums(leaf["postings"])]:
            for name, cents in part.items():
                if cents > 0:
                    self._gets[name] = self._gets.get(name, 0) + cents
        self._paid = paid_out(leaf)

    def is_approved(self, *, is_old: bool) -> bool:
        """Return whether the entries are those of the approval; old limits had another rule."""
        return self._spends in {
            _spends(self._gets, self._salt),
            _spends(self._paid if is_old else self._gets, self._salt),
        }


Span: TypeAlias = tuple[str, str]
"""By which day entries are added up, ON or POSTED_ON, and the day or month."""

ON, POSTED_ON = "on", "posted on"

DOCUMENTS = ("documents_from_cents", "documents_within_days")
MONEY_LIMITS = ("limit_cents", "day_limit_cents", "total_limit_cents", "month_limit_cents")
RELEASED_WITHIN = 2
"""A release stands after its approval, or after the entry that follows it."""

CONTROL = (
    "jara/v1/operator_key",
    "jara/v1/control_policy",
    "jara/v1/ways_in",
    "jara/v1/approval",
    "jara/v1/proposal_release",
    "jara/v1/audit",
)


class Control:
    """Checks operators' keys, limits and approvals in order."""

    PEOPLE = 2
    """The number of people that an act needs while the log has no limits."""

    def __init__(self, organisation: str, report: Report) -> None:
        """Start without keys."""
        self._organisation = organisation
        self._report = report
        self._keys: dict[str, tuple[str, set[str]]] = {}
        """The person and the roles of each key, by fingerprint."""
        self._persons: dict[str, str] = {}
        self._passkeys: set[str] = set()
        self._limits: Leaf | None = None
        self._used: set[str] = set()
        """The nonces and the acts so far."""
        self._changed: datetime | None = None
        """When the newest change of keys or limits was signed."""
        self._approval: tuple[int, Leaf] | None = None
        self._approved: tuple[int, list[str]] = (-1, [])
        """The newest valid approval, and the keys that signed it."""
        self._batch: Batch | None = None
        self._days: dict[tuple[str, Span], int] = {}
        """What each account got on a day."""
        self._totals: dict[Span, int] = {}
        """What went out without approval, by day and by month."""
        self._newest = ""
        """The newest day on which an entry was posted that takes money out."""
        self._freed: tuple[int, str, int] = (-1, "", 0)
        """The newest entry: its index, its proposal, and the cents that it releases."""
        self._open: set[str] = set()
        """The proposals whose votes are open."""
        self._checked = 0
        self._withheld = 0
        self._is_used = False
        self.manifests: set[str] = set()
        """The hashes of the manifests of auditors' bundles."""

    @property
    def has_keys(self) -> bool:
        """Whether a key was ever enrolled."""
        return bool(self._persons)

    def add(self, index: int, leaf: Leaf) -> None:
        """Check one leaf about keys, limits, or an approval."""
        self._is_used |= leaf["t"] != "jara/v1/audit" or bool(leaf["signatures"])
        rules = {
            "jara/v1/operator_key": self._change_key,
            "jara/v1/control_policy": self._change_limits,
            "jara/v1/ways_in": self._change_ways,
            "jara/v1/approval": self._approve,
            "jara/v1/proposal_release": self._release,
            "jara/v1/audit": self._audit,
        }
        try:
            rules[leaf["t"]](index, leaf)
        except Bad as error:
            self._report.fail("control", f"leaf {index}: {error}")

    def add_entry(self, index: int, leaf: Leaf | None) -> None:
        """Check that what an entry takes out may go; None stands for a withheld leaf."""
        before, self._approval = self._approval, None
        if before is not None and before[0] == index - 1 and "spends" in before[1]:
            self._batch = Batch(*before)
        if leaf is None:
            self._withheld += bool(self._keys)
            self._batch = None
            return
        limits = self._limits or {}
        own, by_fund = limits.get("assets"), "funds" in limits
        paid = paid_out(leaf) if own is None else outflow(leaf, own, by_fund=by_fund)
        days = [(ON, leaf["day"])]
        if by_fund and paid:
            days.append((POSTED_ON, self._posted(index, leaf.get("posted") or leaf["day"])))
        rows = leaf["postings"]
        freed = sum(c for name, fund, c in rows if (name, fund) == (TRANSFERS, "committed"))
        self._freed = index, leaf.get("proposal", ""), freed
        self._count(paid, days, is_approved=self._batch is not None)
        if self._batch is not None:
            self._batch.add(leaf, sum(paid.values()), by_fund=by_fund)
            self._end_approved(index, self._batch, is_old=own is None)
        elif paid and self._persons:
            self._require_small(index, days, paid)
        self._checked += bool(paid and self._persons)

    def add_vote_act(self, index: int, leaf: Leaf) -> None:
        """Check that two people did what changes a vote with ballots, or an open one."""
        before, self._approval = self._approval, None
        proposal, action = leaf.get("proposal", ""), ""
        match leaf["t"]:
            case "jara/v1/proposal_open":
                self._open.add(proposal)
            case "jara/v1/proposal_close":
                self._open.discard(proposal)
            case "jara/v1/proposal_withdraw":
                self._open.discard(proposal)
                action = "votes.withdraw" if leaf.get("ballots", 0) > 0 else ""
            case "jara/v1/proposal_correct":
                action = "votes.correct" if proposal in self._open else ""
            case "jara/v1/year" if any(name in (self._limits or {}) for name in MONEY_LIMITS):
                action = "years.open" if leaf["change"] == "open" else ""
            case _:
                pass
        if not action or self._people() < self.PEOPLE:
            return
        approval = {} if before is None or before[0] != index - 1 else before[1]
        if (approval.get("action"), approval.get("proposal")) != (action, leaf.get("proposal")):
            what = f"{action} of {proposal or leaf['year']} without approval"
            self._report.fail("control", f"leaf {index}: {what}")

    def close(self) -> None:
        """Print the line, if the log has keys or limits."""
        self._end_batch()
        if self._is_used:
            people = len({person for person, _roles in self._keys.values()})
            parts = [f"{len(self._keys)} keys of {people} people", f"{self._checked} payouts"]
            parts += [f"{self._withheld} leaves are withheld"] * (self._withheld > 0)
            self._report.close("control", ", ".join(parts))

    def _end_approved(self, index: int, batch: Batch, *, is_old: bool) -> None:
        if batch.left > 0:
            return
        self._batch = None
        if not batch.is_approved(is_old=is_old):
            self._report.fail(
                "control", f"leaf {index}: it is not what leaf {batch.index} approves"
            )
        if self._approved[0] == batch.index:
            try:
                self._require_approved(self._approved[1], batch.cents)
            except Bad as error:
                self._report.fail("control", f"leaf {batch.index}: {error}")

    def _end_batch(self) -> None:
        """Name an approval of several entries that fewer follow."""
        batch, self._batch = self._batch, None
        if batch is not None:
            more = f"leaf {batch.index}: {batch.left} of the entries that it approves are missing"
            self._report.fail("control", more)

    def _posted(self, index: int, day: str) -> str:
        """Return the day on which money was taken out: none before that of an earlier leaf."""
        if day < self._newest:
            self._report.fail(
                "control",
                f"leaf {index}: it says that it was posted on {day}, but it follows what was "
                f"posted on {self._newest}",
            )
        self._newest = max(self._newest, day)
        return self._newest

    def _count(self, paid: Mapping[str, int], days: Sequence[Span], *, is_approved: bool) -> None:
        """Add what goes out to the sums of its days and months."""
        for word, day in days:
            for payee, cents in paid.items():
                key = payee, (word, day)
                self._days[key] = self._days.get(key, 0) + cents
            for span in () if is_approved else ((word, day), (word, day[:7])):
                self._totals[span] = self._totals.get(span, 0) + sum(paid.values())

    def _require_small(self, index: int, days: Sequence[Span], paid: Mapping[str, int]) -> None:
        limits = self._limits or {}
        total = sum(paid.values())
        if "limit_cents" in limits and total >= limits["limit_cents"]:
            self._report.fail(
                "control",
                f"leaf {index}: it pays {total} cents without approval; the limit is "
                f"{limits['limit_cents']}",
            )
            return
        for word, day in days:
            for payee in paid:
                cents = self._days[payee, (word, day)]
                if "day_limit_cents" in limits and cents >= limits["day_limit_cents"]:
                    self._report.fail(
                        "control",
                        f"leaf {index}: with it {payee} gets {cents} cents {word} {day} without "
                        f"approval; the limit of a day is {limits['day_limit_cents']}",
                    )
                    return
            for name, what, span in (
                ("total_limit_cents", "day", day),
                ("month_limit_cents", "month", day[:7]),
            ):
                cents = self._totals[word, span]
                if name in limits and cents >= limits[name]:
                    where = word if what == "day" else word.removesuffix("on") + "in"
                    self._report.fail(
                        "control",
                        f"leaf {index}: with it {cents} cents go out {where} {span} "
                        f"without approval; the limit of a {what} over all is {limits[name]}",
                    )
                    return

    def _change_key(self, _index: int, leaf: Leaf) -> None:
        name, person = leaf["key"], leaf["person"]
        words = leaf["public_key"].split(" ")
        blob = _base64(words[1]) if len(words) == 2 else b""  # noqa: PLR2004 - kind and key
        if fingerprint(blob) != name or not blob.startswith(_packed(words[0].encode())):
            raise Bad(f"the public key is not {name}")
        if not set(leaf["roles"]) <= ROLES:
            raise Bad(f"its roles are not known: {', '.join(leaf['roles'])}")
        action = "operators.add" if leaf["change"] == "add" else "operators.remove"
        signers = self._signers(action, leaf, ("change", "key", "person", "public_key", "roles"))
        self._note_change(leaf)
        if leaf["change"] == "remove":
            self._require_change(signers)
            if name not in self._keys:
                raise Bad(f"{name} is not enrolled")
            del self._keys[name]
            return
        if name in self._keys or self._persons.get(name, person) != person:
            raise Bad(f"{name} is or was enrolled")
        if self._persons:
            self._require_change(signers)
        elif signers != [name]:
            raise Bad("the first key is not signed by itself")
        if _strings(blob, 1)[0] == [PASSKEY]:
            self._passkeys.add(name)
            if not set(leaf["roles"]) <= PASSKEY_ROLES:
                raise Bad(f"a passkey has the roles: {', '.join(leaf['roles'])}")
        self._keys[name] = (person, set(leaf["roles"]))
        self._persons[name] = person

    def _change_limits(self, _index: int, leaf: Leaf) -> None:
        names = ("approvals", "assets", "funds", "phone_limit_cents", *DOCUMENTS, *MONEY_LIMITS)
        signers = self._signers("operators.policy", leaf, names)
        self._note_change(leaf)
        if self._persons:
            self._require_change(signers)
        self._limits = leaf

    def _change_ways(self, _index: int, leaf: Leaf) -> None:
        signers = self._signers("ways.set", leaf, ("values",))
        self._note_change(leaf)
        if self._persons:
            self._require_change(signers)

    def _approve(self, index: int, leaf: Leaf) -> None:
        self._end_batch()
        self._approval = (index, {"action": leaf["action"]})
        signers = self._signers(leaf["action"], leaf, ("entries", "spends", "proposal"))
        if "proposal" in leaf:
            self._require_people(self._counting(signers), self._people())
        else:
            self._require_approved(signers)
        self._approval = (index, leaf)
        self._approved = (index, signers)

    def _audit(self, _index: int, leaf: Leaf) -> None:
        """Check who signed a bundle, or a note or the opinion of an auditor."""
        names = ("what", "hash", "year", "entry", "opinion")
        signers = self._signers(f"audit.{leaf['what']}", leaf, names)
        if leaf["what"] == "bundle":
            self.manifests.add(leaf["hash"])
        if not self._persons:
            return
        roles = {role for name in signers for role in self._keys.get(name, ("", set()))[1]}
        may = {"auditor"} if leaf["what"] != "bundle" else {"auditor", "admin", "bookkeeper"}
        if not roles & may:
            raise Bad(f"the {leaf['what']} of an audit is signed by no {' or '.join(sorted(may))}")

    def _release(self, index: int, leaf: Leaf) -> None:
        """Check that the signers of a release are those of its approval, if it needs one.

        What was not held yet has no entry, and counts here.
        """
        limits = self._limits or {}
        if "funds" not in limits:
            return
        approved, keys = self._approved
        is_approved = index - approved <= RELEASED_WITHIN and keys == leaf["signers"]
        place, proposal, freed = self._freed
        is_of_entry = (place, proposal) == (index - 1, leaf["proposal"])
        not_held = leaf["cents"] - (freed if is_of_entry else 0)
        if not_held > 0:
            paid = {TRANSFERS: not_held}
            days = [(ON, leaf["day"]), (POSTED_ON, self._posted(index, leaf["day"]))]
            self._count(paid, days, is_approved=is_approved)
        if is_approved:
            self._require_approved(keys, leaf["cents"])
            return
        if any(leaf["cents"] >= limits[name] for name in MONEY_LIMITS if name in limits):
            raise Bad(f"it releases {leaf['cents']} cents without approval")
        if not_held > 0:
            self._require_small(index, days, paid)
        if len(leaf["signers"]) != bool(self._keys):
            raise Bad("its signers did not sign")
        self._require_people(leaf["signers"], len(leaf["signers"]))

    def _require_change(self, signers: Sequence[str]) -> None:
        """Check that an admin and enough people signed a change of keys or limits."""
        self._require_people(self._counting(signers), self._people())
        if not any("admin" in self._keys[name][1] for name in signers):
            raise Bad("no admin signed")

    def _require_approved(self, signers: Sequence[str], cents: int = 0) -> None:
        """Check that as many people as the limits ask for signed an act that takes out so much."""
        asked: int = (self._limits or {}).get("approvals", self.PEOPLE)
        self._require_people(self._counting(signers, cents), asked)

    def _counting(self, signers: Sequence[str], cents: int = 0) -> list[str]:
        """Return the keys that count: no passkey for an act over the limit of phones."""
        most = (self._limits or {}).get("phone_limit_cents")
        if most is None or 0 < most >= cents:
            return list(signers)
        return [name for name in signers if name not in self._passkeys]

    def _people(self) -> int:
        """Return how many people sign what two must decide: at most all who may approve."""
        people = {person for person, roles in self._keys.values() if roles & {"admin", "approver"}}
        asked: int = (self._limits or {}).get("approvals", self.PEOPLE)
        return min(asked, len(people))

    def _signers(self, action: str, leaf: Leaf, names: Sequence[str]) -> list[str]:
        """Return the keys that signed, after checking each signature."""
        public = {name: leaf[name] for name in names if name in leaf}
        signers = []
        for row in leaf["signatures"]:
            statement = {
                "arguments": {"act": leaf["act"], **public},
                "nonce": row["nonce"],
                "organisation": self._organisation,
                "t": "jara/v1/act",
                "time": row["time"],
                "verb": action,
            }
            if row["nonce"] in self._used:
                raise Bad(f"the signature {row['nonce']} was used before")
            message = _WRITER.encode(statement).encode("utf-8")
            if fingerprint(signed_with(_base64(row["signature"]), message)) != row["key"]:
                raise Bad(f"a signature is not by {row['key']}")
            self._used.add(row["nonce"])
            signers.append(row["key"])
        if leaf["act"] in self._used:
            raise Bad(f"the act {leaf['act']} was done before")
        self._used.add(leaf["act"])
        signed = _signed_at(leaf)
        if signed and self._changed and signed < self._changed - LATE:
            raise Bad("it was signed before an earlier change of keys or limits")
        return signers

    def _note_change(self, leaf: Leaf) -> None:
        self._changed = _signed_at(leaf) or self._changed

    def _require_people(self, signers: Sequence[str], needed: int) -> None:
        people, approvers = set(), set()
        for name in signers:
            if name not in self._keys:
                raise Bad(f"{name} signed, and is not enrolled")
            person, roles = self._keys[name]
            if not roles & {"admin", "approver", "bookkeeper"}:
                raise Bad(f"{name} signed, but has only the roles: {', '.join(sorted(roles))}")
            people.add(person)
            approvers |= {person} if roles & {"admin", "approver"} else set()
        if len(people) < needed or len(approvers) < needed - 1:
            raise Bad(f"{len(people)} of {needed} people signed")


def _signed_at(leaf: Leaf) -> datetime | None:
    """Return the time of the newest signature of a leaf; None if it has none."""
    try:
        return max(
            (datetime.fromisoformat(row["time"]) for row in leaf["signatures"]), default=None
        )
    except ValueError:
        raise Bad("a signature has no proper time") from None


def _spends(paid: Mapping[str, int], salt: bytes) -> str:
    pairs = [[account, cents] for account, cents in sorted(paid.items())]
    data = b"jara/v1/spends\0" + salt + _WRITER.encode(pairs).encode()
    return hashlib.sha256(data).hexdigest()


# ------------------------------------------------------------- checkpoints and receipt


def check_notes(notes: Sequence[Note], tree: Tree, keys: Keys) -> str:
    """Check every published checkpoint against the leaves."""
    good_to = 0
    for number, note in enumerate(notes, 1):
        try:
            keys.check_signature(note)
            check_root(note, tree, good_to)
        except Bad as error:
            raise Bad(f"note {number}: {error}") from None
        good_to = note.size
    if not notes or good_to != tree.size:
        raise Bad(f"the last is of {good_to} leaves, the bundle has {tree.size}")
    return f"{len(notes)} signed, the last with root {notes[-1].root.hex()} at size {good_to}"


def check_root(note: Note, tree: Tree, good_to: int) -> None:
    """Check that the log begins with the leaves that a note signs."""
    if note.size < good_to:
        raise Bad(f"it covers {note.size} leaves, an earlier one {good_to}")
    if note.size > tree.size:
        raise Bad(f"it covers {note.size} leaves, but the bundle ends after {tree.size}")
    if tree.roots[note.size] != note.root:
        raise Bad(f"the leaves from {good_to} to {note.size - 1} do not give its root")


# ------------------------------------------------------------- witnesses (C2SP tlog-cosignature)

_TIME_BYTES = 8
_LATEST = 253402300799
"""The last second of the year 9999."""


class Outside(NamedTuple):
    """What is trusted from outside the bundle: the reader's keys, and the time."""

    key: Key | None = None
    witnesses: Sequence[Key] = ()
    quorum: int = 0
    now: int = 0


def cosigned_at(note: Note, witness: Key) -> int | None:
    """Return when the witness cosigned a note; None if it did not."""
    times = []
    for data in _signatures_of(note, witness):
        at = int.from_bytes(data[:_TIME_BYTES])
        message = f"cosignature/v1\ntime {at}\n{note.text}".encode()
        if at > _LATEST or not ed25519_verifies(witness.public, message, data[_TIME_BYTES:]):
            raise Bad(f"the cosignature at size {note.size} is not by its key")
        times.append(at)
    return times[0] if times else None


def check_witnesses(notes: Sequence[Note], tree: Tree, outside: Outside, report: Report) -> None:
    """Print the size at which each witness saw the log, and check the quorum."""
    seen = []
    for witness in outside.witnesses:
        check = f"witness {witness.name}"
        try:
            size, at = _newest_cosigned(notes, tree, witness)
        except Bad as error:
            report.fail(check, error)
            size, at = 0, 0
        if size:
            seen.append(size)
            report.close(check, f"it saw {size} leaves on {_moment(at, outside.now)}")
        else:
            report.close(check, "it cosigned no checkpoint of this bundle", "skipped")
    _judge(report, "quorum", lambda: _quorum(seen, tree.size, outside))


def _newest_cosigned(notes: Sequence[Note], tree: Tree, witness: Key) -> tuple[int, int]:
    for note in reversed(notes):
        at = cosigned_at(note, witness)
        if at is not None:
            check_root(note, tree, 0)
            return note.size, at
    return 0, 0


def _quorum(seen: Sequence[int], size: int, outside: Outside) -> str:
    needed, known = outside.quorum, len(outside.witnesses)
    if len(seen) < needed:
        raise Bad(f"{len(seen)} of {known} witnesses cosigned this log; {needed} are needed")
    upto = sorted(seen, reverse=True)[needed - 1]
    newer = f"; {size - upto} leaves are newer" if upto < size else ""
    return f"{needed} of {known} witnesses saw the first {upto} leaves{newer}"


def _moment(at: int, now: int) -> str:
    age, word = now - at, "ago"
    if age < 0:
        age, word = -age, "ahead of this computer's clock"
    units = ((86400, "day"), (3600, "hour"), (60, "minute"))
    count, unit = next(
        ((age // s, unit) for s, unit in units if age >= 2 * s), (age // 60, "minute")
    )
    plural = "" if count == 1 else "s"
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC, {count} {unit}{plural} {word}"


LISTED_WITHIN = timedelta(days=1)
"""How long after the end of a vote its ballots are listed at the latest."""


class Receipt:
    """The receipt that a voter got for a ballot: a signed promise to list it."""

    def __init__(self, data: bytes) -> None:
        """Read the JSON; `check` checks its contents."""
        try:
            document = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise Unreadable("the receipt is not valid UTF-8 JSON") from None
        if not isinstance(document, dict):
            raise Unreadable("the receipt is not a JSON object")
        self._document = document

    def check(self, votes: Votes, outside: Outside) -> str:
        """Check who promised what, and say what became of it."""
        leaf, text = self._field("leaf", _is_hash), self._field("leafBytes", _is_text)
        ballot = self._ballot(text.encode("utf-8", "surrogatepass"), bytes.fromhex(leaf))
        listed_by = datetime.fromisoformat(self._field("listedBy", _is_instant))
        key = self._field("key", _is_hash)
        signature = bytes.fromhex(self._field("signature", _matches(re.compile("[0-9a-f]{128}"))))
        if self._document.get("proposal") != ballot["proposal"]:
            raise Bad("its proposal is not the ballot's")
        promise = {
            "leaf": leaf,
            "listed_by": self._document["listedBy"],
            "proposal": ballot["proposal"],
            "t": "jara/v1/promise",
        }
        if not ed25519_verifies(bytes.fromhex(key), _WRITER.encode(promise).encode(), signature):
            raise Bad("its promise is not signed by its key")
        if key not in votes.promise_keys:
            raise Bad("no leaf of this log names the key that signed its promise")
        vote = votes.get(ballot["proposal"])
        if vote is None:
            raise Bad(f"this log has no vote on {ballot['proposal']}")
        if listed_by > vote.ends + LISTED_WITHIN:
            raise Bad(f"it promises {listed_by:%Y-%m-%d}, which is later than a day after the vote")
        return self._fate(ballot["voter"], leaf, vote, listed_by, outside)

    def _fate(
        self, voter: str, leaf: str, vote: Vote, listed_by: datetime, outside: Outside
    ) -> str:
        ending = vote.ending
        missing = "promised and missing: keep this file, it is the proof"
        if ending is None:
            if outside.now <= listed_by.timestamp():
                # Midnight belongs to the day that ends with it.
                latest = listed_by - timedelta(seconds=1)
                return f"promised; listed on {latest.day} {latest:%B} at the latest"
            raise Bad(f"{missing} (the vote is open in this bundle; check a new one, too)")
        if ending["t"] == "jara/v1/proposal_withdraw":
            return "withdrawn, nothing was counted"
        cast = next((one for one in vote.ballots.values() if one.voter == voter), None)
        if cast is not None and cast.leaf == leaf:
            return f"listed, counted as {'yes' if cast.choice == 'up' else 'no'}"
        if leaf in vote.dropped:
            return "dropped, because no contribution was left"
        raise Bad(missing)

    def _field(self, name: str, rule: Callable[[Any], bool]) -> Any:  # noqa: ANN401 - JSON
        if not rule(self._document.get(name)):
            raise Bad(f"the receipt has no proper '{name}'")
        return self._document[name]

    def _ballot(self, data: bytes, leaf: bytes) -> Leaf:
        if leaf_hash(data) != leaf:
            raise Bad("leafBytes do not hash to leaf")
        ballot = read_line(data + b"\n")[1]
        if ballot is None or ballot["t"] != "jara/v1/ballot":
            raise Bad("the leaf is not a ballot")
        nonce = bytes.fromhex(self._field("nonce", _matches(_SALT)))
        marked = b"jara/v1/nonce\0" + ballot["proposal"].encode() + b"\0" + nonce
        if hashlib.sha256(marked).hexdigest() != ballot["nonce_hash"]:
            raise Bad("the nonce is not the ballot's: this is not your ballot")
        letters = b32encode(leaf).decode()
        if self._document.get("tracker") != f"{letters[:4]}-{letters[4:8]}-{letters[8:12]}":
            raise Bad("the tracker is not the leaf's")
        return ballot


# ------------------------------------------------------------- the whole


def verify(
    bundle: Bundle,
    receipt: Receipt | None,
    since: bytes | None,
    report: Report,
    outside: Outside,
) -> int:
    """Run every check, print its line, and return the exit status."""
    keys = read_keys(bundle, report)
    notes = _collect_notes(bundle.read("checkpoints.txt"), "checkpoints", report)
    kept = [] if since is None else _collect_notes(since, "since", report)
    asked = {note.size for note in [*notes, *kept]}
    with closing(Log(bundle)) as log:
        tree = Tree(asked)
        books, votes = Books(log, report), Votes(bundle, report)
        control = Control(keys.known[0].text, report)
        restores, years, documents = Restores(tree, report), Years(report), Documents(log, report)
        readers = Readers(books, votes, control, keys, restores, years, documents)
        _read_leaves(log, tree, readers, report)
        if not tree.size:
            report.fail("leaves", "the log is empty")
        summary = f"{tree.size}, {books.withheld} of them withheld; the log is {keys.newest.name}"
        report.close("leaves", summary)
        _judge(report, "key", lambda: keys.check(notes, outside.key))
        if outside.key is not None and outside.key not in keys.known:
            keys = Keys([outside.key], report)  # the bundle's own keys do not count
        _judge(report, "checkpoints", lambda: check_notes(notes, tree, keys))
        if outside.witnesses:
            check_witnesses(notes, tree, outside, report)
        if since is not None:
            _judge(report, "since", lambda: check_since(kept, tree, keys))
        restores.close()
        books.close()
        years.close()
        documents.close()
        control.close()
        votes.close()
        archive = bundle.archive
        if archive is not None:
            _judge(report, "audit", lambda: archive.check(control.manifests))
        if receipt:
            _judge(report, "receipt", lambda: receipt.check(votes, outside))
    if unread := bundle.unread():
        report.close("files", f"nothing vouches for {', '.join(unread)}", word="note")
    return report.verdict()


def check_since(kept: Sequence[Note], tree: Tree, keys: Keys) -> str:
    """Check that the log begins with the checkpoint that the reader kept."""
    for note in kept:
        keys.check_signature(note)
        check_root(note, tree, 0)
    return f"the log begins with the {max((note.size for note in kept), default=0)} leaves you knew"


def _collect_notes(data: bytes, check: str, report: Report) -> list[Note]:
    notes: list[Note] = []
    try:
        notes.extend(read_notes(data.decode("utf-8", "replace")))
    except Bad as error:
        report.fail(check, error)
    return notes


class Readers(NamedTuple):
    """The checkers of the leaves, each for its own types."""

    books: Books
    votes: Votes
    control: Control
    keys: Keys
    restores: Restores
    years: Years
    documents: Documents


def _read_leaves(log: Log, tree: Tree, readers: Readers, report: Report) -> None:
    books, votes, control, keys, restores, years, documents = readers
    name = keys.known[0].name

    def add_release(index: int, leaf: Leaf) -> None:
        control.add(index, leaf)
        votes.add(index, leaf)

    def add_year(index: int, leaf: Leaf) -> None:
        control.add_vote_act(index, leaf)
        years.add(index, leaf, is_whole=not books.withheld)

    rarer = {
        **dict.fromkeys(CONTROL, control.add),
        "jara/v1/proposal_release": add_release,
        "jara/v1/policy": books.add_policy,
        "jara/v1/currency": books.add_currency,
        "jara/v1/log_key": keys.add,
        "jara/v1/promise_key": votes.add_promise_key,
        "jara/v1/vote_rule": votes.add_rule,
        "jara/v1/restore": restores.add,
        "jara/v1/year": add_year,
        "jara/v1/document": documents.add,
    }
    for index, line in enumerate(log):
        try:
            hashed, leaf = read_line(line)
        except Bad as error:
            report.fail("leaves", f"leaf {index}: {error}")
            tree.append(leaf_hash(line))
            continue
        kind = "" if leaf is None else leaf["t"]
        if (kind == "jara/v1/genesis") != (index == 0):
            report.fail("leaves", f"leaf {index}: leaf 0 is the genesis, and no other")
        if leaf is None:
            books.add_withheld(index)
            control.add_entry(index, None)
        elif kind == "jara/v1/entry":
            books.add_entry(index, leaf)
            years.add_entry(index, leaf)
            control.add_entry(index, leaf)
            votes.has_keys = control.has_keys
            votes.add(index, leaf)
        elif kind in rarer:
            rarer[kind](index, leaf)
        elif index == 0 and leaf.get("name") != name:
            report.fail("leaves", f"leaf 0: it names another log than key.txt, '{name}'")
        else:
            control.add_vote_act(index, leaf)
            votes.add(index, leaf)
        tree.append(hashed)


class Years:
    """Checks that closed years stay as they were."""

    def __init__(self, report: Report) -> None:
        """Start with every year open."""
        self._report = report
        self._closed: set[int] = set()
        self._sums: dict[tuple[int, str], int] = {}
        """What assets less liabilities of each fund changed by in each year."""
        self._is_used = False

    def add_entry(self, index: int, leaf: Leaf) -> None:
        """Add an entry, which must be of an open year."""
        year = int(leaf["day"][:4])
        if self._closed and year <= max(self._closed):
            self._report.fail("years", f"leaf {index}: it is of {year}, which was closed")
        for account, fund, cents in leaf["postings"]:
            if account.startswith(("assets:", "liabilities:")):
                self._sums[year, fund] = self._sums.get((year, fund), 0) + cents

    def add(self, index: int, leaf: Leaf, *, is_whole: bool) -> None:
        """Close a year, or open it again."""
        self._is_used, year = True, leaf["year"]
        if leaf["change"] == "open":
            self._closed.discard(year)
            return
        self._closed.add(year)
        for fund in FUNDS if is_whole else ():
            has = sum(c for (one, name), c in self._sums.items() if one <= year and name == fund)
            said = leaf.get("balances", {}).get(fund, 0)
            if has != said:
                self._report.fail(
                    "years",
                    f"leaf {index}: at the end of {year} {fund} has {has}, not {said} cents",
                )

    def close(self) -> None:
        """Print the line, if a year was closed."""
        if self._is_used:
            closed = ", ".join(map(str, sorted(self._closed))) or "none"
            self._report.close("years", f"closed: {closed}")


class Documents:
    """Checks that each document belongs to an entry before it."""

    def __init__(self, log: Log, report: Report) -> None:
        """Start without documents."""
        self._log = log
        self._report = report
        self._seen: list[int] = []

    def add(self, index: int, leaf: Leaf) -> None:
        """Add a document."""
        self._seen.append(leaf["entry"])
        entry = self._log.leaf(leaf["entry"]) if leaf["entry"] < index else {}
        if entry is not None and entry.get("t") != "jara/v1/entry":
            what = f"leaf {leaf['entry']}, whose document it is, is no entry before it"
            self._report.fail("documents", f"leaf {index}: {what}")

    def close(self) -> None:
        """Print the line, if there are documents."""
        if self._seen:
            entries = len(set(self._seen))
            self._report.close("documents", f"{len(self._seen)} of {entries} entries")


class Restores:
    """Checks the leaves that say that the log continued from a backup."""

    def __init__(self, tree: Tree, report: Report) -> None:
        """Use the tree, to which each leaf is appended after its check."""
        self._tree = tree
        self._lost: list[str] = []
        self._seen = 0
        self._report = report

    def add(self, index: int, leaf: Leaf) -> None:
        """Check that the restored log is the one before the leaf."""
        self._seen += 1
        if (leaf["size"], leaf["root"]) != (index, self._tree.root().hex()):
            self._report.fail(
                "restores", f"leaf {index}: the restored log is not the log before it"
            )
        if leaf["last_size"] > index:
            self._lost.append(f"{index} to {leaf['last_size'] - 1}")

    def close(self) -> None:
        """Print the line of the check, if there was a restore."""
        if self._seen:
            lost = f"; lost leaves: {', '.join(self._lost)}" if self._lost else ""
            self._report.close("restores", f"{self._seen} from backups{lost}")


def read_keys(bundle: Bundle, report: Report) -> Keys:
    """Read the key of the log, and all keys if it was changed."""
    newest = read_key(bundle.read("key.txt"))
    if not bundle.has("keys.txt"):
        return Keys([newest], report)
    lines = bundle.read("keys.txt").splitlines(keepends=True)
    keys = [read_key(line, "keys.txt") for line in lines]
    if newest != keys[-1]:
        raise Unreadable("the last key of keys.txt is not that of key.txt")
    return Keys(keys, report)


def _judge(report: Report, check: str, rule: Callable[[], str]) -> None:
    summary = ""
    try:
        summary = rule()
    except Bad as error:
        report.fail(check, error)
    report.close(check, summary)


def read_outside(options: argparse.Namespace) -> Outside:
    """Read the reader's own keys."""
    key = (
        read_key(options.key.read_bytes().strip() + b"\n", str(options.key))
        if options.key
        else None
    )
    found = (
        one for file in options.witness for one in read_witnesses(file.read_bytes(), str(file))
    )
    witnesses = list({witness.public: witness for witness in found}.values())
    quorum = len(witnesses) if options.quorum is None else options.quorum
    if not min(1, len(witnesses)) <= quorum <= len(witnesses):
        raise Unreadable(
            f"a quorum of {quorum} needs as many --witness keys; {len(witnesses)} are given"
        )
    return Outside(key, witnesses, quorum, seconds_now())


def seconds_now() -> int:
    """Return the time of this computer: the age of cosignatures, the promises that are due."""
    return int(datetime.now(UTC).timestamp())  # noqa: TID251 - there is nobody to pass it


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, check, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a bundle of Jara's public log.")
    parser.add_argument("bundle", type=Path, metavar="BUNDLE", help="the tar, or its folder")
    parser.add_argument("--receipt", type=Path, help="the receipt of a ballot, a JSON file")
    parser.add_argument("--since", type=Path, help="a checkpoint that you kept from before")
    parser.add_argument("--key", type=Path, help="the log's key as you know it, one line")
    parser.add_argument(
        "--witness", type=Path, nargs="+", action="extend", default=[], metavar="FILE",
        help="keys of witnesses that you trust, one on each line",
    )  # fmt: skip
    parser.add_argument("--quorum", type=int, help="how many of them are needed; else all")
    options = parser.parse_args(arguments)
    try:
        outside = read_outside(options)
        receipt = Receipt(options.receipt.read_bytes()) if options.receipt else None
        since = options.since.read_bytes() if options.since else None
        with closing(Bundle(options.bundle)) as bundle:
            bundle.read_index()
            return verify(bundle, receipt, since, Report(sys.stdout.write), outside)
    except (Unreadable, OSError, *_BROKEN, EOFError, ValueError) as error:
        sys.stdout.write(f"UNREADABLE {_printable(str(error))}\n")
        return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
