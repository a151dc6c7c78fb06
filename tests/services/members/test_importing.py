"""Importing and inviting members."""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

import pytest

from jara.domain.errors import Conflict, EmailTaken, InvalidInput, NotFound, Refused
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.newcomer import PersonRow, RowResult
from jara.domain.giving.pledge import start_pledge
from jara.domain.time_zone import UTC_ZONE
from jara.records.people import PendingRegistration
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members import importing
from jara.services.members.accounts import (
    INVITATION_LIFE,
    InvitationForm,
    erase_member,
    invite_member,
)
from jara.services.members.importing import (
    ImportOutcome,
    PeopleFile,
    check_people,
    find_member_import,
    import_people,
    invite_imported,
    list_member_imports,
    undo_member_import,
)
from jara.services.members.password_resets import reset_password
from jara.services.notices.outbox import list_outbox
from jara.services.operations.operators import add_operator, invite_operator
from jara.store.repositories.books.payments import PaymentRepository
from tests.fakes.kills import survive
from tests.harness import clock_of
from tests.sent_emails import code_in, mailed_code, values_of
from tests.services.members.codes_world import ask_for_reset

PASSWORD = "kente-harbour-sunrise"
AMA = InvitationForm(firstname="Ama", lastname="Mensah", email="ama@example.org", country="ghana")
NAMES = ("ama", "ben", "efua", "kofi", "yaa")


def row(line: int, name: str, **values: str) -> PersonRow:
    """Return the row of a person at example.org."""
    known = {"email": f"{name}@example.org", "name": f"{name} Mensah", "country": "Ghana"}
    return PersonRow(line, {**known, **values})


def file(rows: Iterable[PersonRow]) -> PeopleFile:
    """Return a file of these rows."""
    listed = list(rows)
    digest = sha256(repr(listed).encode()).hexdigest()
    return PeopleFile("people.csv", "CSV", digest, lambda: listed)


FIVE = file(row(line, name) for line, name in enumerate(NAMES, 2))


def results(found: ImportOutcome) -> list[tuple[int, RowResult]]:
    """Return the line and outcome of each row."""
    return [(one.line, one.result) for one in found.rows]


def emails(context: Context) -> list[str]:
    """Return the addresses of all members in order."""
    with context.store.read() as work:
        return sorted(member.email for member in work.members.all())


def invited(context: Context) -> list[str]:
    """Return the addresses of all invitations in order."""
    return sorted(mail.address for mail in list_outbox(context) if mail.kind == "invitation")


def accept(context: Context, name: str, kind: str = "invitation") -> None:
    """Set the password with the newest invitation, or a reset."""
    code = mailed_code(context, kind, f"{name}@example.org")
    reset_password(context, code=code, password=PASSWORD, confirmation=PASSWORD)


def test_each_row_has_a_fate(context: Context) -> None:
    """A row is created, known, skipped or refused with a reason, in the order of the file."""
    invite_member(
        context,
        InvitationForm(firstname="B", lastname="M", email="ben@example.org", country="Ghana"),
    )
    pending = PendingRegistration("r1", "efua@example.org", "m1", "k1", context.now(), {})
    with context.store.write() as work:
        work.registrations.put(pending)
    rows = [
        row(2, "ama"),
        row(3, "ben"),
        row(4, "efua"),
        row(5, "ama"),
        PersonRow(6, fault="The row is too short: 1 cells under 3 columns."),
        replace(row(7, "kofi"), skipped="has unsubscribed"),
        row(8, "yaa", country="Atlantis"),
    ]

    found = import_people(context, file(rows), partial=True)

    assert results(found) == [
        (2, RowResult.CREATED),
        (3, RowResult.KNOWN),
        (4, RowResult.SKIPPED),
        (5, RowResult.SKIPPED),
        (6, RowResult.REFUSED),
        (7, RowResult.SKIPPED),
        (8, RowResult.REFUSED),
    ]
    reasons = [one.reason for one in found.rows]
    assert "signing up" in reasons[2]
    assert "line 2" in reasons[3]
    assert reasons[5] == "has unsubscribed"
    assert "'Atlantis'" in reasons[6]
    assert emails(context) == ["ama@example.org", "ben@example.org"]


def test_a_refused_row_stops_the_whole_import(context: Context) -> None:
    """Nothing is created unless the operator asks for the rest of the file."""
    rows = [row(2, "ama"), row(3, "ben", email="ben at home"), row(4, "efua")]

    found = import_people(context, file(rows))

    assert [one.result for one in found.rows] == [
        RowResult.SKIPPED,
        RowResult.REFUSED,
        RowResult.SKIPPED,
    ]
    assert emails(context) == []
    assert list_member_imports(context) == []


def test_a_check_writes_nothing(context: Context) -> None:
    """A dry run reports what an import would do, with the given default country."""
    rows = [row(2, "ama", country=""), row(3, "ben", country="")]

    assert {one.result for one in check_people(context, file(rows)).rows} == {RowResult.REFUSED}
    found = check_people(context, file(rows)._replace(country="Ghana"))

    assert found.count(RowResult.CREATED) == 2
    assert emails(context) == []


