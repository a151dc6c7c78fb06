"""What an operator changes of a payment without a card is told to those who pay it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.giving.payment_way import PaymentWay
from jara.services.context import Context
from jara.services.giving.deaths import record_death
from jara.services.giving.pledging import stop_for_member
from jara.services.members.accounts import find_member
from jara.services.members.operators import erase_by_operator, remove_address
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.ways import remove_way, set_way
from tests.harness import make_organisation
from tests.services.ballots.voting_world import add_former_payer, add_member
from tests.services.giving.joiners import take_cash
from tests.services.payments.test_gift_promises import GIVER, announce

ADA, BEN = "ada@example.org", "ben@example.org"
IBAN = "DE89370400440532013000"


def transfers_go_to(context: Context, details: str = "Any bank", *, iban: str = "") -> None:
    """Set how transfers are made."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details=details, iban=iban)


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation in which Ada pays by transfer and Ben in cash."""
    context = make_organisation(place)
    take_cash(context)
    transfers_go_to(context)
    for name, way in (("ada", PaymentWay.TRANSFER), ("ben", PaymentWay.CASH)):
        add_former_payer(context, name)
        promise(context, f"{name}@example.org", dollars=10, way=way)
    return context


def told(context: Context, kind: str) -> dict[str, Mapping[str, object]]:
    """Return the values of the emails of a kind, by address."""
    with context.store.read() as work:
        return {one.address: one.doc for one in work.outbox.all() if one.kind == kind}


def test_another_account_is_told_to_those_who_pay_to_it(context: Context) -> None:
    """Members and givers of this way get it with their reference; nobody if nothing changes.

    A gift that arrived, and one in another way, need it no more.
    """
    gift = announce(context, PaymentWay.TRANSFER)
    receive(context, announce(context, PaymentWay.TRANSFER, email="arrived@example.org"), 2500)
    announce(context, PaymentWay.CASH, email="cash@example.org")
    transfers_go_to(context)
    assert told(context, "payment_way_changed") == {}
    transfers_go_to(context, iban=IBAN)

    emails = told(context, "payment_way_changed")
    assert set(emails) == {ADA, GIVER}
    assert emails[ADA]["iban"] == "DE89 3704 0044 0532 0130 00"
    assert (emails[ADA]["amountCents"], emails[ADA]["isRemoved"]) == (1000, False)
    assert (emails[GIVER]["reference"], emails[GIVER]["language"]) == (gift, "fr")


def test_the_end_of_a_way_is_told_to_those_who_use_it(context: Context) -> None:
    """They get no account to pay to."""
    remove_way(context, PaymentWay.CASH)

    emails = told(context, "payment_way_changed")
    assert {address: doc["isRemoved"] for address, doc in emails.items()} == {BEN: True}
    assert emails[BEN]["details"] == ""


@pytest.mark.parametrize(("name", "by_card"), [("ada", False), ("kit", True)])
def test_a_member_hears_that_an_operator_stopped_the_pledge(
    context: Context, name: str, by_card: bool
) -> None:
    """Once; who pays without a card has to stop a standing order."""
    kit = add_member(context, "kit")
    with context.store.write() as work:
        pledge = work.pledges.get(kit.id)
        assert pledge is not None
        work.pledges.put(
            replace(pledge, subscription_id=None), member_key=kit.key, at=context.now()
        )
    member = find_member(context, f"{name}@example.org")
    stop_for_member(context, "pledges.cancel", member)
    stop_for_member(context, "pledges.cancel", member)

    (email,) = told(context, "pledge_stopped").values()
    assert (email["isByOperator"], email["isByCard"]) == (True, by_card)


def test_a_member_hears_that_an_operator_erased_them(context: Context) -> None:
    """The family of somebody who died is not written to."""
    erase_by_operator(context, find_member(context, ADA), why="asked by telephone")
    ben = find_member(context, BEN)
    record_death(context, ben, died_on=date(2026, 11, 1))
    erase_by_operator(context, find_member(context, ben.id), why="asked by the family")

    emails = told(context, "account_closed")
    assert list(emails) == [ADA]
    assert (emails[ADA]["isByOperator"], emails[ADA]["isByCard"]) == (True, False)


def test_an_address_hears_that_it_was_removed(context: Context) -> None:
    """It is not asked whether it changed."""
    remove_address(context, find_member(context, ADA), why="no computer")

    assert told(context, "address_agreement")[ADA]["isRemoval"] is True
