"""Members: the rules of the registration form, and of rows of other programs."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.countries import Countries, find_country
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import (
    SITE_WORDS,
    TODO_ITEMS,
    Member,
    Registration,
    RegistrationForm,
    parse_email,
    parse_name,
    parse_new_password,
    parse_password,
    parse_registration,
    todo_list,
    toggle_todo,
)
from jara.domain.giving.newcomer import Newcomer, parse_newcomer, split_name
from jara.domain.language import ENGLISH
from tests.domain.giving.giving_builders import NOON

COUNTRIES = Countries(lambda: {"Ghana": "GH", "Curaçao": "CW"})
COMMON = frozenset({"sunshine", "qwertyuiop"})
FORM = RegistrationForm(
    firstname=" Ama ",
    lastname="Mensah",
    email=" Ama@Example.ORG ",
    password=" long enough ",
    country="Ghana",
    notifications=True,
    privacy_policy=True,
    contribution="25",
    billing_day="28",
)


def test_account_is_open_until_it_is_closed() -> None:
    """A closed account is a row without personal data."""
    member = Member(
        id="mem_1",
        key="key_1",
        firstname="Ama",
        lastname="Mensah",
        email="ama@example.org",
        country="Ghana",
        email_choice=EmailChoice.MONTHLY,
        joined_at=NOON,
    )

    assert member.is_open
    assert not member._replace(closed_at=NOON).is_open


def test_registration_is_normalised() -> None:
    """Blanks around names and the address are removed; those in a password stay."""
    registration = parse_registration(FORM, countries=COUNTRIES, common_passwords=COMMON)

    assert registration == Registration(
        firstname="Ama",
        lastname="Mensah",
        email="ama@example.org",
        password=" long enough ",
        country="Ghana",
        notifications=True,
        dollars=25,
        billing_day=BillingDay.TWENTY_EIGHTH,
    )


def test_form_starts_with_the_defaults_of_the_specification() -> None:
    """Without a choice, the pledge is $10, charged today, without newsletter (spec §9)."""
    form = RegistrationForm(
        firstname="Ama",
        lastname="Mensah",
        email="ama@example.org",
        password="long enough",
        country="Ghana",
        privacy_policy=True,
    )
    registration = parse_registration(form, countries=COUNTRIES, common_passwords=COMMON)

    assert (registration.dollars, registration.billing_day) == (10, BillingDay.CURRENT)
    assert (registration.notifications, registration.language) == (False, ENGLISH)


def test_all_wrong_fields_are_reported_at_once() -> None:
    """The form returns one sentence for each wrong field, under the form's field names."""
    form = RegistrationForm(
        firstname=" ",
        lastname="\x00",
        email="ama",
        password="short",
        country="Atlantis",
        contribution="4",
        billing_day="15",
        language="French",
    )

    with pytest.raises(InvalidInput) as caught:
        parse_registration(form, countries=COUNTRIES, common_passwords=COMMON)

    assert list(caught.value.fields) == [
        "firstname",
        "lastname",
        "email",
        "password",
        "country",
        "contribution",
        "billingDay",
        "language",
        "privacyPolicy",
    ]
    assert caught.value.message == " ".join(caught.value.fields.values())


@pytest.mark.parametrize(
    "name", ["Ama", "Añá", "O’Brien-Smith", "X", "-", "陳", "محمد", "نیم\u200cفاصله", "x" * 80]
)
def test_names_of_the_world_are_names(name: str) -> None:
    """A name may use any script and any visible character."""
    assert unicodedata.normalize("NFC", name) == parse_name(name)


@pytest.mark.parametrize("name", ["", " ", "\u00a0", "\u200b", "\u200b \u2060"])
def test_name_that_shows_nothing_is_empty(name: str) -> None:
    """A name needs a visible character."""
    with pytest.raises(InvalidInput, match="first name is empty"):
        parse_name(name, "first name")


@pytest.mark.parametrize("name", ["A\nB", "A\0B", "A\ud800", "A\u2028B", "\u202eamA"])
def test_name_has_no_control_characters(name: str) -> None:
    """Characters that break a line or change the text direction are refused."""
    with pytest.raises(InvalidInput, match="control character"):
        parse_name(name)


def test_name_has_a_longest_length() -> None:
    """A name has at most 80 characters."""
    with pytest.raises(InvalidInput, match="81 characters; at most 80"):
        parse_name("x" * 81)


def test_composed_and_decomposed_names_are_equal() -> None:
    """Names are stored in one Unicode form."""
    assert parse_name("Ana\u0303") == parse_name("An\u00e3")


@pytest.mark.parametrize(
    "email", ["ama@example.org", "a.b+c@x-y.co.uk", "o'neil@example.com", "x" * 64 + "@a.io"]
)
def test_plain_addresses_are_accepted(email: str) -> None:
    """Common addresses are accepted."""
    assert parse_email(email) == email


