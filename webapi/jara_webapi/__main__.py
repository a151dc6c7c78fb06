"""``python -m jara_webapi``: runs the server; ``jara serve`` executes it."""

import argparse
import os
import sys
from pathlib import Path
from tempfile import mkdtemp

from jara.bootstrap import build_from_environ
from jara.bootstrap.serving import require_servable, throttled_hasher
from jara.domain.errors import JaraError

_METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def main() -> None:
    """Read the listen address, and serve."""
    parser = argparse.ArgumentParser(prog="python -m jara_webapi", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--behind-proxy", action="store_true")
    parser.add_argument("--config", type=Path)
    options = parser.parse_args()
    application = build_from_environ(
        os.environ, toml_path=options.config, hasher=throttled_hasher(options.workers)
    )
    try:
        require_servable(application, host=options.host, behind_proxy=options.behind_proxy)
    except JaraError as error:
        sys.exit(f"error: {error.message}")
    # prometheus_client reads this variable when it is imported; the server removes the folder.
    os.environ[_METRICS_VARIABLE] = mkdtemp(prefix="jara-metrics-")
    from jara_webapi.server.gunicorn_app import ServerOptions, serve  # noqa: PLC0415 - imports prometheus_client

    sys.argv[1:] = []  # gunicorn reads it too
    address = (options.host, options.port, options.workers, options.threads)
    serve(application, ServerOptions(*address, behind_proxy=options.behind_proxy))


if __name__ == "__main__":
    main()
