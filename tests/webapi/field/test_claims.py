"""A volunteer's phone sends claims; each arrives once."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from jara.domain.claim import CLAIMS_A_YEAR
from jara.domain.field_report import ReportState
from jara.services.field.claimants import end_claims_links, give_link
from jara.services.field.repaying import refuse_claim
from tests.sizes import IS_FULL
from tests.webapi.desk import Desk, open_desk
from tests.webapi.field.claims_world import (
    ACCOUNT,
    FOOD,
    KOFI,
    PHOTO,
    ClaimPhone,
    claim_body,
    claim_phone,
    claims_of,
)
from tests.webapi.field.field_world import code_of, field_photo, open_phone, report_body


def test_a_claim_arrives_with_its_photo(own: Desk) -> None:
    """The operator reads what was paid, and where to pay it back; the phone says that it waits."""
    phone = claim_phone(own)
    answer = phone.claim(note="For forty people")
    (view,) = claims_of(own)

    sent = [answer.json[name] for name in ("state", "title", "currency", "amount")]
    assert sent == ["waiting", "Makola market", "USD", "45.50"]
    assert view.row[2:] == (
        KOFI,
        "$45.50",
        4550,
        view.row.spent_on,
        "Makola market",
        FOOD,
        ReportState.WAITING,
        False,
        False,
    )
    assert (view.repay_to, view.note, view.account) == (
        ACCOUNT,
        "For forty people",
        "expenses:operations",
    )
    assert [one.data is not None for one in view.photos] == [True]


def test_the_page_of_a_link_for_claims_has_what_may_be_claimed(own: Desk) -> None:
    """It has no project; the claims that were sent are its reports."""
    phone = claim_phone(own)
    phone.claim()
    page = phone.page().json

    assert (page["project"], page["partner"], page["language"]) == ("", KOFI, "fr")
    assert page["claims"]["currency"] == "USD"
    assert page["claims"]["purposes"] == [FOOD]
    assert {"KES", "CAD"} < set(page["claims"]["currencies"])
    assert [one["state"] for one in page["reports"]] == ["waiting"]


def test_the_account_number_is_encrypted(own: Desk) -> None:
    """Whoever reads the database alone cannot read it."""
    claim_phone(own).claim()
    with own.application.context.store.read() as work:
        (claim,) = work.field.claims().values()

    assert claim.repay_to is not None
    assert "kofi" not in claim.repay_to


@pytest.mark.parametrize(
    "change",
    [
        {"key": "phone-made-key-0002"},
        {"key": "phone-made-key-0002", "photo": field_photo(40, size=100), "shop": "MAKOLA Market"},
        {"key": "phone-made-key-0002", "amount": "12", "shop": "Another", "spentOn": "2026-11-05"},
    ],
    ids=["all the same", "day, amount and shop", "photo"],
)
def test_the_same_purchase_is_asked_about(own: Desk, change: dict[str, Any]) -> None:
    """It is not stored; the phone sends it again once the claimant says that it is another one."""
    phone = claim_phone(own)
    phone.claim()
    asked = phone.claim(**change)
    again = phone.claim(**change, again=True)

    assert (asked.status_code, asked.json["code"]) == (409, "claim_twice")
    assert "$45.50" in asked.json["message"]
    assert again.json["state"] == "waiting"
    assert [view.row.twice for view in claims_of(own)] == [True, True]


def test_a_refused_claim_may_be_sent_anew(own: Desk) -> None:
    """Nobody is asked about what was refused, such as for a photo that cannot be read."""
    phone = claim_phone(own)
    phone.claim()
    refuse_claim(own.application.context, "claim_", reason="Nothing can be read.")

    assert phone.claim("phone-made-key-0002").json["state"] == "waiting"


def test_another_persons_purchase_is_shown_to_the_operator_alone(own: Desk) -> None:
    """The phone of one claimant tells nothing of what another one sent."""
    claim_phone(own).claim()
    answer = claim_phone(own, "Ama Mensah", "").claim()

    assert answer.json["state"] == "waiting"
    assert {view.row.claimant: view.twice[0].partition(" of ")[2] for view in claims_of(own)} == {
        KOFI: "Ama Mensah",
        "Ama Mensah": KOFI,
    }


def test_a_claim_sent_again_arrives_once(own: Desk) -> None:
    """A retry, or a second tab, finds what is there; the same key with another text does not."""
    phone = claim_phone(own)
    answers = [phone.claim().json for _ in range(3)]
    other = phone.claim(amount="46")

    assert [one["state"] for one in answers] == ["waiting"] * 3
    assert (other.status_code, other.json["code"]) == (409, "report_differs")
    assert len(claims_of(own)) == 1


def test_a_link_reads_and_changes_its_own_claims_alone(own: Desk) -> None:
    """A key of somebody else's claim makes a claim of one's own."""
    claim_phone(own).claim()
    other = claim_phone(own, "Ama Mensah", "")
    other.claim(amount="99", shop="Elsewhere", photo=field_photo(50, size=90))

    assert [one["title"] for one in other.page().json["reports"]] == ["Elsewhere"]
    assert {view.row.claimant for view in claims_of(own)} == {KOFI, "Ama Mensah"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": "0"}, "amount"),
        ({"amount": "4.555"}, "amount"),
        ({"currency": "ZZZ"}, "amount"),
        ({"currency": "XOF", "amount": "10.5"}, "amount"),
        ({"currency": "KES", "cost": "34.50"}, "rateSource"),
        ({"spentOn": "2026-11-21"}, "spentOn"),
        ({"spentOn": "2025-10-01"}, "spentOn"),
        ({"purpose": "Cars"}, "purpose"),
        ({"shop": "  "}, "shop"),
        ({"repayTo": " "}, "repayTo"),
        ({"repayTo": "DE89 3704 0044 0532 0130 01"}, "repayTo"),
    ],
)
def test_a_wrong_value_is_named(own: Desk, change: dict[str, Any], field: str) -> None:
    """Nothing is stored; the claimant can change it on the phone."""
    answer = claim_phone(own).claim(**change)

    assert (answer.status_code, list(answer.json["fields"])) == (422, [field])
    assert claims_of(own) == []


def test_a_claim_needs_the_photo_of_a_receipt(own: Desk) -> None:
    """One that announces none is refused."""
    answer = claim_phone(own).call("PUT", "/claims/phone-made-key-0001", json=claim_body())

    assert answer.status_code == 422


def test_a_foreign_claim_may_wait_for_its_rate(own: Desk) -> None:
    """A claimant who knows the rate says its source."""
    phone = claim_phone(own)
    phone.claim(currency="KES", amount="4500")
    phone.claim(
        "phone-made-key-0002",
        currency="EUR",
        amount="30",
        cost="34.5",
        rateSource="card statement",
        photo=field_photo(50, size=90),
    )

    found = [(one.row.amount, one.row.cents, one.rate_source) for one in claims_of(own)]
    assert sorted(found, key=str) == [("EUR 30", 3450, "card statement"), ("KES 4,500", None, "")]


def test_a_person_sends_so_many_claims_a_year(own: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new link is no new allowance."""
    assert CLAIMS_A_YEAR == 200
    monkeypatch.setattr("jara.services.field.claiming.CLAIMS_A_YEAR", 1)
    claim_phone(own).claim()
    answer = claim_phone(own).claim("phone-made-key-0002", shop="Another", again=True)

    assert (answer.status_code, "within a year" in answer.json["message"]) == (409, True)


