"""A client of the SSH agent: lists its keys and signs with one (RFC draft ssh-agent)."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from jara.domain.control.ssh import PublicKey, Wire, pack, parse_blob
from jara.domain.errors import Unavailable

_LIST, _KEYS = 11, 12
_SIGN, _SIGNED = 13, 14
_LENGTH_BYTES = 4
_ANSWER_MAX = 1 << 20
_PATIENCE_SECONDS = 120.0
"""A security key waits until it is touched."""


class SshAgent:
    """The agent behind a socket; it never reveals a private key."""

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
