"""Accounts at banks are checked, and the code for banking apps has the form of EPC069-12."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.iban import epc_code, is_sepa, parse_iban, print_iban

ACCOUNT = "DE89370400440532013000"


def test_an_iban_is_read_in_groups_and_any_case() -> None:
    """Blanks are for people; it is printed in groups of four."""
    assert ACCOUNT == parse_iban(" de89 3704 0044 0532 0130 00")
    assert "DE89 3704 0044 0532 0130 00" == print_iban(ACCOUNT)
    assert "" == print_iban("")


@given(st.integers(4, len(ACCOUNT) - 1), st.integers(1, 9))
def test_a_wrong_digit_is_found(place: int, shift: int) -> None:
    """The check digits differ for any other digit."""
    digit = str((int(ACCOUNT[place]) + shift) % 10)
    with pytest.raises(InvalidInput, match="is not an IBAN; a digit may be wrong"):
        parse_iban(ACCOUNT[:place] + digit + ACCOUNT[place + 1 :])


@pytest.mark.parametrize("text", ["", "12345678", "DE89", "KE-1182", "DE89 3704 0044 0532 0130 0Ö"])
def test_what_is_no_iban_is_refused(text: str) -> None:
    """Country, check digits and eleven more signs at least."""
    with pytest.raises(InvalidInput):
        parse_iban(text)


def test_euros_reach_accounts_in_sepa_only() -> None:
    """By the country of the IBAN."""
    assert is_sepa(ACCOUNT)
    assert not is_sepa("BR1500000000000010932840814P2")
    assert not is_sepa("")


def test_the_code_has_the_lines_of_the_guideline() -> None:
    """Service tag, version, UTF-8, SCT, no BIC, name, IBAN, no amount, the words last."""
    lines = epc_code(ACCOUNT, "Jara e.V." + "x" * 99, "J7K3-QXW2").split("\n")

    assert ["BCD", "002", "1", "SCT", ""] == lines[:5]
    assert 70 == len(lines[5])
    assert [ACCOUNT, "", "", "", "J7K3-QXW2"] == lines[6:]