@pytest.mark.parametrize("is_by_id", [False, True])
def test_an_ended_link_takes_nothing(own: Desk, *, is_by_id: bool) -> None:
    """All links of a claimant end by the name, one by its id; the claimant reads it."""
    claim_phone(own)
    context = own.application.context
    made = give_link(context, KOFI)
    ended = end_claims_links(context, made.link.id if is_by_id else "kofi")
    answer = ClaimPhone(own, code_of(made)).claim()

    assert len(ended) == (1 if is_by_id else 2)
    assert (answer.status_code, answer.json["code"]) == (403, "link_revoked")


def test_each_link_takes_its_own_kind(own: Desk) -> None:
    """A partner's link takes no claim, and a claimant's no report."""
    partner = open_phone(own)
    wrong = partner.call("PUT", "/claims/phone-made-key-0001", json=claim_body(PHOTO))
    report = claim_phone(own).send(report_body())

    assert (wrong.status_code, report.status_code) == (409, 409)


class CutClaimPhone:
    """A phone whose requests, or the answers to them, are lost most of the time."""

    def __init__(self, phone: ClaimPhone, chance: Random) -> None:
        self.phone = phone
        self.chance = chance

    def is_lost(self) -> bool:
        """Return whether a request or an answer is lost."""
        return self.chance.random() < 0.3

    def step(self, key: str, shop: str) -> bool:
        """Send what the phone believes is missing; return whether it learnt that all is there."""
        if self.is_lost():
            return False
        body = claim_body(PHOTO, shop=shop, again=True)
        sent = self.phone.call("PUT", f"/claims/{key}", json=body).json
        at = sent["photos"][0]["received"]
        while not self.is_lost() and sent["state"] == "arriving":
            sent = self.phone.piece(PHOTO, at, key).json
            if self.is_lost():
                return False
            at = sent["photos"][0]["received"]
        return sent["state"] != "arriving" and not self.is_lost()


CLAIMS = 1000 if IS_FULL else 8


def test_interrupted_claims_lose_and_double_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each claim arrives once with its photo, whatever was cut and sent again from two windows."""
    monkeypatch.setattr("jara.services.field.claiming.CLAIMS_A_YEAR", CLAIMS)
    chance = Random(58)
    own = open_desk(place, limit_field_link="1000000/h")
    phone = claim_phone(own)
    windows = [CutClaimPhone(phone, chance) for _ in range(2)]
    for number in range(CLAIMS):
        while not chance.choice(windows).step(f"phone-made-key-{number:05}", f"Shop {number}"):
            pass
        with own.application.context.store.read() as work:
            waiting = [
                one
                for one in work.field.reports(undecided_only=True, of_claims=True)
                if one.state is ReportState.WAITING
            ]
            photos = [work.field.photo_data(one) for one in work.field.photos(waiting[0].id)]
        assert [one.title for one in waiting] == [f"Shop {number}"]
        assert [data is not None for data in photos] == [True]
        refuse_claim(own.application.context, waiting[0].id, reason="Read.")

    with own.application.context.store.read() as work:
        titles = [one.title for one in work.field.reports(of_claims=True)]
    assert sorted(titles) == sorted(f"Shop {number}" for number in range(CLAIMS))
