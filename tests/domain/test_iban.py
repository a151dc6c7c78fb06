"""Bank accounts are checked, and the code for banking apps follows EPC069-12."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import epc_code
from jara.domain.iban import is_sepa, parse_iban, print_iban

ACCOUNT = "DE89370400440532013000"


def test_an_iban_is_read_in_groups_and_any_case() -> None:
    """Blanks and case do not matter in input; output has groups of four."""
    assert parse_iban(" de89 3704 0044 0532 0130 00") == ACCOUNT
    assert print_iban(ACCOUNT) == "DE89 3704 0044 0532 0130 00"
    assert print_iban("") == ""


@given(st.integers(4, len(ACCOUNT) - 1), st.integers(1, 9))
def test_a_wrong_digit_is_found(place: int, shift: int) -> None:
    """The check digits detect any single wrong digit."""
    digit = str((int(ACCOUNT[place]) + shift) % 10)
    with pytest.raises(InvalidInput, match="is not an IBAN; a digit may be wrong"):
        parse_iban(ACCOUNT[:place] + digit + ACCOUNT[place + 1 :])


@pytest.mark.parametrize("text", ["", "12345678", "DE89", "KE-1182", "DE89 3704 0044 0532 0130 0Ö"])
def test_invalid_ibans_are_refused(text: str) -> None:
    """An IBAN has a country, check digits and at least eleven more characters."""
    with pytest.raises(InvalidInput):
        parse_iban(text)


def test_euros_reach_accounts_in_sepa_only() -> None:
    """The country of the IBAN decides whether it takes euros."""
    assert is_sepa(ACCOUNT)
    assert not is_sepa("BR1500000000000010932840814P2")
    assert not is_sepa("")


def test_the_code_has_the_lines_of_the_guideline() -> None:
    """Service tag, version, UTF-8, SCT, no BIC, name, IBAN, no amount, then the text."""
    lines = epc_code(ACCOUNT, "Jara e.V." + "x" * 99, "J7K3-QXW2").split("\n")

    assert lines[:5] == ["BCD", "002", "1", "SCT", ""]
    assert len(lines[5]) == 70
    assert lines[6:] == [ACCOUNT, "", "", "", "J7K3-QXW2"]
