"""Imports members from a file of another program, in one transaction for each batch of rows.

Nothing is written until every row is read and checked. A member and the record of the import are
created in one transaction, so importing the same file again, even after a kill, does the rest.
No passwords are created here: members set their own with the link in an invitation.
An import can be undone, except for accounts that have been used.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from jara.domain.countries import find_country
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.member import Member
from jara.domain.giving.newcomer import (
    CheckedRow,
    Newcomer,
    PersonRow,
    Promised,
    RowResult,
    parse_newcomer,
)
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.domain.language import Language
from jara.domain.lookup import choose_one, fold
from jara.records.people import (
    NOTIFICATIONS,
    Consent,
    ImportedMember,
    MemberImport,
    MemberImportLine,
)
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.members.accounts import PERSONAL_FIELDS, erase_account, send_invitation
from jara.services.members.contributors import KEY_PREFIX
from jara.services.ways_in import ways_offered
from jara.store.unit_of_work import UnitOfWork

ACTION = "members.import"
INVITE_ACTION = "members.send-invitations"
BATCH = 500
"""Rows in one transaction; it limits how long other writers wait."""

_FIELDS = ("country", "email", "firstname", "lastname", "notifications")

Item = TypeVar("Item")
Parse = Callable[[PersonRow], Newcomer]
PutPromise = Callable[[Context, UnitOfWork, Member, Promised], object]
"""Stores the promise of a new member, and emails them how to pay it."""
Progress = Callable[[int], None]
"""Called with the number of rows done since the last call."""

UNDO_ACTION = "members.undo"
UNDO_BATCH = 200
"""Members in one transaction."""


def _no_progress(rows: int) -> None:
    """Ignore progress."""


def _no_promise(context: Context, work: UnitOfWork, member: Member, promised: Promised) -> None:
    """Ignore promises."""


class PeopleFile(NamedTuple):
    """A file of people."""

    name: str
    form: str  # the name of its format, such as Patreon
    digest: str  # the hash of its content, used to continue an interrupted import
    rows: Callable[[], Iterable[PersonRow]]  # reads its rows; it can be called repeatedly
    country: str | None = None  # the country for rows without one
    no_email: bool = False
    """Whether people without an address, or at that of an earlier row, are members too."""
    way: PaymentWay = PaymentWay.TRANSFER  # how those will pay whose row has a promise and no way


@dataclass(slots=True)
class ImportOutcome:
    """The outcome of an import: the result of each row, and how many were invited and promised."""

    rows: list[CheckedRow] = field(default_factory=list)
    import_id: str | None = None
    invited: int = 0
    promised: int = 0

    def count(self, result: RowResult) -> int:
        """Return the number of rows with a result."""
        return sum(one.result is result for one in self.rows)


def check_people(
    context: Context, file: PeopleFile, *, progress: Progress = _no_progress
) -> ImportOutcome:
    """Return what an import would do with each row; nothing is written."""
    outcome = ImportOutcome()
    parse = _parser(context, file)
    first_lines: dict[str, int] = {}
    with context.store.read() as work:
        outcome.import_id = work.newcomers.of_digest(file.digest)
        bare = _without_address(work)
        joining = {one.email for one in work.registrations.all()}
        for batch in _batches(file.rows()):
            checked = [_check(row, parse, first_lines, bare, file) for row in batch]
            fresh = [one.email for one in checked if one.result is RowResult.CREATED and one.email]
            taken = work.newcomers.known_emails(fresh)
            outcome.rows += [_against_members(one, taken, joining) for one in checked]
            progress(len(batch))
    return outcome


def import_people(
    context: Context,
    file: PeopleFile,
    *,
    partial: bool = False,
    invite: bool = False,
    put_promise: PutPromise = _no_promise,
    progress: Progress = _no_progress,
) -> ImportOutcome:
    """Create a member for each row that names a new person, with the promise in the row, if any.

    With `partial` the valid rows are imported even if others are refused; else nothing is written.
    With `invite` the members created by this import who are not invited yet get an email.
    `progress` is called with how many rows were checked or created.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    outcome = check_people(context, file, progress=progress)
    if outcome.count(RowResult.REFUSED) and not partial:
        outcome.rows = [_left_out(one) for one in outcome.rows]
        return outcome
    rows = zip(file.rows(), range(len(outcome.rows)), strict=True)
    new = ((row, place) for row, place in rows if outcome.rows[place].result is RowResult.CREATED)
    parse = _parser(context, file)
    for batch in _batches(new):
        with context.store.write() as work:
            import_id = _require_import(context, work, file)
            created, bare = 0, _without_address(work) if file.no_email else {}
            for row, place in batch:
                checked = outcome.rows[place] = _confirm(work, outcome.rows[place])
                if checked.result is RowResult.CREATED and not checked.email:
                    why = checked.reason
                    checked = outcome.rows[place] = _check_bare(row, parse(row), bare, why)
                if checked.result is RowResult.CREATED:
                    person = parse(row)._replace(email=checked.email)
                    member = _add(context, work, person, import_id)
                    if person.promise is not None:
                        put_promise(context, work, member, person.promise)
                        outcome.promised += 1
                created += checked.result is RowResult.CREATED
            facts = {"import": import_id, "created": created}
            record_act(context, work, ACTION, import_id, changed=_FIELDS, facts=facts)
        outcome.import_id = import_id
        progress(len(batch))
    if invite and outcome.import_id is not None:
        outcome.invited = invite_imported(context, outcome.import_id)
    return outcome


