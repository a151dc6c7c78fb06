"""Calls about the organisation that the site needs beyond the specification; their limits."""

import json
from pathlib import Path

import pytest

from jara.domain.organisation import IdentityPart
from jara.payments.sandbox.money import card_fee
from jara.services.legal.changing import change_values
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.services.books.ledger_builders import pass_proposal
from tests.webapi.desk import Desk, later, open_desk, refused


def test_config_has_the_public_settings_and_no_secret(desk: Desk) -> None:
    """The config holds limits, links and the fund policy."""
    config = desk.get("/config").json

    assert (
        config["payments"]["provider"],
        config["currency"],
        config["fundPolicy"]["weights"]["projects"],
    ) == ("sandbox", "usd", 80)
    assert (
        config["limits"]["pledgeDollarsMin"],
        config["limits"]["pledgeDollarsMax"],
        config["limits"]["quickDollars"],
    ) == (5, 999, [5, 10, 20])


def test_the_estimated_card_fee_equals_the_sandboxs(desk: Desk) -> None:
    """The fee rule of the config, 2.9 % and 30 cents, gives the sandbox's fee for each amount."""
    fee = desk.get("/config").json["cardFee"]

    assert [card_fee(cents) for cents in range(100, 3000)] == [
        (cents * fee["basisPoints"] + 5000) // 10_000 + fee["fixedCents"]
        for cents in range(100, 3000)
    ]


def test_content_is_listed(desk: Desk, token: str) -> None:
    """Content is listed; a project is found by title or slug, with sanitised HTML, or is 404."""
    del token
    assert [one["id"] for one in desk.get("/projects").json] == ["wells"]
    assert desk.get("/projects", query_string="category=business").json == []
    assert desk.get("/projects", query_string="category=gold").status_code == 422
    project = desk.get("/projects/Clean%20wells").json
    assert "onclick" not in project["updates"][0]["content"]
    assert project == desk.get("/projects/clean-wells").json
    assert desk.get("/projects/none").status_code == 404
    assert desk.get("/faqs").json[0]["question"] == "Why?"


def test_open_data_is_a_package_with_tables(desk: Desk, token: str) -> None:
    """The descriptor names the files next to it; another name is 404."""
    del token
    package = desk.get("/open-data/datapackage.json").json

    for resource in package["resources"]:
        table = desk.get(f"/open-data/{resource['path']}")
        names = [field["name"] for field in resource["schema"]["fields"]]
        assert (table.headers["content-type"].split(";")[0], table.text.splitlines()[0]) == (
            "text/csv",
            ",".join(names),
        )
    refused = desk.get("/open-data/members.csv")
    assert refused.status_code == 404
    assert "projects.csv" in refused.json["message"]


def test_the_budget_shows_funds_to_members_alone(desk: Desk, token: str) -> None:
    """Visitors get three figures; members also get the rows."""
    public = desk.get("/ledger/budget").json
    mine = desk.get("/ledger/budget", token=token, query_string="year=2026").json

    assert "funds" not in public
    assert len(mine["funds"]) == 5
    assert public["availableCents"] == public["allocatedCents"] + public["unallocatedCents"]
    assert public["allocatedCents"] == public["spentCents"] + public["heldCents"]
    assert desk.get("/ledger/budget/gold", token=token).status_code == 404
    assert desk.get("/ledger/budget", query_string="year=12").status_code == 422


def test_transactions_come_in_pages(desk: Desk, token: str) -> None:
    """A page has items and a cursor; an invalid parameter is named."""
    page = desk.get("/ledger/transactions", token=token, query_string="limit=1").json
    wrong = desk.get("/ledger/transactions", token=token, query_string="limit=0&from=x")

    assert page["items"][0]["type"] == "subscription"
    assert set(wrong.json["fields"]) == {"limit", "from"}
    twice = desk.get("/ledger/transactions", token=token, query_string="kind=a&kind=b")
    assert twice.status_code == 422
    nul = desk.get("/ledger/transactions", token=token, query_string="q=%00")
    assert nul.status_code == 422


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=un+don", 0),
        ("q=un+don&also=Gone|Pledge payment", 2),
        ("q=un+don&accounts=income:pledges", 2),
        (f"q=un+don&also={'|' * 50}Pledge payment", 0),
        ("also=Gone", 2),
    ],
    ids=["own word", "other word", "account", "too many words", "no word"],
)
def test_transactions_are_found_by_other_words(
    desk: Desk, token: str, query: str, found: int
) -> None:
    """A translated page sends the English words it looks for, at most fifty.

    The own word has a space: a random id would once in a while contain a short one.
    """
    page = desk.get("/ledger/transactions", token=token, query_string=f"kind=subscription&{query}")

    assert len(page.json["items"]) == found


@pytest.mark.parametrize("ending", ["csv", "json", "journal", "beancount"])
def test_the_ledger_is_exported(desk: Desk, token: str, ending: str) -> None:
    """Each export is a file with a name."""
    answer = desk.get(f"/ledger/export.{ending}", token=token)

    assert answer.status_code == 200
    assert f'filename="jara-ledger.{ending}"' in answer.headers["content-disposition"]
    assert "Pledge payment" in answer.text


