"""The public page of an entry, and an amount of a month that is followed."""

import json
from pathlib import Path

import pytest

from jara.domain.papers import PaperKind
from jara.mail.rendering import render
from jara.records.journal import EntryQuery
from jara.services.books.papers import PaperFile, add_documents, erase_document
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.members.accounts import find_member
from jara.services.payments.refunding import refund_payment
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.sent_emails import newest_email
from tests.services.ballots.voting_world import pay
from tests.services.books.ledger_builders import pass_proposal
from tests.services.content.content_documents import WELLS
from tests.services.news.news_world import IDENTITY
from tests.webapi.desk import Desk, open_desk


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation without money."""
    return open_desk(place)


@pytest.fixture
def token(desk: Desk) -> str:
    """A member who gave $10."""
    return desk.join(email="ama@example.org", firstname="Ama")


def entries(desk: Desk, kind: str) -> list[str]:
    """Return the ids of the entries of a kind, oldest first."""
    with desk.application.context.store.read() as work:
        return [posted.id for posted in work.journal.entries(EntryQuery(kinds=(kind,)))]


def text_of(context: Context, kind: str) -> str:
    """Return the text of the newest email of a kind."""
    return render(kind, newest_email(context, kind).doc, IDENTITY).text


def pay_wells(desk: Desk, cents: int) -> None:
    """Pay a project under a passed vote."""
    context = desk.application.context
    import_items(context, "projects", [{**WELLS, "account": "expenses:projects:wells"}])
    pass_proposal(context, cents)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", cents, proposal="wells"))


def test_a_visitor_sees_the_kinds_of_documents(desk: Desk, token: str) -> None:
    """Their kinds alone; a public one can be read, and one that was erased is gone."""
    pay_wells(desk, 500)
    context, entry = desk.application.context, entries(desk, "disbursement")[0]
    invoice, slip, bill = (PaperFile("image/png", name) for name in (b"1", b"2", b"3"))
    add_documents(context, entry, [invoice], PaperKind.INVOICE)
    add_documents(context, entry, [slip, bill], PaperKind.SLIP)
    add_documents(context, entry, [slip], PaperKind.SLIP, keep=lambda _name, _data: lambda: None)

    erase_document(context, bill.hash, why="Shows an address.")

    assert desk.get(f"/ledger/entries/{entry}").json["documents"] == [
        {"kind": "slip", "number": 1, "path": f"/media/{slip.hash}.png"},
        {"kind": "invoice", "number": 1},
    ]


def test_a_visitor_sees_split_proof_and_use_of_a_payment(desk: Desk, token: str) -> None:
    """The month is there, the day is not."""
    pay_wells(desk, 500)
    (pledge,) = entries(desk, "pledge")
    page = desk.get(f"/ledger/entries/{pledge}").json
    projects = page["trace"][0]

    assert (page["id"], page["kind"], page["amountCents"]) == (pledge, "pledge", 1000)
    assert page["funds"] == {"projects": 800, "staff": 70, "marketing": 90, "other": 40}
    assert (page["date"], len(page["month"])) == (None, len("2026-11"))
    assert projects["paid"] == [
        {"project": "village-wells", "title": "Village wells", "cents": 500}
    ]
    assert projects["waitingCents"] == 300
    size = desk.get("/proofs/checkpoint").json["size"]
    proof = desk.get(
        "/proofs/inclusion", query_string=f"index={page['proof']['index']}&size={size}"
    )
    assert proof.json["leaf"] == page["proof"]["leaf"]


def test_a_payment_out_has_a_day_and_the_number_of_its_payers(desk: Desk, token: str) -> None:
    """It leads to no contribution."""
    desk.join(email="kofi@example.org")
    pay_wells(desk, 900)
    (payment,) = entries(desk, "disbursement")
    page = desk.get(f"/ledger/entries/{payment}").json

    assert (page["amountCents"], page["payers"], page["title"]) == (-900, 2, "Village wells")
    assert page["project"] == "village-wells"
    assert page["date"] is not None
    assert page["trace"] == []
    assert not any(pledge in json.dumps(page) for pledge in entries(desk, "pledge"))


def test_no_page_links_payments_of_one_person(desk: Desk, token: str) -> None:
    """Two contributions of one person have nothing in common that others do not have."""
    context = desk.application.context
    member = find_member(context, "ama@example.org")
    pay(context, member, cents=700, kind="gift")
    pay_wells(desk, 600)
    with context.store.read() as work:
        every = list(work.journal.in_log_order())
    for posted in every:
        text = desk.get(f"/ledger/entries/{posted.id}").text
        for secret in (member.key, member.id, member.email, member.firstname, member.lastname):
            assert secret not in text
        assert "expenses:" not in text
        assert posted.entry.external_id is None or posted.entry.external_id not in text
        pledges = {one.id for one in every if one.entry.member_key}
        assert not any(other in text for other in pledges - {posted.id})


def test_an_id_is_asked_for_as_a_whole(desk: Desk, token: str) -> None:
    """A part of an id, or a number, leads nowhere, so that nobody counts through."""
    (pledge,) = entries(desk, "pledge")

    for wrong in (pledge[:8], pledge[:15], "1", pledge.upper(), f"{pledge}:fee", "a" * 16):
        answer = desk.get(f"/ledger/entries/{wrong}")
        assert (wrong, answer.status_code) == (wrong, 404)


def test_an_amount_is_followed_through_a_month(desk: Desk, token: str) -> None:
    """Split, paid and waiting add up, whether the month is chosen or the newest one spent."""
    pay_wells(desk, 500)
    shown = desk.get("/follow", query_string="cents=2000").json
    projects = shown["funds"][0]

    assert (shown["cents"], shown["contributions"], shown["receivedCents"]) == (2000, 1, 1000)
    assert shown["months"] == [shown["month"]]
    assert [fund["cents"] for fund in shown["funds"]] == [1600, 140, 180, 80]
    assert projects["paid"] == [
        {"project": "village-wells", "title": "Village wells", "cents": 1000}
    ]
    assert projects["waitingCents"] == 600
    assert desk.get("/follow", query_string=f"cents=2000&month={shown['month']}").json == shown


def test_nothing_to_follow_before_the_first_contribution(desk: Desk) -> None:
    """It is said, not an error; a month without contributions is one."""
    shown = desk.get("/follow").json

    assert (shown["month"], shown["funds"], shown["months"]) == (None, [], [])
    assert desk.get("/follow", query_string="month=2020-01").status_code == 404
    for wrong in ("month=2020-13", "month=x", "cents=0", "cents=1e3", "cents=99999999999"):
        assert (wrong, desk.get("/follow", query_string=wrong).status_code) == (wrong, 422)


def test_a_member_traces_one_year(desk: Desk, token: str) -> None:
    """The period is that of the statement; by default it is all time."""
    whole = desk.get("/user/impact", token=token).json
    year = whole["contributions"][0]["date"][:4]
    query = f"from={year}-01-01&to={year}-12-31"
    asked = desk.get("/user/impact", token=token, query_string=query).json
    before = desk.get("/user/impact", token=token, query_string="from=2001-01-01&to=2001-12-31")

    assert asked["contributions"] == whole["contributions"]
    assert asked["period"]["from"] == f"{year}-01-01"
    assert before.json["contributions"] == []


def test_every_receipt_leads_to_its_entry(desk: Desk, token: str) -> None:
    """The emails of a payment, a gift and a refund, the statement's page and its JSON twin."""
    context = desk.application.context
    site = context.rules.site_url
    desk.post(
        "/gifts", {"amountCents": 2500, "email": "g@example.org", "paymentMethodId": "pm_card_visa"}
    )
    (pledge,), (gift,) = entries(desk, "pledge"), entries(desk, "gift")
    refund_payment(context, pledge, cents=300, why="asked")
    (refund,) = entries(desk, "refund")
    statement = desk.get("/user/statement.html", token=token).text

    assert f"/ledger/entries/{pledge}" in text_of(context, "receipt")
    assert f"/ledger/entries/{gift}" in text_of(context, "gift_receipt")
    assert f"/ledger/entries/{refund}" in text_of(context, "refund")
    assert f'href="{site}/ledger/entries/{pledge}"' in statement


def test_a_refund_and_its_payment_lead_to_each_other(desk: Desk, token: str) -> None:
    """The payment says what went back, and the refund what it gives back."""
    context = desk.application.context
    (pledge,) = entries(desk, "pledge")
    refund_payment(context, pledge, cents=300, why="asked")
    (refund,) = entries(desk, "refund")
    paid = desk.get(f"/ledger/entries/{pledge}").json
    back = desk.get(f"/ledger/entries/{refund}").json

    assert [(one["id"], one["amountCents"]) for one in paid["later"]] == [(refund, -300)]
    assert sum(fund["refundedCents"] for fund in paid["trace"]) == 300
    assert (back["amountCents"], back["about"]["id"], back["trace"]) == (-300, pledge, [])
