"""Signatures that are old, damaged or of something else are refused."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.control.ssh import PublicKey, pack
from jara.domain.control.statement import Signed
from jara.domain.errors import InvalidInput, Refused
from jara.services.context import Context
from jara.services.operations.operators import add_operator
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.fakes.operators import TestSigner, acting
from tests.harness import copy_of
from tests.services.operations.controlled_world import (
    make_controlled,
)


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles, and a limit of $10."""
    return copy_of(make_controlled, place)


class Cheat(TestSigner):
    """Signs with a real key, then changes the signed statement."""

    __test__ = False

    def __init__(self, name: str, change: Callable[[TestSigner, Signed], Signed]) -> None:
        """Store the change to make."""
        super().__init__(name)
        self._change = change

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign, then change the result."""
        return self._change(self, super().sign(statement, keys))


def cheat(context: Context, change: Callable[[TestSigner, Signed], Signed]) -> None:
    """Let the bookkeeper pay with a changed signature."""
    bad = replace(acting(context, "kit"), signer=Cheat("kit", change))
    disburse(bad, Disbursement(Payee.GRANTS, "school", 1))


def altered(**changes: str) -> Callable[[TestSigner, Signed], Signed]:
    """Return a change of statement fields that is signed again."""

    def change(signer: TestSigner, signed: Signed) -> Signed:
        document = json.loads(signed.statement) | changes
        text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        return Signed(text, signer.sign_blob(text))

    return change


def test_a_signature_is_used_once(context: Context) -> None:
    """A recorded signature cannot be used again."""
    first = acting(context, "kit")
    disburse(first, Disbursement(Payee.GRANTS, "school", 1))
    assert isinstance(first.signer, TestSigner)
    recorded = first.signer.made[0]

    with pytest.raises(Refused, match="The signature was used before; sign again"):
        cheat(context, lambda _signer, _signed: recorded)


def test_a_signature_for_another_organisation_is_refused(context: Context) -> None:
    """This holds even if both organisations have the same operators and keys."""
    with pytest.raises(Refused, match="The signature is for another organisation"):
        cheat(context, altered(organisation="other.example/log+0+AAAA"))


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_signature_is_refused(context: Context, minutes: int) -> None:
    """A signature from before or after its time is refused."""
    at = context.now() + timedelta(minutes=minutes)

    with pytest.raises(Refused, match="more than 5 minutes from now; check the clock"):
        cheat(context, altered(time=f"{at:%Y-%m-%dT%H:%M:%SZ}"))


def test_five_minutes_are_in_time(context: Context) -> None:
    """A person may take five minutes to find the security key."""
    at = context.now() - timedelta(minutes=5)

    cheat(context, altered(time=f"{at:%Y-%m-%dT%H:%M:%SZ}"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data[:-1], "The signature cannot be read: cut off"),
        (lambda data: data + b"\0", "The signature cannot be read: too long"),
        (lambda data: b"X" + data[1:], "The signature cannot be read: not an SSH signature"),
        (
            lambda data: data.replace(pack(b"jara-act"), pack(b"file")),
            "The signature was made for 'file', not for 'jara-act'",
        ),
        (
            lambda data: data.replace(pack(b"ssh-ed25519"), pack(b"ssh-xxxxxxx")),
            "The signature cannot be read: the unknown kind 'ssh-xxxxxxx'",
        ),
        (lambda data: data.replace(b"sha512", b"sha999"), "uses another hash than SHA-256"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is not of this act"),
    ],
)
def test_a_damaged_signature_is_refused(
    context: Context, change: Callable[[bytes], bytes], sentence: str
) -> None:
    """Truncated, changed and unknown signatures are refused, and those for other uses."""
    with pytest.raises(Refused, match=sentence):
        cheat(context, lambda _signer, made: Signed(made.statement, change(made.signature)))


def test_a_signature_of_another_act_is_refused(context: Context) -> None:
    """A signature for a small act is refused for a large one."""
    with pytest.raises(Refused, match="The signature for 'members list' does not match"):
        cheat(context, altered(verb="members list"))


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("ssh-rsa AAAAB3NzaC1yc2E= x", "Keys of the kind 'ssh-rsa' are not accepted"),
        ("ecdsa-sha2-nistp256 AAAA x", "Keys of the kind 'ecdsa-sha2-nistp256' are not accepted"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "That is a private key"),
        ("ssh-ed25519 AAAA", "It is not an OpenSSH public key"),
        ("", "It is not an OpenSSH public key"),
    ],
)
def test_other_keys_are_not_enrolled(context: Context, key: str, sentence: str) -> None:
    """Only one kind of key is accepted, which everybody can verify."""
    with pytest.raises(InvalidInput, match=sentence):
        add_operator(acting(context, "ada"), "zoe", key=key)
