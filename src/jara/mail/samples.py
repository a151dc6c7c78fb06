"""Sample values of every email, for ``jara mail preview``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from jara.domain.giving.failed_charge import describe_step
from jara.mail.rendering import RenderedEmail, SenderIdentity, render

_SITE = "https://jara.example"
_VOTE = {
    "title": "Beekeeping kits for 24 farming families",
    "ends": "Monday, 30 November 2026, 18:59 EST",
    "goal": "$3,600",
    "result": "passed",
    "link": f"{_SITE}/proposals/beekeeping-kits-for-24-farming-families",
}
_OWN: Mapping[str, Mapping[str, str]] = {
    "account_closed": {},
    "address_changed": {"link": f"{_SITE}/undo-change?code=sample", "hours": "72"},
    "address_confirm": {"link": f"{_SITE}/confirm-address?code=sample", "hours": "24"},
    "amount_changed": {"before": "$10", "after": "$20"},
    "card_expiring": {"amount": "$10", "day": "31 December 2026"},
    "charge_failed": {
        "amount": "$10",
        "consequence": describe_step(date(2026, 11, 20), timedelta(0)),
    },
    "confirm_renewal": {"amount": "$10", "link": "https://invoice.stripe.com/i/sample"},
    "first_charge": {"amount": "$10", "day": "28 November 2026"},
    "fraud_warning": {"charge": "ch_3NqSample"},
    "gift_receipt": {
        "firstname": "",
        "amount": "$25.00",
        "day": "20 November 2026",
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
    "payment_ended": {"amount": "$10", "way": "bank transfer"},
    "payment_missing": {
        "amount": "$10",
        "day": "20 November 2026",
        "way": "bank transfer",
        "reference": "J7K3-QXW2",
    },
    "pledge_ended": {"amount": "$10"},
    "pledge_stopped": {"amount": "$10"},
    "password_changed": {"link": f"{_SITE}/undo-change?code=sample", "hours": "72"},
    "password_reset": {"link": f"{_SITE}/reset-password?code=sample", "minutes": "30"},
    "receipt": {"amount": "$10.00", "day": "20 November 2026", "entry": "ABCD2345EFGH6723"},
    "vote_closed": {
        **_VOTE,
        "contact": "hello@jara.example",
        "counted": "A ballot of yours was counted",
    },
    "vote_opened": _VOTE,
    "vote_reminder": _VOTE,
    "vote_result": _VOTE,
    "welcome": {
        "amount": "$10",
        "nextCharge": "20 December 2026",
        "link": f"{_SITE}/confirm-address?code=sample",
    },
}


def sample_values(kind: str, *, organisation: str, site_url: str) -> dict[str, str]:
    """Return values for an email of a kind; an unknown kind gets only the common ones."""
    return {
        "organisation": organisation,
        "siteUrl": site_url,
        "firstname": "Ama",
        **_OWN.get(kind, {}),
    }


def preview(kind: str, identity: SenderIdentity, organisation: str, site_url: str) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such kind.
    """
    return render(kind, sample_values(kind, organisation=organisation, site_url=site_url), identity)
