"""An organisation with its web API for tests: no socket, and a clock that can be set."""

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from falcon import testing

from jara.bootstrap import Application
from jara.domain.giving.payment_way import PaymentWay
from jara.security.keys import SeededEntropy
from jara.services.organisation import create_organisation
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from jara_webapi.app import create_app
from tests.cards import IS_WITHOUT_CARDS
from tests.fakes.clock import FakeClock
from tests.harness import NOON
from tests.places import open_place
from tests.services.ballots.voting_world import PROPOSAL

PASSWORD = "woven-in-lagos"
_CARD = {"billingDay", "paymentMethodId"}
_numbers = itertools.count(1)


@dataclass
class Desk:
    """The web API of one organisation, with its application and clock."""

    application: Application
    clock: FakeClock

    @cached_property
    def client(self) -> testing.TestClient:
        """The API, created when it is first asked."""
        return testing.TestClient(create_app(self.application))

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> testing.Result:
        """Make a call; `token` authenticates it."""
        token = more.pop("token", None)
        headers = {**more.pop("headers", {}), **({"token": token} if token else {})}
        if body is not None:
            more["json"] = body
        return self.client.simulate_request(method, f"/api{path}", headers=headers, **more)

    def get(self, path: str, **more: Any) -> testing.Result:
        """Make a GET request."""
        return self.call("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> testing.Result:
        """Make a POST request."""
        return self.call("POST", path, body, **more)

    def put(self, path: str, body: Any = None, **more: Any) -> testing.Result:
        """Make a PUT request."""
        return self.call("PUT", path, body, **more)

    def delete(self, path: str, body: Any = None, **more: Any) -> testing.Result:
        """Make a DELETE request."""
        return self.call("DELETE", path, body, **more)

    def join(self, **changes: Any) -> str:
        """Register a member who pays; return the token."""
        if IS_WITHOUT_CARDS and not _CARD.intersection(changes):
            return self._join_without_card(changes)
        answer = self.post("/register", registration(**changes))
        assert answer.status_code in {201, 202}, answer.json
        token: str = answer.json["token"]
        return token

    def _join_without_card(self, changes: dict[str, Any]) -> str:
        context = self.application.context
        set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="Any bank")
        answer = self.post("/register/promise", promise(**changes))
        assert answer.status_code == 201, answer.json
        token: str = answer.json["token"]
        reference = self.get("/user/payment", token=token).json["reference"]
        receive(context, reference, 100 * int(promise(**changes)["contribution"]))
        return token

    def open_vote(self, **changes: Any) -> str:
        """Open a proposal for voting; return its id."""
        name = f"prop_{next(_numbers)}"
        document = {**PROPOSAL, "id": name, "slug": name.replace("_", "-"), **changes}
        document.setdefault("endDate", "2026-11-30")
        draft_proposal(self.application.context, document)
        put_to_vote(self.application.context, name)
        return name


def registration(**changes: Any) -> dict[str, Any]:
    """Return the registration form of a new person with a valid card."""
    return {
        "firstname": "Ama",
        "lastname": "Mensah",
        "email": f"ama{next(_numbers)}@example.org",
        "password": PASSWORD,
        "country": "Canada",
        "notifications": True,
        "privacyPolicy": True,
        "contribution": "10",
        "billingDay": "current",
        "paymentMethodId": "pm_card_visa",
        **changes,
    }


def promise(**changes: Any) -> dict[str, Any]:
    """Return the registration form of a new person who pays without a card."""
    form = registration(**{"way": "transfer", **changes})
    return {key: value for key, value in form.items() if key not in _CARD}


def open_desk(folder: Path, *, at: datetime = NOON, **settings: str | None) -> Desk:
    """Create an organisation in a folder and open its web API."""
    desk = reopen_desk(folder, at=at, **settings)
    desk.application.secrets.create(log_name="jara.example/log")
    create_organisation(desk.application.context)
    return desk


def reopen_desk(folder: Path, *, at: datetime = NOON, **settings: str | None) -> Desk:
    """Open the web API of an existing organisation, as after a restart."""
    clock, entropy = FakeClock(at), SeededEntropy(f"{folder}{at}")
    wanted = {**generous(), **settings}
    return Desk(open_place(folder, wanted, clock=clock, entropy=entropy), clock)


def generous() -> dict[str, str | None]:
    """Return limits per address that no test reaches by accident."""
    of_address = ("sign_in", "email_exists", "register", "declined")
    names = (
        *(f"{name}_address" for name in of_address),
        "mail_network",
        "mail_all",
        "provider_member",
    )
    return {f"limit_{name}": "100000/h" for name in names}


def later(desk: Desk, **parts: float) -> None:
    """Advance the clock."""
    desk.clock.set(desk.clock.now() + timedelta(**parts))


def noon_of(day: int) -> datetime:
    """Return noon of a day of November 2026."""
    return datetime(2026, 11, day, 12, tzinfo=UTC)


def refused(answer: Any) -> tuple[int, str]:
    """Return the status and the error code of a refusal."""
    assert answer.json["message"] == answer.json["error"]
    return answer.status_code, answer.json["code"]
