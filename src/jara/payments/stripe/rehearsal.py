"""A rehearsal in Stripe's test mode: runs the rows, and writes requests, answers and verdicts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO
from urllib.parse import urlsplit

from jara.domain.errors import Conflict, InvalidInput, JaraError, Unavailable
from jara.domain.giving.billing_day import BillingDay, nth_charge_on
from jara.domain.time_zone import UTC_ZONE
from jara.payments.stripe.client import (
    StripeAccess,
    StripeConnection,
    api_version,
    instant_of,
    seconds_of,
)
from jara.payments.stripe.gateway import StripeGateway
from jara.payments.stripe.setup import StripeSetup
from jara.services.ports.outside import Clock
from jara.services.ports.payments import Attempt, SubscriptionFacts

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Invoice

NAME = "Rehearsal of Jara"
"""What the test clocks of rehearsals are called; `clean` deletes all of that name."""
ADDRESS = "rehearsal@example.org"
DOLLARS = 25

_TEST_KEYS = ("sk_test_", "rk_test_")
_NOON = time(12, tzinfo=UTC)
_SECONDS_MAX = 300
_SECRET_FIELDS = re.compile(
    r"(client_)?secret|.*(email|url|name|phone|pdf|fingerprint|descriptor)|address|ip|receipt_number"
)
_SECRET_TEXT = re.compile(r"[^\s@]+@[^\s@]+|\b([sr]k|whsec)_\w+")
REMOVED = "(removed)"


class Verdict(StrEnum):
    """What a row came to."""

    HOLDS = "holds"
    DIFFERS = "differs"
    UNSEEN = "unseen"
    FAILED = "failed"


class Differs(Exception):
    """Stripe does something else than Jara relies on."""


class Unseen(Exception):
    """This account has nothing that could show it, or it needs a person."""


class RowResult(NamedTuple):
    """What a rehearsal saw of one row."""

    row: str
    verdict: Verdict
    seen: str


Row = Callable[["Stage"], str]


@dataclass
class Stage:
    """What a row acts with: our gateway, by a test clock of its own; it is that clock, too."""

    connection: StripeConnection  # the account in test mode
    pause: Callable[[float], None]  # waits for some seconds
    ask: Callable[[str], bool]
    """Shows a person a sentence with an address to open; False if nobody is there."""
    at: datetime
    clock_id: str = ""
    people: int = 0
    secret: str = "whsec_rehearsal"  # noqa: S105 - of events that never left this machine
    """Signs events, as an endpoint's secret would."""
    gateway: StripeGateway = field(init=False)

    def __post_init__(self) -> None:
        """Make the gateway live by this clock."""
        self.gateway = StripeGateway(self.connection, self)

    def now(self) -> datetime:
        """Return the time of the test clock."""
        return self.at

    def open(self, name: str) -> None:
        """Create the test clock, which stands at noon of the first day of a month."""
        with self.connection.asking() as v1:
            clock = v1.test_helpers.test_clocks.create(
                {"frozen_time": seconds_of(self.at), "name": f"{NAME}: {name}"}
            )
        self.clock_id = self.gateway.test_clock = clock.id

    def close(self) -> None:
        """Delete the test clock, and with it its customers."""
        if self.clock_id:
            with self.connection.asking() as v1:
                v1.test_helpers.test_clocks.delete(self.clock_id)

    def advance_to(self, at: datetime) -> None:
        """Advance the test clock and wait until Stripe has done what is due."""
        with self.connection.asking() as v1:
            clocks = v1.test_helpers.test_clocks
            clocks.advance(self.clock_id, {"frozen_time": seconds_of(at)})
            self.wait_for(
                "the test clock", lambda: clocks.retrieve(self.clock_id).status != "advancing"
            )
            if (status := clocks.retrieve(self.clock_id).status) != "ready":
                raise Unavailable(f"Stripe's test clock says: {status}.")
        self.at = at

    def to_month(self, number: int, *, hour: int = 14) -> None:
        """Advance to the renewal after so many months; at 14:00 it was charged."""
        day = nth_charge_on(UTC_ZONE.day_of(self.at).replace(day=1), number)
        self.advance_to(datetime.combine(day, time(hour, 30, tzinfo=UTC)))

    def wait_for(self, what: str, is_there: Callable[[], object]) -> None:
        """Ask again until something is there.

        Raises:
            Unavailable: it took five minutes.
        """
        waited = 0.0
        while not is_there():
            if waited >= _SECONDS_MAX:
                raise Unavailable(f"{what} was not there after {_SECONDS_MAX} seconds.")
            self.pause(step := min(1 + waited / 10, 10))
            waited += step

    def customer(self, card: str = "pm_card_visa") -> str:
        """Create a customer with a test card."""
        self.people += 1
        return self.gateway.create_customer(
            email=ADDRESS,
            name="Rehearsal",
            member_id=f"{self.clock_id}-{self.people}",
            payment_method=card,
            key=f"customer:{self.clock_id}:{self.people}",
        )

    def start(self, card: str = "pm_card_visa") -> tuple[Attempt, str]:
        """Start a pledge of $25, charged today; return the attempt and the customer."""
        customer_id = self.customer(card)
        attempt = self.gateway.start_subscription(
            customer_id=customer_id,
            dollars=DOLLARS,
            billing_day=BillingDay.CURRENT,
            member_id=f"{self.clock_id}-{self.people}",
            key=f"subscription:{self.clock_id}:{self.people}",
        )
        return attempt, customer_id

    def gift(self, card: str, *, key: str = "1", cents: int = 2500) -> str:
        """Take a gift and return its charge, as soon as its money is booked."""
        attempt = self.gateway.take_gift(
            cents=cents,
            email=ADDRESS,
            name="Rehearsal",
            payment_method=card,
            gift_id=f"{self.clock_id}-{key}",
            key=f"gift:{self.clock_id}:{key}",
        )
        with self.connection.asking() as v1:
            self.wait_for(
                "the movement of the charge",
                lambda: v1.charges.retrieve(attempt.reference).balance_transaction,
            )
        return attempt.reference

    def facts(self, attempt: Attempt) -> SubscriptionFacts:
        """Return the pledge as it is now."""
        return self.gateway.subscription(attempt.reference)

    def invoices(self, attempt: Attempt) -> list[Invoice]:
        """Return the invoices of a pledge, newest first."""
        with self.connection.asking() as v1:
            return v1.invoices.list({"subscription": attempt.reference, "limit": 100}).data

    def charged_cents(self, customer_id: str) -> list[int]:
        """Return what was charged, newest first."""
        return [each.cents for each in self.gateway.charges_of(customer_id)]


