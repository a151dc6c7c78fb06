"""Writes the generated part of docs/mail.md: the table of the kinds of email."""

from jara.domain.email_kinds import KINDS


def list_kinds() -> str:
    """Return the table of the kinds."""
    rows = [
        f"| `{kind.name}` | {kind.about} | {', '.join(kind.to)} | {kind.consent} "
        f"| {'yes' if kind.may_be_bundled else ''} |"
        for kind in KINDS.values()
    ]
    head = "| email | what it is about | to | consent | bundled |"
    return "\n".join([head, "|---|---|---|---|---|", *rows, ""])
