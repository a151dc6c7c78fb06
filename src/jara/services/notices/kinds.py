"""Which kinds of emails carry a link to unsubscribe, or to stop a pledge."""

from __future__ import annotations

NEWS = frozenset({"vote_opened", "vote_reminder", "vote_result"})
"""Kinds that need consent and carry an unsubscribe link."""

ABOUT_GIVING = NEWS | {
    "amount_changed",
    "card_expiring",
    "charge_failed",
    "confirm_renewal",
    "first_charge",
    "payment_missing",
    "receipt",
    "vote_closed",
    "welcome",
}
"""Kinds that carry a link to stop the pledge without signing in."""
