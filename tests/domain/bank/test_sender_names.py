"""What a line says about its sender: an account, or words that are somebody's name."""

import pytest

from jara.domain.bank.senders import (
    NameIndex,
    SenderName,
    Share,
    digest_of_sender,
    fits_promises,
    name_of_sender,
)
from tests.domain.bank.bank_lines import a_line

NAMES = {
    "ama": "Ama Mensah",
    "agyei": "Ama Mensah-Agyei",
    "zoe": "Zoë Núñez",
    "li": "Li",
    "none": " ",
    "bank": "Interac Transfer",
}


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("INTERAC e-Transfer From: AMA MENSAH", {"ama"}),
        ("MENSAH AMA CA1b2", {"ama"}),
        ("AMA MENSAH-AGYEI", {"agyei"}),
        ("ZOE NUNEZ", {"zoe"}),
        ("AMA OWUSU", set()),
        ("ALICE", set()),
        ("LI", {"li"}),
        ("", set()),
    ],
)
def test_a_whole_name_in_a_text_is_found(text: str, members: set[str]) -> None:
    """In any order, without accents; a longer name that is a member's too counts alone."""
    assert NameIndex(NAMES.items()).members_in(a_line(1000, text)) == members


@pytest.mark.parametrize(
    ("text", "party", "account", "name"),
    [
        ("e-Transfer CA1b2", "A. Mensah", "", ("text", "e transfer a mensah")),
        (
            "INTERAC 0099",
            "A MENSAH",
            "GB33BUKB20201555555555",
            ("account", "GB33BUKB20201555555555"),
        ),
        ("INTERAC 0099", "A MENSAH", "****1234", ("text", "interac a mensah")),
        ("Autodeposit 77", "", "", None),
        ("DÉPÔT GUICHET", "", "NOTPROVIDED", None),
    ],
)
def test_the_account_or_else_the_words_name_a_sender(
    text: str, party: str, account: str, name: tuple[str, str] | None
) -> None:
    """Words with digits change from line to line; those of banks name nobody."""
    line = a_line(1000, text, party=party, party_account=account)

    assert name_of_sender(line) == (None if name is None else SenderName(*name))


@pytest.mark.parametrize(
    ("cents", "shares", "fits"),
    [
        (1000, [("a", None)], True),
        (12_000, [("a", None)], True),
        (13_000, [("a", None)], False),
        (1050, [("a", None)], False),
        (1000, [("c", None)], False),
        (2500, [("a", 1000), ("b", 1500)], True),
        (5000, [("a", 1000), ("b", 1500)], False),
        (2500, [("a", 1500), ("b", 1000)], False),
    ],
)
def test_a_line_pays_whole_months(
    cents: int, shares: list[tuple[str, int | None]], *, fits: bool
) -> None:
    """Of each member, at most twelve; a split is paid as it was remembered."""
    dollars = {"a": 10, "b": 15}

    assert fits_promises(cents, [Share(*one) for one in shares], dollars) is fits


def test_the_signed_digest_depends_on_members_and_amounts_alone() -> None:
    """Not on their order."""
    shares = [Share("a", 1000), Share("b", 1500)]
    digest = digest_of_sender("key", shares)

    assert digest == digest_of_sender("key", shares[::-1])
    assert digest not in {
        digest_of_sender("key", [Share("a", 1500), Share("b", 1000)]),
        digest_of_sender("other", shares),
        digest_of_sender("key", shares[:1]),
    }
