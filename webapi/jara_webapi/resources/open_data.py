"""The open data: a data package and its tables, for anyone to copy."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.domain.errors import NotFound
from jara.reports.open_data import DESCRIPTOR, package_files
from jara.services.reports.open_data import open_data
from jara_webapi.calls.operations import Call, Reply, operation
from jara_webapi.schemas.base import Document


class OpenDataPackage:
    """The description of the package."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Document, cached=True)
    def on_get(self, call: Call) -> Reply:
        """Return the data package's descriptor (Frictionless Data Package)."""
        del call
        return Reply(package_files(open_data(self._app.context))[DESCRIPTOR]())


class OpenDataTable:
    """One table of the package."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(media_type="text/csv", refuses=(404,), cached=True)
    def on_get(self, call: Call, file: str) -> Reply:
        """Return a table as CSV."""
        del call
        files = package_files(open_data(self._app.context))
        if file not in files:
            raise NotFound(f"There is no file '{file}'; the package has {', '.join(files)}.")
        return Reply(files[file]())
