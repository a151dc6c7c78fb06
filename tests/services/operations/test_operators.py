"""Operators: who may act, and how the list restricts it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound, Refused
from jara.records.operations import Operator
from jara.services.audit import record_act, require_operator
from jara.services.authority import SCHEDULER
from jara.services.operations.operators import add_operator, list_operators, remove_operator
from tests.harness import make_organisation


def test_anybody_acts_while_nobody_is_listed(place: Path) -> None:
    """An organisation with one operator needs no list."""
    context = make_organisation(place)

    with context.store.read() as work:
        require_operator(context, work, "ledger.post")

    assert list_operators(context) == []


def test_only_the_listed_act_once_somebody_is(place: Path) -> None:
    """Once a name is listed, all others are refused."""
    context = make_organisation(place)
    stranger = replace(context, operator="mallory")

    add_operator(context, " tester ", why="founder")

    with context.store.read() as work:
        require_operator(context, work, "ledger.post")
        with pytest.raises(Refused, match="'mallory' is not among the operators"):
            require_operator(stranger, work, "ledger.post")
    with pytest.raises(Refused):
        add_operator(stranger, "mallory")


def test_the_first_to_be_listed_is_oneself(place: Path) -> None:
    """The first listed name must be the operator's own, to prevent a lock-out."""
    context = make_organisation(place)

    with pytest.raises(Conflict, match="jara operators add tester"):
        add_operator(context, "ada")


def test_a_name_is_listed_once(place: Path) -> None:
    """A listed name cannot be added again, but a removed one may come back."""
    context = make_organisation(place)
    add_operator(context, "tester")
    add_operator(context, "ada")

    with pytest.raises(Conflict, match="'ada' is an operator already"):
        add_operator(context, "ada")
    removed = remove_operator(context, "ada")
    assert isinstance(removed, Operator)
    add_operator(context, "ada")

    assert removed.removed_at == context.now()
    assert [one.operator.removed_at for one in list_operators(context)] == [None, None]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_a_name_is_readable(place: Path, name: str) -> None:
    """A name that the audit log could not show is refused."""
    with pytest.raises(InvalidInput, match="not a valid name"):
        add_operator(make_organisation(place), name)


def test_the_last_operator_stays(place: Path) -> None:
    """An empty list would let anybody act again."""
    context = make_organisation(place)
    add_operator(context, "tester")

    with pytest.raises(Conflict, match="last operator"):
        remove_operator(context, "tester")


def test_only_the_listed_are_removed(place: Path) -> None:
    """Removing an unlisted name is an error."""
    with pytest.raises(NotFound, match="'ada'"):
        remove_operator(make_organisation(place), "ada")


def test_changes_of_the_list_are_recorded(place: Path) -> None:
    """The audit log records who was listed or removed, by whom and why."""
    context = make_organisation(place)
    add_operator(context, "tester", why="founder")
    add_operator(context, "ada", why="treasurer")
    remove_operator(context, "ada", why="moved on")

    with context.store.read() as work:
        acts = [(row.operator, row.action, row.subject, row.why) for row in work.operations.audit()]

    assert acts == [
        ("tester", "operators.add", "tester", "founder"),
        ("tester", "operators.add", "ada", "treasurer"),
        ("tester", "operators.remove", "ada", "moved on"),
    ]


def test_an_act_of_a_stranger_leaves_nothing(place: Path) -> None:
    """An act by an unlisted operator is refused and rolled back."""
    context = make_organisation(place)
    add_operator(context, "tester")
    stranger = replace(context, operator="mallory")

    def act() -> None:
        with context.store.write() as work:
            work.meta.put("note", "written by a stranger")
            record_act(stranger, work, "meta.note", "note")

    with pytest.raises(Refused, match="mallory"):
        act()
    with context.store.read() as work:
        assert work.meta.get("note") is None


def test_the_scheduler_needs_no_list(place: Path) -> None:
    """The daily run may act without being listed, since it decides nothing."""
    context = make_organisation(place)
    add_operator(context, "tester")

    with context.store.read() as work:
        require_operator(replace(context, operator=SCHEDULER), work, "run.daily")


def test_an_operator_may_leave(place: Path) -> None:
    """Taking oneself off the list is recorded under one's own name."""
    context = make_organisation(place)
    add_operator(context, "tester")
    add_operator(context, "ada")

    remove_operator(context, "tester", why="moved on")

    with context.store.read() as work:
        last = work.operations.audit()[-1]
    assert (last.operator, last.action, last.subject) == ("tester", "operators.remove", "tester")
