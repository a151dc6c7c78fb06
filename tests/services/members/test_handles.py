"""Nobody can test addresses with the database alone."""

from hashlib import sha256

from jara.services.context import Context
from jara.services.members.contributors import email_handle, keep_handles
from tests.services.members.codes_world import a_member
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"
PLAIN = "email:" + sha256(EMAIL.encode()).hexdigest()


def handles(context: Context) -> dict[str, str]:
    """Return the contributors' handles and keys."""
    return {row[0]: row[1] for row in rows_of(context, "contributors")}


def test_a_handle_needs_the_key(context: Context) -> None:
    """A plain hash can be compared with the hashes of a million known addresses."""
    member = a_member(context)

    assert handles(context) == {email_handle(context, EMAIL): member.key}
    assert sha256(EMAIL.encode()).hexdigest() not in str(handles(context))


def test_an_unconfirmed_address_leads_to_no_gifts(context: Context) -> None:
    """Otherwise a person who enters another's address would see that owner's gifts."""
    member = a_member(context)
    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=False))
    assert handles(context) == {}

    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=True))
    assert handles(context) == {email_handle(context, EMAIL): member.key}


def test_a_domain_in_any_script_has_one_handle(context: Context) -> None:
    """A file that writes it otherwise does not make another giver."""
    written = {
        email_handle(context, f" Ida@{name}.example") for name in ("Bücher", "xn--bcher-kva")
    }

    assert written == {email_handle(context, "ida@bücher.example")}
