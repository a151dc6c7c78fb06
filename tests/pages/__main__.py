"""Regenerates the generated pages of docs/: ``python -m tests.pages``."""

from __future__ import annotations

from tests.pages.architecture import ROOT, fill_page
from tests.pages.commands import make_page
from tests.pages.data import make_data_page

ARCHITECTURE = ROOT / "docs" / "architecture.md"

(ROOT / "docs" / "commands.md").write_text(make_page(), "utf-8")
(ROOT / "docs" / "data.md").write_text(make_data_page(), "utf-8")
ARCHITECTURE.write_text(fill_page(ARCHITECTURE.read_text("utf-8")), "utf-8")
