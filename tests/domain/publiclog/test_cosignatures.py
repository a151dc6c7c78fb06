"""Witnesses: cosignatures, requests, decisions and how many are enough."""

from base64 import b64encode
from itertools import product

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.publiclog import merkle, notes
from jara.domain.publiclog.notes import (
    MalformedNote,
    NoteSignature,
    VerificationKey,
    parse_checkpoint,
    parse_signatures,
)
from jara.domain.publiclog.witnessing import (
    TIME_MAX,
    AddCheckpoint,
    CosignerKey,
    Refusal,
    Seen,
    cosign,
    cosignature_message,
    cosigned_at,
    default_quorum,
    judge,
    parse_add_checkpoint,
    require_witness_url,
    tolerated_liars,
)
from tests.domain.publiclog.merkle_tree import MemoryTree

SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
"""
LOG_SIGNATURE = (
    "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7"
    "u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
COSIGNED = (
    f"{SOFA}\n{LOG_SIGNATURE}"
    "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dl"
    "rDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
"""The example of C2SP tlog-cosignature; the key of its witness is not published."""

HASHES = (
    "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=",
    "jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=",
    "5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=",
    "/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=",
)
REQUEST = (
    "".join(f"{line}\n" for line in ("old 20852014", *HASHES))
    + f"\n{SOFA}\n{LOG_SIGNATURE}"
    + "\u2014 example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2"
    "Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n"
)
"""The example of C2SP tlog-witness."""

ARCHE = """arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=
"""
REMORA = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
REMORA_LINE = (
    "\u2014 remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVC"
    "IobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==\n"
)
"""A public witness, its key from transparency-dev/formats, and its signature of a CT log."""

SIGSUM = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
SIGSUM_KEY = "ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f"
SIGSUM_REQUESTS = (
    f"""old 0

{SIGSUM}
1
KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

\u2014 {SIGSUM} UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJ\
QjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=
""",
    f"""old 1
KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=
KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

{SIGSUM}
5
QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=

\u2014 {SIGSUM} UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPV\
myEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=
""",
)
"""Two requests of one log in the tests of FiloSottile/litetlog, a witness in Go."""

SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = CosignerKey("witness.example/w1", SIGNER.public_key().public_bytes_raw())


def verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether an Ed25519 key made a signature."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def test_the_signed_message_is_that_of_the_document() -> None:
    """The message equals the one that C2SP tlog-cosignature prints for a time in 2023."""
    expected = f"cosignature/v1\ntime 1679315147\n{SOFA}".encode()

    assert cosignature_message(SOFA, 1679315147) == expected


def test_the_cosigned_checkpoint_of_the_document_is_read() -> None:
    """Its second line holds the time 1679315147 before 64 bytes of signature."""
    _log, witness = parse_checkpoint(COSIGNED).signatures

    assert witness.name == "witness.example.com/w1"
    assert int.from_bytes(witness.signature[:8], "big") == 1679315147
    assert len(witness.signature) == 72


def test_the_request_of_the_document_is_read_and_written_byte_for_byte() -> None:
    """C2SP tlog-witness prints a request with four hashes and two signatures."""
    request = parse_add_checkpoint(REQUEST)

    assert (request.old, len(request.proof)) == (20852014, 4)
    assert parse_checkpoint(request.note).size == 20852163
    assert request.text() == REQUEST


@pytest.mark.parametrize("body", SIGSUM_REQUESTS)
def test_requests_of_another_implementation_are_read_byte_for_byte(body: str) -> None:
    """Requests of the other implementation parse, and their signatures verify."""
    request = parse_add_checkpoint(body)
    checkpoint = parse_checkpoint(request.note)
    (signature,) = checkpoint.signatures_by(VerificationKey(SIGSUM, bytes.fromhex(SIGSUM_KEY)))

    assert request.text() == body
    assert verifies(bytes.fromhex(SIGSUM_KEY), checkpoint.text().encode(), signature)


def test_the_proof_of_another_implementation_holds() -> None:
    """The proof of a log that grew from one leaf to five verifies."""
    first, second = map(parse_add_checkpoint, SIGSUM_REQUESTS)
    old, new = parse_checkpoint(first.note), parse_checkpoint(second.note)

    assert merkle.verify_consistency(old.size, new.size, old.root, new.root, second.proof)


def test_a_public_witness_is_verified() -> None:
    """The published key, with its id, verifies the signature under a CT log's checkpoint."""
    key, lines = CosignerKey.parse(REMORA), parse_signatures(REMORA_LINE)

    assert key.text() == REMORA
    assert cosigned_at(ARCHE, lines, key=key, verifies=verifies) == 1779573024
    other = ARCHE.replace("532", "533")
    assert cosigned_at(other, lines, key=key, verifies=verifies) is None


