"""``jara regions``: where the money works."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column

app = make_content_app(
    "regions",
    [
        Column("name", "Name"),
        Column("status", "Status"),
    ],
)
