"""Creating an organisation, while another process does the same."""

from pathlib import Path

import pytest

from jara.domain.errors import Conflict
from jara.services.organisation import create_organisation
from jara.store.store import Store
from tests.harness import make_organisation


def test_one_database_has_one_organisation(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that found the tables empty writes nothing if another was quicker."""
    context = make_organisation(place)
    monkeypatch.setattr(Store, "create", lambda _: None)

    with pytest.raises(Conflict, match="Another process made the organisation"):
        create_organisation(context)

    with context.store.read() as work:
        assert work.log.size() == 2
