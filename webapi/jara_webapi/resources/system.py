"""What watches over the server ask: is it alive, is it ready, how much does it do."""

from __future__ import annotations

import json

import falcon
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from jara.bootstrap import Application
from jara.domain.errors import JaraError
from jara.services.founding import require_own_secrets
from jara_webapi.client_address import is_loopback
from jara_webapi.framework import Request, Response


class Health:
    """The process."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Say that the process answers."""
        del req
        resp.data, resp.content_type = b'{"ok": true}', falcon.MEDIA_JSON
        resp.set_header("Cache-Control", "no-store")


class Ready:
    """The database, its schema, and the secrets that belong to it."""

    def __init__(self, application: Application) -> None:
        """Work for an application."""
        self._app = application

    def on_get(self, req: Request, resp: Response) -> None:
        """Say whether requests can be served."""
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
            return error.message
        return ""


class Metrics:
    """Counts for Prometheus."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Show a registry."""
        self._registry = registry

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the counts, to this machine alone."""
        if not is_loopback(req):
            raise falcon.HTTPNotFound
        resp.data, resp.content_type = generate_latest(self._registry), CONTENT_TYPE_LATEST
        resp.set_header("Cache-Control", "no-store")