def test_entries_are_withheld_from_visitors(desk: Desk, token: str) -> None:
    """A visitor gets an entry's hash, a member its bytes; the rest is the same."""
    public = desk.get("/proofs/entries").text.splitlines()
    whole = desk.get("/proofs/entries", token=token).text.splitlines()
    part = desk.get("/proofs/entries", query_string="from=1&to=3").text.splitlines()

    assert len(public) == len(whole)
    assert public[1:3] == part
    for seen, full in zip(public, whole, strict=True):
        kind = json.loads(full)["t"]
        assert (list(json.loads(seen)) == ["leaf"]) is (kind == "jara/v1/entry")


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/proofs/inclusion", "index=0&size=1", 200),
        ("/proofs/inclusion", "index=1&size=1", 422),
        ("/proofs/inclusion", "index=0&size=100000", 404),
        ("/proofs/inclusion", "index=0", 422),
        ("/proofs/inclusion", "index=-1&size=1", 422),
        ("/proofs/consistency", "from=1&to=2", 200),
        ("/proofs/consistency", "from=0&to=2", 422),
        ("/proofs/consistency", "from=2&to=1", 422),
        ("/proofs/consistency", "from=1&to=100000", 404),
        ("/proofs/entries", "from=5&to=2", 422),
        ("/proofs/entries", "from=99999", 422),
        ("/proofs/entries", "from=99999&to=100000", 422),
    ],
)
def test_invalid_ranges_of_proofs_are_refused(
    desk: Desk, path: str, query: str, status: int
) -> None:
    """An invalid range is 422, a range beyond the log 404."""
    assert desk.get(path, query_string=query).status_code == status


def test_long_lines_of_the_calendar_are_counted_in_bytes(place: Path) -> None:
    """Folded lines have at most 75 bytes, and unfolding restores the title."""
    own = open_desk(place)
    title = "É" * 80
    own.open_vote(title=title)
    text = own.get("/votes.ics").text

    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert f"SUMMARY:Vote ends: {title}\r\n" in text.replace("\r\n ", "")


def test_the_impact_of_years_and_closed_months_is_public(place: Path) -> None:
    """Free periods are for members; the default is the current year, marked as incomplete."""
    own = open_desk(place)
    own.join()
    later(own, days=20)
    token = own.join()
    public = own.get("/impact")
    month = own.get("/impact", query_string="month=2026-11")

    year = {"from": "2026-01-01", "to": "2026-12-31", "until": "2026-12-10"}
    assert public.json["period"] == year
    assert month.json["period"] == {"from": "2026-11-01", "to": "2026-11-30"}
    assert [answer.json["isOver"] for answer in (public, month)] == [False, True]
    assert public.json == own.get("/impact", query_string="year=2026").json
    assert public.json == own.get("/impact", query_string="all=true").json
    assert own.get("/impact", query_string="month=2026-12").status_code == 404
    assert own.get("/impact", query_string="year=2025").status_code == 404
    assert own.get("/impact", query_string="month=2026-13").status_code == 422
    assert own.get("/impact", query_string="month=0000-01").status_code == 422
    free = "from=2026-11-05&to=2026-12-05"
    assert own.get("/impact", query_string=free).status_code == 401
    assert own.get("/impact", query_string=free, token=token).status_code == 200
    assert own.get("/impact", query_string="year=2026", token=token).status_code == 200
    wrong = own.get("/impact", query_string="from=2026-12-05&to=2026-11-05", token=token)
    assert wrong.status_code == 422


def test_links_are_those_of_the_organisation(desk: Desk) -> None:
    """What `jara organisation set` says is in the public settings; what is missing is not."""
    before = desk.get("/config").json
    change_values(
        desk.application.context,
        {
            IdentityPart.CHAT: "https://chat.sankofa.example",
            IdentityPart.YOUTUBE: "https://video.example/@sankofa",
        },
    )
    after = desk.get("/config").json

    assert (before["chatUrl"], before["social"]) == (None, {})
    assert after["chatUrl"] == "https://chat.sankofa.example"
    assert after["social"] == {"youtube": "https://video.example/@sankofa"}


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


DECLINED = {"paymentMethodId": "pm_card_chargeDeclined"}


@pytest.mark.parametrize("is_running", [False, True])
def test_declined_cards_of_a_pledge_count_as_those_of_a_sign_up(
    place: Path, *, is_running: bool
) -> None:
    """Nobody tries out stolen cards at the pledge, whether it runs or was ended."""
    desk = open_desk(place, limit_declined_email="2/h")
    token = desk.join()
    if not is_running:
        assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200
    good = {"paymentMethodId": "pm_card_visa"}
    for _ in range(3):
        assert desk.put("/user/pledge", good, token=token).status_code == 200
        if not is_running:
            assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200

    tried = [desk.put("/user/pledge", DECLINED, token=token).status_code for _ in range(2)]
    answer = desk.put("/user/pledge", DECLINED, token=token)

    assert tried == [402, 402]
    assert refused(answer) == (429, "too_many_requests")
    assert desk.put("/user/pledge", {"canceled": True}, token=token).status_code == 200


def test_one_account_asks_the_provider_seldom(place: Path) -> None:
    """Beyond the limit changes are refused, and the profile is as the server knows it."""
    desk = open_desk(place, limit_provider_member="3/h")
    token = desk.join(paymentMethodId="pm_card_authenticationRequired")
    paid = desk.join()
    changes = (
        ("GET", "/billing", None),
        ("PUT", "/user/update-subscription", {"subscriptionAmount": 20}),
        ("PUT", "/user/pledge", {"billingDay": "28"}),
    )

    def answers() -> list[int]:
        return [desk.call(*change, token=paid).status_code for change in changes]

    profiles = [desk.get("/user/get-profile", token=token).status_code for _ in range(5)]

    assert (answers(), answers()) == ([200] * 3, [429] * 3)
    assert desk.post("/user/pledge/pay", token=paid).status_code == 429
    assert profiles == [200] * 5
    asked = desk.put("/user/pledge", {"paymentMethodId": "pm_card_visa"}, token=token)
    assert asked.status_code == 429
