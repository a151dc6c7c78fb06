"""The entry point for a gunicorn of your own: ``gunicorn jara_webapi.wsgi:app``."""

import os

from jara.bootstrap import build_from_environ
from jara.bootstrap.serving import require_safe_settings, throttled_hasher
from jara_webapi.server.gunicorn_app import build_app

_application = build_from_environ(os.environ, hasher=throttled_hasher(1))
require_safe_settings(_application.settings)
app, _ = build_app(_application, buffered=False)
