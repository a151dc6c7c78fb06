"""Nobody can test addresses with the database alone."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from jara.services.context import Context
from jara.services.members.contributors import email_handle, keep_handles, renew_handles
from jara.services.operations import upkeep
from jara.services.operations.upkeep import upgrade
from tests.services.members.codes_world import a_member
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"
PLAIN = "email:" + sha256(EMAIL.encode()).hexdigest()


def handles(context: Context) -> dict[str, str]:
    """Return the contributors' handles and keys."""
    return {row[0]: row[1] for row in rows_of(context, "contributors")}


def test_a_handle_needs_the_key(context: Context) -> None:
    """A plain hash can be compared with the hashes of a million known addresses."""
    member = a_member(context)

    assert handles(context) == {email_handle(context, EMAIL): member.key}
    assert sha256(EMAIL.encode()).hexdigest() not in str(handles(context))


def test_handles_of_an_earlier_version_are_renewed_once(context: Context) -> None:
    """The upgrade needs no address, and the giver is still found by the address afterwards."""
    with context.store.write() as work:
        work.contributors.put(PLAIN, "key_old")
        work.contributors.put("customer:cus_1", "key_old")
    for _ in range(2):
        upgrade(context)

    assert handles(context) == {
        email_handle(context, EMAIL): "key_old",
        "customer:cus_1": "key_old",
    }


def test_an_upgrade_that_was_killed_is_finished_by_the_next(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade renews all handles or none."""
    with context.store.write() as work:
        work.contributors.put(PLAIN, "key_old")

    def killed(*args: Any) -> int:
        renew_handles(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(upkeep, "renew_handles", killed)
    with pytest.raises(KeyboardInterrupt):
        upgrade(context)
    assert handles(context) == {PLAIN: "key_old"}
    monkeypatch.undo()
    upgrade(context)

    assert handles(context) == {email_handle(context, EMAIL): "key_old"}


def test_an_unconfirmed_address_leads_to_no_gifts(context: Context) -> None:
    """Otherwise a person who enters another's address would see that owner's gifts."""
    member = a_member(context)
    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=False))
    assert handles(context) == {}

    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=True))
    assert handles(context) == {email_handle(context, EMAIL): member.key}