def invite_imported(
    context: Context,
    import_id: str | None = None,
    *,
    again: bool = False,
    progress: Progress = _no_progress,
) -> int:
    """Email a link to set a password to imported members who are not invited yet.

    The transaction that queues an email also marks the member, so nobody gets two. With
    `import_id` only members of that import are invited. With `again` each invited member, imported
    or not, whose link expired gets a new link instead. `progress` is called with how many emails
    were queued.

    Returns:
        How many emails were queued.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    sent = 0
    while True:
        with context.store.write() as work:
            newcomers = work.newcomers
            if again:
                waiting = newcomers.expired(import_id=import_id, now=context.now(), limit=BATCH)
            else:
                waiting = newcomers.to_invite(import_id=import_id, limit=BATCH)
            if not waiting:
                return sent
            require_operator(context, work, INVITE_ACTION)
            _invite(context, work, waiting)
            facts = {"emails": len(waiting)}
            record_act(context, work, INVITE_ACTION, import_id or "all", facts=facts)
        sent += len(waiting)
        progress(len(waiting))


def _left_out(row: CheckedRow) -> CheckedRow:
    if row.result is not RowResult.CREATED:
        return row
    return row._replace(
        result=RowResult.SKIPPED, reason="nothing is imported while a row is refused"
    )


def _invite(context: Context, work: UnitOfWork, waiting: Sequence[ImportedMember]) -> None:
    for member in waiting:
        send_invitation(context, work, member_id=member.id, email=member.email)


def _without_address(work: UnitOfWork) -> dict[str, str]:
    """Return the names of the members without an address, each with what it is taken by."""
    taken = "a member without an address has this name"
    return {fold(one.names[0]): taken for one in work.members.without_address()}


def _same_name(row: PersonRow) -> str:
    return f"the same name as in line {row.line}"


def _check_bare(row: PersonRow, person: Newcomer, bare: dict[str, str], why: str) -> CheckedRow:
    """Check a row that becomes a member without an address: one for each name."""
    name = fold(f"{person.firstname} {person.lastname}")
    if name in bare:
        return CheckedRow(row.line, "", RowResult.SKIPPED, bare[name])
    bare[name] = _same_name(row)
    return CheckedRow(row.line, "", RowResult.CREATED, why)


def _check(
    row: PersonRow,
    parse: Parse,
    first_lines: dict[str, int],
    bare: dict[str, str],
    file: PeopleFile,
) -> CheckedRow:
    shown = row.values.get("email", "").strip()
    if row.fault:
        return CheckedRow(row.line, shown, RowResult.REFUSED, row.fault)
    if row.skipped:
        return CheckedRow(row.line, shown, RowResult.SKIPPED, row.skipped)
    try:
        person = parse(row)
    except InvalidInput as error:
        return CheckedRow(row.line, shown, RowResult.REFUSED, error.message)
    email = person.email
    if not email:
        return _check_bare(row, person, bare, "without an address")
    first = first_lines.setdefault(email, row.line)
    if first == row.line:
        bare.setdefault(fold(f"{person.firstname} {person.lastname}"), _same_name(row))
        return CheckedRow(row.line, email, RowResult.CREATED)
    if file.no_email:
        return _check_bare(row, person, bare, f"without an address: line {first} has it")
    return CheckedRow(row.line, email, RowResult.SKIPPED, f"the same address as in line {first}")


def _against_members(row: CheckedRow, members: set[str], joining: set[str]) -> CheckedRow:
    if row.result is not RowResult.CREATED:
        return row
    if row.email in members:
        return row._replace(result=RowResult.KNOWN)
    if row.email in joining:
        return row._replace(
            result=RowResult.SKIPPED, reason="is signing up on the site at the moment"
        )
    return row


def _confirm(work: UnitOfWork, row: CheckedRow) -> CheckedRow:
    """Return a checked row, with its result changed if its address joined since the check."""
    joining = set() if work.registrations.by_email(row.email) is None else {row.email}
    members = set() if work.members.by_email(row.email) is None else {row.email}
    return _against_members(row, members, joining)


def _add(context: Context, work: UnitOfWork, person: Newcomer, import_id: str) -> Member:
    member = Member(
        id=context.new_id(),
        key=context.new_key(KEY_PREFIX),
        firstname=person.firstname,
        lastname=person.lastname,
        email=person.email,
        country=person.country,
        email_choice=EmailChoice.of(notifications=person.notifications),
        joined_at=context.now(),
        language=Language(person.language or context.rules.language),
        is_added=True,
    )
    # Earlier gifts join the account once the address is confirmed, as after a sign-up.
    work.members.add(member, password_hash=None)
    work.newcomers.add(member.id, import_id)
    if person.notifications:
        at = context.now()
        consent = Consent.of(member.id, NOTIFICATIONS, given=True, source="import", at=at)
        work.members.add_consent(consent)
    return member


def _parser(context: Context, file: PeopleFile) -> Parse:
    """Return a function that parses a row; country lookups are cached."""
    countries = context.rules.countries
    find = lru_cache(maxsize=1024)(lambda text: find_country(text, countries))
    with context.store.read() as work:
        ways = {PaymentWay(setting.way) for setting in ways_offered(context, work)}

    def parse(row: PersonRow) -> Newcomer:
        person = parse_newcomer(
            row.values,
            find=find,
            default_country=file.country,
            needs_address=not file.no_email,
            way=file.way,
        )
        if person.promise is not None and person.promise.way not in ways:
            raise InvalidInput(
                f"Payment by {person.promise.way.phrase} is not set up; see: "
                "jara payments ways set --help"
            )
        return person

    return parse


def _require_import(context: Context, work: UnitOfWork, file: PeopleFile) -> str:
    """Return the id of this file's import; create it unless it was started before."""
    import_id = work.newcomers.of_digest(file.digest)
    if import_id is not None:
        return import_id
    name = require_operator(context, work, ACTION).name
    new = MemberImport(
        context.new_key("mimp_"), file.name, file.form, file.digest, name, context.now()
    )
    work.newcomers.start(new)
    return new.id


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    left = iter(items)
    while batch := list(islice(left, BATCH)):
        yield batch


