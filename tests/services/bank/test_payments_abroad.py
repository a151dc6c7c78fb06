"""A payment abroad and the bank's charge for it are matched on the statement."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.foreign import foreign_payment
from jara.services.context import Context
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import make_organisation
from tests.services.bank.bank_books import compared, open_with, take, waiting
from tests.services.books.ledger_builders import give, pass_proposal

DAY = date(2026, 5, 4)


@pytest.fixture
def context(place: Path) -> Context:
    """Books with a payment abroad of $40, and a charge of 20 cents."""
    context = make_organisation(place)
    open_with(context, 10_000)
    give(context, 100_000)
    pass_proposal(context, 5000)
    foreign = foreign_payment("KES 5,160", cents=4000, source="bank slip 1182")
    payment = Disbursement(
        Payee.PROJECTS, "wells", 4000, "wells", day=DAY, foreign=foreign, charge_cents=20
    )
    disburse(context, payment)
    return context


def test_payment_and_charge_match_two_lines(context: Context) -> None:
    """Each line is matched by its amount, and nothing is booked twice."""
    lines = a_line(-4000, "KES 5,160 AT 129.00", day=5), a_line(-20, "TRANSFER CHARGE", day=5)
    outcome = take(context, a_statement(*lines, opening=10_000))

    assert (outcome.settled.by_entry, outcome.settled.waiting) == (2, 0)
    assert waiting(context) == []
    assert compared(context).difference_cents == 0
