"""The roles of operators, and the roles that each act requires."""

from __future__ import annotations

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
    Role.AUDITOR: "reads only",
    Role.SCHEDULER: "the daily run and its tasks, nothing else",
}

APPROVING = frozenset({Role.ADMIN, Role.APPROVER})
"""The roles that approve acts prepared by another operator."""

PREPARING = frozenset({Role.ADMIN, Role.APPROVER, Role.BOOKKEEPER})
"""The roles whose signatures count for an act that needs several."""

_EDITED = (
    "projects", "grants", "donations", "updates", "events",
    "team", "faqs", "regions", "roadmap", "content",
)  # fmt: skip
_CONTENT_VERBS = ("add", "edit", "import", "publish", "unpublish", "remove")

_EDITING = frozenset(
    {f"{noun}.{verb}" for noun in _EDITED for verb in _CONTENT_VERBS}
    | {f"proposals.{verb}" for verb in ("new", "edit", "import", "open", "withdraw")}
    | {"projects.milestone", "projects.evidence", "seed"}
    | {"partners.add", "partners.email", "partners.link", "partners.revoke"}
    | {"reports.field.publish", "reports.field.refuse"}
)
DUE = frozenset(
    {
        "run.daily",
        "proofs.checkpoint",
        "proposals.close",
        "votes.seal",
        "pledges.charge",
        "mail.send",
        "ledger.reconcile",
    }
)
"""The acts of the daily run; people may do them earlier."""

_GOVERNING = (
    "operators.", "keys.", "stripe.", "organisation.", "legal.", "witnesses.",
    "ways.", "payments.ways.",
    "proofs.rotate-key", "proofs.signer-reset",
)  # fmt: skip
"""The acts, or groups of acts, that only an admin may do."""


def roles_for(action: str) -> frozenset[Role]:
    """Return the roles that may do an act; by default admin and bookkeeper."""
    if action in DUE:
        return frozenset({Role.ADMIN, Role.BOOKKEEPER, Role.SCHEDULER})
    if action == "approvals.approve":
        return APPROVING
    if action.startswith("approvals."):
        return PREPARING
    if action in _EDITING:
        return frozenset({Role.ADMIN, Role.EDITOR})
    if action.startswith(_GOVERNING):
        return frozenset({Role.ADMIN})
    return frozenset({Role.ADMIN, Role.BOOKKEEPER})


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