class StayingMember(NamedTuple):
    """A member whom an undo leaves, and why."""

    email: str
    reason: str


@dataclass(slots=True)
class UndoOutcome:
    """How many members of an import were removed, and who stays and why."""

    id: str
    removed: int = 0
    kept: list[StayingMember] = field(default_factory=list)


def list_member_imports(context: Context) -> list[MemberImportLine]:
    """Return every import of members, newest first."""
    with context.store.read() as work:
        return work.newcomers.imports()


def find_member_import(context: Context, text: str) -> MemberImportLine:
    """Return the import of members with that id or a unique prefix of it.

    Raises:
        NotFound: no import matches.
        Conflict: several imports match.
    """
    matches = [one for one in list_member_imports(context) if one.of.id.startswith(text)]
    return choose_one(
        text,
        matches,
        kinds="imports",
        label=lambda one: one.of.id,
        missing=f"There is no import '{text}'; see `jara members imports`.",
    )


def undo_member_import(context: Context, text: str, *, why: str) -> UndoOutcome:
    """Erase the members of an import who have not used their account.

    Members who have set a password, pledged or paid stay, and are listed. An interrupted undo can
    be repeated. Afterwards the same file can be imported again.

    Raises:
        NotFound: there is no such import.
        InvalidInput: no reason is given.
        Conflict: it was undone already.
    """
    if not why.strip():
        raise InvalidInput("An undo needs a reason; say --why.")
    line = find_member_import(context, text)
    if line.undone_at is not None:
        raise Conflict(f"{line.of.id} was undone already.")
    outcome = UndoOutcome(line.of.id)
    last = ""
    while True:
        with context.store.write() as work:
            members = work.newcomers.members_of(line.of.id, after=last, limit=UNDO_BATCH)
            removed = [member for member in members if _may_go(work, member, outcome)]
            for member in removed:
                erase_account(context, work, member.id)
            if not members:
                work.newcomers.end(line.of.id, at=context.now())
            facts = {"removed": len(removed)}
            changed = PERSONAL_FIELDS if removed else ()
            record_act(
                context, work, UNDO_ACTION, line.of.id, why=why, changed=changed, facts=facts
            )
        outcome.removed += len(removed)
        if not members:
            break
        last = members[-1].id
    context.store.truncate_log()
    return outcome


def _may_go(work: UnitOfWork, member: ImportedMember, outcome: UndoOutcome) -> bool:
    """Return whether the account is unused; otherwise record why the member stays."""
    # Only members who pledged or paid ever had a vote.
    reason = ""
    if member.email_confirmed:
        reason = "has set a password"
    elif _has_pledge(work, member):
        reason = "has a pledge"
    elif work.payments.of_member(member.key):
        reason = "has paid"
    if reason:
        outcome.kept.append(StayingMember(member.email, reason))
    return not reason


def _has_pledge(work: UnitOfWork, member: ImportedMember) -> bool:
    """Return whether a member has a pledge that counts: not a promise that was never paid."""
    pledge = work.pledges.get(member.id)
    is_promise = pledge is not None and pledge.way is not PaymentWay.CARD
    return pledge is not None and not (is_promise and pledge.state is PledgeState.INCOMPLETE)
