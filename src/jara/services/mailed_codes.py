"""Single-use codes sent by email: to reset a password, to confirm an address."""

from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256

from jara.domain.errors import InvalidInput
from jara.records.access import MailedCode, PendingAddress
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

CODE_BYTES = 24

RESET = "password_reset"
INVITATION = "invitation"
"""Purposes of codes that set a password; a stranger can cause the first kind only."""


class UnusableCode(InvalidInput):
    """A mailed code is unknown, used, or too old."""

    code = "unusable_code"


def make_code(
    context: Context, work: UnitOfWork, *, purpose: str, subject: str, life: timedelta
) -> str:
    """Create a code and store its hash; earlier codes work until one of them is used."""
    code = draw_code(context)
    work.access.put_code(
        MailedCode(hash_of(code), purpose, subject, expires_at=context.now() + life)
    )
    return code


def draw_code(context: Context) -> str:
    """Return a new random code."""
    return urlsafe_b64encode(context.entropy.token(CODE_BYTES)).decode("ascii")


def make_address_code(
    context: Context,
    work: UnitOfWork,
    *,
    member_id: str,
    email: str,
    life: timedelta,
    ending: str = "",
) -> str:
    """Create the code that confirms a member's address; it replaces an earlier one.

    The code ends with ``ending``, which nobody can change: its hash is of the whole.
    """
    code = draw_code(context) + ending
    work.access.put_pending_address(
        PendingAddress(member_id, email, hash_of(code), expires_at=context.now() + life)
    )
    return code


def unusable() -> UnusableCode:
    """Return the error for a code that is unknown, used, or too old."""
    sentence = "This link was used already or is too old; please ask for a new one."
    return UnusableCode(sentence, fields={"code": sentence})


def subject_of(context: Context, work: UnitOfWork, *purposes: str, code: str) -> str:
    """Return the subject that a code was sent to for one of these purposes.

    Raises:
        UnusableCode: it is unknown, used, or too old.
    """
    known = work.access.code(hash_of(code), now=context.now())
    if known is None or known.purpose not in purposes:
        raise unusable()
    return known.subject


def hash_of(code: str) -> str:
    """Return the hash of a code; the database stores nothing else of it."""
    return sha256(code.encode("utf-8", "surrogatepass")).hexdigest()
