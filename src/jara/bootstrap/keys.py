"""Keys of the daily run and of encrypted backups."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from jara.bootstrap import Application
from jara.domain.control.ssh import PublicKey
from jara.domain.errors import InvalidInput
from jara.security.age import AgeDecryption, AgeEncryption, is_encrypted
from jara.security.signing import SshAgent, private_half, public_half, public_key_of
from jara.services.operations.operators import list_operators


def make_scheduler_key(application: Application) -> str:
    """Create the key in the secrets folder unless there is one; return the public key.

    Raises:
        NoDatabase: there is no organisation yet.
    """
    with application.context.store.read():
        return f"{public_key_of(application.secrets.make_scheduler_key()).text()} scheduler"


def public_key_file(source: str) -> str:
    """Return the file of a public key, given either half; ``-`` stays standard input."""
    return source if source == "-" else str(public_half(Path(source)))


def first_signing_key(application: Application, source: str) -> Path | None:
    """Return the file that signs the first key, which signs for itself; None if the agent does.

    `source` is the file of that key, either half.
    """
    path, private = Path(source), private_half(Path(source))
    is_first = not any(one.keys for one in list_operators(application.context))
    if private is None or application.settings.operator_key is not None or not is_first:
        return None
    text = public_half(path).read_text("utf-8", "replace")
    held = agent_keys(os.environ)
    return None if any(one.text() in text for one in held) else private


def agent_keys(environ: Mapping[str, str]) -> list[PublicKey]:
    """Return the keys of the SSH agent that Jara accepts; none without an agent."""
    path = environ.get("SSH_AUTH_SOCK")
    return SshAgent(path).public_keys() if path else []


def encryption_for(recipients: Sequence[str]) -> AgeEncryption | None:
    """Return the encryption to recipients; None without recipients.

    Raises:
        InvalidInput: one of them is not an age recipient.
    """
    return AgeEncryption(recipients) if recipients else None


def decryption_with(identity: str | None) -> AgeDecryption | None:
    """Return the decryption with an identity file; None without one.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it contains no identity.
    """
    return None if identity is None else AgeDecryption(Path(identity))


def refuse_encrypted(path: Path) -> None:
    """Check that a file can be read without an identity.

    Raises:
        InvalidInput: it is encrypted.
    """
    if is_encrypted(path):
        raise InvalidInput(f"'{path}' is encrypted; name the identity file with --identity.")
