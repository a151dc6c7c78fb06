"""Idempotency keys: the first answer to a key is the answer to every retry."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from jara.domain.errors import CardDeclined, Conflict
from jara.payments.sandbox.objects import Objects, Replay
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome


class Replays:
    """Runs an act once for each key; a declined card is replayed too, as Stripe does."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def once(
        self, key: str, request: tuple[object, ...], act: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the answer of ``act``, or the earlier answer to this key.

        Keys and requests are stored as hashes, since they name cards and people.

        Raises:
            CardDeclined: the act raised it, now or the first time.
            Conflict: the key was used for another request.
        """
        replay_id = sha256(key.encode()).hexdigest()
        asked = sha256(json.dumps(request).encode()).hexdigest()
        with self._objects.state.batch():
            replay = self._objects.find(Replay, replay_id)
            if replay is None:
                replay = Replay(replay_id, asked, _answer(act))
                self._objects.put(replay)
        if replay.request != asked:
            raise Conflict("This idempotency key was used for another request before.")
        if "declined" in replay.answer:
            raise CardDeclined(replay.answer["declined"])
        return replay.answer


def attempt_document(attempt: Attempt) -> dict[str, Any]:
    """Return an attempt as the document that is replayed."""
    return {
        "outcome": attempt.outcome.value,
        "reference": attempt.reference,
        "message": attempt.message,
        "intent_type": attempt.intent_type and attempt.intent_type.value,
        "client_secret": attempt.client_secret,
    }


def read_attempt(doc: dict[str, Any]) -> Attempt:
    """Read an attempt from its document."""
    intent_type = doc["intent_type"]
    return Attempt(
        outcome=PaymentOutcome(doc["outcome"]),
        reference=doc["reference"],
        message=doc["message"],
        intent_type=None if intent_type is None else IntentType(intent_type),
        client_secret=doc["client_secret"],
    )


def _answer(act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return act()
    except CardDeclined as refusal:
        return {"declined": refusal.message}
