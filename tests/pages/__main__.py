"""Regenerates pages of docs/, and the website's types and rules: ``python -m tests.pages``."""

from tests.pages.architecture import ROOT, fill_page
from tests.pages.commands import make_page
from tests.pages.data import make_data_page
from tests.pages.rules import BOOKS, DESK_WORDS, RULES, make_books, make_desk_words, make_rules
from tests.pages.schema import SCHEMA, make_schema

FILLED = [ROOT / "docs" / f"{name}.md" for name in ("architecture", "mail", "security")]

(ROOT / "docs" / "commands.md").write_text(make_page(), "utf-8")
(ROOT / "docs" / "data.md").write_text(make_data_page(), "utf-8")
for page in FILLED:
    page.write_text(fill_page(page.read_text("utf-8")), "utf-8")
RULES.write_text(make_rules(), "utf-8")
BOOKS.write_text(make_books(), "utf-8")
DESK_WORDS.write_text(make_desk_words(), "utf-8")
SCHEMA.write_text(make_schema(), "utf-8")
