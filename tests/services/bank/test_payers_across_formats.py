"""One account is one payer, in whatever format and dialect the bank names it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from jara.domain.errors import CardVoted
from jara.domain.giving.payment_way import PaymentWay
from jara.files.bank.writing import write_camt
from jara.services.context import Context
from jara.services.payments.ways import set_way
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.files.bank.written_statements import read
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.bank.bank_books import take
from tests.services.bank.test_contributions import promised

PAYER = "DE43500105170009876543"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that accepts transfers, at the beginning of June."""
    context = make_organisation(place)
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="")
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    return context


@pytest.mark.parametrize(
    "text",
    [
        "NTRFNONREF//B2\n:86:166?20SVWZ+{reference}?31" + PAYER,
        "NTRFNONREF//B2\n:86:051?20{reference}?3050010517?319876543",
        "NTRFNONREF//B2\n:86:073~20{reference}~38" + PAYER,
        "NTRFNONREF//B2\n:86:/TRTP/SEPA/IBAN/" + PAYER + "/NAME/Bo/REMI/{reference}",
        "NTRFEREF//B2\n:86:/EREF/1//CNTP/" + PAYER + "/BIC/Bo///REMI/USTD//{reference}/",
        "N541NONREF//B2\n" + PAYER + "\n:86:/ORDP//NAME/Bo/REMI/{reference}",
        "NIDB" + PAYER + "\nbo\n:86:{reference}",
    ],
)
def test_two_members_of_one_account_have_one_ballot(context: Context, text: str) -> None:
    """The first pays on a statement of CAMT, the second on one of MT940."""
    open_vote(context, endDate="2999-12-31")
    ada, bo = promised(context, "ada"), promised(context, "bo")
    early = a_statement(
        a_line(1000, ada, day=4, party_account=PAYER, bank_ref="B1"), last=date(2026, 5, 10)
    )
    late = (
        f":20:S\n:25:{NUMBER}\n:28C:1/1\n:60F:C260510USD10,00\n"
        f":61:2605200520C10,00{text.format(reference=bo)}\n:62F:C260531USD20,00\n-\n"
    )
    take(context, *read(write_camt([early])))
    settled = take(context, *read(late.encode())).settled
    with context.store.read() as work:
        members = [work.members.find(f"{name}@example.org") for name in ("ada", "bo")]

    assert settled.by_member == 1
    vote(context, members[0])
    with pytest.raises(CardVoted):
        vote(context, members[1])
