"""The name of an exported file decides its format."""

from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("books.beancount", "beancount"),
        ("books.BEAN", "beancount"),
        ("books.csv", "csv"),
        ("books.json", "json"),
        ("books.journal", "journal"),
        ("books.txt", "journal"),
        ("books", "journal"),
    ],
)
def test_the_suffix_decides(jara: GivingShell, name: str, form: str) -> None:
    """A file holds what its name promises; without a known suffix it is hledger's journal."""
    jara.done("ledger", "export", "--out", name)

    assert Path(name).read_bytes().decode() == jara.done("ledger", "export", "--format", form)


def test_a_name_that_contradicts_the_format_is_refused(jara: GivingShell) -> None:
    """Nothing is written, and the message names both."""
    status, _, err = jara.run("ledger", "export", "--format", "csv", "--out", "books.beancount")

    assert (status, Path("books.beancount").exists()) == (2, False)
    assert "'books.beancount' is named like beancount, but the format is csv" in err