@given(st.integers(0, TIME_MAX), st.integers(0, 2**50), st.binary(min_size=32, max_size=32))
def test_a_cosignature_is_verified_with_its_time(time: int, size: int, root: bytes) -> None:
    """Law: reading a new cosignature gives its time."""
    text = notes.checkpoint_text("a log", size, root)

    line = cosign(text, time, key=KEY, sign=SIGNER.sign)

    assert cosigned_at(text, parse_signatures(line), key=KEY, verifies=verifies) == time


def test_the_newest_of_several_times_counts() -> None:
    """Of several cosignatures by one witness, the newest time counts."""
    lines = "".join(cosign(SOFA, time, key=KEY, sign=SIGNER.sign) for time in (5, 9, 7))

    assert cosigned_at(SOFA, parse_signatures(lines), key=KEY, verifies=verifies) == 9


def test_signatures_by_others_are_ignored() -> None:
    """Only a line with the name and the id of the key is read."""
    other = CosignerKey(KEY.name, bytes(32))
    lines = parse_signatures(cosign(SOFA, 5, key=other, sign=SIGNER.sign))

    assert cosigned_at(SOFA, lines, key=KEY, verifies=verifies) is None
    own = parse_signatures(cosign(SOFA, 6, key=KEY, sign=SIGNER.sign))
    assert cosigned_at(SOFA, (*lines, *own), key=KEY, verifies=verifies) == 6


@pytest.mark.parametrize(
    "signature", [b"short", bytes(72), b"\xff" * 72, bytes(73)], ids=["short", "0", "late", "long"]
)
def test_a_wrong_signature_of_a_known_key_spoils_all_of_its_signatures(signature: bytes) -> None:
    """One wrong line under a key makes all its lines invalid (C2SP signed-note)."""
    good = parse_signatures(cosign(SOFA, 5, key=KEY, sign=SIGNER.sign))
    wrong = NoteSignature(KEY.name, KEY.key_id, signature)

    assert cosigned_at(SOFA, (*good, wrong), key=KEY, verifies=verifies) is None


@pytest.mark.parametrize("time", [-1, TIME_MAX + 1])
def test_a_time_has_63_bits(time: int) -> None:
    """The limit is that of C2SP tlog-cosignature."""
    with pytest.raises(MalformedNote):
        cosignature_message(SOFA, time)


def test_the_key_of_a_witness_is_not_that_of_a_log() -> None:
    """The same 32 bytes get a different id for each use, and neither is read as the other."""
    log_key = VerificationKey(KEY.name, KEY.public_key)

    assert log_key.key_id != KEY.key_id
    assert CosignerKey.parse(f"{KEY.text()}\n") == KEY
    assert VerificationKey.parse(log_key.text()) == log_key
    with pytest.raises(MalformedNote, match="not a key of the expected kind"):
        CosignerKey.parse(log_key.text())
    with pytest.raises(MalformedNote, match="not a key of the expected kind"):
        VerificationKey.parse(KEY.text())


@pytest.mark.parametrize(
    "text", ["", "w", "w+00000000", REMORA.replace("da77", "da78"), REMORA.replace("+BOvN", "+?")]
)
def test_a_key_in_another_spelling_is_refused(text: str) -> None:
    """The id must match the name and the key."""
    with pytest.raises(MalformedNote):
        CosignerKey.parse(text)


@given(st.integers(0, 2**50), st.lists(st.binary(min_size=32, max_size=32), max_size=63))
def test_a_request_is_read_back_as_it_was_written(old: int, proof: list[bytes]) -> None:
    """Law: parsing the text of a request gives the request."""
    request = AddCheckpoint(old, tuple(proof), COSIGNED)

    assert parse_add_checkpoint(request.text()) == request


