"""Exports of other programs: who opted out, bounced, died or is no person is skipped."""

import io

import pytest

from jara.domain.errors import InvalidInput
from jara.files.people.forms import parse_leave_out
from jara.files.people.reader import PeopleReader
from jara.files.people.signals import says_yes, signal_of
from tests.files.people.test_people_files import reader, rows

PERSON = {"first": "Efua", "last": "Sarpong", "email": "efua@example.org", "country": "Ghana"}

# The header of each export, where it has the person, and what in which column leaves a row out.
EXPORTS: dict[str, tuple[str, str, dict[str, tuple[str, str]]]] = {
    "CiviCRM": (
        (
            "Internal Contact ID,Contact Type,Do Not Email,Do Not Phone,Do Not Mail,Do Not Sms,"
            "Do Not Trade,No Bulk Emails (User Opt Out),Sort Name,Display Name,First Name,"
            "Middle Name,Last Name,Contact is Deceased,Deceased Date,Household Name,"
            "Organization Name,Contact is in Trash,Country,Email,On Hold"
        ),
        (
            "7,Individual,,1,1,1,,,{last} {first},{first} {last},{first},,{last},,,,,,{country},"
            "{email},No"
        ),
        {
            "Contact Type": ("Organization", "'organization' is not a person"),
            "Do Not Email": ("1", "has opted out"),
            "No Bulk Emails (User Opt Out)": ("Yes", "has opted out"),
            "Contact is Deceased": ("1", "has died"),
            "Deceased Date": ("2025-02-03", "has died"),
            "Contact is in Trash": ("1", "is deleted"),
            "On Hold": ("On Hold Bounce", "the address bounced"),
        },
    ),
    "Salesforce NPSP": (
        (
            "Salutation,First Name,Last Name,Email,Mailing Country,Deceased,Email Opt Out,"
            "Do Not Contact,Email Bounced Date"
        ),
        "Ms.,{first},{last},{email},{country},0,false,0,",
        {
            "Deceased": ("1", "has died"),
            "Email Opt Out": ("true", "has opted out"),
            "Do Not Contact": ("1", "has opted out"),
            "Email Bounced Date": ("5/3/2026", "the address bounced"),
        },
    ),
    "Action Network": (
        (
            "first_name,last_name,email,country,zip_code,can2_phone,can2_subscription_status,"
            "can2_sms_status,can2_user_tags"
        ),
        "{first},{last},{email},{country},,,subscribed,unsubscribed,",
        {
            "can2_subscription_status": ("unsubscribed", "has unsubscribed"),
            "can2_subscription_status ": ("previous bounce", "the address bounced"),
            "can2_subscription_status  ": ("spam complaint", "'spam complaint'"),
        },
    ),
    "Ghost": (
        (
            "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,"
            "created_at,deleted_at,labels,tiers,country"
        ),
        "1,{email},{first} {last},,true,false,,2025-01-01T10:00:00.000Z,,,,{country}",
        {
            "subscribed_to_emails": ("false", "has unsubscribed"),
            "deleted_at": ("2026-01-01T10:00:00.000Z", "is deleted"),
        },
    ),
    "Memberful": (
        "Full name,Email,Unrestricted access,Stripe customer ID,Country,Deactivated",
        "{first} {last},{email},No,cus_1,{country},No",
        {"Deactivated": ("Yes", "is deleted")},
    ),
    "GiveWP": (
        (
            "Name,Email,Address,Address 2,City,State,Zip,Country,User ID,Donor Created Date,"
            "Number of donations,Total Donated,Unsubscribed"
        ),
        "{first} {last},{email},,,,,,{country},3,May 4 2025,2,50.00,",
        {"Unsubscribed": ("yes", "has opted out")},
    ),
    "Donorbox": (
        (
            "Name,Donating Company,Donor's First Name,Donor's Last Name,Donor Email,Amount,Country,"
            "Donor Id,Join Mailing List"
        ),
        "{first} {last},,{first},{last},{email},10,{country},9,No",
        {"Donating Company": ("Harbour Ltd", "a gift of the organisation 'Harbour Ltd'")},
    ),
}


def export(name: str, **cells: str) -> str:
    """Return an export with one person, with some cells changed."""
    header, row, _ = EXPORTS[name]
    columns, values = header.split(","), row.format(**PERSON).split(",")
    for column, value in cells.items():
        values[columns.index(column)] = value
    return f"{header}\n{','.join(values)}\n"


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_known_by_its_header(name: str) -> None:
    """A person is read with name, address and country; nothing warns."""
    data = export(name)
    (found,) = rows(data)
    named = {key: found.values[key] for key in ("email", "country")}

    assert (reader(data).form.name, reader(data).unused_signals) == (name, {})
    assert (found.skipped, found.fault) == ("", "")
    assert named == {"email": "efua@example.org", "country": "Ghana"}
    assert "Efua" in found.values["name"] + found.values["firstname"]


@pytest.mark.parametrize(
    ("name", "column", "value", "reason"),
    [
        (name, column.strip(), value, reason)
        for name, (_, _, cases) in EXPORTS.items()
        for column, (value, reason) in cases.items()
    ],
)
def test_people_who_are_no_members_are_skipped(
    name: str, column: str, value: str, reason: str
) -> None:
    """The reason is reported."""
    (found,) = rows(export(name, **{column: value}))

    assert (found.skipped, found.fault) == (reason, "")


