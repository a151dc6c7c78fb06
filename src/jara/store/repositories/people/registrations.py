"""Registrations in progress, members imported from a file, and gifts on the way."""

from collections.abc import Sequence
from datetime import datetime

from jara.domain.giving.member import email_key
from jara.records.payments import GiftPromise
from jara.records.people import ImportedMember, MemberImport, MemberImportLine, PendingRegistration
from jara.store.rows import Repository, Rows, remover
from jara.store.sql.codecs import chunks, in_list, instant_text, optional_instant

REGISTRATIONS = Rows("registrations", PendingRegistration, form="doc")
GIFT_PROMISES = Rows("gift_promises", GiftPromise, "reference")
IMPORTS = Rows("member_imports", MemberImport)
IMPORTED = Rows(
    "imported_members i JOIN members m ON m.id = i.member_id", ImportedMember, key="member_key"
)


INVITED = Rows(
    "members m LEFT JOIN imported_members i ON i.member_id = m.id", ImportedMember, key="member_key"
)
_EXPIRED = (
    "WHERE m.is_added = 1 AND m.email_confirmed = 0 AND m.email <> '' AND m.closed_at IS NULL "
    "AND (i.member_id IS NULL OR i.invited_at IS NOT NULL) "
    "AND NOT EXISTS (SELECT 1 FROM mailed_codes c WHERE c.purpose = 'invitation' "
    "AND c.subject = m.id AND c.expires_at > :now) "
)
"""Members whose invitation led to nothing, and has ended."""


class RegistrationRepository(Repository):
    """Registrations in progress, at most one for each address; an ended one is deleted."""

    get = REGISTRATIONS.finder("id")
    by_member = REGISTRATIONS.finder("member_id")
    all = REGISTRATIONS.lister("ORDER BY started_at, id")
    remove = remover("registrations", "id")

    def put(self, pending: PendingRegistration) -> None:
        """Add or update a registration.

        Raises:
            Conflict: another registration with this address is in progress.
        """
        REGISTRATIONS.put(self._sql, pending, email_key=email_key(pending.email))

    def by_email(self, email: str) -> PendingRegistration | None:
        """Return the registration in progress for an address, ignoring case."""
        return REGISTRATIONS.one(self._sql, "WHERE email_key = :key", key=email_key(email))


class NewcomerRepository(Repository):
    """Imports of people, and the members they created; erasing a member deletes the row."""

    start = IMPORTS.adder()

    def known_emails(self, emails: Sequence[str]) -> set[str]:
        """Return which of these addresses, in lower case, have a member."""
        known: set[str] = set()
        for piece in chunks(emails):
            names, params = in_list("e", piece)
            query = f"SELECT email_key FROM members WHERE email_key IN {names}"
            known.update(self._column(query, **params))
        return known

    def of_digest(self, digest: str) -> str | None:
        """Return the id of a file's import, unless it was undone."""
        query = "SELECT id FROM member_imports WHERE digest = :digest AND undone_at IS NULL"
        return self._value(str, query, digest=digest)

    def add(self, member_id: str, import_id: str) -> None:
        """Record which import created a member."""
        self._insert("imported_members", {"member_id": member_id, "import": import_id})

    def imports(self) -> list[MemberImportLine]:
        """Return every import, newest first, with the number of its members and invited members."""
        columns = IMPORTS.columns("i.")
        rows = self._sql.all(
            f"SELECT i.undone_at, COUNT(m.member_id), COUNT(m.invited_at), {columns} "
            "FROM member_imports i LEFT JOIN imported_members m ON m.import = i.id "
            f"GROUP BY i.undone_at, {columns} ORDER BY i.started_at DESC, i.id DESC"
        )
        return [
            MemberImportLine(IMPORTS.read(of), optional_instant(undone_at), members, invited)
            for undone_at, members, invited, *of in rows
        ]

    def members_of(self, import_id: str, *, after: str, limit: int) -> list[ImportedMember]:
        """Return members of an import in order of id, after a given id."""
        return IMPORTED.all(
            self._sql,
            "WHERE import = :import_id AND id > :after ORDER BY id LIMIT :limit",
            import_id=import_id,
            after=after,
            limit=limit,
        )

    def to_invite(self, *, import_id: str | None, limit: int) -> list[ImportedMember]:
        """Return never-invited members without a password, in order of id.

        Their address is unconfirmed: whoever sets a password confirms it.
        """
        of_import = "" if import_id is None else "AND import = :import_id "
        params = {} if import_id is None else {"import_id": import_id}
        return IMPORTED.all(
            self._sql,
            "WHERE invited_at IS NULL AND email <> '' AND email_confirmed = 0 "
            f"{of_import}ORDER BY id LIMIT :limit",
            limit=limit,
            **params,
        )

    def expired(self, *, import_id: str | None, now: datetime, limit: int) -> list[ImportedMember]:
        """Return invited members whose link has expired unused, in order of id."""
        of_import = "" if import_id is None else "AND i.import = :import_id "
        params = {} if import_id is None else {"import_id": import_id}
        return INVITED.all(
            self._sql,
            f"{_EXPIRED}{of_import}ORDER BY m.id LIMIT :limit",
            now=now,
            limit=limit,
            **params,
        )

    def invited(self, member_id: str, *, at: datetime) -> None:
        """Record that an imported member was invited; do nothing for other members."""
        self._update("imported_members", {"member_id": member_id}, {"invited_at": at})

    def end(self, import_id: str, *, at: datetime) -> None:
        """Mark an import as undone."""
        self._update("member_imports", {"id": import_id}, {"undone_at": at})


class GiftPromiseRepository(Repository):
    """Gifts on the way."""

    get = GIFT_PROMISES.finder("reference")
    put = GIFT_PROMISES.putter()
    all = GIFT_PROMISES.lister("ORDER BY promised_at DESC, reference")
    of_address = GIFT_PROMISES.lister_by("email", "AND email <> '' ORDER BY promised_at")

    def forget(self, *, before: datetime) -> int:
        """Delete the gifts announced before an instant; return how many."""
        return self._sql.run(
            "DELETE FROM gift_promises WHERE promised_at < :at", {"at": instant_text(before)}
        )

    def forget_address(self, email: str) -> int:
        """Delete the gifts that an address announced; return how many."""
        return self._sql.run(
            "DELETE FROM gift_promises WHERE email = :email AND email <> ''", {"email": email}
        )
