"""A house and a letter that tests send."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from jara.mail.letters import House
from jara.mail.samples import sample_values
from jara.services.ports.operations import Letter

HOUSE = House(
    sender="Jara <mail@jara.example>",
    postal_address="1 Main Street, Toronto",
    contact_email="help@jara.example",
)
SITE = "https://jara.example"


def make_letter(
    kind: str = "receipt",
    *,
    address: str = "ama@example.org",
    values: Mapping[str, str] | None = None,
) -> Letter:
    """Return a letter with sample values."""
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    doc = {**sample_values(kind, organisation="Jara", site_url=SITE), **(values or {})}
    return Letter(
        id=f"letter-{kind}", kind=kind, address=address, doc=doc, created_at=at, due_at=at
    )