@pytest.mark.parametrize(
    "email",
    [
        "ama", "@example.org", "ama@", "ama@example", "a@b@example.org", "a b@example.org",
        ".ama@example.org", "a..b@example.org", "ama@-x.org", "ama@x-.org", "ama@1.2.3.4",
        "ama@exam_ple.org", "x" * 65 + "@a.io", "añá@example.org", "ama@.exämple.org",
        "am\u212a@example.org", "ama@example.org\nBcc: x@y.z", "ama@example..org",
        "ama@" + "x" * 64 + ".org",
    ],
)  # fmt: skip
def test_anything_else_is_no_address(email: str) -> None:
    """An address is ASCII with one @ and a domain, without hidden characters."""
    with pytest.raises(InvalidInput, match="not an email address"):
        parse_email(email)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Ama@Bücher.example", "ama@xn--bcher-kva.example"),
        ("ama@xn--bcher-kva.example", "ama@xn--bcher-kva.example"),
        ("ama@straße.example", "ama@xn--strae-oqa.example"),
        ("ama@例え.テスト", "ama@xn--r8jz45g.xn--zckzah"),
    ],
)
def test_domains_in_any_script_are_stored_in_ascii(typed: str, stored: str) -> None:
    """Both spellings are one address, which every mail server takes (IDNA 2008)."""
    assert parse_email(typed) == stored


def test_address_may_not_be_empty_or_endless() -> None:
    """An address has at most 254 characters, the limit of email (RFC 5321)."""
    with pytest.raises(InvalidInput, match="is empty"):
        parse_email(" ")
    with pytest.raises(InvalidInput, match="255 characters; at most 254"):
        parse_email("a@" + "x" * 250 + ".io")


@pytest.mark.parametrize("password", ["12345678", "        ", "é" * 128, "e\u0301" * 128])
def test_password_is_counted_in_characters(password: str) -> None:
    """A password has 8 to 128 characters of any kind after NFC, and is never trimmed."""
    assert unicodedata.normalize("NFC", password) == parse_password(password, common=COMMON)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129, "e\u0301" * 7])
def test_password_of_a_wrong_length_is_refused(password: str) -> None:
    """Fewer than 8 characters, or more than 128, are refused."""
    with pytest.raises(InvalidInput, match="Use 8 to 128"):
        parse_password(password, common=COMMON)


@pytest.mark.parametrize("password", ["sunshine", "SunShine", "QWERTYUIOP"])
def test_common_password_is_refused_in_any_case(password: str) -> None:
    """Common passwords are refused because they are guessed first."""
    with pytest.raises(InvalidInput, match="most common") as caught:
        parse_password(password, common=COMMON)

    assert password not in caught.value.message


@pytest.mark.parametrize(
    "password",
    ["jara-votes-2026", "Changemaker1", "12 Jara jara 34", *(f"{w}12345" for w in SITE_WORDS)],
)
def test_words_of_the_site_are_no_password(password: str) -> None:
    """The site's own words are refused, alone or combined, with or without digits and signs."""
    with pytest.raises(InvalidInput, match="words of this site"):
        parse_password(password, common=())


@pytest.mark.parametrize("password", ["12345-67890", "my jara votes", "giverofgifts", "\u4e00" * 8])
def test_other_words_with_them_are_a_password(password: str) -> None:
    """A password may contain the site's words beside others."""
    assert parse_password(password, common=()) == password


@pytest.mark.parametrize("password", ["long\0enough", "long\ud800enough"])
def test_password_can_be_stored(password: str) -> None:
    """A password that cannot be written as UTF-8 is refused before hashing."""
    with pytest.raises(InvalidInput, match="cannot be stored"):
        parse_password(password, common=COMMON)


def test_new_password_is_typed_twice() -> None:
    """Both inputs must be equal, whatever form their accents have."""
    password = parse_new_password("caf\u00e9 noir", "cafe\u0301 noir", common_passwords=COMMON)

    assert password == "caf\u00e9 noir"


def test_new_password_tells_both_faults() -> None:
    """A short password that differs from its repetition gets two sentences."""
    with pytest.raises(InvalidInput) as caught:
        parse_new_password("short", "other", common_passwords=COMMON)

    assert list(caught.value.fields) == ["newPassword", "confirmNewPassword"]


def test_checklist_starts_with_its_first_item_open() -> None:
    """The first of the three items starts incomplete, the others complete (spec §4)."""
    items = todo_list(frozenset())

    assert [item.title for item in items] == [
        "Invite a friend",
        "Spread the word",
        "Join the conversation",
    ]
    assert [item.completed for item in items] == [False, True, True]


def test_unknown_item_is_not_found() -> None:
    """Toggling an unknown item is an error."""
    with pytest.raises(NotFound, match="'sleep'"):
        toggle_todo(frozenset(), "sleep", completed=True)


