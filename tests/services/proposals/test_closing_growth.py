"""Closing a vote takes the same number of statements for many members as for few."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from jara.domain.email_kinds import EmailChoice
from jara.services.context import Context
from jara.services.proposals.closing import close_vote
from jara.store.sqlite.connection import SqliteSql
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, refund, vote

NEWS = "vote_closed"


def organisation(folder: Path, members: int) -> Context:
    """An organisation whose vote has ended, in which each member voted and wants news."""
    folder.mkdir(exist_ok=True)
    context = make_organisation(folder)
    open_vote(context)
    for number in range(members):
        member = add_member(context, f"member{number}")
        with context.store.write() as work:
            work.members.update(member._replace(email_choice=EmailChoice.MONTHLY))
        vote(context, member)
    clock_of(context).advance(days=11)
    return context


def questions_of_closing(context: Context, patch: pytest.MonkeyPatch) -> int:
    """Close the vote and return the number of single statements."""
    asked: Counter[str] = Counter()

    def counting(name: str) -> Any:
        real = getattr(SqliteSql, name)

        def ask(self: SqliteSql, statement: str, *args: Any) -> Any:
            asked[name] += 1
            return real(self, statement, *args)

        return ask

    with patch.context() as within:
        for name in ("run", "run_many", "one", "all", "each"):
            within.setattr(SqliteSql, name, counting(name))
        close_vote(context, "prop_01")
    return asked.total()


LEVELS = 6


def emails(context: Context) -> list[str]:
    """Return the sorted ids of the members who were sent the result."""
    with context.store.read() as work:
        return sorted(str(one.member_id) for one in work.outbox.all() if one.kind == NEWS)


def test_no_statement_is_sent_for_each_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for voters and for recipients of the result."""
    few, many = organisation(tmp_path / "few", 2), organisation(tmp_path / "many", 30)

    of_few, of_many = (questions_of_closing(one, monkeypatch) for one in (few, many))

    # The proof for the checkpoint's signature has a hash for each level of the log's tree.
    assert of_few <= of_many <= of_few + LEVELS
    assert len(emails(few)) == 2
    assert len(emails(many)) == 30


def test_members_without_a_valid_payment_are_listed(tmp_path: Path) -> None:
    """A voter whose only payment was refunded is found; one with a partial refund is not."""
    context = make_organisation(tmp_path)
    open_vote(context)
    whole, part, silent = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, whole)
    vote(context, part)
    refund(context, whole, 1000)
    refund(context, part, 400)
    refund(context, silent, 1000)

    with context.store.read() as work:
        everybody = [one.key for one in (whole, part, silent)]
        unpaid = work.payments.without_contribution(everybody, since=context.now())
        assert sorted([whole.key, silent.key]) == unpaid