def expect(what: str, seen: object, wanted: object) -> None:
    """Require that something is as Jara relies on.

    Raises:
        Differs: it is not.
    """
    if seen != wanted:
        raise Differs(f"{what}: {seen!s}, not {wanted!s}.")


def expect_refusal(what: str, kind: type[JaraError], act: Callable[[], object]) -> None:
    """Require that Stripe refuses something, in one way.

    Raises:
        Differs: it does not, or in another way.
    """
    try:
        act()
    except kind:
        return
    except (Conflict, InvalidInput) as error:
        raise Differs(f"{what} is refused in another way: {error.message}") from error
    raise Differs(f"{what} is not refused.")


class Rehearsal:
    """One run of rows against an account in test mode."""

    def __init__(
        self,
        access: StripeAccess,
        *,
        clock: Clock,
        pause: Callable[[float], None],
        ask: Callable[[str], bool] = lambda _sentence: False,
    ) -> None:
        """Check the key; nothing is sent yet.

        Raises:
            InvalidInput: it is not a key of test mode.
        """
        if not access.secret_key.startswith(_TEST_KEYS):
            raise InvalidInput(
                "A rehearsal takes a key of test mode, which begins with "
                f"{' or '.join(_TEST_KEYS)}. Nothing was sent."
            )
        self._clock, self._pause, self._ask = clock, pause, ask
        self._row = ""
        self._out: Callable[[str], None] = lambda _: None  # cleaning up has no file
        self._double = access.api_base
        self._connection = StripeConnection(replace(access, watch=self._watch))

    def run(self, rows: dict[str, Row], out: TextIO) -> Iterator[RowResult]:
        """Run rows, write each request with its answer, and yield each result."""
        self._out = partial(print, file=out, flush=True)
        head = {
            "rehearsal": "stripe",
            "apiVersion": api_version(),
            "day": UTC_ZONE.day_of(self._clock.now()),
        }
        self._write(head | ({"double": self._double} if self._double else {}))
        self._row = "setup"
        StripeSetup(self._connection, "").run()
        for name, row in rows.items():
            self._row = name
            result = self._try(name, row)
            self._write(result._asdict())
            yield result

    def clean(self) -> Iterator[str]:
        """Delete what rehearsals that were interrupted left, and yield its names."""
        with self._connection.asking() as v1:
            clocks = v1.test_helpers.test_clocks
            for clock in list(clocks.list({"limit": 100}).auto_paging_iter()):
                if (clock.name or "").startswith(NAME):
                    clocks.delete(clock.id)
                    yield clock.id
            for customer in list(
                v1.customers.list({"email": ADDRESS, "limit": 100}).auto_paging_iter()
            ):
                v1.customers.delete(customer.id)
                yield customer.id

    def _try(self, name: str, row: Row) -> RowResult:
        noon = datetime.combine(UTC_ZONE.day_of(self._clock.now()).replace(day=1), _NOON)
        stage = Stage(self._connection, self._pause, self._ask, noon)
        with _closing(stage) as left:
            try:
                stage.open(name)
                verdict, seen = Verdict.HOLDS, row(stage)
            except Differs as difference:
                verdict, seen = Verdict.DIFFERS, str(difference)
            except Unseen as reason:
                verdict, seen = Verdict.UNSEEN, str(reason)
            except JaraError as error:
                verdict, seen = Verdict.FAILED, error.message
            except Exception as error:  # noqa: BLE001 - an odd answer must not end the others
                verdict, seen = Verdict.FAILED, f"Stripe's answer is odd: {error!r}"
        return RowResult(name, verdict, " ".join([seen, *left]))

    def _watch(self, method: str, url: str, form: str, status: int | None, body: bytes) -> None:
        place = urlsplit(url)
        request = {"method": method.upper(), "path": place.path, "form": form or place.query}
        answer = None
        with suppress(ValueError):
            answer = without_secrets(json.loads(body))
        self._write({"row": self._row, "request": request, "status": status, "answer": answer})

    def _write(self, line: dict[str, Any]) -> None:
        self._out(json.dumps(line, default=str))