def test_the_end_of_a_salesforce_report_is_no_person() -> None:
    """Its lines have a single cell; in another format such a line is a fault."""
    end = '\n"Grand Totals (1 records)"\n"Confidential Information - Do Not Distribute"\n'

    found = rows(export("Salesforce NPSP") + end)

    assert [one.skipped for one in found] == ["", "the end of the report", "the end of the report"]
    assert rows(export("Ghost") + end)[1].fault.startswith("The row is too short")


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("Opted out", "has opted out"),
        ("opt_out", "has opted out"),
        ("Do not e-mail", "has opted out"),
        ("Unsubscribed at", "has opted out"),
        ("Désabonné", "has opted out"),
        ("Désinscription", "has opted out"),
        ("Abgemeldet", "has opted out"),
        ("Newsletter abbestellt am", "has opted out"),
        ("Dado de baja", "has opted out"),
        ("Deceased", "has died"),
        ("Décédé", "has died"),
        ("Verstorben", "has died"),
        ("Fallecido", "has died"),
        ("Bounced", "the address bounced"),
        ("Rebotado", "the address bounced"),
        ("E-Mail unzustellbar", "the address bounced"),
        ("Deleted at", "is deleted"),
        ("Gelöscht", "is deleted"),
        ("Supprimé", "is deleted"),
        ("Eliminado", "is deleted"),
        ("Emails disabled", "has opted out"),
        ("Archived", "is deleted"),
        ("Left on", "is no longer a member"),
        ("Austritt", "is no longer a member"),
        ("Email opt-in", "?"),
        ("Receives newsletter", "?"),
        ("Email status", "?"),
        ("Contact type", "?"),
        ("Unsubscribe link", ""),
        ("Notes", ""),
        ("Deadline", ""),
        ("Newsletter", ""),
        ("Organisation", ""),
    ],
)
def test_an_unused_column_that_looks_like_one_is_named(column: str, reason: str) -> None:
    """In an unknown format such a column is named; nobody is skipped without being asked."""
    data = f"Email,Name,{column}\nefua@example.org,Efua Sarpong,yes\n"
    plain = "".join(sign for sign in column.lower() if sign.isalnum())

    assert signal_of(plain.translate(str.maketrans("éèöü", "eeou"))) == reason
    rule = f"{column}=VALUE" if reason == "?" else column
    assert reader(data).unused_signals == ({column: [rule]} if reason else {})
    assert [one.skipped for one in rows(data)] == [""]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("Status", "Deceased"),
        ("Email interest", "Opted Out"),
        ("Type", "Organization"),
        ("Kind", "Household"),
        ("Etat", "Décédé"),
        ("Art", "Firma"),
        ("State", "unsubscribed"),
    ],
)
def test_an_unused_column_with_a_telling_value_is_named(column: str, value: str) -> None:
    """In an unknown format the values of a column may say it, in any row."""
    usual = f"Email,Name,{column}\nefua@example.org,Efua Sarpong,Active\n"

    assert reader(usual).unused_signals == {}
    assert reader(f"{usual}kofi@example.org,Kofi Ofori,{value}\n").unused_signals == {
        column: [f"{column}={value}"]
    }


def test_every_value_that_ends_a_membership_is_named() -> None:
    """Also those that are left after the operator named some."""
    ends = ["left", "lapsed", "cancelled", "Austritt", "Left"]
    rows = [f"{at}@example.org,Efua Sarpong,{one}\n" for at, one in enumerate(["active", *ends])]
    data = f"Email,Name,Status\n{''.join(rows)}".encode()
    options = [f"Status={one}" for one in ends[:4]]

    def read(*rules: str) -> PeopleReader:
        return PeopleReader(io.BytesIO(data), "f", {}, parse_leave_out(rules))

    assert read().unused_signals == {"Status": options}
    assert read("Status=left", "Status=Lapsed").unused_signals == {"Status": options[2:]}
    assert read(*options).unused_signals == {}
    assert [one.skipped == "" for one in read(*options).rows()] == [True, *[False] * 5]


def test_unused_columns_are_named() -> None:
    """The program's own columns are used only where they decide about a row."""
    data = "Email,Name,Status,Fee Paid,Left on\na@example.org,Ama Mensah,left,3,\n"

    assert reader(data).unused == ["Status", "Fee Paid", "Left on"]
    assert PeopleReader(
        io.BytesIO(data.encode()), "f", {}, parse_leave_out(["Status=left", "Left on"])
    ).unused == ["Fee Paid"]
    assert reader(export("Donorbox")).unused == ["Amount", "Donor Id", "Join Mailing List"]
    assert {"Do Not Email", "Contact Type", "On Hold"}.isdisjoint(reader(export("CiviCRM")).unused)


def test_ghosts_rule_takes_any_word_for_no() -> None:
    """Programs write booleans in several ways."""
    (found,) = rows(export("Ghost", subscribed_to_emails="No"))

    assert found.skipped == "has unsubscribed"


def test_an_operator_leaves_rows_out() -> None:
    """By a column that says yes, or by a value; a column that is used so warns no more."""
    data = (
        b"Email,Name,Opted out,Status\na@example.org,A B,No,former\nb@example.org,A B,x,\n"
        b"c@example.org,A B,,Active\n"
    )

    def read(*rules: str) -> tuple[list[str], list[str]]:
        found = PeopleReader(io.BytesIO(data), "f", {}, parse_leave_out(rules))
        return [one.skipped for one in found.rows()], list(found.unused_signals)

    assert read() == (["", "", ""], ["Opted out", "Status"])
    assert read("opted out", "Status=Former") == (
        ["Status is 'former'", "opted out is 'x'", ""],
        [],
    )
    with pytest.raises(InvalidInput, match="no column 'Stauts'; did you mean Status"):
        read("Stauts=x")


def test_words_for_no_are_recognised() -> None:
    """Empty cells and the usual words say no."""
    for text in ("", "0", "No", "FALSE", "nein", "non", "falso", " - ", "Subscribed"):
        assert not says_yes(text)
    for text in ("1", "x", "yes", "2026-01-01", "bounced"):
        assert says_yes(text)
