"""The verifier's signatures, splits and JSON agree with other implementations."""

import json
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books import fund_policy
from jara.domain.books.account import SPLIT_FUNDS
from jara.domain.publiclog import canonical

# ---------------------------------------------------------------- its own mathematics


RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701"
            "cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d"
            "0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f7609"
            "84dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_the_published_signatures_verify(key: str, message: str, signature: str) -> None:
    """RFC 8032 §7.1, tests 1 to 3, verify; another message or a larger S does not."""
    public, data, signed = map(bytes.fromhex, (key, message, signature))
    s = int.from_bytes(signed[32:], "little") + 2**252 + 27742317777372353535851937790883648493

    assert jara_verify.ed25519_verifies(public, data, signed)
    assert not jara_verify.ed25519_verifies(public, data + b"\0", signed)
    assert not jara_verify.ed25519_verifies(public, data, signed[:32] + s.to_bytes(32, "little")), (
        "S is not reduced (RFC 8032 §8.4)"
    )
    assert not jara_verify.ed25519_verifies(public, data, signed + b"\0")


@pytest.mark.parametrize(
    "key",
    [
        (1).to_bytes(32, "little"),  # the neutral point, which would verify anything
        (2**255 - 20).to_bytes(32, "little"),  # of order 2
        bytes(32),  # of order 4
        (2**255 - 19 + 1).to_bytes(32, "little"),  # y is not reduced
        (2).to_bytes(32, "little"),  # not a point of the curve
        (1 + 2**255).to_bytes(32, "little"),  # x is 0 but odd
        b"short",
    ],
)
def test_bad_points_are_no_keys(key: bytes) -> None:
    """A key that is no point, or one of small order, verifies nothing."""
    neutral = (1).to_bytes(32, "little") + bytes(32)

    assert not jara_verify.ed25519_verifies(key, b"", neutral)


@settings(max_examples=25, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.integers(0, 511))
def test_signatures_agree_with_another_implementation(
    secret: bytes, message: bytes, bit: int
) -> None:
    """A signature of `cryptography` verifies, and fails with one changed bit."""
    signer = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = signer.public_key().public_bytes_raw(), signer.sign(message)
    flipped = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")

    assert jara_verify.ed25519_verifies(public, message, signature)
    assert not jara_verify.ed25519_verifies(public, message, flipped)


weights = st.lists(st.integers(0, 100), min_size=4, max_size=4).filter(any)


@given(st.integers(-(10**7), 10**7), weights)
def test_the_split_is_the_domains(cents: int, numbers: list[int]) -> None:
    """Verifier and domain split every amount alike."""
    by_fund = dict(zip(SPLIT_FUNDS, numbers, strict=True))
    expected = {fund: part for fund, part in fund_policy.split(cents, by_fund).items() if part}

    assert jara_verify.split(cents, {str(f): n for f, n in by_fund.items()}) == expected


@given(weights, st.integers(0, 400))
def test_the_verifier_splits_refunds_like_the_domain(parts: list[int], refunded: int) -> None:
    """Verifier and domain split every refund alike."""
    by_fund = {f: part for f, part in zip(SPLIT_FUNDS, parts, strict=True) if part}
    expected = fund_policy.given_back(by_fund, refunded)

    assert jara_verify.given_back({str(f): n for f, n in by_fund.items()}, refunded) == expected


json_values = st.recursive(
    st.integers(-(2**54), 2**54) | st.booleans() | st.none() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@given(json_values)
def test_canonical_is_the_domains_canonical(value: object) -> None:
    """Verifier and domain refuse the same bytes."""
    data = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )

    assert _accepts(canonical.decode, data) == _accepts(jara_verify.read_canonical, data)


def _accepts(read: Callable[[bytes], object], data: bytes) -> bool:
    try:
        read(data)
    except (canonical.NotCanonical, jara_verify.Bad):
        return False
    return True
