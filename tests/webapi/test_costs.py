"""docs/security.md lists what a request without an operator's key can make the server do."""

import re
from collections import Counter

from falcon import inspect

from tests.places import NewPlace
from tests.test_documents import SECURITY
from tests.webapi.desk import Desk
from tests.webapi.pages.site_world import open_site
from tests.webapi.payments.live_desk import LiveDesk

HEADING = "### What a request can cost\n"
_ROUTE = re.compile(r"`(?:(POST|PUT|DELETE) )?(/[^` ]+)`")


def _rows() -> list[list[str]]:
    section = SECURITY.read_text("utf-8").partition(HEADING)[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.removeprefix("| ").split(" | ") for line in lines[1:]]


def listed_rows() -> list[str]:
    """Return what the server does, by the rows of the list."""
    return [row[0] for row in _rows()]


def listed_requests() -> list[str]:
    """Return the requests that the rows of the list name; without a method it is GET."""
    return [
        f"{match[1] or 'GET'} {match[2]}" for row in _rows() for match in _ROUTE.finditer(row[1])
    ]


def served_requests(app: object) -> set[str]:
    """Return every route of an app, with its method."""
    routes = inspect.inspect_routes(app)  # type: ignore[arg-type] # any app
    return {
        f"{each.method} {route.path}"
        for route in routes
        for each in route.methods
        if not each.internal and each.method not in {"HEAD", "OPTIONS"}
    }


def test_each_route_is_in_one_row_of_the_list_of_costs(new_place: NewPlace, live: LiveDesk) -> None:
    """A new route needs a row, with its cost and its bound; so do the calls of openapi.json."""
    place = new_place()
    icon = place / "dist" / "icon-192.png"
    icon.parent.mkdir(parents=True)
    icon.write_bytes(b"an icon")
    site = open_site(place)
    described = {
        f"{method.upper()} {path}"
        for desk in (site.desk, live)
        for path, item in _described(desk).items()
        for method in item
        if method != "parameters"
    }
    served = served_requests(site.client.app) | served_requests(live.client.app)
    listed = Counter(listed_requests())

    assert described < served
    assert sorted(listed) == sorted(served)
    assert [one for one, times in listed.items() if times > 1] == []


def _described(desk: Desk) -> dict[str, dict[str, object]]:
    return dict(desk.get("/openapi.json").json["paths"])
