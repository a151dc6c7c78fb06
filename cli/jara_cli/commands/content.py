"""``jara content``: figures and texts of the website that are statements."""

from __future__ import annotations

from jara_cli.content_commands import make_content_app
from jara_cli.output import Column

app = make_content_app(
    "claims",
    [
        Column("figure", "Figure"),
        Column("label", "Text"),
    ],
    command="content",
)
