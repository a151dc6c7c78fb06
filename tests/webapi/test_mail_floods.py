"""Strangers who cause emails: to one address, from one network, or from everywhere."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jara.services.members.accounts import InvitationForm, invite_member
from tests.places import is_on_server, rows_of
from tests.sent_emails import mailed_code
from tests.webapi.desk import PASSWORD, Desk, later, open_desk, registration

NEW = "a-new-cloth-2026"


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation behind a proxy, with the limits that every organisation begins with."""
    return open_desk(
        place, trusted_proxies="127.0.0.1", limit_mail_network=None, limit_mail_all=None
    )


def network(number: int) -> str:
    """Return an address in another network for each number."""
    return f"198.{number // 250}.{number % 250}.7"


def ask(desk: Desk, cause: str, email: str, *, source: int = 0, key: str | None = None) -> int:
    """Cause an email, or try to; return the status."""
    headers = {"X-Forwarded-For": network(source)}
    if key is not None:
        headers["Idempotency-Key"] = key
    path, body = {
        "reset": ("/user/forgot-password", {"email": email}),
        "newsletter": ("/newsletter", {"email": email}),
        "sign-up": ("/register", registration(email=email)),
        "gift": ("/gifts", gift(email)),
    }[cause]
    return desk.post(path, body, headers=headers).status_code


def gift(email: str) -> dict[str, Any]:
    """Return the form of a gift."""
    return {"amountCents": 500, "email": email, "paymentMethodId": "pm_card_visa"}


def sent(desk: Desk) -> Counter[str]:
    """Return how many emails of each kind were queued."""
    with desk.application.context.store.read() as work:
        return Counter(email.kind for email in work.outbox.all())


def disk(desk: Desk, place: Path) -> object:
    """Return all rows, and the sizes of the files."""
    driver = desk.application.context.store._database
    files = [] if is_on_server(place) else sorted(place.glob("jara.db*"))
    return rows_of(driver), [file.stat().st_size for file in files]


STRANGERS = ("reset", "newsletter", "sign-up", "gift")


@pytest.mark.parametrize("cause", STRANGERS)
def test_one_network_causes_twenty_emails_an_hour(desk: Desk, cause: str) -> None:
    """Those over the limit are refused."""
    statuses = Counter(ask(desk, cause, f"m{number}@example.org") for number in range(25))

    assert statuses[429] == 5
    later(desk, hours=1, minutes=5)
    assert ask(desk, cause, "late@example.org") < 300


def test_emails_of_all_kinds_share_the_network_s_limit(desk: Desk) -> None:
    """Nobody gets twenty of each kind."""
    statuses = Counter(
        ask(desk, cause, f"{cause}{number}@example.org")
        for number in range(6)
        for cause in STRANGERS
    )

    assert statuses[429] == 4


@pytest.mark.parametrize("cause", STRANGERS)
@pytest.mark.parametrize(
    "address", [lambda number: "v@example.org", lambda number: f"V+{number}@Example.org"]
)
def test_one_address_gets_three_emails_an_hour(
    desk: Desk, cause: str, address: Callable[[int], str]
) -> None:
    """Wherever the requests come from; an extension of the address is the same mailbox."""
    statuses = [ask(desk, cause, address(number), source=number) for number in range(5)]

    assert sum(status < 300 for status in statuses) <= 3


@pytest.mark.parametrize("cause", ["reset", "newsletter"])
def test_everybody_together_causes_two_hundred_emails_an_hour(desk: Desk, cause: str) -> None:
    """Requests from many networks have a ceiling, which the doctor reports."""
    statuses = Counter(
        ask(desk, cause, f"m{number}@example.org", source=number) for number in range(205)
    )
    other = "newsletter" if cause == "reset" else "reset"

    assert statuses[429] == 5
    # A flood of one kind stops no other kind: the first would stop sign-ups and gifts.
    assert ask(desk, other, "ama@example.org", source=1000) < 300
    assert ask(desk, "sign-up", "ama@example.org", source=1001) < 300
    assert ask(desk, "gift", "ama@example.org", source=1002) < 300


def test_a_member_s_address_changes_reach_few_strangers(desk: Desk) -> None:
    """A member asks for one address after another; each of these emails goes to a stranger."""
    statuses = []
    token = desk.join()
    for number in range(25):
        answer = desk.put(
            "/user/update-profile",
            {"email": f"stranger{number}@example.org", "currentPassword": PASSWORD},
            token=token,
            headers={"X-Forwarded-For": network(0)},
        )
        statuses.append(answer.status_code)
        token = answer.json.get("token", token)

    assert sent(desk)["address_confirm"] <= 20
    assert statuses.count(429) >= 5


@pytest.mark.parametrize("cause", STRANGERS)
def test_a_refused_request_writes_nothing(desk: Desk, place: Path, cause: str) -> None:
    """9,281 requests within 15 seconds made the database grow by 8.8 MB."""
    for number in range(20):
        ask(desk, "newsletter", f"m{number}@example.org")
    before = disk(desk, place)
    statuses = {
        ask(desk, cause, f"other{number}@example.org", key=key)
        for number in range(10)
        for key in (None, f"flood-{number:03}")
    }

    assert statuses == {429}
    assert disk(desk, place) == before


def test_a_stranger_s_reset_leaves_an_invitation(desk: Desk) -> None:
    """Both links work; the first one used ends the other."""
    context = desk.application.context
    form = InvitationForm(
        firstname="Ama", lastname="Mensah", email="ama@example.org", country="Ghana"
    )
    invite_member(context, form)
    code = mailed_code(context, "invitation")
    for _ in range(3):
        assert ask(desk, "reset", "ama@example.org") == 202
    reset = mailed_code(context, "password_reset")

    assert desk.post("/user/reset-password/check", {"code": code}).status_code == 200
    accepted = {"code": code, "newPassword": NEW, "confirmNewPassword": NEW}
    assert desk.post("/user/reset-password", accepted).status_code == 200
    credentials = {"email": "ama@example.org", "password": NEW}
    assert desk.post("/user/login", credentials).status_code == 200
    for used in (code, reset):
        assert desk.post("/user/reset-password/check", {"code": used}).status_code == 422


@pytest.mark.parametrize(
    ("cause", "kind", "path"),
    [
        ("reset", "password_reset", "/user/reset-password/check"),
        ("newsletter", "newsletter_confirmation", "/newsletter/confirm"),
    ],
)
def test_a_stranger_s_request_leaves_the_earlier_link(
    desk: Desk, cause: str, kind: str, path: str
) -> None:
    """The link that the owner is about to open still works."""
    desk.join(email="ama@example.org")
    assert ask(desk, cause, "ama@example.org") < 300
    code = mailed_code(desk.application.context, kind)
    later(desk, minutes=1)
    assert ask(desk, cause, "ama@example.org", source=1) < 300

    assert desk.post(path, {"code": code}).status_code == 200


def test_a_refusal_tells_nothing_about_accounts(desk: Desk) -> None:
    """An address with an account and one without get the same answers."""
    desk.join(email="ama@example.org")
    answers = {
        email: [ask(desk, "reset", email, source=source + 9) for source in range(5)]
        for email in ("ama@example.org", "nobody@example.org")
    }

    assert answers["ama@example.org"] == [202, 202, 202, 429, 429]
    assert answers["nobody@example.org"] == answers["ama@example.org"]
