"""The calls of spec §7 to join, sign in, read and vote: answers and refusals."""

import pytest

from tests.webapi.desk import PASSWORD, Desk, later, refused, registration


def test_a_free_email_and_a_good_password_are_accepted(desk: Desk) -> None:
    """POST /email-exists returns only success."""
    answer = desk.post("/email-exists", {"email": "free@example.org", "password": PASSWORD})

    assert (answer.status_code, answer.json) == (200, {"success": True})


@pytest.mark.parametrize("contribution", ["10", 10, "999", 5])
def test_joining_answers_a_token_and_the_user(desk: Desk, contribution: int | str) -> None:
    """Joining is 201 with the member; the amount may be text or a number."""
    answer = desk.post("/register", registration(contribution=contribution))
    user = answer.json["user"]

    assert (answer.status_code, answer.json["success"]) == (201, True)
    assert "requiresAction" not in answer.json
    assert (user["pledgeStatus"], user["subscriptionAmount"], user["mayVoteFrom"]) == (
        "active",
        int(contribution),
        "2026-11-20",
    )
    assert desk.get("/user/get-profile", token=answer.json["token"]).status_code == 200


def test_a_registration_names_every_field_that_is_wrong(desk: Desk) -> None:
    """One answer lists all invalid fields by their JSON names."""
    answer = desk.post(
        "/register",
        registration(
            firstname=" ",
            email="none",
            country="Atlantis",
            contribution="4",
            billingDay="7",
            privacyPolicy=False,
        ),
    )

    assert refused(answer) == (422, "invalid_input")
    assert set(answer.json["fields"]) == {
        "firstname",
        "email",
        "country",
        "contribution",
        "billingDay",
        "privacyPolicy",
    }


def test_a_retry_with_the_same_key_is_safe(desk: Desk) -> None:
    """The same key gives the same member; another body is 409, a malformed key 422."""
    form, headers = registration(), {"Idempotency-Key": "a-key-of-a-browser"}
    first, again = (desk.post("/register", form, headers=headers) for _ in range(2))
    other = desk.post("/register", registration(), headers=headers)
    bad = desk.post("/register", form, headers={"Idempotency-Key": "x"})

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json["user"]["id"] == again.json["user"]["id"]
    assert refused(other) == (409, "idempotency_mismatch")
    assert bad.status_code == 422


def test_a_password_gives_a_token_and_mistakes_look_the_same(desk: Desk) -> None:
    """The right password gives a token; both mistakes have the same message."""
    form = registration()
    desk.post("/register", form)
    good = desk.post("/user/login", {"email": form["email"], "password": PASSWORD})
    wrong = desk.post("/user/login", {"email": form["email"], "password": "wrong-one"})
    unknown = desk.post("/user/login", {"email": "nobody@example.org", "password": PASSWORD})

    assert (good.status_code, good.json["message"]) == (200, "Login successful")
    assert refused(wrong) == (401, "bad_credentials")
    assert wrong.json == unknown.json


def test_proposals_are_an_array_with_counts(desk: Desk) -> None:
    """A token adds whether the member has voted; the HTML is sanitised."""
    name = desk.open_vote(storySections="<p>Long <script>alert(1)</script>walks.</p>")
    token = desk.join()
    visible = desk.get("/user/get-proposals").json
    mine = desk.get("/user/get-proposals", token=token).json
    shown = next(one for one in visible if one["id"] == name)

    assert (
        shown["_id"],
        shown["votes"],
        shown["fundingGoal"],
        shown["endDate"],
        shown["status"],
        shown["result"],
    ) == (name, 0, 5, "2026-11-30", "open", None)
    assert "script" not in shown["storySections"]
    assert "userVote" not in shown
    assert next(one for one in mine if one["id"] == name)["userVote"] is None
    assert shown["tally"]["roll"] >= 1


def test_published_figures_come_from_ledger_and_pledges(own: Desk) -> None:
    """Figures come from ledger and pledges, in dollars where spec §3 says so."""
    own.join()
    own.join(contribution="25")
    total = own.get("/user/all-users").json
    contributions = own.get("/user/all-contribution").json
    overview = own.get("/user/get-cash-overviews").json

    assert total == {"success": True, "total": 2}
    assert contributions == {"success": True, "total": 2, "totalCents": 3500}
    assert (overview["monthlyDonation"], overview["cashAtHand"], overview["year"]) == (
        35,
        33.38,
        2026,
    )
    assert overview["available"] == 35
    assert overview["unallocated"] == pytest.approx(overview["available"] - overview["allocated"])


def test_a_vote_is_counted_once_and_for_good(desk: Desk) -> None:
    """A vote is 200 with a receipt; its nonce gives the receipt again; other votes are 409."""
    name, token, nonce = desk.open_vote(), desk.join(), "0f" * 16
    body = {"id": name, "voteType": "upvote", "nonce": nonce}
    first, again = (desk.post("/user/votes", body, token=token) for _ in range(2))
    other = desk.post("/user/votes", {"id": name, "voteType": "downvote"}, token=token)

    assert (first.status_code, first.json["user_vote_status"], first.json["receipt"]["nonce"]) == (
        200,
        "voted",
        nonce,
    )
    assert first.json == again.json
    assert refused(other) == (409, "already_voted")
    assert other.json["user_vote_status"] == "voted"
    assert desk.get("/user/get-profile", token=token).json["user"]["votes"] == {name: "voted"}


def test_votes_are_refused_for_a_reason(own: Desk) -> None:
    """A refusal is 401, 403 with the date, 404, 409 after the end, or 422."""
    name = own.open_vote()
    waiting = own.join(billingDay="28")
    body = {"id": name, "voteType": "upvote"}
    unsigned = own.post("/user/votes", body)
    early = own.post("/user/votes", body, token=waiting)
    unknown = own.post("/user/votes", {**body, "id": "prop_none"}, token=waiting)
    wrong = own.post("/user/votes", {**body, "voteType": "maybe"}, token=waiting)
    member = own.join()
    later(own, days=11)
    session = own.join()
    closed = own.post("/user/votes", body, token=session)
    del member

    assert (unsigned.status_code, unsigned.json["message"]) == (401, "Kindly register to vote")
    assert refused(early) == (403, "not_a_changemaker")
    assert "28 November 2026" in early.json["message"]
    assert refused(unknown) == (404, "not_found")
    assert (wrong.status_code, set(wrong.json["fields"])) == (422, {"voteType"})
    assert refused(closed) == (409, "voting_closed")
