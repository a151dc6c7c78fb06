"""A provider that delivers events, and the processing of them."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from jara.domain.errors import Unauthenticated
from jara.domain.organisation import IdentityPart
from jara.records.payments import ProviderEvent
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.legal.changing import change_values
from jara.services.payments.events import receive_event
from tests.harness import clock_of, make_organisation
from tests.services.giving.joiners import form

CONTACT = "office@jara.example"


@dataclass
class Source:
    """A provider's events, as a test defines them."""

    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    voided: list[str] = field(default_factory=list)
    error: Exception | None = None

    def read(self, body: bytes, signature: str | None) -> ProviderEvent:
        """Read nothing: tests hand events over as they are."""
        raise Unauthenticated(f"{body!r} {signature}")

    def look_up(self, event: ProviderEvent) -> ProviderEvent:
        """Add the known facts of an event of another version, unless the provider is down."""
        if self.error is not None:
            raise self.error
        return event._replace(**self.known.get(event.event_id, {}))

    def void_arrears(self, subscription_id: str) -> int:
        """Record whose arrears were voided."""
        self.voided.append(subscription_id)
        return 1


def contactable(folder: Path) -> Context:
    """Create an organisation whose operators can get emails."""
    made = make_organisation(folder)
    change_values(made, {IdentityPart.CONTACT: CONTACT})
    return made


def tell(context: Context, name: str = "evt_1", **facts: Any) -> bool:
    """Deliver an event of the provider."""
    event = ProviderEvent(name, "charge.updated", context.now(), "charge", "ch_1")
    return receive_event(context, event._replace(**facts))


def join(context: Context, card: str = "pm_card_visa", **changes: Any) -> StartedPledge:
    """Register a person without booking anything."""
    return register(context, form(**changes), payment_method=card)


def pass_time(context: Context, **parts: float) -> None:
    """Let time pass."""
    clock_of(context).at += timedelta(**parts)
