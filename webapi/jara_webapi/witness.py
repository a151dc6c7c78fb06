"""``python -m jara_webapi.witness``: takes checkpoints of other organisations' logs."""

import argparse
import sys
from pathlib import Path
from typing import Any

import falcon
from gunicorn.app.base import BaseApplication

from jara.bootstrap.witness import open_cosigner
from jara.domain.errors import JaraError, Unavailable
from jara.witness.cosigner import REQUEST_BYTES_MAX, TEXT_TYPE, Cosigner
from jara_webapi.calls.requests import App, Request, Response
from jara_webapi.server.gunicorn_app import ServerOptions, settings_of


class AddCheckpoint:
    """The call `add-checkpoint` of C2SP 'tlog-witness'."""

    def __init__(self, cosigner: Cosigner) -> None:
        self._cosigner = cosigner

    def on_post(self, req: Request, resp: Response) -> None:
        """Cosign a checkpoint, or say why not."""
        if (req.content_length or 0) > REQUEST_BYTES_MAX:
            raise falcon.HTTPContentTooLarge
        body = req.bounded_stream.read(REQUEST_BYTES_MAX + 1)
        if len(body) > REQUEST_BYTES_MAX:
            raise falcon.HTTPContentTooLarge
        try:
            answer = self._cosigner.add_checkpoint(body).answer
        except Unavailable as error:
            raise falcon.HTTPServiceUnavailable from error
        resp.status, resp.text, resp.content_type = answer.status, answer.body, answer.media_type


class PublicKey:
    """The key of the witness, for people to compare."""

    def __init__(self, cosigner: Cosigner) -> None:
        self._key = cosigner.key

    def on_get(self, _req: Request, resp: Response) -> None:
        """Return the published form of the key."""
        resp.text, resp.content_type = f"{self._key.text()}\n", TEXT_TYPE


def create_witness_app(cosigner: Cosigner) -> App:
    """Return the app of a witness."""
    app: App = falcon.App(request_type=Request)
    app.add_route("/add-checkpoint", AddCheckpoint(cosigner))
    app.add_route("/key", PublicKey(cosigner))
    return app


class WitnessServer(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """gunicorn with a witness; one process, since it signs a few times a day."""

    def __init__(self, cosigner: Cosigner, options: ServerOptions) -> None:
        self._cosigner = cosigner
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Apply our settings."""
        settings: dict[str, Any] = {**settings_of(self._options), "proc_name": "jara-witness"}
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> App:
        """Build the app."""
        return create_witness_app(self._cosigner)


def main() -> None:
    """Read the listen address, and serve."""
    parser = argparse.ArgumentParser(prog="python -m jara_webapi.witness", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7380)
    options = parser.parse_args()
    try:
        cosigner = open_cosigner(options.folder)
    except JaraError as error:
        sys.exit(f"error: {error.message}")
    sys.argv[1:] = []  # gunicorn reads it too
    WitnessServer(cosigner, ServerOptions(options.host, options.port, workers=1, threads=4)).run()


if __name__ == "__main__":
    main()
