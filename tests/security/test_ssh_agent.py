"""The SSH agent's client and agents that behave unexpectedly."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jara.domain.control.ssh import PLAIN, PublicKey, pack
from jara.domain.errors import Unavailable
from jara.security.signing import SshAgent

KEY = PublicKey(PLAIN, bytes(32))


@pytest.fixture
def answering(tmp_path: Path) -> Callable[[bytes], SshAgent]:
    """Return an agent that gives one answer to every request."""

    def start(answer: bytes) -> SshAgent:
        path = str(tmp_path / "agent")
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen()

        def serve() -> None:
            connection, _ = server.accept()
            with server, connection:
                connection.recv(1 << 16)
                connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        return SshAgent(path)

    return start


def test_keys_of_other_kinds_are_passed_over(answering: Callable[[bytes], SshAgent]) -> None:
    """RSA keys and certificates are ignored."""
    keys = pack(pack(b"ssh-rsa")) + pack(b"old") + pack(KEY.blob) + pack(b"new")

    agent = answering(pack(bytes([12]) + (2).to_bytes(4, "big") + keys))

    assert agent.public_keys() == [KEY]


@pytest.mark.parametrize("answer", [pack(bytes([5])), b"", pack(bytes([12]) + b"\0\0\0\x01")])
def test_an_agent_without_a_good_answer_has_no_keys(
    answering: Callable[[bytes], SshAgent], answer: bytes
) -> None:
    """An agent that refuses, disconnects or sends a truncated answer counts as empty."""
    assert answering(answer).public_keys() == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (pack(bytes([5])), "refused to sign"),
        (pack(bytes([14]) + b"\0"), "an answer that cannot be read"),
        (b"\0", "hung up"),
    ],
)
def test_a_signature_that_does_not_come_is_an_error(
    answering: Callable[[bytes], SshAgent], answer: bytes, sentence: str
) -> None:
    """The error says what happened."""
    with pytest.raises(Unavailable, match=sentence):
        answering(answer).sign(KEY, b"data")
