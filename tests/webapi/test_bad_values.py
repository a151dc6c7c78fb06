"""A request with one bad value among good ones changes nothing."""

from pathlib import Path
from typing import Any

from falcon import testing

from jara.config.settings import Settings
from tests.services.members.software_authenticator import ORIGIN
from tests.sizes import some
from tests.webapi.desk import Desk, open_desk
from tests.webapi.test_answers_of_changes import (
    CheckedClient,
    follow_links,
    join_and_change,
    pay_late,
    report_from_the_field,
    sign_in_and_out,
    vote_and_check,
)
from tests.webapi.test_promises import take_transfers

BAD_VALUES: list[object] = some(("a\x07b", {"not": "a value"}, -(10**12)), step=2)
COUNTED = {"limit_uses", "meta"}
"""Tables that a refused request may change: how often somebody tried, and a count of commits."""


class TryingClient(CheckedClient):
    """A client that tries each body of a request with one bad value, before it sends it."""

    def __init__(self, desk: Desk) -> None:
        """Start with nothing tried."""
        super().__init__(desk)
        self.tried: set[tuple[str, str]] = set()
        self.half_done: list[str] = []

    def simulate_request(self, *args: Any, **more: Any) -> Any:
        """Try the body with bad values; then make the request."""
        body = more.get("json")
        if isinstance(body, dict):
            method, path = args
            for name in self._names(method, path, body):
                for bad in BAD_VALUES:
                    self._try(args, {**more, "json": {**body, name: bad}}, name)
        return super().simulate_request(*args, **more)

    def _names(self, method: str, path: str, body: dict[str, Any]) -> list[str]:
        """Return the names of a body, and those that its document has beside them."""
        template = next(name for form, name in self.paths.items() if form.fullmatch(path))
        (content,) = self.document["paths"][template][method.lower()]["requestBody"][
            "content"
        ].values()
        return sorted({*body, *content["schema"].get("properties", {})})

    def _try(self, args: tuple[Any, ...], more: dict[str, Any], name: str) -> None:
        before = self._tables()
        answer = testing.TestClient.simulate_request(self, *args, **more)
        after = self._tables()
        if answer.status_code < 400:
            return
        self.tried.add((" ".join(args), name))
        changed = {table for table in after if after[table] != before.get(table)} - COUNTED
        if changed:
            self.half_done.append(f"{' '.join(args)} {more['json']}: {sorted(changed)}")


def test_a_request_with_a_bad_value_changes_nothing(place: Path) -> None:
    """Each request of the walk over all calls is tried with each of its values, badly."""
    limits: dict[str, Any] = {
        name: "100000/h" for name in Settings.__dataclass_fields__ if name.startswith("limit_")
    }
    desk = open_desk(place, site_url=ORIGIN, **limits)
    take_transfers(desk)
    client = desk.client = TryingClient(desk)

    change = {"billingDay": "28", "subscriptionAmount": 21, "skipNext": True}
    assert desk.put("/user/pledge", change, token=desk.join()).status_code == 200
    join_and_change(desk)
    vote_and_check(desk)
    sign_in_and_out(desk)
    follow_links(desk)
    report_from_the_field(desk)
    pay_late(desk)

    assert not client.half_done, "\n".join(client.half_done)
    assert len(client.tried) > 30
