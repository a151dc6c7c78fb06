"""One read returns a member's whole profile, equal to separate reads."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.giving.changemaker import card_pays_until
from jara.domain.time_zone import UTC_ZONE
from jara.records.access import PendingAddress
from jara.records.people import Account
from jara.services.ballots.counting import voted_on
from jara.services.context import Context
from jara.services.members.profiles import set_todo
from jara.store.repositories.people import pledges
from jara.store.store import Store
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, refund, vote
from tests.store.conftest import NewDatabase


@pytest.fixture
def context(tmp_path: Path, new_database: NewDatabase) -> Iterator[Context]:
    """An organisation with two open votes."""
    context = make_organisation(tmp_path, database=new_database())
    open_vote(context)
    open_vote(context, id="an-older.one_2", slug="older", title="older")
    yield context
    context.store.close()


def account_of(context: Context, member_id: str) -> Account:
    """Return the account of a member."""
    return context.store.read_once().pledges.account(member_id, now=context.now())


def test_an_account_holds_pledge_and_votes(context: Context) -> None:
    """An account holds the member's pledge, first payment, checklist and votes."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    vote(context, bob, "down")
    vote(context, ada)
    vote(context, ada, proposal="an-older.one_2")
    set_todo(context, ada.id, "invite-a-friend", completed=True)
    set_todo(context, ada.id, "spread-the-word", completed=False)
    soon = context.now() + timedelta(minutes=1)
    with context.store.write() as work:
        work.access.put_pending_address(PendingAddress(ada.id, "new@example.org", "hash", soon))
    work = context.store.read_once()

    assert account_of(context, ada.id) == Account(
        pledge=work.pledges.get(ada.id),
        first_paid_on=date(2026, 11, 20),
        paid_until=card_pays_until(date(2026, 11, 20), UTC_ZONE),
        todo_done=work.members.todo_done(ada.id),
        pending_email="new@example.org",
    )
    assert len(account_of(context, ada.id).todo_done) == 2
    assert voted_on(context, work, ada.id) == ["an-older.one_2", "prop_01"]
    assert voted_on(context, work, bob.id) == ["prop_01"]
    clock_of(context).advance(minutes=1)
    assert account_of(context, ada.id).pending_email is None


def test_refunded_payments_are_not_a_first_payment(context: Context) -> None:
    """A refunded payment is not the first payment."""
    waiting, refunded = add_member(context, "ada", cents=0), add_member(context, "bob")
    refund(context, refunded, 1000)

    assert account_of(context, waiting.id).first_paid_on is None
    assert account_of(context, refunded.id).first_paid_on is None


def test_an_account_may_be_empty(context: Context) -> None:
    """A member without a pledge has a checklist; an unknown person has nothing."""
    member = add_member(context, "ada")._replace(id="kofi", key="m_kofi", email="k@example.org")
    with context.store.write() as work:
        work.members.add(member, password_hash="x")
    set_todo(context, member.id, "invite-a-friend", completed=True)

    account = account_of(context, "kofi")
    assert (account.pledge, account.todo_done) == (None, frozenset({"invite-a-friend"}))
    assert account_of(context, "nobody") == Account()


def test_an_account_is_found_by_key(tmp_path: Path) -> None:
    """Reading an account uses keys and does not read other members' payments."""
    store = make_organisation(tmp_path).store
    assert isinstance(store, Store)
    with store.read() as work:
        plan = work.sql.all(f"EXPLAIN QUERY PLAN {pledges._account()}", {"id": "nobody", "now": ""})
    steps = [str(row[3]) for row in plan]

    assert [step for step in steps if step.startswith("SCAN")] == []
