"""The generated pages of docs/ are up to date; ``python -m tests.pages`` writes them."""

import re

from jara.store.sql.tables import TABLES
from tests.pages.architecture import ROOT, fill_page
from tests.pages.commands import make_page
from tests.pages.data import described, make_data_page, views
from tests.pages.rules import BOOKS, DESK_WORDS, RULES, make_books, make_desk_words, make_rules
from tests.pages.schema import SCHEMA, make_schema


def test_the_command_reference_is_up_to_date() -> None:
    """docs/commands.md has every command with its help."""
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")

    assert make_page() == page


def test_the_architecture_page_is_up_to_date() -> None:
    """Diagrams follow the import contracts, and sentences the docstrings."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")

    assert "+---" in page
    assert fill_page(page) == page


def test_the_mail_page_is_up_to_date() -> None:
    """docs/mail.md lists every kind of email."""
    page = (ROOT / "docs" / "mail.md").read_text("utf-8")

    assert "| `receipt` |" in page
    assert fill_page(page) == page


def test_the_security_page_is_up_to_date() -> None:
    """docs/security.md has the table of what acts touch."""
    page = (ROOT / "docs" / "security.md").read_text("utf-8")

    assert "| money that leaves the organisation |" in page
    assert fill_page(page) == page


def test_the_architecture_page_names_every_feature_of_the_website() -> None:
    """The table has a row for each folder of webui/src/features."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = page.partition("| feature |")[2].partition("\n\n")[0]
    features = sorted(folder.name for folder in (ROOT / "webui/src/features").iterdir())

    assert features == re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)


def test_the_data_page_is_up_to_date() -> None:
    """docs/data.md has every table and view of the schema."""
    page = (ROOT / "docs" / "data.md").read_text("utf-8")

    assert make_data_page() == page


def test_the_types_of_the_website_are_up_to_date() -> None:
    """webui/src/api/schema.ts has every schema and call of the OpenAPI document."""
    assert make_schema() == SCHEMA.read_text("utf-8")


def test_the_rules_of_the_website_are_up_to_date() -> None:
    """webui/src/rules.json has the domain's numbers, books.json the words of the books."""
    assert make_rules() == RULES.read_text("utf-8")
    assert make_books() == BOOKS.read_text("utf-8")
    assert make_desk_words() == DESK_WORDS.read_text("utf-8")


def test_the_metadata_describes_existing_views() -> None:
    """The metadata has exactly the tables, views and views' columns; only views are public."""
    about, shown = described(), views()

    assert set(about) == {*TABLES, *shown}
    assert shown == {name: tuple(about[name]["columns"]) for name in shown}
    assert set(shown) == {name for name, facts in about.items() if facts.get("allow") is not False}


def test_the_readme_is_short() -> None:
    """Longer texts belong in docs/."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()

    assert len(lines) <= 120
