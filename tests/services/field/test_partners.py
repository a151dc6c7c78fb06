"""Operators add partners, and make and revoke their links."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import Language
from jara.services.context import Context
from jara.services.field.partners import NewLink, add_partner, list_links, make_link, revoke_links
from tests.harness import make_organisation
from tests.services.news.news_world import add_project

NAME = "Maji Safi"


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with two projects, on 20 November 2026."""
    context = make_organisation(place)
    add_project(context)
    add_project(context, id="school", title="A school", milestones=[])
    return context


def add(context: Context, name: str = NAME, **more: Any) -> NewLink:
    """Add a partner of the well."""
    return add_partner(context, name, project="well", language=Language("fr"), **more)


def states(context: Context) -> list[tuple[str, str]]:
    """Return the projects of all links, with the state of each."""
    return [(one.project, one.state) for one in list_links(context)]


@pytest.mark.parametrize("name", ["", " \n ", "x" * 81, "Pay DE75 5121 0800"])
def test_a_partner_has_a_name(context: Context, name: str) -> None:
    """One line of 1 to 80 characters without an account; nothing is stored for another."""
    with pytest.raises(InvalidInput, match="1 to 80 characters"):
        add(context, name)

    assert states(context) == []


def test_a_partner_is_added_once(context: Context) -> None:
    """The message says how to get a link for another project."""
    add(context)

    with pytest.raises(Conflict, match='partners link "maji safi" --project PROJECT'):
        add(context, "maji  safi")
    assert len(list_links(context)) == 1


def test_with_several_projects_a_new_link_names_one(context: Context) -> None:
    """The message has the projects; with only one it goes without saying."""
    add(context)
    assert make_link(context, NAME).link.project == "a-well-for-atsu"
    make_link(context, NAME, project="school")

    with pytest.raises(InvalidInput, match="has the projects a-school, a-well-for-atsu; say which"):
        make_link(context, NAME)
    assert make_link(context, NAME, project="a-school").link.project == "a-school"


def test_a_link_does_not_end_before_it_is_made(context: Context) -> None:
    """The partner is not added either."""
    with pytest.raises(InvalidInput, match="would end on 2026-11-19, which is over"):
        add(context, last_day=date(2026, 11, 19))

    assert add(context, last_day=date(2026, 11, 20)).link.opens(context.today())


def test_one_link_is_revoked_by_its_id(context: Context) -> None:
    """The other links of the partner stay open, and the list says which is which."""
    add(context)
    lost = make_link(context, NAME, project="school").link

    assert [one.id for one in revoke_links(context, lost.id)] == [lost.id]
    assert states(context) == [("a-school", "revoked"), ("a-well-for-atsu", "open")]
    assert revoke_links(context, lost.id) == []
