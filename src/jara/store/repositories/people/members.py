"""Members, and the handles that identify them at the payment provider."""

from collections.abc import Iterable
from datetime import date

from jara.domain.errors import EmailTaken
from jara.domain.giving.member import Member, address_spellings, email_key
from jara.domain.lookup import beginning_with, choose_one
from jara.records.people import Consent, MemberContact, SessionMember
from jara.store.repositories.books.electors import ElectorRepository
from jara.store.rows import Repository, Rows, counter, remover
from jara.store.sql.codecs import chunks, in_list
from jara.store.sql.connection import Sql

MEMBERS = Rows("members", Member, key="member_key")
CONSENTS = Rows("consents", Consent, "member_id, purpose, at")
CONTACTS = Rows("member_contacts", MemberContact, "member_id")

_OF_SESSION = (
    f"SELECT {MEMBERS.columns()}, s.used_on, "
    "EXISTS (SELECT 1 FROM registrations r WHERE r.member_id = members.id) "
    "FROM members, (SELECT used_on FROM sessions WHERE hash = :session) s WHERE id = :member"
)


class MemberRepository(Repository):
    """The members; leaving erases the row."""

    get = MEMBERS.finder("id")
    by_key = MEMBERS.finder("member_key")
    without_address = MEMBERS.streamer("WHERE email = '' ORDER BY joined_at, id")
    add_consent = CONSENTS.putter()  # or its withdrawal
    put_contact = CONTACTS.putter()
    all = MEMBERS.streamer("ORDER BY joined_at, id")
    readers = MEMBERS.streamer(
        "WHERE email_choice <> 'nothing' AND email <> '' AND closed_at IS NULL "
        "ORDER BY joined_at, id"
    )
    consents = CONSENTS.lister_by("member_id", "ORDER BY at, purpose")
    count = counter("SELECT COUNT(*) FROM members")
    count_confirmed = counter(
        "SELECT COUNT(*) FROM members WHERE closed_at IS NULL AND email_confirmed = 1"
    )
    remove_password = remover("credentials", "member_id")

    def __init__(self, sql: Sql, electors: ElectorRepository) -> None:
        super().__init__(sql)
        self._electors = electors

    def add(self, member: Member, *, password_hash: str | None) -> None:
        """Store a new member; without a password nobody can sign in.

        Raises:
            EmailTaken: the address has a member.
        """
        if self.by_email(member.email) is not None:
            raise EmailTaken("This email address already has an account; sign in instead.")
        MEMBERS.add(self._sql, member, email_key=_own_key(member), todo="")
        if password_hash is not None:
            self.set_password_hash(member.id, password_hash)

    def of_session(self, member_id: str, session: str) -> SessionMember | None:
        """Return a member and a session in one query, or None if the session has ended."""
        row = self._sql.one(_OF_SESSION, {"member": member_id, "session": session})
        if row is None:
            return None
        *member, used_on, is_unpaid = row
        return SessionMember(MEMBERS.read(member), date.fromisoformat(used_on), bool(is_unpaid))

    def find(self, text: str) -> Member:
        """Return the member with this email or id, or a unique prefix of these, key or name.

        Raises:
            NotFound: no member matches.
            Conflict: several members match.
        """
        exact, key = self.by_email(text) or self.get(text), email_key(text)
        if exact is not None:
            return exact
        members = MEMBERS.all(
            self._sql,
            "WHERE (id >= :text AND id < :high) OR (member_key >= :text AND member_key < :high) "
            "OR (email_key >= :email AND email_key < :highest) ORDER BY email_key LIMIT 7",
            text=text,
            high=text + "~",
            email=key,
            highest=key + "~",
        )
        return choose_one(
            text,
            members
            or beginning_with(
                text, self.all(), lambda one: (*one.names, *address_spellings(one.email))
            ),
            kinds="members",
            label=lambda member: member.label,
            missing=f"There is no member '{text}'; give an email address, a name or an id.",
            near=lambda: {
                name: member for member in self.all() for name in (*member.names, member.label)
            },
        )

    def by_email(self, email: str) -> Member | None:
        """Return the member with that address, ignoring case."""
        return MEMBERS.one(self._sql, "WHERE email_key = :key", key=email_key(email))

    def update(self, member: Member) -> None:
        """Save a member.

        Raises:
            EmailTaken: the new address has another member.
        """
        other = self.by_email(member.email)
        if other is not None and other.id != member.id:
            raise EmailTaken("Another account has this email address.")
        before = self.get(member.id)
        if before is not None and before.may_vote != member.may_vote:
            self._electors.touch(member.id)
        MEMBERS.update(self._sql, member, email_key=_own_key(member))

    def password_hash(self, member_id: str) -> str | None:
        """Return a member's password hash."""
        query = "SELECT password_hash FROM credentials WHERE member_id = :id"
        return self._value(str, query, id=member_id)

    def set_password_hash(self, member_id: str, password_hash: str) -> None:
        """Replace a member's password hash."""
        self._put("credentials", {"member_id": member_id}, {"password_hash": password_hash})

    def todo_done(self, member_id: str) -> frozenset[str]:
        """Return the ids of the completed to-do items."""
        row = self._sql.one("SELECT todo FROM members WHERE id = :id", {"id": member_id})
        return frozenset(str(row[0]).split()) if row else frozenset()

    def set_todo_done(self, member_id: str, done: Iterable[str]) -> None:
        """Store the ids of the completed to-do items."""
        self._update("members", {"id": member_id}, {"todo": " ".join(sorted(done))})

    def contact(self, member_id: str) -> MemberContact:
        """Return what operators know of a member besides the account."""
        found = CONTACTS.one(self._sql, "WHERE member_id = :id", id=member_id)
        return found or MemberContact(member_id)

    def dead(self) -> frozenset[str]:
        """Return the ids of the members who have died."""
        dead = "SELECT member_id FROM member_contacts WHERE died_on IS NOT NULL"
        return frozenset(self._column(dead))

    def open_after(self, member_id: str, *, limit: int) -> list[Member]:
        """Return the next open members in the order of their ids."""
        return MEMBERS.all(
            self._sql,
            "WHERE id > :id AND closed_at IS NULL ORDER BY id LIMIT :limit",
            id=member_id,
            limit=limit,
        )

    def erase(self, member_id: str) -> None:
        """Delete a member, with their pledge, cards, credentials, consents and import record."""
        self._electors.touch(member_id)
        self._sql.run(
            "UPDATE payments SET card_fingerprint = NULL WHERE member_key = "
            "(SELECT member_key FROM members WHERE id = :id) AND card_fingerprint IS NOT NULL",
            {"id": member_id},
        )
        tables = ("pledges", "credentials", "consents", "imported_members", "member_contacts")
        for table in tables:
            self._sql.run(f"DELETE FROM {table} WHERE member_id = :id", {"id": member_id})
        self._sql.run(
            "DELETE FROM bank_senders WHERE id IN "
            "(SELECT id FROM bank_senders WHERE member_id = :id)",
            {"id": member_id},
        )
        self._delete("members", {"id": member_id})