STEP = b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "old 1",
        f"old 01\n\n{COSIGNED}",
        f"old -1\n\n{COSIGNED}",
        f"old  1\n\n{COSIGNED}",
        f"new 1\n\n{COSIGNED}",
        f"old 1\nAAAA\n\n{COSIGNED}",
        f"old 1\n?\n\n{COSIGNED}",
        f"old 1\n{STEP[:-2]}B=\n\n{COSIGNED}",
        "old 1\n" + f"{STEP}\n" * 64 + f"\n{COSIGNED}",
    ],
)
def test_a_request_in_another_spelling_is_refused(body: str) -> None:
    """One request has one text, and at most 63 hashes."""
    with pytest.raises(MalformedNote):
        parse_add_checkpoint(body)


def test_further_lines_are_part_of_the_signed_text() -> None:
    """Other logs may have extension lines; only a witness reads them."""
    note = COSIGNED.replace("q2I=\n", "q2I=\nextension\n")

    with pytest.raises(MalformedNote):
        parse_checkpoint(note)
    assert parse_checkpoint(note, extended=True).text() == f"{SOFA}extension\n"
    with pytest.raises(MalformedNote, match="control characters"):
        parse_checkpoint(note.replace("extension", "a\tb"), extended=True)


def test_a_line_without_its_end_is_refused() -> None:
    """A cosignature line must end with a line feed."""
    with pytest.raises(MalformedNote):
        parse_signatures(REMORA_LINE[:-1])


LOG_KEY = VerificationKey("jara.example/log", SIGNER.public_key().public_bytes_raw())
OTHER = VerificationKey(LOG_KEY.name, bytes(32))
TREE = MemoryTree(merkle.leaf_hash(b"%d" % number) for number in range(20))
FORK = MemoryTree(
    merkle.leaf_hash(b"%d" % (number if number < 5 else -number)) for number in range(20)
)


def judged(
    old: int,
    new: int,
    *,
    seen: int,
    tree: MemoryTree = TREE,
    keys: tuple[VerificationKey, ...] = (LOG_KEY,),
    proven_from: int | None = None,
) -> Refusal | None:
    """Return the decision of a witness that has seen this many leaves of the tree."""
    note = notes.sign_checkpoint(new, merkle.root_at(tree.node, new), key=LOG_KEY, sign=SIGNER.sign)
    start = min(old, new) if proven_from is None else proven_from
    proof = tuple(merkle.consistency_proof(tree.node, start, new))
    known = Seen(seen, merkle.root_at(TREE.node, seen))
    request = AddCheckpoint(old, proof, note)
    return judge(request, parse_checkpoint(note), keys=keys, seen=known, verifies=verifies)


@given(st.integers(0, 20), st.integers(0, 20))
def test_a_log_that_grows_is_signed(first: int, second: int) -> None:
    """Law: a witness signs every later size if the proof is valid."""
    old, new = sorted((first, second))

    assert judged(old, new, seen=old) is None


@pytest.mark.parametrize(
    ("keys", "why"), [((), Refusal.UNKNOWN_LOG), ((OTHER,), Refusal.NOT_SIGNED)]
)
def test_only_known_logs_are_signed(keys: tuple[VerificationKey, ...], why: Refusal) -> None:
    """A checkpoint without a valid signature of a known key is refused."""
    assert judged(0, 3, seen=0, keys=keys) == why


def test_a_wrong_signature_under_the_known_key_does_not_count() -> None:
    """Name and id can be copied; the signature cannot."""
    note = notes.sign_checkpoint(0, merkle.EMPTY_ROOT, key=LOG_KEY, sign=lambda _: bytes(64))
    request = AddCheckpoint(0, (), note)

    why = judge(request, parse_checkpoint(note), keys=(LOG_KEY,), seen=Seen(), verifies=verifies)

    assert why == Refusal.NOT_SIGNED


