"""An exposed token key is replaced, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.errors import Refused, Unavailable
from jara.services.context import Context
from jara.services.operations.operators import add_operator
from jara.services.organisation import SECRETS_FINGERPRINT, renew_token_key
from tests.harness import make_context
from tests.services.ballots.voting_world import open_vote


def known(context: Context) -> str | None:
    """Return the fingerprint stored in the database."""
    with context.store.read() as work:
        return work.meta.get(SECRETS_FINGERPRINT)


def test_a_new_key_ends_every_session_and_no_proof(context: Context) -> None:
    """Database and folder have the new key; the log's own key stays."""
    before, log_key = known(context), context.vault.log_public_key()
    renew_token_key(context)

    assert before != known(context) == context.vault.fingerprint()
    assert log_key == context.vault.log_public_key()
    assert open_vote(context) == "prop_01"
    with context.store.read() as work:
        assert "keys.renew" in {act.action for act in work.operations.audit()}


def test_a_change_that_was_cut_off_is_gone_on_with(context: Context) -> None:
    """The change is completed if the database has the new key and the folder the old one."""
    with context.store.write() as work:
        work.meta.put(SECRETS_FINGERPRINT, context.vault.prepare_token_key())
    assert known(context) != context.vault.fingerprint()
    renew_token_key(context)

    assert known(context) == context.vault.fingerprint()


def test_foreign_secrets_are_not_adopted(context: Context, place: Path) -> None:
    """Otherwise a database could be connected to another log by mistake."""
    (place / "other").mkdir()
    other = replace(context, vault=make_context(place / "other", seed="other").vault)
    before = known(context)

    with pytest.raises(Unavailable, match="does not belong to this database"):
        renew_token_key(other)
    assert known(context) == before


def test_a_stranger_renews_nothing(context: Context) -> None:
    """An unlisted operator is refused, since renewal signs every member out."""
    add_operator(context, "tester")
    before = context.vault.fingerprint()

    with pytest.raises(Refused):
        renew_token_key(replace(context, operator="mallory"))
    assert context.vault.fingerprint() == before
