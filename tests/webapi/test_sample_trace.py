"""An example contribution that visitors can follow."""

from pathlib import Path

from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.services.books.ledger_builders import pass_proposal
from tests.webapi.desk import open_desk


def test_a_visitor_follows_ten_dollars_without_a_name(place: Path) -> None:
    """The trace is empty before any spending; then it has month, amounts and payees."""
    desk = open_desk(place)
    assert desk.get("/sample-trace").json == {"trace": None}
    desk.join(email="ama@example.org", firstname="Ama")
    context = desk.application.context
    pass_proposal(context, 700)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 700, proposal="wells"))
    desk.join(email="kofi@example.org")
    answer = desk.get("/sample-trace")

    assert answer.status_code == 200
    assert "Ama" not in answer.text
    assert "ama@" not in answer.text