class ContributorRepository(Repository):
    """Maps a provider's customer or an address to a key in the books.

    Handles are ``customer:<id>`` and ``address:<keyed hash>``; erasure deletes them.
    """

    forget = remover("contributors", "member_key")

    def keys(self, handles: Iterable[str]) -> dict[str, str]:
        """Return the member key of each known handle."""
        known: dict[str, str] = {}
        for piece in chunks(handles):
            names, params = in_list("h", piece)
            known.update(
                (row[0], row[1])
                for row in self._sql.all(
                    f"SELECT handle, member_key FROM contributors WHERE handle IN {names}", params
                )
            )
        return known

    def put(self, handle: str, member_key: str) -> None:
        """Save the key of a handle."""
        self._sql.append(
            "INSERT INTO contributors (handle, member_key) VALUES (:handle, :key) "
            "ON CONFLICT (handle) DO UPDATE SET member_key = excluded.member_key",
            (handle, member_key),
        )

    def forget_strangers(self, before: date) -> int:
        """Remove handles without member, registration or payment since a day; return how many."""
        return self._sql.run(
            "DELETE FROM contributors "
            "WHERE member_key NOT IN (SELECT member_key FROM members) "
            "AND member_key NOT IN (SELECT member_key FROM registrations) "
            "AND NOT EXISTS (SELECT 1 FROM payments p "
            "WHERE p.member_key = contributors.member_key AND p.day >= :day)",
            {"day": before.isoformat()},
        )


def _own_key(member: Member) -> str:
    """Return a member's unique key: the address, or one that no address and no search has."""
    return email_key(member.email) or f" {member.id}"
