"""``jara roadmap``: what is planned."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column

app = make_content_app(
    "roadmap",
    [
        Column("title", "Title"),
        Column("status", "Status"),
    ],
)
