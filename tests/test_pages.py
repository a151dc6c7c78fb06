"""The generated pages of docs/ are up to date; ``python -m tests.pages`` writes them anew."""

from __future__ import annotations

from tests.pages.architecture import ROOT, fill_page
from tests.pages.commands import make_page


def test_the_command_reference_is_up_to_date() -> None:
    """docs/commands.md shows every command with the help that it prints."""
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")

    assert make_page() == page


def test_the_architecture_page_is_up_to_date() -> None:
    """Its diagrams are those of the import contracts, its sentences those of the docstrings."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")

    assert "+---" in page
    assert fill_page(page) == page


def test_the_readme_is_short() -> None:
    """What is longer belongs in docs/."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()

    assert len(lines) <= 120
