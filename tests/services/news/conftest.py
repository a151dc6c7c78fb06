"""Fixtures of the tests of news."""

import pytest

from tests.services.news.news_world import Mailbox


@pytest.fixture
def mailbox() -> Mailbox:
    """A mail server in memory, with no email yet."""
    return Mailbox()