@given(steps=st.lists(st.tuples(st.sampled_from([i.id for i in TODO_ITEMS]), st.booleans())))
def test_item_is_as_it_was_last_set(steps: list[tuple[str, bool]]) -> None:
    """Each item shows its last setting, or its initial value."""
    toggled: frozenset[str] = frozenset()
    expected = {item.id: item.completed for item in TODO_ITEMS}
    for item_id, completed in steps:
        toggled = toggle_todo(toggled, item_id, completed=completed)
        expected[item_id] = completed

    assert {item.id: item.completed for item in todo_list(toggled)} == expected


@pytest.mark.parametrize(
    "name",
    [
        "https://evil.example",
        "Win at evil.example now",
        "www.evil",
        "EVIL.COM",
        "evil\u3002com",
        "evil\uff0ecom",
        "javascript://x",
        "пример.рф",
    ],
)
def test_a_name_is_no_web_address(name: str) -> None:
    """Names reach other people by email, where they would become links."""
    with pytest.raises(InvalidInput, match="looks like a web address"):
        parse_name(name)


def test_a_name_has_no_account_in_it() -> None:
    """An operator who may change names would tell all members a false account by email."""
    with pytest.raises(InvalidInput, match="an account or phone number"):
        parse_name("Pay to DE75 5121 0800")


@pytest.mark.parametrize(
    "name", ["J.R.", "Ama B. Mensah", "O'Brien-Smith", "St. John", "Dr. K. Doe Jr."]
)
def test_a_name_may_have_initials(name: str) -> None:
    """A dot after an initial, or before a blank, is allowed."""
    assert parse_name(name) == name


COUNTRY_LIST = Countries(lambda: {"Ghana": "GH", "Côte d'Ivoire": "CI"})


def parse(default: str | None = "Ghana", **values: str) -> Newcomer:
    """Parse a row about Ama Mensah with some other values."""
    row = {"email": "ama@example.org", "firstname": "Ama", "lastname": "Mensah", **values}
    return parse_newcomer(
        row, find=lambda text: find_country(text, COUNTRY_LIST), default_country=default
    )


def refusal(default: str | None = "Ghana", **values: str) -> str:
    """Return the message that refuses a row."""
    with pytest.raises(InvalidInput) as refused:
        parse(default, **values)
    return refused.value.message


def test_every_field_is_read() -> None:
    """Addresses are lower-cased and trimmed; countries may have any spelling."""
    expected = Newcomer(
        firstname="Ama",
        lastname="Mensah",
        email="ama@example.org",
        country="Côte d'Ivoire",
        notifications=True,
    )

    assert (
        parse(email=" AMA@Example.org ", country="cote d’ivoire", notifications="Yes") == expected
    )


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        ("Ama Serwaa Mensah", ("Ama Serwaa", "Mensah")),
        ("Mensah, Ama", ("Ama", "Mensah")),
        ("阿玛 门萨", ("阿玛", "门萨")),
        ("أما منساه", ("أما", "منساه")),
        ("Ama Mensah,", ("Ama", "Mensah,")),
        (", Ama Mensah", (", Ama", "Mensah")),
    ],
)
def test_a_whole_name_is_split(whole: str, expected: tuple[str, str]) -> None:
    """The name is split at the last blank, or at a comma between two parts."""
    assert split_name(whole) == expected


def test_one_column_may_hold_the_whole_name() -> None:
    """One column may hold the whole name if the other is empty."""
    for values in (
        {"firstname": "Ama Mensah", "lastname": ""},
        {"firstname": "", "lastname": "Ama Mensah"},
        {"firstname": "", "lastname": "", "name": "Ama Mensah"},
    ):
        found = parse(**values)

        assert (found.firstname, found.lastname) == ("Ama", "Mensah")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"email": "ama at home"}, "'ama at home' is not an email address"),
        ({"email": ""}, "email address is empty"),
        ({"firstname": "", "lastname": "", "name": "Ama"}, "The name 'Ama' is one word"),
        ({"firstname": "", "lastname": ""}, "There is no first name. There is no last name."),
        ({"lastname": "www.casino.example"}, "'www.casino.example': The last name looks like"),
        ({"country": "Atlantis"}, "'Atlantis' is not in the list of countries"),
        ({"notifications": "maybe"}, "'maybe' is neither yes nor no"),
    ],
)
def test_a_refusal_has_the_value_and_the_rule(values: dict[str, str], message: str) -> None:
    """The refusal gives the value and the rule, so that the row can be corrected."""
    assert message in refusal(**values)


def test_a_missing_country_has_an_option() -> None:
    """A missing country is refused, and the message names the option that sets it."""
    assert "--country" in refusal(None, country=" ")


def test_a_refusal_has_every_wrong_value() -> None:
    """One refusal lists every wrong value of a row."""
    found = refusal(email="x", country="Atlantis")

    assert "'x'" in found
    assert "'Atlantis'" in found


def test_an_empty_cell_means_no() -> None:
    """An empty cell means no."""
    assert [parse(notifications=word).notifications for word in ("", "No", "0")] == [False] * 3
