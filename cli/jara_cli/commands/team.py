"""``jara team``: trustees and the operational team."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column

app = make_content_app(
    "team",
    [
        Column("name", "Name"),
        Column("role", "Role"),
        Column("group", "Group"),
    ],
)
