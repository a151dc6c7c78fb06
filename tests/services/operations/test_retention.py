"""Personal data: all of it can be exported, and each kind is deleted after its time."""

import json
from collections.abc import Container
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, GRANTS
from jara.domain.books.journal import EntryKind
from jara.domain.voting.tally import Choice
from jara.records.bank import SenderRow
from jara.records.people import MemberContact, PendingRegistration
from jara.services.ballots.casting import cast_ballot
from jara.services.context import Context
from jara.services.giving.pledging import change_amount
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.address_changes import note_change
from jara.services.members.documents import export_member
from jara.services.members.operators import act_for_member
from jara.services.notices.emails import queue_email
from jara.services.notices.newsletter import CONFIRMATION_LIFE, confirm_subscription, subscribe
from jara.services.notices.returned_emails import EMAILS_KEPT
from jara.services.operations.upkeep import (
    RECORDS_KEPT_YEARS,
    delete_expired,
    records_begin,
    wipe_erased,
)
from jara.services.payments.importing import collect_movements
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from jara.services.rate_limits import Limit, acquire
from jara.store.copying import TABLES
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.harness import clock_of, make_organisation
from tests.sent_emails import mailed_code
from tests.services.ballots.voting_world import PROPOSAL
from tests.services.bank.bank_books import take
from tests.services.books.ledger_builders import a_move, post
from tests.services.giving.joiners import EMAIL, give_as_guest, join
from tests.services.members.codes_world import ADDRESS, LIMITS, ask_for_reset
from tests.services.news.news_world import Mailbox

TOLD_AS = {
    "members": "profile",
    "pledges": "pledge",
    "pledge_changes": "pledgeHistory",
    "consents": "consents",
    "registrations": "registrationSince",
    "outbox": "letters",
    "newsletter_readers": "newsletter",
    "entries": "entries",
    "payments": "payments",
    "pending_addresses": "profile",
    "address_changes": "earlierAddresses",
    "bank_senders": "senders",
    "member_contacts": "contact",
    "audit": "actsOfOperators",
}
"""The place in the export of each table's rows about a member."""

NOT_TOLD = {
    "electors": "that the right to vote stands, worked out from pledge and payments",
    "participations": "written when the ballot key is destroyed; the profile's votes tell it",
    "lapsed_members": "that the right to vote has ended, worked out from pledge and payments",
    "credentials": "a hash of the password, which is of use to thieves alone",
    "mailed_codes": "the hash of a code that was mailed; dead within days",
    "passkeys": "their names and days are told where there are any; their keys are public",
    "undo_codes": "what was before a change, for three days; of use to thieves alone",
    "contributors": "made of the address and the provider's customer, which are told",
    "trace_lot": "made of the payments, which are told; /user/impact shows it",
}
COLUMNS = ("member_id", "member_key", "member", "email", "address", "subject")


@pytest.fixture
def rich(place: Path) -> Context:
    """An organisation with a member who has every kind of stored data."""
    context = make_organisation(place)
    member = join(context).member
    subscribe(context, LIMITS, EMAIL, network=ADDRESS)
    ask_for_reset(context, EMAIL)
    act_for_member(
        context,
        "pledges.amount",
        member,
        lambda: change_amount(context, member.id, "25"),
        why="asked by telephone",
    )
    proposal = draft_proposal(context, {**PROPOSAL, "endDate": "2026-11-30"}).proposal
    put_to_vote(context, proposal.id)
    cast_ballot(context, proposal.id, member.id, Choice.UP)
    with context.store.write() as work:
        work.registrations.put(
            PendingRegistration("r1", EMAIL, member.id, member.key, context.now(), {})
        )
        note_change(context, work, member)
        work.members.put_contact(MemberContact(member.id, "Box 7, Accra"))
    take(context, a_statement(a_line(500, "FROM THE FATHER")))
    with context.store.write() as work:
        (line,) = work.bank.waiting(NUMBER)
        row = SenderRow("snd_1", "00", member.id, None, line.id, "tester", context.now())
        work.bank_rules.add_sender(row)
    return context


def tables_about(context: Context, values: Container[str]) -> set[str]:
    """Return the tables with one of these values in a column about people."""
    found = set()
    with context.store.read() as work:
        sql = work.log._sql
        for table, columns in TABLES.items():
            for column in set(columns) & set(COLUMNS):
                rows = sql.all(f"SELECT {column} FROM {table}")  # noqa: S608 - names of our own tables
                if any(row[0] in values for row in rows):
                    found.add(table)
    return found


