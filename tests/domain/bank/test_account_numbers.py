"""Account numbers and IBANs: one account has one number, however a bank writes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.statement import account_number, is_same_account, is_same_number, payer_number
from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import epc_code
from jara.domain.iban import is_iban, is_sepa, make_iban, parse_iban, print_iban
from tests.domain.bank.bank_lines import NUMBER

GERMAN = "DE75512108001245126199"


def test_an_account_is_known_without_its_bank() -> None:
    """Country and bank code may be missing; a short number does not match a longer one."""
    assert is_same_account(NUMBER, account_number("0532 013000"))
    assert is_same_account("12", "12")
    assert not is_same_account(NUMBER, "3000")
    assert not is_same_account(NUMBER, "DE89370400440532013001")


@given(
    bank=st.integers(10_000_000, 89_999_999).map(str),
    own=st.integers(10_000, 9_999_999_999).map(str),
    zeros=st.integers(0, 5),
)
def test_a_german_number_is_the_iban_made_of_it(bank: str, own: str, zeros: int) -> None:
    """Bank code and number become the IBAN, with or without the zeros that it adds."""
    iban = make_iban("DE", bank + own.zfill(10))

    assert is_iban(iban)
    assert account_number(f"{bank}/{own}") == iban
    assert account_number(f" {bank} / {own.zfill(min(10, len(own) + zeros))} ") == iban
    assert is_same_number(account_number(bank + own), iban)
    assert is_same_account(iban, account_number(bank + own))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("51210800/1245126199", GERMAN),
        ("IBAN DE75 5121 0800 1245 1261 99", GERMAN),
        ("27 1140 2004 0000 3002 0135 5387", "PL27114020040000300201355387"),
        ("19204560/0800", "192045600800"),
        ("IBAN", "IBAN"),
    ],
)
def test_a_national_number_is_its_iban(text: str, number: str) -> None:
    """Only where the number can mean nothing else: Czech numbers look like German ones."""
    assert account_number(text) == number


@pytest.mark.parametrize(
    ("iban", "national"),
    [
        ("AT483200000012345864", "32000/12345864"),
        ("CH5604835012345678009", "04835/12345678009"),
        ("DK5000400440116243", "0040 440116243"),
        ("NL02ABNA0123456789", "123456789"),
        ("GB33BUKB20201555555555", "20-20-15 55555555"),
    ],
)
def test_our_account_is_known_by_its_national_number(iban: str, national: str) -> None:
    """Numbers of other countries are compared with the IBAN of an account that is known."""
    assert is_same_account(iban, account_number(national))


def test_check_digits_do_not_distinguish_accounts() -> None:
    """A number with wrong ones, as in a sample file, is still that account."""
    wrong = f"DE02{GERMAN[4:]}"

    assert is_same_number(wrong, GERMAN)
    assert is_same_number(wrong, account_number("51210800/1245126199"))
    assert payer_number(wrong) == payer_number("51210800/1245126199") == GERMAN
    assert not is_same_number(wrong, f"DE02{GERMAN[4:-1]}8")
    assert not is_same_number(wrong, f"AT02{GERMAN[4:]}")


def test_another_account_of_one_bank_is_another() -> None:
    """Zeros are left out only where the IBAN fills the number with them."""
    assert not is_same_number(make_iban("DE", "512108000000012451"), "5121080012452")
    assert not is_same_number(make_iban("DE", "512108000000012451"), "512108012451")
    assert not is_same_number(GERMAN, "51210800")
    assert not is_same_number("GB33BUKB20201555555555", "BUKB20201555555555")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("DE75 5121 0800 1245 1261 99", GERMAN),
        ("51210800/1245126199", GERMAN),
        ("", ""),
        (" - ", ""),
        ("NOTPROVIDED", ""),
        ("0000000000", ""),
        ("****1234", ""),
        ("XXXXXX1234", ""),
        ("A1" * 40, ""),
    ],
)
def test_a_placeholder_is_not_an_account_number(text: str, number: str) -> None:
    """Two payers with the same placeholder or masked number are not one payer."""
    assert payer_number(text) == number


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
