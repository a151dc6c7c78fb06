"""An identity and an email that tests send."""

from collections.abc import Mapping
from datetime import UTC, datetime

from jara.mail.rendering import SenderIdentity, sample_values
from jara.records.operations import Email

IDENTITY = SenderIdentity(
    sender="Jara <mail@jara.example>",
    postal_address="1 Main Street, Toronto",
    contact_email="help@jara.example",
)
SITE = "https://jara.example"


def make_email(
    kind: str = "receipt",
    *,
    address: str = "ama@example.org",
    values: Mapping[str, str] | None = None,
) -> Email:
    """Return an email with sample values."""
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    doc = {**sample_values(kind, organisation="Jara", site_url=SITE), **(values or {})}
    return Email(id=f"email-{kind}", kind=kind, address=address, doc=doc, created_at=at, due_at=at)
