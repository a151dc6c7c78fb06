"""Each request of the list of costs, twenty at once, against a running server.

The figures are those of docs/security.md, "What a request can cost": memory at most 1.5 times
that of one such request at a time, and other visitors wait at most ten times as long as beside
twenty clients that ask for the cheapest answer without a pause: these alone fill two cores. Both
are measured in turns. `nox -s full` measures; an ordinary run holds that each row of the list has
a request here.
"""

import http.client
import io
import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import pytest
from PIL import Image

from jara.domain.field_report import PIECE_BYTES_MAX
from jara.domain.language import ENGLISH
from jara.services.content import add_item
from jara.services.field.partners import add_partner
from tests.faults.fault_world import Server, add_voters, found, put_to_vote, serving
from tests.sizes import PATIENCE_SECONDS, only_full, saw
from tests.webapi.desk import PASSWORD, registration
from tests.webapi.field.field_world import PROJECT, FieldPhoto, code_of, report_body
from tests.webapi.test_costs import listed_rows

AT_ONCE = 20
SECONDS = 1.0
MEMBERS = 60
MEMORY_MAX = 1.5
"""Times the peak of one such request at a time."""
ROUNDS = 3


class Ask(NamedTuple):
    """A request."""

    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


@dataclass
class World:
    """A served organisation, and what its requests need."""

    server: Server
    tokens: list[str]
    proposal: str
    code: str
    photos: list[FieldPhoto]

    def as_member(self, method: str, path: str, number: int, body: Any = None) -> Ask:
        """Return a request of one of the members."""
        token = self.tokens[number % len(self.tokens)]
        return Ask(method, path, body, {"token": token})

    def last_piece(self, number: int) -> Ask:
        """Return the last piece of a photo: of one of its own first, then always the same."""
        photo = self.photos[min(number, 1)]
        start = (len(photo.data) - 1) // PIECE_BYTES_MAX * PIECE_BYTES_MAX
        return self.piece(min(number, 1), start)

    def piece(self, which: int, start: int) -> Ask:
        """Return a piece of a photo."""
        photo = self.photos[which]
        path = f"/api/field/reports/{_KEYS[which]}/photos/{photo.sha256}?start={start}"
        data = photo.data[start : start + PIECE_BYTES_MAX]
        return Ask("PUT", path, data, {"Authorization": f"Bearer {self.code}"})


_KEYS = ("hostile-report-0001", "hostile-report-0002")


def _email(number: int) -> str:
    return f"hostile{number}@example.org"


def _gift(number: int) -> dict[str, Any]:
    return {"amountCents": 1500, "email": _email(number), "paymentMethodId": "pm_card_visa"}


def _get(path: str) -> Callable[[World, int], Ask]:
    return lambda _world, number: Ask("GET", path.format(number=number))


def _post(path: str, make: Callable[[int], Any]) -> Callable[[World, int], Ask]:
    return lambda _world, number: Ask("POST", path, make(number))


def _as_member(path: str) -> Callable[[World, int], Ask]:
    return lambda world, number: world.as_member("GET", path, number)


REQUESTS: dict[str, Callable[[World, int], Ask] | None] = {
    "a shared answer: figures, lists, feed, calendar, report": _get("/api/user/all-users"),
    "a shared answer with a value that the visitor chooses": _get("/api/follow?cents={number}"),
    "a page or a file of the site": _get("/ledger/entries/none{number}"),
    "an answer that never changes, or a file": _get("/log/leaves/0.p/1"),
    "a preview image": _get("/previews/follow/2026-10-{number}.png"),
    "the whole log": _get("/api/proofs/bundle.tar"),
    "the whole ledger (members)": _as_member("/api/ledger/export.csv"),
    "a proof about a ballot": _post(
        "/api/proofs/ballot", lambda number: {"proposal": "wells", "voter": f"{number:064x}"}
    ),
    "the hash of a password": _post(
        "/api/user/login", lambda number: {"email": _email(number), "password": PASSWORD}
    ),
    "an account: hash, email, and a payment": _post(
        "/api/register", lambda number: registration(email=_email(number))
    ),
    "a gift": _post("/api/gifts", _gift),
    "a gift on the way": _post(
        "/api/gifts/promise", lambda number: {"amountCents": 1500, "email": _email(number)}
    ),
    "an email to an address": _post(
        "/api/user/forgot-password", lambda number: {"email": _email(number)}
    ),
    "whether an address is registered": _post(
        "/api/email-exists", lambda number: {"email": _email(number)}
    ),
    "a call to the payment provider (members)": _as_member("/api/billing"),
    "the use of a mailed code": _post(
        "/api/newsletter/confirm", lambda number: {"code": f"code{number}"}
    ),
    "a signature of a passkey": _post("/api/user/login/passkey/options", lambda _number: {}),
    "a session of the desk": _post("/api/desk/session/options", lambda _number: {}),
    "an operator's invitation": _post(
        "/api/desk/invitation", lambda number: {"code": f"code{number}"}
    ),
    "what waits for a signature (operators at the desk)": _get("/api/desk/waiting"),
    "a report or claim, with photos, of a partner or claimant": World.last_piece,
    "an event of the provider": None,  # only with live payments
    "a payment of a sandbox": _post(
        "/api/sandbox/confirm", lambda number: {"clientSecret": f"none{number}"}
    ),
    "a vote (members)": lambda world, number: world.as_member(
        "POST", "/api/user/votes", number, {"id": world.proposal, "voteType": "upvote"}
    ),
    "a statement (members)": _as_member("/api/user/statement.pdf"),
    "a member's own data": _as_member("/api/user/export"),
}
"""One request of each row of the list, by its number; the first is made alone."""


