"""The checklist on the dashboard."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from jara.domain.errors import NotFound


class TodoItem(NamedTuple):
    """One item of the checklist, and whether it is done (spec §3)."""

    id: str
    title: str
    description: str
    icon: str
    action_text: str
    completed: bool


TODO_ITEMS = (
    TodoItem(
        id="invite-a-friend",
        title="Invite a friend",
        description="One more square in the cloth.",
        icon="invite",
        action_text="Invite",
        completed=False,
    ),
    TodoItem(
        id="spread-the-word",
        title="Spread the word",
        description="Share Jara where your people are.",
        icon="share",
        action_text="Share",
        completed=True,
    ),
    TodoItem(
        id="join-the-conversation",
        title="Join the conversation",
        description="Say hello in the community chat.",
        icon="chat",
        action_text="Open chat",
        completed=True,
    ),
)
"""The checklist; the first item starts incomplete, the others complete (spec §4)."""


def todo_list(toggled: Container[str]) -> tuple[TodoItem, ...]:
    """Return a member's checklist, given the items toggled since the start."""
    return tuple(
        item._replace(completed=not item.completed) if item.id in toggled else item
        for item in TODO_ITEMS
    )


def toggle_todo(toggled: frozenset[str], item_id: str, *, completed: bool) -> frozenset[str]:
    """Return the toggled items after marking this one as completed or not.

    Raises:
        NotFound: the checklist has no such item.
    """
    for item in TODO_ITEMS:
        if item.id == item_id:
            others = toggled - {item_id}
            return others if item.completed is completed else others | {item_id}
    raise NotFound(f"The checklist has no item '{item_id}'.")
