"""What the website needs first: settings, countries, the API description."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

from jara.bootstrap import Application
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import NAME_MAX, PASSWORD_MAX, PASSWORD_MIN
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    PLEDGE_DOLLARS_MAX,
    PLEDGE_DOLLARS_MIN,
    QUICK_DOLLARS,
)
from jara.files.shipped import data_folder
from jara.services.books.policies import show_policies
from jara.services.giving.gifts import GIFT_CENTS_MAX, GIFT_CENTS_MIN
from jara.services.organisation import identity_of
from jara.services.payments.ways import list_ways
from jara_webapi.calls import openapi
from jara_webapi.calls.operations import Call, Reply, operation
from jara_webapi.resources.ledger import policy_document
from jara_webapi.schemas.base import Document, Shape
from jara_webapi.schemas.site import Country, Settings

_SOCIAL = ("facebook", "instagram", "linkedin", "x", "youtube")


class Config:
    """The public settings of the organisation."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Annotated[Document, Shape(Settings)], cached=True)
    def on_get(self, call: Call) -> Document:
        """Return the public settings: payments, links, limits, the fund policy."""
        del call
        settings, context = self._app.settings, self._app.context
        identity = identity_of(context)
        links = {name: getattr(settings, f"{name}_url") for name in _SOCIAL}
        return {
            "organisation": identity.name,
            "legalName": identity.legal_name or None,
            "siteUrl": settings.site_url,
            "payments": {
                "provider": context.gateway.name,
                "publishableKey": settings.stripe_publishable_key,
            },
            "cardFee": {
                "basisPoints": settings.card_fee.basis_points,
                "fixedCents": settings.card_fee.fixed_cents,
            },
            "ways": [setting.way for setting in list_ways(context)],
            "currency": "usd",
            "donateUrl": settings.donate_url,
            "contactEmail": identity.contact or None,
            "chatUrl": settings.chat_url,
            "social": {name: url for name, url in links.items() if url},
            "fundPolicy": policy_document(show_policies(context).in_force),
            "today": context.today().isoformat(),
            "limits": {
                "pledgeDollarsMin": PLEDGE_DOLLARS_MIN,
                "pledgeDollarsMax": PLEDGE_DOLLARS_MAX,
                "pledgeDollarsDefault": PLEDGE_DOLLARS_DEFAULT,
                "quickDollars": list(QUICK_DOLLARS),
                "billingDays": [day.value for day in BillingDay],
                "giftCentsMin": GIFT_CENTS_MIN,
                "giftCentsMax": GIFT_CENTS_MAX,
                "passwordMin": PASSWORD_MIN,
                "passwordMax": PASSWORD_MAX,
                "nameMax": NAME_MAX,
            },
        }


class Countries:
    """All countries (spec §3)."""

    @operation(answer=list[Annotated[Document, Shape(Country)]])
    def on_get(self, call: Call) -> Reply:
        """List all countries."""
        del call
        return Reply(self._data)

    @cached_property
    def _data(self) -> bytes:
        rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


class OpenApi:
    """The OpenAPI document."""

    def __init__(self, routes: Sequence[tuple[str, object]]) -> None:
        """Describe these routes on the first request: it takes a tenth of a second."""
        self._routes = routes

    @operation(answer=Document)
    def on_get(self, call: Call) -> Reply:
        """Return this OpenAPI document."""
        del call
        return Reply(self._data)

    @cached_property
    def _data(self) -> bytes:
        return json.dumps(openapi.describe(self._routes), ensure_ascii=False).encode()
