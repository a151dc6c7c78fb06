"""For monitoring: liveness, readiness and metrics."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable

import falcon
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from jara.bootstrap import Application
from jara.domain.errors import Conflict, JaraError, NotFound
from jara.services.organisation import require_own_secrets
from jara_webapi.calls.framework import Request, Response
from jara_webapi.middleware.client_address import is_among, is_loopback, networks_of

_log = logging.getLogger("jara.web.ready")


class Health:
    """Liveness of the process."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Report that the process answers."""
        del req
        resp.data, resp.content_type = b'{"ok": true}', falcon.MEDIA_JSON
        resp.set_header("Cache-Control", "no-store")


class Ready:
    """Readiness of the database, its schema and its secrets."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    def on_get(self, req: Request, resp: Response) -> None:
        """Report whether requests can be served."""
        del req
        message = self._trouble()
        resp.status = 503 if message else 200
        resp.data = json.dumps({"ok": not message, "message": message}).encode()
        resp.content_type = falcon.MEDIA_JSON
        resp.set_header("Cache-Control", "no-store")

    def _trouble(self) -> str:
        context = self._app.context
        try:
            # Opening refuses a database of another version.
            with context.store.read() as work:
                require_own_secrets(context, work)
        except JaraError as error:
            # The response is public, and the message names files.
            _log.warning("not ready: %s", error.message)
            return f"{_reason_of(error)} The log and `jara doctor` say more."
        return ""


def _reason_of(error: JaraError) -> str:
    if isinstance(error, NotFound):
        return "There is no organisation."
    if isinstance(error, Conflict):
        return "The database does not fit this program, or its settings."
    return "The database or its keys cannot be used."


class Metrics:
    """Metrics for Prometheus."""

    def __init__(self, registry: CollectorRegistry, networks: Iterable[str]) -> None:
        """Show a registry to this machine and to the configured networks."""
        self._registry = registry
        self._networks = networks_of(networks)

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the metrics; 404 for everyone else."""
        if not is_loopback(req) and not is_among(str(req.context["address"]), self._networks):
            raise falcon.HTTPNotFound
        resp.data, resp.content_type = generate_latest(self._registry), CONTENT_TYPE_LATEST
        resp.set_header("Cache-Control", "no-store")
