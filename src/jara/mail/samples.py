"""Sample values of every email, for ``jara mail preview``."""

from __future__ import annotations

from collections.abc import Mapping

from jara.domain.language import ENGLISH, Language
from jara.mail.rendering import RenderedEmail, SenderIdentity, render

_SITE = "https://jara.example"
_VOTE: Mapping[str, object] = {
    "title": "Beekeeping kits for 24 farming families",
    "ends": "2026-11-30T23:59:00+00:00",
    "zone": "America/Toronto",
    "goalCents": 360_000,
    "result": "passed",
    "yes": 61,
    "no": 12,
    "roll": 109,
    "link": f"{_SITE}/proposals/beekeeping-kits-for-24-farming-families",
}
_OWN: Mapping[str, Mapping[str, object]] = {
    "account_closed": {},
    "address_changed": {"link": f"{_SITE}/undo-change?code=sample", "hours": "72"},
    "address_confirm": {"link": f"{_SITE}/confirm-address?code=sample", "hours": "24"},
    "amount_changed": {"beforeCents": 1000, "afterCents": 2000},
    "card_expiring": {"amountCents": 1000, "day": "2026-12-31"},
    "charge_failed": {
        "amountCents": 1000,
        "attempts": ["2026-11-27", "2026-12-04", "2026-12-11"],
        "restsOn": "2026-12-04",
    },
    "confirm_renewal": {"amountCents": 1000, "link": "https://invoice.stripe.com/i/sample"},
    "first_charge": {"amountCents": 1000, "day": "2026-11-28"},
    "fraud_warning": {"charge": "ch_3NqSample"},
    "gift_receipt": {
        "firstname": "",
        "amountCents": 2500,
        "day": "2026-11-20",
        "entry": "ABCD2345EFGH6723",
    },
    "invitation": {
        "link": f"{_SITE}/reset-password?code=sample",
        "privacy": f"{_SITE}/privacy",
        "days": "7",
    },
    "newsletter_confirmation": {"link": f"{_SITE}/newsletter/confirm?code=sample"},
    "operator_invitation": {"inviter": "ada", "name": "ben"},
    "passkey_added": {"link": f"{_SITE}/undo-change?code=sample", "hours": "72"},
    "payment_ended": {"amountCents": 1000, "way": "bank transfer"},
    "payment_missing": {
        "amountCents": 1000,
        "day": "2026-11-20",
        "way": "bank transfer",
        "reference": "J7K3-QXW2",
    },
    "pledge_ended": {"amountCents": 1000},
    "pledge_stopped": {"amountCents": 1000},
    "password_changed": {"link": f"{_SITE}/undo-change?code=sample", "hours": "72"},
    "password_reset": {"link": f"{_SITE}/reset-password?code=sample", "minutes": "30"},
    "receipt": {"amountCents": 1000, "day": "2026-11-20", "entry": "ABCD2345EFGH6723"},
    "vote_closed": {
        **_VOTE,
        "contact": "hello@jara.example",
        "counted": "yes",
    },
    "vote_opened": _VOTE,
    "vote_reminder": _VOTE,
    "vote_result": _VOTE,
    "welcome": {
        "amountCents": 1000,
        "nextCharge": "2026-12-20",
        "link": f"{_SITE}/confirm-address?code=sample",
    },
}


def sample_values(kind: str, *, organisation: str, site_url: str) -> dict[str, object]:
    """Return values for an email of a kind; an unknown kind gets only the common ones."""
    return {
        "organisation": organisation,
        "siteUrl": site_url,
        "firstname": "Ama",
        **_OWN.get(kind, {}),
    }


def preview(
    kind: str,
    identity: SenderIdentity,
    organisation: str,
    site_url: str,
    language: Language = ENGLISH,
) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such kind.
    """
    values = sample_values(kind, organisation=organisation, site_url=site_url)
    return render(kind, {**values, "language": language}, identity)
