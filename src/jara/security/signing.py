"""Signs the acts of an operator with the SSH agent or a key file."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.control.ssh import (
    PLAIN,
    PublicKey,
    Wire,
    assemble,
    bytes_to_sign,
    pack,
    parse_blob,
    parse_public_key,
)
from jara.domain.control.statement import Signed
from jara.domain.errors import InvalidInput, NotFound, Refused, Unavailable
from jara.records.operations import Command

DAILY = "run daily"
"""The command that may sign with the scheduler's key in the secrets folder."""

_LIST, _KEYS = 11, 12
_SIGN, _SIGNED = 13, 14
_LENGTH_BYTES = 4
_PUBLIC = ".pub"
"""How OpenSSH's files of public keys end, beside the private ones."""
_ANSWER_MAX = 1 << 20
_PATIENCE_SECONDS = 120.0
"""A security key waits until it is touched."""


class SshAgent:
    """A client of the SSH agent (RFC draft ssh-agent), which never reveals a private key."""

    def __init__(self, path: str) -> None:
        """Name the socket, as SSH_AUTH_SOCK does."""
        self._path = path

    def public_keys(self) -> list[PublicKey]:
        """Return the keys that Jara accepts; none if no agent answers."""
        try:
            wire = Wire(self._ask(bytes([_LIST]), _KEYS))
            return list(_accepted(wire))
        except (Unavailable, ValueError):
            return []

    def sign(self, key: PublicKey, data: bytes) -> bytes:
        """Return the agent's signature of some bytes.

        Raises:
            Unavailable: the agent refused, or does not answer.
        """
        flags = bytes(_LENGTH_BYTES)
        wire = Wire(self._ask(bytes([_SIGN]) + pack(key.blob) + pack(data) + flags, _SIGNED))
        try:
            return wire.string()
        except ValueError:
            raise Unavailable("The SSH agent gave an answer that cannot be read.") from None

    def _ask(self, message: bytes, wanted: int) -> bytes:
        with _connected(self._path) as connection:
            connection.sendall(pack(message))
            length = int.from_bytes(_receive(connection, _LENGTH_BYTES), "big")
            answer = _receive(connection, min(length, _ANSWER_MAX))
        if answer[:1] != bytes([wanted]):
            raise Unavailable("The SSH agent refused to sign; was the key removed or not touched?")
        return answer[1:]


def _accepted(wire: Wire) -> Iterator[PublicKey]:
    for _ in range(wire.number()):
        blob, _comment = wire.string(), wire.string()
        try:
            yield parse_blob(blob)
        except ValueError:
            continue  # RSA, ECDSA, a certificate


@contextmanager
def _connected(path: str) -> Iterator[socket.socket]:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_PATIENCE_SECONDS)
            connection.connect(path)
            yield connection
    except OSError as error:
        raise Unavailable(f"The SSH agent does not answer: {error}.") from error


def _receive(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise Unavailable("The SSH agent hung up.")
        data += piece
    return data


class OperatorSigner:
    """Finds an enrolled key and signs with it."""

    def __init__(
        self,
        describe: Callable[[], Command],
        *,
        key_file: Path | None,
        agent: str | None,
        scheduler_key: Callable[[], bytes | None],
    ) -> None:
        """Set the sources of keys; nothing is read before the first signature.

        Args:
            describe: returns the running command.
            key_file: the key that the operator named; if set, only this one signs.
            agent: the socket of the SSH agent.
            scheduler_key: returns the key of the daily run in the secrets folder.
        """
        self._describe = describe
        self._key_file = key_file
        self._agent = SshAgent(agent) if agent else None
        self._scheduler_key = scheduler_key

    @cached_property
    def command(self) -> Command:
        """The running command."""
        return self._describe()

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign a statement with one of the keys.

        Raises:
            Refused: none of the keys is available.
            NotFound: the named file does not exist.
            Unavailable: the agent failed.
        """
        return Signed(statement, self._sign(statement, keys))

    def _sign(self, statement: bytes, keys: Sequence[PublicKey]) -> bytes:
        if self._key_file is not None:
            return self._sign_with_file(self._key_file, statement)
        seed = self._scheduler_key() if self.command.verb == DAILY else None
        if seed is not None:
            return _sign_with(Ed25519PrivateKey.from_private_bytes(seed), statement)
        held = [] if self._agent is None else self._agent.public_keys()
        for key in keys:
            if key in held:
                return self._sign_as(key, statement)
        raise Refused(
            "This needs an operator's signature, and no enrolled key was found; add yours to the "
            "SSH agent (ssh-add), or name the private key's file before the command: "
            "jara --key FILE ..., or JARA_OPERATOR_KEY."
        )

    def _sign_with_file(self, path: Path, statement: bytes) -> bytes:
        if not path.is_file():
            raise NotFound(f"There is no key file '{path}'.")
        data = path.read_bytes()
        if b"PRIVATE KEY" not in data:
            key = parse_public_key(data.decode("utf-8", "replace"))
            beside = private_half(path)
            if beside is None or (self._agent and key in self._agent.public_keys()):
                return self._sign_as(key, statement)
            return self._sign_with_file(beside, statement)
        # It is slow to import, and most operators sign with the agent.
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        try:
            private = load_ssh_private_key(data, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise Refused(
                f"The key '{path}' has a passphrase, or is a security key's; let the SSH agent "
                f"sign: ssh-add {path}"
            ) from None
        if not isinstance(private, Ed25519PrivateKey):
            raise InvalidInput(
                f"The key '{path}' is not Ed25519; make one with: ssh-keygen -t ed25519"
            )
        return _sign_with(private, statement)

    def _sign_as(self, key: PublicKey, statement: bytes) -> bytes:
        """Sign with the agent's key whose public half the operator named."""
        if self._agent is None or key not in self._agent.public_keys():
            raise Refused(f"The SSH agent does not have the key {key.fingerprint}; use ssh-add.")
        return assemble(key, self._agent.sign(key, bytes_to_sign(statement)))


def private_half(path: Path) -> Path | None:
    """Return the file of a private key, given that or the public half beside it, if it is there."""
    private = path.with_suffix("") if path.suffix == _PUBLIC else path
    return private if private.is_file() and b"PRIVATE KEY" in private.read_bytes() else None


def public_half(path: Path) -> Path:
    """Return the file of a public key, given that or the private half, if it is beside it."""
    public = path.with_name(f"{path.name}{_PUBLIC}")
    return public if path.suffix != _PUBLIC and public.is_file() else path


def public_key_of(seed: bytes) -> PublicKey:
    """Return the public half of a key of the secrets folder."""
    return _public(Ed25519PrivateKey.from_private_bytes(seed))


def _public(private: Ed25519PrivateKey) -> PublicKey:
    return PublicKey(PLAIN, private.public_key().public_bytes_raw())


def _sign_with(private: Ed25519PrivateKey, statement: bytes) -> bytes:
    made = private.sign(bytes_to_sign(statement))
    return assemble(_public(private), pack(PLAIN.encode()) + pack(made))
