"""The entry point for a gunicorn of your own: ``gunicorn jara_webapi.wsgi:app``."""

from __future__ import annotations

import os

from jara.bootstrap import build_from_environ
from jara_webapi.server.gunicorn_app import build_app

app, _ = build_app(build_from_environ(os.environ), buffered=False)
