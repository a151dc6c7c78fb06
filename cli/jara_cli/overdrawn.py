"""The warning of commands that pay money out: an account is below zero."""

from __future__ import annotations

from jara.domain.money import format_cents
from jara.services.books.payment_account import overdrawn_by
from jara.services.context import Context


def overdrawn_notes(context: Context, entry_id: str) -> list[str]:
    """Return a sentence for each account that an entry took below zero."""
    return [
        f"warning: '{account}' has {format_cents(cents)} now. If the money left another account, "
        f"reverse {entry_id} and name that account (--from, or for all payments: "
        "jara organisation set --payment-account)."
        for account, cents in overdrawn_by(context, entry_id).items()
    ]
