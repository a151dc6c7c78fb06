"""The text of a command that an operator signs."""

import unicodedata
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import typer

from jara.domain.publiclog import canonical
from jara_cli.context import describe_command
from jara_cli.root import load_command


class Colour(StrEnum):
    """An enumeration to use as an option."""

    RED = "red"


def described(path: str, **params: Any) -> dict[str, Any]:
    """Return the values of a command as they are signed."""
    context = typer.Context(load_command("doctor"), info_name=path)
    context.params = params
    arguments = dict(describe_command(context).arguments)
    assert canonical.encode(arguments)
    return arguments


def test_every_value_that_was_given_is_signed(tmp_path: Path) -> None:
    """Every given value is signed, a file by its hash; output options are left out."""
    file = tmp_path / "grant.csv"
    file.write_text("rows")

    assert described(
        "jara ledger import",
        source=str(file),
        cents=1000,
        partial=True,
        colour=Colour.RED,
        sets=("a=1", "b=2"),
        big=2**60,
        day=None,
        as_json=True,
        yes=True,
    ) == {
        "source": {"file": str(file), "sha256": sha256(b"rows").hexdigest()},
        "cents": 1000,
        "partial": True,
        "colour": "red",
        "sets": ["a=1", "b=2"],
        "big": str(2**60),
    }


def test_secrets_and_members_are_not_signed_in_clear() -> None:
    """Passwords and addresses are not stored in clear text with a signature."""
    arguments = described("jara db copy", target="postgresql://jara:secret@host/db", password="x")
    member = described("jara members erase", member="ama@example.org", why="asked")

    assert arguments["target"] == "postgresql://jara@host/db"
    assert arguments["password"] != "x"
    assert "ama@" not in str(member)
    assert member != described("jara members erase", member="ama@example.org", why="asked")


@pytest.mark.parametrize(
    "verb", ["members show", "payments receive", "pledges amount", "votes cast"]
)
def test_values_that_may_name_a_member_are_hidden(verb: str) -> None:
    """Commands of every noun that concerns members store no address with a signature."""
    assert "ama@" not in str(described(f"jara {verb}", who="ama@example.org"))


@pytest.mark.parametrize("text", ["e\u0301", "a\0b", "\udcff", "x" * 5000])
def test_any_text_can_be_signed(text: str) -> None:
    """Accents in two forms, invalid UTF-8 and very long names can be signed."""
    assert unicodedata.is_normalized("NFC", described("jara samples load", name=text)["name"])