def test_members_have_no_password(context: Context) -> None:
    """Nobody can sign in without a password; consent to news comes from the row."""
    import_people(context, file([row(2, "ama", notifications="yes"), row(3, "ben")]))

    with context.store.read() as work:
        ama, ben = sorted(work.members.all(), key=lambda one: one.email)
        assert [work.members.password_hash(one.id) for one in (ama, ben)] == [None, None]
        assert [one.source for one in work.members.consents(ama.id)] == ["import"]
        assert work.members.consents(ben.id) == []
    assert (ama.notifications, ben.notifications, ama.email_confirmed) == (True, False, False)


def test_an_import_in_batches_tells_its_progress(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress counts both the checked and the created rows."""
    monkeypatch.setattr(importing, "BATCH", 2)
    steps: list[int] = []

    import_people(context, FIVE, progress=steps.append)

    assert steps == [2, 2, 1, 2, 2, 1]
    assert len(emails(context)) == 5
    (line,) = list_member_imports(context)
    assert (line.members, line.invited, line.of.file, line.of.form) == (5, 0, "people.csv", "CSV")


@pytest.mark.parametrize("step", range(1, 60, 3))
def test_a_killed_import_is_finished_by_the_same_file(
    context: Context, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """After a kill at any statement, repeating the file gives one account and one email each."""
    monkeypatch.setattr(importing, "BATCH", 2)
    survive(lambda: import_people(context, FIVE, invite=True), step)

    again = import_people(context, FIVE, invite=True)

    everybody = [f"{name}@example.org" for name in NAMES]
    assert {RowResult.CREATED, RowResult.KNOWN} >= {one.result for one in again.rows}
    assert everybody == emails(context)
    assert everybody == invited(context)
    assert [one.members for one in list_member_imports(context)] == [5]


def test_a_member_who_joined_after_the_check_is_unchanged(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction that creates the members checks their addresses again."""
    pending = PendingRegistration("r1", "ben@example.org", "m1", "k1", context.now(), {})
    check = importing.check_people

    def join_between(*args: object, **options: object) -> ImportOutcome:
        found = check(*args, **options)  # type: ignore[arg-type] # given by the test, by name
        invite_member(context, AMA)
        with context.store.write() as work:
            work.registrations.put(pending)
        return found

    monkeypatch.setattr(importing, "check_people", join_between)
    found = import_people(context, FIVE)

    assert [one.result for one in found.rows] == [
        RowResult.KNOWN,
        RowResult.SKIPPED,
        *[RowResult.CREATED] * 3,
    ]


def test_invitations_come_later_and_once(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Members with a password or an earlier invitation get none, by import or for all."""
    monkeypatch.setattr(importing, "BATCH", 2)
    rows = [row(line, name) for line, name in enumerate(("ama", "ben", "efua", "yaa"), start=2)]
    first = import_people(context, file(rows))
    import_people(context, file([row(2, "kofi")]))
    ask_for_reset(context, "yaa@example.org")
    accept(context, "yaa", "password_reset")
    invite_member(context, AMA)

    assert invite_imported(context, first.import_id) == 2
    steps: list[int] = []
    assert invite_imported(context, progress=steps.append) == 1
    assert invite_imported(context) == 0

    assert steps == [1]
    assert invited(context) == [f"{name}@example.org" for name in ("ama", "ben", "efua", "kofi")]


def test_operators_are_asked(context: Context) -> None:
    """Only listed operators may import, invite or undo; a refused act leaves nothing."""
    found = import_people(context, FIVE)
    add_operator(context, "tester")
    stranger = replace(context, operator="stranger")

    for act in (
        lambda: import_people(stranger, file([row(2, "new")])),
        lambda: invite_imported(stranger),
        lambda: undo_member_import(stranger, found.import_id or "", why="x"),
    ):
        with pytest.raises(Refused):
            act()

    assert len(emails(context)) == 5
    assert len(list_member_imports(context)) == 1


def test_an_undo_erases_unused_accounts(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Members who set a password, pledged or paid stay and are named; the file can be repeated."""
    monkeypatch.setattr(importing, "UNDO_BATCH", 2)
    found = import_people(context, FIVE, invite=True)
    accept(context, "ama")
    with context.store.read() as work:
        members = {one.email.partition("@")[0]: one for one in work.members.all()}
    promise(context, members["ben"].id)
    pay(context, monkeypatch, members["efua"].key)

    done = undo_member_import(context, (found.import_id or "")[:8], why="wrong list")

    assert done.removed == 2
    assert set(done.kept) == {
        ("ama@example.org", "has set a password"),
        ("ben@example.org", "has a pledge"),
        ("efua@example.org", "has paid"),
    }
    assert emails(context) == ["ama@example.org", "ben@example.org", "efua@example.org"]
    assert invited(context) == ["ama@example.org", "ben@example.org", "efua@example.org"]
    with pytest.raises(Conflict, match="undone already"):
        undo_member_import(context, done.id, why="twice")
    again = import_people(context, FIVE)
    assert (again.count(RowResult.CREATED), again.count(RowResult.KNOWN)) == (2, 3)
    assert again.import_id != found.import_id


def promise(context: Context, member_id: str) -> None:
    """Give a member a pledge."""
    with context.store.write() as work:
        member = work.members.get(member_id)
        assert member is not None
        pledge = start_pledge(
            pledge_id=context.new_id(),
            member_id=member_id,
            dollars=10,
            billing_day=BillingDay.FIRST,
            now=context.now(),
            zone=UTC_ZONE,
        )
        work.pledges.put(pledge, member_key=member.key, at=context.now())


def pay(context: Context, patch: pytest.MonkeyPatch, key: str) -> None:
    """Post a payment of a member."""
    found = PaymentRepository.of_member
    patch.setattr(
        PaymentRepository,
        "of_member",
        lambda self, one: ["paid"] if one == key else found(self, one),
    )


def test_an_undo_needs_an_import_and_a_reason(context: Context) -> None:
    """The audit log records the undo with its reason."""
    found = import_people(context, FIVE)
    with pytest.raises(NotFound, match="members imports"):
        find_member_import(context, "mimp_none")
    with pytest.raises(InvalidInput, match="--why"):
        undo_member_import(context, found.import_id or "", why=" ")

    undo_member_import(context, found.import_id or "", why="wrong list")

    with context.store.read() as work:
        rows = work.operations.audit(action="members.undo")
    assert {one.why for one in rows} == {"wrong list"}
    assert sum(one.after["removed"] for one in rows) == 5


def test_an_erased_member_leaves_the_import(context: Context) -> None:
    """No row refers to an erased member."""
    import_people(context, FIVE)
    with context.store.read() as work:
        ama = work.members.find("ama@example.org")

    erase_member(context, ama.id, why="asked")

    assert [one.members for one in list_member_imports(context)] == [4]


def codes(context: Context) -> list[str]:
    """Return the codes of all invitations, oldest first."""
    mails = [mail for mail in reversed(list_outbox(context)) if mail.kind == "invitation"]
    return [code_in(values_of(context, mail)["link"]) for mail in mails]


def accept_code(context: Context, code: str) -> None:
    """Set the password with a code."""
    reset_password(context, code=code, password=PASSWORD, confirmation=PASSWORD)


def test_an_invited_member_sets_the_password(context: Context) -> None:
    """The link confirms the address, and emails before that contain no name."""
    member = invite_member(context, AMA)
    assert (member.email_confirmed, member.country) == (False, "Ghana")
    assert {mail.doc["firstname"] for mail in list_outbox(context)} == {""}

    accept_code(context, codes(context)[0])

    with context.store.read() as work:
        known, stored = work.members.get(member.id), work.members.password_hash(member.id)
    assert known is not None
    assert known.email_confirmed
    assert context.hasher.verify(stored or "", PASSWORD)
    with pytest.raises(EmailTaken, match="has an account already"):
        invite_member(context, AMA)


def test_a_second_invitation_replaces_the_first(context: Context) -> None:
    """There is one account, the old link stops working, and a link expires after a week."""
    first = invite_member(context, AMA)
    clock_of(context).advance(minutes=1)
    assert first.id == invite_member(context, AMA).id

    old, new = codes(context)
    with pytest.raises(UnusableCode):
        accept_code(context, old)
    clock_of(context).advance(days=INVITATION_LIFE.days)
    clock_of(context).advance(minutes=1)
    with pytest.raises(UnusableCode):
        accept_code(context, new)


def test_wrong_fields_are_named_together(context: Context) -> None:
    """All wrong fields are reported together, as when joining."""
    form = InvitationForm(firstname="", lastname="M", email="x", country="nowhere at all")

    with pytest.raises(InvalidInput) as refused:
        invite_member(context, form)

    assert set(refused.value.fields) == {"firstname", "email", "country"}


def test_a_sign_up_under_way_is_left_alone(context: Context) -> None:
    """A person who is already joining gets no invitation."""
    pending = PendingRegistration("r1", AMA.email, "m1", "k1", context.now(), {})
    with context.store.write() as work:
        work.registrations.put(pending)

    with pytest.raises(EmailTaken, match="is signing up"):
        invite_member(context, AMA)


def test_an_operator_is_invited_without_any_secret(context: Context) -> None:
    """The email says how to make a key; nothing else changes."""
    invite_operator(context, "ben", email="ben@example.org")

    (mail,) = list_outbox(context)
    assert (mail.kind, mail.address, mail.doc["name"]) == (
        "operator_invitation",
        "ben@example.org",
        "ben",
    )
    with pytest.raises(InvalidInput):
        invite_operator(context, "ben", email="nobody")
    add_operator(context, "tester")
    with pytest.raises(Conflict, match="is an operator already"):
        invite_operator(context, "tester", email="t@example.org")
