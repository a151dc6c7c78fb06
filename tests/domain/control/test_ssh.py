"""OpenSSH keys and signatures: reading them and refusing them."""

from base64 import b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.control import ssh
from jara.domain.control.ssh import SECURITY_KEY, BadSignature, PublicKey, check_signature, pack
from jara.domain.errors import InvalidInput
from tests.domain.publiclog.test_cosignatures import verifies as verify

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
RAW = PRIVATE.public_key().public_bytes_raw()
MESSAGE = b"an act"


def signed_by_security_key(*, flags: int = 1, rest: bytes = b"") -> bytes:
    """Return a signature as a FIDO key makes it, over hashes, flags and a counter."""
    key = PublicKey(SECURITY_KEY, RAW, b"ssh:")
    tail = bytes([flags]) + (7).to_bytes(4, "big")
    hashed = sha256(ssh.bytes_to_sign(MESSAGE)).digest()
    made = PRIVATE.sign(sha256(b"ssh:").digest() + tail + hashed)
    return ssh.assemble(key, pack(SECURITY_KEY.encode()) + pack(made) + tail + rest)


def test_a_public_key_is_read_and_written() -> None:
    """A public key file line keeps its comment, and gives the fingerprint that OpenSSH shows."""
    text = (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4 ada@home"
    )

    key = ssh.parse_public_key(text)

    assert (key.kind, key.key) == (ssh.PLAIN, RAW)
    assert text.removesuffix(" ada@home") == key.text()
    assert key.fingerprint == "SHA256:" + b64encode(sha256(key.blob).digest()).decode()[:-1]


def test_a_security_key_names_its_application() -> None:
    """The application is part of the key."""
    key = PublicKey(SECURITY_KEY, RAW, b"ssh:")

    assert ssh.parse_public_key(key.text()) == key
    assert ssh.parse_blob(key.blob) == key


@pytest.mark.parametrize("blob", [pack(b"ssh-ed25519") + pack(b"short"), b"", pack(b"ssh-dss")])
def test_a_malformed_ssh_key_is_not_read(blob: bytes) -> None:
    """A key that is too short, empty or of another kind is not read."""
    with pytest.raises(InvalidInput, match="not an OpenSSH public key"):
        ssh.parse_public_key(f"ssh-ed25519 {b64encode(blob).decode()}")


def test_a_security_key_signs_when_it_is_touched() -> None:
    """A flag in the signature says that somebody touched the key."""
    assert check_signature(signed_by_security_key(), MESSAGE, verify).kind == SECURITY_KEY
    with pytest.raises(BadSignature, match="was not touched"):
        check_signature(signed_by_security_key(flags=0), MESSAGE, verify)
    with pytest.raises(BadSignature, match="too long"):
        check_signature(signed_by_security_key(rest=b"x"), MESSAGE, verify)


def test_the_verifier_reads_security_keys_as_well() -> None:
    """The verifier, an independent program, accepts the same signature."""
    blob = PublicKey(SECURITY_KEY, RAW, b"ssh:").blob

    assert blob == jara_verify.signed_with(signed_by_security_key(), MESSAGE)
    with pytest.raises(jara_verify.Bad, match="without being touched"):
        jara_verify.signed_with(signed_by_security_key(flags=0), MESSAGE)
    with pytest.raises(jara_verify.Bad):
        jara_verify.signed_with(signed_by_security_key(rest=b"x"), MESSAGE)


def test_a_signature_of_another_kind_than_its_key_is_refused() -> None:
    """A plain signature under a security key's name is refused."""
    made = pack(ssh.PLAIN.encode()) + pack(PRIVATE.sign(ssh.bytes_to_sign(MESSAGE)))
    mixed = ssh.assemble(PublicKey(SECURITY_KEY, RAW, b"ssh:"), made)

    with pytest.raises(BadSignature, match="of another kind than its key"):
        check_signature(mixed, MESSAGE, verify)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused_as_a_signature(data: bytes) -> None:
    """Any bytes are refused with the same error, and both readers agree."""
    with pytest.raises(BadSignature):
        check_signature(data, MESSAGE, verify)
    with pytest.raises(jara_verify.Bad):
        jara_verify.signed_with(data, MESSAGE)


@given(st.data())
def test_a_changed_byte_is_refused(data: st.DataObject) -> None:
    """Both readers refuse a signature with any byte changed."""
    made = pack(ssh.PLAIN.encode()) + pack(PRIVATE.sign(ssh.bytes_to_sign(MESSAGE)))
    good = ssh.assemble(PublicKey(ssh.PLAIN, RAW), made)
    place = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[place] ^= data.draw(st.integers(1, 255))

    assert check_signature(good, MESSAGE, verify).key == RAW
    with pytest.raises(BadSignature):
        check_signature(bytes(bad), MESSAGE, verify)
    with pytest.raises(jara_verify.Bad):
        jara_verify.signed_with(bytes(bad), MESSAGE)
