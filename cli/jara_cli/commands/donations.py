"""``jara donations``: donations made to others."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column, Kind

app = make_content_app(
    "donations",
    [
        Column("code", "Country"),
        Column("title", "Title"),
        Column("amountCents", "Amount", Kind.CENTS),
    ],
)
