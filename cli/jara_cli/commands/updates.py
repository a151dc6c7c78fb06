"""``jara updates``: news of the projects, from the field."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column, Kind

app = make_content_app(
    "updates",
    [
        Column("date", "Date", Kind.DATE),
        Column("project", "Project"),
        Column("title", "Title"),
        Column("author", "Author"),
    ],
)
