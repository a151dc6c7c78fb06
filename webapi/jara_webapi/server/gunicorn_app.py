"""Runs the app under gunicorn: processes, limits, and what happens at a fork."""

import gc
import logging
import os
import shutil
from typing import Any, NamedTuple

from gunicorn.app.base import BaseApplication
from prometheus_client import CollectorRegistry, multiprocess

from jara.bootstrap import Application
from jara.bootstrap.serving import missing_on_server
from jara_webapi.app import create_app
from jara_webapi.calls.requests import App
from jara_webapi.middleware.request_metrics import RequestMetrics, log_to
from jara_webapi.pages.website import Website
from jara_webapi.server.background_tasks import PeriodicTask, start_tasks
from jara_webapi.server.deadline_worker import DeadlineWorker

THREADS = 8
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


class ServerOptions(NamedTuple):
    """The listen address, and the number of processes and threads."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    threads: int = THREADS
    behind_proxy: bool = False


class Server(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """gunicorn with our app and our settings."""

    def __init__(self, application: Application, options: ServerOptions) -> None:
        self._application = application
        self._options = options
        self._tasks: list[PeriodicTask] = []
        super().__init__()

    def load_config(self) -> None:
        """Apply our settings."""
        for name, value in {**settings_of(self._options), **self._hooks()}.items():
            self.cfg.set(name, value)

    def load(self) -> App:
        """Build the app, before the fork."""
        app, self._metrics = build_app(self._application, buffered=True)
        self._log_missing()
        return app

    def _log_missing(self) -> None:
        """Log what is missing, if others reach the site; before the fork, so once."""
        options = self._options
        for one in missing_on_server(
            self._application, host=options.host, behind_proxy=options.behind_proxy
        ):
            fields = {"check": one.name, "level": one.level}
            logging.getLogger("jara.web").warning("%s", one.message, extra={"fields": fields})
        self._application.context.store.close()

    def _hooks(self) -> dict[str, Any]:
        return {
            "pre_fork": _freeze_shared,
            "post_worker_init": self._start_tasks,
            "worker_exit": self._stop_tasks,
            "child_exit": _forget_process,
            "on_exit": _remove_counts,
        }

    def _start_tasks(self, _worker: object) -> None:
        self._tasks = start_tasks(self._application, self._metrics)

    def _stop_tasks(self, _server: object, _worker: object) -> None:
        for task in self._tasks:
            task.stop()


def settings_of(options: ServerOptions) -> dict[str, Any]:
    """Return gunicorn's settings."""
    host = f"[{options.host}]" if ":" in options.host else options.host
    return {
        "bind": f"{host}:{options.port}",
        "workers": options.workers,
        "threads": options.threads,
        "worker_class": DeadlineWorker,
        "worker_connections": 1000,
        "preload_app": True,
        "control_socket_disable": True,
        "graceful_timeout": 10,
        "timeout": 60,
        "keepalive": 10,
        "limit_request_line": 4094,
        "limit_request_fields": 100,
        "limit_request_field_size": 8190,
        "accesslog": None,  # the app writes its own line
        "loglevel": "warning",
        "proc_name": "jara",
        "forwarded_allow_ips": "",  # the app reads the headers of trusted proxies
    }


def build_app(application: Application, *, buffered: bool) -> tuple[App, RequestMetrics]:
    """Build the app with its website, logging to stderr; a task flushes buffered metrics."""
    log_to()
    counted, shown = registries()
    metrics = RequestMetrics(counted, buffered=buffered)
    app = create_app(application, website=Website.find(), metrics=metrics, shown=shown)
    application.context.store.close()  # no connection may pass through the fork
    return app, metrics


def registries() -> tuple[CollectorRegistry | None, CollectorRegistry]:
    """Return the registry to count in, and the one to show: of all processes if possible."""
    shown = CollectorRegistry()
    if not os.environ.get(METRICS_VARIABLE):
        return shown, shown
    multiprocess.MultiProcessCollector(shown)  # type: ignore[no-untyped-call] # prometheus-client has no types here
    return None, shown


def serve(application: Application, options: ServerOptions) -> None:
    """Serve until a signal ends it."""
    Server(application, options).run()


def _freeze_shared(_server: object, _worker: object) -> None:
    """Exclude what is loaded before the fork from garbage collection.

    The collector writes into every object it visits, which would copy the shared memory
    into each process.
    """
    gc.collect()
    gc.freeze()


def _forget_process(_server: object, worker: Any) -> None:  # noqa: ANN401 - gunicorn's own
    if os.environ.get(METRICS_VARIABLE):
        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call] # prometheus-client has no types here


def _remove_counts(_server: object) -> None:
    folder = os.environ.get(METRICS_VARIABLE)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
