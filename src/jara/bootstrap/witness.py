"""Opens witnesses of other organisations' logs."""

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from jara.bootstrap import SystemClock
from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import CosignerKey, require_witness_url
from jara.security.keys import SystemEntropy
from jara.services.ports.outside import OnAnswer
from jara.witness.cosigner import Cosigner
from jara.witness.folder import WitnessFolder

_KEY_BYTES = 32
_SECONDS = 10.0


def open_cosigner(folder: Path) -> Cosigner:
    """Return the witness of a folder.

    Raises:
        NotFound: there is none, or its key or state is lost.
    """
    cosigner = Cosigner(WitnessFolder(folder), SystemClock())
    _ = cosigner.key
    return cosigner


def create_witness(folder: Path, name: str, logs: Iterable[VerificationKey]) -> CosignerKey:
    """Create a witness that follows some logs; return its key.

    Raises:
        Conflict: the folder has one already.
        InvalidInput: the name is not valid for a key.
    """
    key = WitnessFolder(folder).create(name, SystemEntropy().token(_KEY_BYTES))
    follow_logs(folder, logs)
    return key


class LocalWitness:
    """Asks a witness of this machine without HTTP, as the demo does before it is served."""

    def __init__(self, cosigner: Cosigner) -> None:
        """Ask this witness; addresses are ignored."""
        self._cosigner = cosigner

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each request, then the follow-up requests."""
        del urls
        for name, first in bodies.items():
            body: bytes | None = first
            while body is not None:
                body = on_answer(name, self._cosigner.add_checkpoint(body).answer)


def follow_logs(folder: Path, logs: Iterable[VerificationKey]) -> list[str]:
    """Add logs to a witness; return the names of the new ones."""
    with WitnessFolder(folder).transaction() as state:
        return [key.name for key in logs if state.add_log(key, SystemClock().now())]


def read_log_key(text: str) -> VerificationKey:
    """Return a log's key from its published form, or from the website that publishes it.

    Raises:
        InvalidInput: it is neither.
        Unavailable: the website does not answer with a key.
    """
    if "://" not in text:
        return VerificationKey.parse(text)
    from jara.witness.fetching import fetch  # noqa: PLC0415 - slow to import

    url = f"{require_witness_url(text)}/api/proofs/checkpoint"
    answer = fetch(url, time.monotonic() + _SECONDS)
    try:
        return VerificationKey.parse(str(json.loads(answer.body)["key"]))
    except (ValueError, TypeError, KeyError, InvalidInput):
        why = answer.body if answer.status == 0 else f"answered with status {answer.status}"
        raise Unavailable(f"{url} {why}; it publishes no key of a log.") from None