@pytest.mark.parametrize("is_first", [True, False])
def test_a_false_second_signature_of_the_key_is_refused(is_first: bool) -> None:
    """A true signature does not cover for a false one in the same name."""
    text = notes.checkpoint_text(LOG_KEY.name, 0, merkle.EMPTY_ROOT)
    lines = [
        notes.signature_line(LOG_KEY, SIGNER.sign(text.encode())),
        notes.signature_line(LOG_KEY, bytes(64)),
    ]
    note = notes.assemble(text, lines if is_first else lines[::-1])
    request = AddCheckpoint(0, (), note)

    why = judge(request, parse_checkpoint(note), keys=(LOG_KEY,), seen=Seen(), verifies=verifies)

    assert why == Refusal.NOT_SIGNED


@pytest.mark.parametrize(
    ("old", "new", "seen", "why"),
    [
        (9, 8, 9, Refusal.MALFORMED),
        (7, 9, 8, Refusal.OTHER_SIZE),
        (0, 9, 8, Refusal.OTHER_SIZE),
        (0, 7, 8, Refusal.OTHER_SIZE),
    ],
)
def test_a_log_never_goes_back(old: int, new: int, seen: int, why: Refusal) -> None:
    """The old size must be the one the witness knows, and at most the new size."""
    assert judged(old, new, seen=seen) == why


@given(st.integers(6, 20), st.integers(6, 20))
def test_another_history_is_never_signed(seen: int, new: int) -> None:
    """Law: after the witness saw a leaf, no tree with another leaf in its place is signed."""
    assert judged(min(seen, new), new, seen=seen, tree=FORK) is not None
    assert judged(seen, new, seen=seen, tree=FORK, proven_from=min(5, new)) is not None


def test_another_root_of_the_same_size_is_named() -> None:
    """Two signed roots of one size are refused as two histories."""
    assert judged(8, 8, seen=8, tree=FORK) == Refusal.OTHER_ROOT
    assert judged(8, 9, seen=8, tree=FORK) == Refusal.NO_PROOF


def test_the_first_checkpoint_needs_no_proof() -> None:
    """The first checkpoint is accepted without a proof and refused with one (C2SP tlog-witness)."""
    assert judged(0, 9, seen=0) is None
    assert judged(0, 9, seen=0, proven_from=3) == Refusal.NO_PROOF


@pytest.mark.parametrize(
    ("witnesses", "quorum"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5), (10, 7)],
)
def test_the_default_quorum_stands_a_liar(witnesses: int, quorum: int) -> None:
    """The default quorum tolerates one liar from three witnesses on, and two from seven on."""
    assert default_quorum(witnesses) == quorum
    if witnesses >= 3:
        assert tolerated_liars(witnesses, quorum) >= max(1, (witnesses - 1) // 3)


@pytest.mark.parametrize("witnesses", range(1, 8))
def test_liars_cannot_bring_two_histories_to_the_quorum(witnesses: int) -> None:
    """Tolerated liars cannot reach the quorum twice, however the honest witnesses are divided."""
    for quorum in range(1, witnesses + 1):
        liars = tolerated_liars(witnesses, quorum)
        if 2 * quorum <= witnesses:  # then no liar is needed
            continue
        for sides in product((0, 1), repeat=witnesses - liars):
            first, second = sides.count(0) + liars, sides.count(1) + liars
            assert min(first, second) < quorum


@pytest.mark.parametrize(
    "url",
    ["https://witness.example", "https://w.example:8443/w1", "http://127.0.0.1:7380",
     "http://[::1]:7380", "http://localhost:7380"],
)  # fmt: skip
def test_a_witness_is_reached_by_https(url: str) -> None:
    """A witness has an https address, or http on this machine; a final slash is removed."""
    assert require_witness_url(f"{url}/") == url


@pytest.mark.parametrize(
    "url",
    ["http://witness.example", "http://10.0.0.1", "ftp://w.example", "file:///etc/passwd", "",
     "https://", "https://me:secret@w.example", "https://w.example/?a=b", "https://w.example/#a",
     "https://w.example:port", " https://w.example", "https://[::1"],
)  # fmt: skip
def test_another_address_is_refused(url: str) -> None:
    """Plain http to another machine is refused, and so is any other scheme."""
    with pytest.raises(InvalidInput):
        require_witness_url(url)