def test_everything_that_is_held_can_be_taken_along(rich: Context) -> None:
    """Each table with a row about the member is exported, or omitted for a stated reason."""
    member = find_member(rich, EMAIL)
    held = tables_about(rich, {member.id, member.key, EMAIL})
    document = json.loads(json.dumps(export_member(rich, member.id)))

    assert held == set(TOLD_AS) | (set(NOT_TOLD) & held)
    assert {"credentials", "mailed_codes", "contributors"} <= held
    assert all(document[TOLD_AS[table]] for table in set(TOLD_AS) & held)
    assert "voted" in document["profile"]["votes"].values()
    assert document["actsOfOperators"][-1]["why"] == "asked by telephone"
    assert document["pledge"]["dollars"] == 25
    assert document["newsletter"]["confirmedAt"] is None
    assert document["senders"][0]["text"] == "FROM THE FATHER"
    assert "hash" not in json.dumps(document).casefold()


def test_the_export_leaves_out_absent_data(context: Context) -> None:
    """The export says that there is no newsletter or unfinished registration."""
    document = export_member(context, join(context).member.id)

    assert (document["newsletter"], document["registrationSince"], document["actsOfOperators"]) == (
        None,
        None,
        [],
    )
    subscribe(context, LIMITS, EMAIL, network=ADDRESS)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation"))
    document = export_member(context, find_member(context, EMAIL).id)
    assert document["newsletter"]["confirmedAt"] == context.now().isoformat()


def forget(context: Context) -> dict[str, int]:
    """Run the daily deletion of expired data."""
    return delete_expired(context, Mailbox())


def test_emails_are_kept_for_sixty_days(context: Context) -> None:
    """After that no copy of an email remains."""
    with context.store.write() as work:
        queue_email(context, work, "receipt", address=EMAIL, values={}, member_id="m1")
        (email,) = work.outbox.all()
        work.outbox.sent(email.id, at=context.now())
    clock_of(context).at += EMAILS_KEPT

    assert timedelta(days=60) == EMAILS_KEPT
    assert forget(context)["letters"] == 0
    clock_of(context).advance(days=1)
    assert forget(context)["letters"] == 1


def test_a_newsletter_that_nobody_confirmed_is_forgotten(context: Context) -> None:
    """An unconfirmed address is deleted; a confirmed reader's stays."""
    subscribe(context, LIMITS, "reader@example.org", network=ADDRESS)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation"))
    subscribe(context, LIMITS, "stranger@example.org", network=ADDRESS)
    assert forget(context)["readers"] == 0
    clock_of(context).at += CONFIRMATION_LIFE + timedelta(seconds=1)

    assert forget(context)["readers"] == 1
    with context.store.read() as work:
        assert work.access.reader("stranger@example.org") is None
        assert work.access.reader("reader@example.org") is not None


def test_used_up_limits_are_forgotten_with_their_hour(context: Context) -> None:
    """A network address is stored, hashed or not, only for the period of its limit."""
    acquire(context, LIMITS, (Limit.SIGN_IN_ADDRESS, ADDRESS))
    assert forget(context)["expired"] == 0
    clock_of(context).advance(hours=2)

    assert forget(context)["expired"] == 1


def post_noted(context: Context) -> int:
    """Post a grant with an operator's note; return its log index."""
    entry = a_move(500, BANK, GRANTS, kind=EntryKind.GRANT, note="From Mrs Mensah's estate")
    return post(context, entry).index


def test_words_beside_entries_are_kept_six_years_after_their_year(context: Context) -> None:
    """The entry itself stays, and every root of the log stays the same."""
    index = post_noted(context)
    root = context.store.read_once().log.root()
    for day, kept in ((date(2032, 12, 31), True), (date(2033, 1, 1), False)):
        clock_of(context).set(
            clock_of(context).now().replace(year=day.year, month=day.month, day=day.day)
        )
        assert forget(context)["notes"] == (0 if kept else 1)
        with context.store.read() as work:
            assert kept == (index in work.journal.notes_of([index]))
            assert root == work.log.root()
            assert work.journal.get(index).entry.postings[0].cents == 500
    assert RECORDS_KEPT_YEARS == 6


def test_a_giver_without_an_account_is_kept_for_six_full_years(place: Path) -> None:
    """Then the link from an address to its gifts is deleted; a member's stays."""
    context = make_organisation(place, at=datetime(2027, 1, 1, 9, tzinfo=UTC))
    member = join(context).member
    give_as_guest(context)
    collect_movements(context)
    clock_of(context).set(datetime(2033, 12, 31, 23, 59, tzinfo=UTC))
    assert forget(context)["givers"] == 0

    clock_of(context).advance(minutes=1)
    assert forget(context)["givers"] > 0
    assert forget(context)["givers"] == 0
    assert "contributors" in tables_about(context, {member.key})
    assert records_begin(context.today()) == date(2028, 1, 1)


def test_the_file_is_rewritten_once_after_an_erasure(rich: Context) -> None:
    """The file is rewritten once after an erasure, and not otherwise."""
    before = wipe_erased(rich)
    erase_member(rich, find_member(rich, EMAIL).id, why="Asked by letter.")

    assert [before, wipe_erased(rich), wipe_erased(rich)] == [False, True, False]