def test_each_row_of_the_list_has_a_request() -> None:
    """A new row of the list is measured too."""
    assert set(REQUESTS) == set(listed_rows())


def _large_photo(shade: int) -> FieldPhoto:
    """Return a photo of as many pixels as a partner may send."""
    out = io.BytesIO()
    Image.new("RGB", (4000, 3000), (shade, 90, 30)).save(out, "JPEG", quality=60)
    return FieldPhoto(out.getvalue())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A served organisation with members, a vote, and a partner's photos but their last pieces."""
    folder = tmp_path_factory.mktemp("hostile")
    application = found(folder)
    context = application.context
    voters = add_voters(application, MEMBERS)
    proposal = put_to_vote(application)
    add_item(context, "projects", PROJECT, published=True)
    link = add_partner(context, "Maji Safi", project="wells", language=ENGLISH)
    context.store.close()
    with serving(folder) as server:
        photos = [_large_photo(10), _large_photo(200)]
        tokens = [voter.token for voter in voters]
        made = World(server, tokens, proposal, code_of(link), photos)
        bearer = {"Authorization": f"Bearer {made.code}"}
        for which, (key, photo) in enumerate(zip(_KEYS, photos, strict=True)):
            report = Ask("PUT", f"/api/field/reports/{key}", report_body(photo), bearer)
            assert send(made, report) < 300
            for start in range(0, len(photo.data) - PIECE_BYTES_MAX, PIECE_BYTES_MAX):
                assert send(made, made.piece(which, start)) < 300
        yield made


def send(world: World, ask: Ask) -> int:
    """Make a request on a connection of its own; return the status, or 0 if it was cut off."""
    raw = isinstance(ask.body, bytes)
    data = ask.body if raw or ask.body is None else json.dumps(ask.body).encode()
    kind = {} if raw or data is None else {"Content-Type": "application/json"}
    port = world.server.port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request(ask.method, ask.path, body=data, headers={**kind, **ask.headers})
        answer = connection.getresponse()
        answer.read()
    except OSError:
        return 0
    else:
        return answer.status
    finally:
        connection.close()


@dataclass
class Measured:
    """What was seen while requests were made.

    Args:
        mib: the largest memory of all processes of the server.
        waits: seconds of other requests.
        statuses: the answers, by status.
    """

    mib: float = 0.0
    waits: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def median_ms(self) -> float:
        """The median of the other requests."""
        return statistics.median(self.waits) * 1000


@contextmanager
def in_threads(number: int, work: Callable[[], None]) -> Iterator[None]:
    """Repeat work in threads until the block ends."""
    ended = threading.Event()

    def repeat() -> None:
        while not ended.is_set():
            work()

    threads = [threading.Thread(target=repeat) for _ in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def cheapest(_world: World, _number: int) -> Ask:
    """Return a request that is refused before anything is read."""
    return Ask("GET", "/api/desk/waiting")


def measure(
    world: World,
    make: Callable[[World, int], Ask],
    numbers: Iterator[int],
    *,
    at_once: int,
    seen: Measured | None = None,
) -> Measured:
    """Make requests, at least one in each thread, beside those of another visitor.

    What is seen is added to what was seen before.
    """
    seen = seen or Measured()
    enough = len(seen.waits) + 5
    lock = threading.Lock()

    def attack() -> None:
        with lock:
            number = next(numbers)
        status = send(world, make(world, number))
        with lock:
            seen.statuses[status] += 1

    def weigh() -> None:
        seen.mib = max(seen.mib, world.server.memory_bytes() / 2**20)
        time.sleep(0.05)

    end = time.monotonic() + SECONDS
    with in_threads(1, weigh), in_threads(at_once, attack):
        while time.monotonic() < end or len(seen.waits) < enough:
            begun = time.monotonic()
            assert send(world, Ask("GET", "/api/config")) == 200
            seen.waits.append(time.monotonic() - begun)
            time.sleep(0.02)
    return seen


@only_full
@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row, make in REQUESTS.items() if make is not None])
def test_twenty_at_once_are_bounded(world: World, row: str) -> None:
    """Memory grows by half at most, and other visitors are answered; how soon is only reported.

    Beside as many of the cheapest answers, two quiet cores need 2.1 times as long.
    """
    make = REQUESTS[row]
    assert make is not None
    numbers = count()
    quiet = measure(world, make, numbers, at_once=0)
    alone = measure(world, make, numbers, at_once=1)
    flood, beside = Measured(), Measured()
    for _ in range(ROUNDS):
        measure(world, cheapest, numbers, at_once=AT_ONCE, seen=beside)
        measure(world, make, numbers, at_once=AT_ONCE, seen=flood)
    saw(
        row=row,
        mib_alone=round(alone.mib),
        mib=round(flood.mib),
        quiet_ms=round(quiet.median_ms, 1),
        cheapest_ms=round(beside.median_ms, 1),
        ms=round(flood.median_ms, 1),
        statuses=dict(flood.statuses),
    )

    assert flood.mib <= MEMORY_MAX * alone.mib
    assert flood.statuses[500] == 0
