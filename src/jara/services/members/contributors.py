"""Maps a provider's customer or an email address to a contributor's key in the books.

The books contain only a random key; erasure deletes the rows that map to it.
"""

from collections.abc import Iterable
from hashlib import sha256

from jara.domain.books.provider_row import ProviderRow
from jara.domain.giving.member import Member, email_key
from jara.services.context import Context
from jara.services.notices.choices import take_over_newsletter
from jara.store.unit_of_work import UnitOfWork

_KEYED = "address:"
KEY_PREFIX = "key_"
"""Members and givers without an account have keys of the same form."""


def customer_handle(customer_id: str) -> str:
    """Return the handle of a provider's customer."""
    return f"customer:{customer_id}"


def email_handle(context: Context, email: str) -> str:
    """Return the handle of an address: a keyed hash, so that addresses cannot be guessed."""
    return _KEYED + context.vault.keyed_hash("giver", sha256(email_key(email).encode()).hexdigest())


def keep_handles(context: Context, work: UnitOfWork, member: Member) -> None:
    """Replace the handles of a member.

    Only a confirmed address adds its gifts and its newsletter to the account.
    """
    work.contributors.forget(member.key)
    if member.email_confirmed:
        take_over_newsletter(work, member)
        work.contributors.put(email_handle(context, member.email), member.key)
    pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        work.contributors.put(customer_handle(pledge.customer_id), member.key)


class Contributors:
    """The contributors' keys for many rows, in a write transaction."""

    def __init__(self, context: Context, work: UnitOfWork) -> None:
        self._context = context
        self._work = work
        self._members: dict[str, str | None] = {}
        self._keys: dict[str, str] = {}

    def load(self, rows: Iterable[ProviderRow]) -> None:
        """Load the known contributors of these rows."""
        handles: set[str] = set()
        for row in rows:
            handles.update(self._handles(row))
            if row.member_id and row.member_id not in self._members:
                self._members[row.member_id] = self._member_key(row.member_id)
        self._keys = self._work.contributors.keys(handles)

    def _member_key(self, member_id: str) -> str | None:
        """Return a member's key, also for a registration in progress."""
        member = self._work.members.get(member_id)
        if member is not None:
            return member.key
        pending = self._work.registrations.by_member(member_id)
        return None if pending is None else pending.member_key

    def key_of(self, row: ProviderRow) -> str | None:
        """Return the contributor's key of a row, or a new key for an unknown contributor.

        It is None for a member who has left, and for a row without member, customer and email.
        """
        handles = self._handles(row)
        if row.member_id:
            key = self._members.get(row.member_id)
            if key is None:
                return None
        else:
            keys = [self._keys[handle] for handle in handles if handle in self._keys]
            if not handles:
                return None
            key = keys[0] if keys else self._context.new_key(KEY_PREFIX)
        for handle in handles:
            if handle not in self._keys and self._may_keep(handle, key):
                self._keys[handle] = key
                self._work.contributors.put(handle, key)
        return key

    def _may_keep(self, handle: str, key: str) -> bool:
        """Return whether to store a handle for a key; a member's address must be confirmed first.

        Otherwise anyone who signs up with another person's address would see that person's gifts.
        """
        return not handle.startswith(_KEYED) or not self._is_member(key)

    def _is_member(self, key: str) -> bool:
        return key in self._members.values() or self._work.members.by_key(key) is not None

    def _handles(self, row: ProviderRow) -> list[str]:
        handles = [customer_handle(row.customer_id)] if row.customer_id else []
        return [*handles, email_handle(self._context, row.email)] if row.email else handles
