"""Stored values that the shell offers: members, accounts, proposals and the like."""

from collections.abc import Callable

from jara.domain.content.kinds import KINDS, PROJECTS
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def _items(work: UnitOfWork, noun: str) -> list[str]:
    """Return the slugs that a command such as ``jara projects show`` accepts."""
    kinds = [kind.name for kind in KINDS.values() if kind.command == noun]
    return sorted(item.slug for kind in kinds for item in work.content.all(kind))


def _projects(work: UnitOfWork, _noun: str) -> list[str]:
    return _items(work, PROJECTS)


def _members(work: UnitOfWork, _noun: str) -> list[str]:
    return sorted(member.email or member.id for member in work.members.all())


STORED_VALUES: dict[str, Callable[[UnitOfWork, str], list[str]]] = {
    "ITEM": _items,
    "ACCOUNT": lambda work, _: sorted(work.book_settings.chart().accounts),
    "APPROVAL": lambda work, _: [one.id for one in work.operations.approvals(waiting_only=True)],
    "LINE": lambda work, _: [
        line.id for one in work.bank.accounts() for line in work.bank.waiting(one.number)
    ],
    "MEMBER": _members,
    "REFERENCE|MEMBER": _members,
    "RULE": lambda work, _: [rule.id for rule in work.bank_rules.rules()],
    "PROPOSAL": lambda work, _: sorted(one.proposal.slug for one in work.proposals.all()),
    "PROJECT": _projects,
    "SLUG": _projects,
}
"""By the name of a value in the help; ITEM is an item of the noun before the verb."""


def stored_values(context: Context, name: str, noun: str) -> list[str]:
    """Return the stored values with a name, for the verbs of a noun."""
    with context.store.read() as work:
        return STORED_VALUES[name](work, noun)
