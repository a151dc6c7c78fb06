"""The doctor compares the sums of grants and donations on the website with the books."""

from datetime import date
from pathlib import Path

from jara.services.content import add_item, edit_item
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.diagnosis_site import check_shown_sums
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.harness import make_organisation
from tests.services.books.ledger_builders import give
from tests.services.operations.doctor import WELL

ROOF = {"id": "roof", "slug": "roof", "code": "TZ", "title": "Roof", "amountCents": 1_457}


def results(context: Context) -> list[tuple[Level, str]]:
    """Return what the doctor says."""
    return [(one.level, one.message) for one in check_shown_sums(context, WELL)]


def test_a_sum_that_the_books_did_not_pay_is_named(place: Path) -> None:
    """A page that says $91,457 for a donation of $14.57 is named with both sums."""
    context = make_organisation(place)
    give(context, 100_000)
    assert results(context) == []
    add_item(context, "donations", ROOF, published=True)
    disburse(context, Disbursement(Payee.DONATIONS, "roof", 1_457, day=date(2026, 11, 20)))
    assert [level for level, _ in results(context)] == [Level.OK]

    changed = {"amountCents": 9_145_700, "amount": "$91,457.00"}
    edit_item(context, "donations", "roof", changed)

    ((level, message),) = results(context)
    assert level is Level.WARNING
    assert "The website says $91,457.00 for 'roof' of donations; the books paid $14.57" in message


def test_samples_and_hidden_items_are_not_compared(place: Path) -> None:
    """Sample content has no money; what is not shown misleads nobody."""
    context = make_organisation(place)
    add_item(context, "donations", {**ROOF, "sample": True}, published=True)
    add_item(context, "donations", {**ROOF, "id": "b", "slug": "b"}, published=False)

    assert results(context) == []
