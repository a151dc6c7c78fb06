"""The overhead pays the bank's charges."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.books.journal import EntryKind, PostedEntry
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bank_charges import HANDLERS, post_bank_charge
from jara.services.context import Context, Rules
from tests.harness import make_organisation
from tests.rows import as_written
from tests.services.books.entry_writing import TODAY
from tests.services.books.ledger_builders import give


@pytest.fixture
def context(place: Path) -> Context:
    """Return books in which each fund has some money."""
    context = make_organisation(place)
    give(context, 100_000)
    return context


def test_the_banks_charge_is_borne_by_the_overhead(context: Context) -> None:
    """The charge is split by the weights of the policy in force."""
    posted = post_bank_charge(context, cents=20, external_id="bank:7", note="November")

    assert isinstance(posted, PostedEntry)
    assert (
        as_written(posted.entry) == "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4"
    )
    assert posted.entry.day == TODAY


def test_a_large_bank_charge_is_no_way_around_approval(place: Path) -> None:
    """From the limit on, a bank charge waits for another operator, who approves it."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)

    waiting = post_bank_charge(context, cents=1000)

    assert isinstance(waiting, Approval)
    second = replace(context, operator="second")
    carried_out = approve(second, waiting.id, handlers=HANDLERS).result
    assert isinstance(carried_out, PostedEntry)
    assert carried_out.entry.kind is EntryKind.FEE
