"""``jara events``: events of the community."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column, Kind

app = make_content_app(
    "events",
    [
        Column("date", "Date", Kind.DATE),
        Column("title", "Title"),
        Column("place", "Place"),
    ],
)
