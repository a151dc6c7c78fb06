"""Witnesses in this process, called without HTTP."""

from collections.abc import Callable, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.publiclog.notes import VerificationKey, parse_checkpoint
from jara.domain.publiclog.witnessing import CosignerKey, cosign, parse_add_checkpoint
from jara.services.ports.outside import Clock, OnAnswer, WitnessAnswer
from jara.witness.cosigner import Cosigner
from jara.witness.folder import WitnessFolder

Answer = Callable[[bytes], WitnessAnswer]
"""What a witness answers to a request."""


class LocalWitnesses:
    """Calls the witnesses by their addresses, one after the other."""

    def __init__(self) -> None:
        """Start without witnesses."""
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, bytes]] = []

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each request and any follow-up."""
        for name, first in bodies.items():
            body: bytes | None = first
            while body is not None:
                self.asked.append((name, body))
                body = on_answer(name, self.answers[urls[name]](body))


def make_cosigner(folder: Path, name: str, clock: Clock, *logs: VerificationKey) -> Cosigner:
    """Create an honest witness with its own folder that follows the logs."""
    home = WitnessFolder(folder / name.replace("/", "-"))
    home.create(name, name.encode().ljust(32, b"-")[:32])
    with home.transaction() as state:
        for key in logs:
            state.add_log(key, clock.now())
    return Cosigner(home, clock)


def honest(cosigner: Cosigner) -> Answer:
    """Return the answer function of an honest witness."""
    return lambda body: cosigner.add_checkpoint(body).answer


class Liar:
    """A witness that signs everything."""

    def __init__(self, name: str, clock: Clock) -> None:
        """Create its key."""
        self._private = Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b"-")[:32])
        self.key = CosignerKey(name, self._private.public_key().public_bytes_raw())
        self._clock = clock

    def __call__(self, body: bytes) -> WitnessAnswer:
        """Sign the checkpoint."""
        text = parse_checkpoint(parse_add_checkpoint(body.decode()).note).text()
        time = int(self._clock.now().timestamp())
        return WitnessAnswer(200, cosign(text, time, key=self.key, sign=self._private.sign))


def say(status: int, body: str = "", media_type: str = "text/plain") -> Answer:
    """Return a witness that always gives the same answer."""
    return lambda _: WitnessAnswer(status, body, media_type)
