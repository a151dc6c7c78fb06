"""Undoes an import of members, except accounts that have been used."""

from __future__ import annotations

from dataclasses import dataclass, field

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.lookup import choose_one
from jara.records.people import ImportedMember, MemberImportLine
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.members.accounts import PERSONAL_FIELDS, erase_account
from jara.store.unit_of_work import UnitOfWork

ACTION = "members.undo"
BATCH = 200
"""Members in one transaction."""


@dataclass(slots=True)
class MovedOut:
    """How many members of an import were removed, and who stays and why."""

    id: str
    removed: int = 0
    kept: list[tuple[str, str]] = field(default_factory=list)


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
    found = [one for one in list_member_imports(context) if one.of.id.startswith(text)]
    return choose_one(
        text,
        found,
        kinds="imports",
        label=lambda one: one.of.id,
        missing=f"There is no import '{text}'; see `jara members imports`.",
    )


def undo_member_import(context: Context, text: str, *, why: str) -> MovedOut:
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
    done = MovedOut(line.of.id)
    last = ""
    while True:
        with context.store.write() as work:
            members = work.newcomers.members_of(line.of.id, after=last, limit=BATCH)
            removed = [member for member in members if _may_go(work, member, done)]
            for member in removed:
                erase_account(context, work, member.id)
            if not members:
                work.newcomers.end(line.of.id, at=context.now())
            facts = {"removed": len(removed)}
            changed = PERSONAL_FIELDS if removed else ()
            record_act(context, work, ACTION, line.of.id, why=why, changed=changed, facts=facts)
        done.removed += len(removed)
        if not members:
            break
        last = members[-1].id
    context.store.truncate_log()
    return done


def _may_go(work: UnitOfWork, member: ImportedMember, done: MovedOut) -> bool:
    """Return whether the account is unused; otherwise record why the member stays."""
    # Only members who pledged or paid ever had a vote.
    reason = ""
    if member.email_confirmed:
        reason = "has set a password"
    elif work.pledges.get(member.id) is not None:
        reason = "has a pledge"
    elif work.payments.of_member(member.key):
        reason = "has paid"
    if reason:
        done.kept.append((member.email, reason))
    return not reason
