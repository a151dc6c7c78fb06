"""The roles of operators; `jara.domain.control.effects` says which role may do what."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from jara.domain.errors import InvalidInput


class Role(StrEnum):
    """A permitted use of a key; a key can have several roles."""

    ADMIN = "admin"
    BOOKKEEPER = "bookkeeper"
    APPROVER = "approver"
    EDITOR = "editor"
    AUDITOR = "auditor"
    SCHEDULER = "scheduler"


MEANINGS: Mapping[Role, str] = {
    Role.ADMIN: "everything, including keys and limits",
    Role.BOOKKEEPER: "books, payouts, members, pledges, emails",
    Role.APPROVER: "approves and refuses waiting actions",
    Role.EDITOR: "content of the site, and proposals until they are decided",
    Role.AUDITOR: "reads, and signs off: notes and the opinion of an audit",
    Role.SCHEDULER: "the daily run and its tasks, nothing else",
}

APPROVING = frozenset({Role.ADMIN, Role.APPROVER})
"""The roles that approve acts prepared by another operator."""

PREPARING = frozenset({Role.ADMIN, Role.APPROVER, Role.BOOKKEEPER})
"""The roles whose signatures count for an act that needs several."""

OF_PASSKEY = frozenset({Role.APPROVER, Role.AUDITOR, Role.EDITOR})
"""The roles that a passkey may have, such as a phone's; the others need an SSH key."""


def require_passkey_roles(roles: Iterable[Role]) -> None:
    """Require that a passkey has only roles that one may have.

    Raises:
        InvalidInput: it has another one.
    """
    for role in sorted(set(roles) - OF_PASSKEY):
        raise InvalidInput(
            f"The role '{role}' needs an SSH key of its own; a phone may be "
            f"{' or '.join(sorted(OF_PASSKEY))}."
        )


def parse_roles(words: Iterable[str]) -> frozenset[Role]:
    """Parse the roles of a key; `scheduler` and `auditor` exclude all other roles.

    Raises:
        InvalidInput: a word is not a role, or the roles exclude each other.
    """
    roles = set()
    for word in words:
        try:
            roles.add(Role(word))
        except ValueError:
            known = ", ".join(Role)
            raise InvalidInput(f"'{word}' is not a role; they are {known}.") from None
    for alone in (Role.SCHEDULER, Role.AUDITOR):
        if alone in roles and len(roles) > 1:
            raise InvalidInput(f"A key with the role '{alone}' has no other role.")
    return frozenset(roles)
