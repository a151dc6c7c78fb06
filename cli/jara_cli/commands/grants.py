"""``jara grants``: grants made to others."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column, Kind

app = make_content_app(
    "grants",
    [
        Column("name", "Name"),
        Column("project", "Project"),
        Column("regionCode", "Region"),
        Column("amountCents", "Amount", Kind.CENTS),
    ],
)
