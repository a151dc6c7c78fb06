"""Fixtures that most service tests use."""

from pathlib import Path

import pytest

from jara.services.context import Context
from tests.harness import make_organisation
from tests.services.ballots import voting_world
from tests.services.giving.joiners import join, take_cash
from tests.services.members.codes_world import a_member
from tests.services.news import news_world


@pytest.fixture
def context(place: Path) -> Context:
    """A new organisation with empty books, on 20 November 2026, noon."""
    return make_organisation(place)


@pytest.fixture
def member_id(context: Context) -> str:
    """A member who pledged $10 on the day of joining."""
    return join(context).member.id


@pytest.fixture
def one_member(context: Context) -> None:
    """A member with a password, ama@example.org."""
    a_member(context)


@pytest.fixture
def open_vote(context: Context) -> None:
    """An open vote."""
    voting_world.open_vote(context)


@pytest.fixture
def cash(context: Context) -> None:
    """Cash as a way to pay."""
    take_cash(context)


@pytest.fixture
def project(context: Context) -> None:
    """A published project."""
    news_world.add_project(context)
