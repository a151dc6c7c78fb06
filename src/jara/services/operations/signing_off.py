"""What an auditor signs: a note on an entry, the opinion on a year; and the bundle for both.

Each is a leaf of the log, signed by the person's own key. The text of a note or an opinion is in
the audit log; the leaf has its salted hash.
"""

from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.publiclog.leaves import SALT_BYTES, LeafType
from jara.services.approvals import Shared, share
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

BUNDLE, NOTE, CLOSE = "audit.bundle", "audit.note", "audit.close"
SALT, OPINION = "salt", "opinion"


class Opinion(StrEnum):
    """An auditor's opinion on the statements of a year."""

    UNQUALIFIED = "unqualified"
    QUALIFIED = "qualified"
    ADVERSE = "adverse"
    DISCLAIMER = "disclaimer"


class SignedOff(NamedTuple):
    """What was signed."""

    what: str  # ``note``, ``close`` or ``bundle``
    subject: str  # the id of the entry, or the year
    opinion: str  # of a year that was closed; empty for others
    text: str  # the words of the auditor
    by: str
    at: datetime


def note_entry(context: Context, entry: str, text: str) -> SignedOff:
    """Record an auditor's note on an entry.

    Raises:
        NotFound: there is no such entry.
        InvalidInput: the note is empty.
        Refused: the key is not an auditor's.
    """
    if not text.strip():
        raise InvalidInput("The note is empty.")
    with context.store.write() as work:
        posted = work.journal.find(entry)
        sign_off(context, work, NOTE, posted.id, text=text, entry=posted.index)
        return list_signed(work)[-1]


def close_audit(context: Context, year: int, opinion: Opinion, text: str = "") -> SignedOff:
    """Record an auditor's opinion on a closed year.

    Raises:
        Conflict: the year is not closed.
        Refused: the key is not an auditor's.
    """
    with context.store.write() as work:
        if year not in {lock.year for lock in work.book_settings.locked_years()}:
            raise Conflict(f"{year} is not closed; `jara ledger close-year {year}` closes it.")
        sign_off(context, work, CLOSE, str(year), text=text, year=year, opinion=opinion.value)
        return list_signed(work)[-1]


def sign_off(
    context: Context,
    work: UnitOfWork,
    action: str,
    subject: str,
    *,
    text: str = "",
    digest: str = "",
    **public: int | str,
) -> None:
    """Append the leaf of an act of the audit, and its row in the audit log.

    `action` is `BUNDLE`, `NOTE` or `CLOSE`. The leaf has the salted hash of `text`, or the `digest`
    of a manifest, and what else is `public`.
    """
    salt = context.entropy.token(SALT_BYTES)
    hashed = digest or sha256(salt + text.encode()).hexdigest()
    shown = {"what": action.partition(".")[2], "hash": hashed, **public}
    shared = Shared(action, {**shown, SALT: salt.hex()}, text, shown, LeafType.AUDIT)
    share(context, work, shared)
    facts = {**shown, **({} if digest else {SALT: salt.hex()}), "leaf": work.log.size() - 1}
    record_act(context, work, action, subject, why=text, facts=facts)


def list_signed(work: UnitOfWork) -> list[SignedOff]:
    """Return the notes, opinions and bundles, oldest first."""
    rows = [row for row in work.operations.audit() if row.action in {BUNDLE, NOTE, CLOSE}]
    return [
        SignedOff(
            row.action.partition(".")[2],
            row.subject,
            str(row.after.get(OPINION, "")),
            row.why,
            row.operator,
            row.at,
        )
        for row in rows
    ]