@contextmanager
def _closing(stage: Stage) -> Iterator[list[str]]:
    """Delete the test clock of a row; yield a list that gets a sentence if that fails."""
    left: list[str] = []
    try:
        yield left
    finally:
        try:
            stage.close()
        except JaraError:
            left.append(f"{stage.clock_id} is left in the account; remove it with --clean.")


def without_secrets(value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
    """Return an answer without secrets, addresses and names; kinds of values stay."""
    match value:
        case dict():
            return {key: without_secrets(inner, f"{name}.{key}") for key, inner in value.items()}
        case list():
            return [without_secrets(inner, name) for inner in value]
        case str():
            field_name = name.rpartition(".")[2]
            hidden = ".address." in name or _SECRET_FIELDS.fullmatch(field_name)
            return REMOVED if hidden else _SECRET_TEXT.sub(REMOVED, value)
        case _:
            return value


def choose_rows(rows: dict[str, Row], only: Collection[str]) -> dict[str, Row]:
    """Return the rows of these names; all if none is named.

    Raises:
        InvalidInput: there is no such row.
    """
    unknown = sorted(set(only) - rows.keys())
    if unknown:
        raise InvalidInput(f"There is no row '{unknown[0]}'; rows: {', '.join(rows)}.")
    return {name: row for name, row in rows.items() if not only or name in only}


def is_rehearsal(first_line: str) -> bool:
    """Return whether a file that begins so is empty or a rehearsal's."""
    return not first_line or first_line.startswith('{"rehearsal"')


def read_rehearsal(lines: Iterable[bytes], rows: Collection[str]) -> tuple[str, date, list[str]]:
    """Return the API version and day of a rehearsal that holds, and the rows it did not see.

    The last verdict of a row counts, among those of the file's last API version; the day is the
    earliest of these verdicts.

    Raises:
        InvalidInput: it is no rehearsal with Stripe, or a row does not hold.
    """
    version, day = "", ""
    verdicts: dict[str, tuple[str, str]] = {}
    for line in (read_line(line.decode(errors="replace")) for line in lines):
        if "double" in line:
            version = ""
            break
        if "rehearsal" in line:
            if line["apiVersion"] != version:
                verdicts.clear()
            version, day = line["apiVersion"], line["day"]
        elif "verdict" in line:
            verdicts[line["row"]] = line["verdict"], day
    if not version:
        raise InvalidInput("This is not a rehearsal with Stripe itself.")
    settled = {Verdict.HOLDS, Verdict.UNSEEN}
    open_rows = [row for row in rows if row not in verdicts or verdicts[row][0] not in settled]
    if open_rows:
        raise InvalidInput(
            f"These rows do not hold: {', '.join(open_rows)}. Try them again: "
            f"jara rehearse stripe --key-file FILE --only {open_rows[0]}"
        )
    unseen = [row for row in rows if verdicts[row][0] == Verdict.UNSEEN]
    return version, min(date.fromisoformat(verdicts[row][1]) for row in rows), unseen


def read_line(text: str) -> dict[str, Any]:
    """Read a line of a rehearsal; one that a kill cut is empty.

    Raises:
        InvalidInput: it is something else.
    """
    try:
        line = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(line, dict):
        raise InvalidInput(f"This is not a line of a rehearsal: {text.strip()[:60]}")
    return line


def day_of(seconds: int) -> int:
    """Return the day of the month of a time at Stripe."""
    return instant_of(seconds).day
