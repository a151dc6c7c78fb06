"""What the website needs first, and what monitoring reads."""

import json
import logging
from collections.abc import Iterable
from functools import cache
from typing import Annotated

import falcon
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from jara.bootstrap import Application
from jara.domain.errors import Conflict, JaraError, NotFound
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import SOCIAL
from jara.files.shipped import data_folder
from jara.services.books.policies import show_policies
from jara.services.context import Context
from jara.services.organisation import require_ready, show_identity
from jara.services.payments.ways import list_ways
from jara.services.proposals.vote_rules import current_rule
from jara.services.ways_in import donate_link
from jara_webapi.calls import openapi
from jara_webapi.calls.operations import Call, Endpoint, Reply, Resource, get
from jara_webapi.middleware.authentication import is_among, is_loopback, networks_of
from jara_webapi.schemas.base import Document, Shape
from jara_webapi.schemas.site import Country, Payments, Settings

_NO_STORE = {"Cache-Control": "no-store"}
_log = logging.getLogger("jara.web.ready")


@get(answer=Annotated[Document, Shape(Settings)], cached=True)
def config(app: Application) -> Settings:
    """Return the public settings: payments, links, limits, the fund policy."""
    settings, context = app.settings, app.context
    identity, values = show_identity(context)
    return Settings(
        organisation=identity.name,
        legal_name=identity.legal_name or None,
        site_url=settings.site_url,
        payments=Payments(context.gateway.name, settings.stripe_publishable_key),
        card_fee=settings.card_fee,
        ways=tuple(setting.way for setting in list_ways(context)),
        currency=identity.currency.lower(),
        donate_url=donate_link(context),
        contact_email=identity.contact or None,
        chat_url=values.get(IdentityPart.CHAT),
        social={part.value: values[part] for part in SOCIAL if part in values},
        fund_policy=show_policies(context).in_force,
        vote_rule=current_rule(context),
        today=context.today(),
    )


@get(answer=list[Annotated[Document, Shape(Country)]])
def countries() -> Reply:
    """List all countries."""
    return Reply(_countries())


@cache
def _countries() -> bytes:
    rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def openapi_of(routes: Iterable[tuple[str, Resource]]) -> Endpoint:
    """Return the call that describes some routes, on the first request: it takes 0.1 seconds."""

    @cache
    def description() -> bytes:
        return json.dumps(openapi.describe(routes), ensure_ascii=False).encode()

    @get(answer=Document)
    def openapi_document() -> Reply:
        """Return this OpenAPI document."""
        return Reply(description())

    return openapi_document


@get()
def health() -> Reply:
    """Report that the process answers."""
    return Reply(b'{"ok": true}', headers=_NO_STORE)


@get()
def ready(context: Context) -> Reply:
    """Report whether requests can be served: the database, its schema and its secrets."""
    trouble = ""
    try:
        require_ready(context)
    except JaraError as error:
        # The response is public, and the message names files.
        _log.warning("not ready: %s", error.message)
        trouble = f"{_reason_of(error)} The log and `jara doctor` say more."
    data = json.dumps({"ok": not trouble, "message": trouble}).encode()
    return Reply(data, 503 if trouble else 200, _NO_STORE)


def _reason_of(error: JaraError) -> str:
    if isinstance(error, NotFound):
        return "There is no organisation."
    if isinstance(error, Conflict):
        return "The database does not fit this program, or its settings."
    return "The database or its keys cannot be used."


def metrics_of(registry: CollectorRegistry) -> Endpoint:
    """Return the call that shows a registry to this machine and to the configured networks."""

    @get(media_type=CONTENT_TYPE_LATEST)
    def metrics(app: Application, call: Call) -> Reply:
        """Return the metrics; 404 for everyone else."""
        networks = networks_of(app.settings.metrics_networks)
        if not is_loopback(call.req) and not is_among(call.address, networks):
            raise falcon.HTTPNotFound
        return Reply(generate_latest(registry), headers=_NO_STORE)

    return metrics
