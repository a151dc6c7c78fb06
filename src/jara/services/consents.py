"""Consents: express, with their wording, their time and where they were given (trust §4)."""

from __future__ import annotations

from datetime import datetime

from jara.services.ports.database import UnitOfWork
from jara.services.ports.people import Consent

NOTIFICATIONS = "notifications"
PRIVACY_POLICY = "privacy_policy"

WORDING = {
    NOTIFICATIONS: "Get notified about project updates and upcoming voting sessions.",
    PRIVACY_POLICY: "I agree to the privacy policy.",
}
"""What stood beside the box that was ticked."""


def record_consent(
    work: UnitOfWork, member_id: str, purpose: str, *, given: bool, source: str, at: datetime
) -> None:
    """Record that a member gave a consent, or took it back."""
    work.members.add_consent(Consent(member_id, purpose, given, WORDING[purpose], source, at))
