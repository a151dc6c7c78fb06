"""Compares a recording of `jara rehearse stripe` with what the double says."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from jara.domain.errors import Unavailable
from jara.payments.stripe.events import EVENTS
from jara.payments.stripe.rehearsal import REMOVED, read_line
from tests.fakes.clock import FakeClock
from tests.stripe_double.double import StripeDouble

_ID = re.compile(r"\b[a-z]+(?:_test)?_(?=\w*\d)[A-Za-z0-9]{8,}\b")
_STATES = frozenset({"object", "status", "type", "billing_reason", "code", "reporting_category"})
_NAMES_READ = """
    id object status type customer email invoice_settings default_payment_method card exp_year
    exp_month fingerprint amount amount_captured amount_refunded amount_remaining amount_due
    disputed paid payment_intent latest_charge client_secret balance_transaction balance_type
    currency created net fee fee_details reporting_category source automatic arrival_date charge
    billing_details receipt_email payment_method_details data items quantity price unit_amount
    billing_scheme recurring interval interval_count usage_type current_period_end
    billing_cycle_anchor trial_end pause_collection resumes_at behavior pending_setup_intent
    latest_invoice status_transitions finalized_at cancellation_details reason schedule discounts
    confirmation_secret payment invoice parent subscription_details customer_email error code
    last_payment_error last_setup_error message collection_method pending_update cancel_at
    cancel_at_period_end automatic_tax enabled available pending api_version enabled_events url
    next_payment_attempt hosted_invoice_url failure_balance_transaction param deleted
"""
_READ = frozenset(_NAMES_READ.split())
"""The fields that Jara reads: only there it matters whether one is empty or missing."""
_OF_ACCOUNT = frozenset({"balance_transactions", "payouts", "products", "prices", "configurations"})
"""Lists that hold what was there before the rehearsal, too."""
_SECONDS = 30


class Difference(NamedTuple):
    """A field that the double gives otherwise."""

    call: str
    field: str
    recorded: str
    double: str


class Replay:
    """Sends recorded requests again; ids of the recording become those of the answers."""

    def __init__(self, base: str, key: str, *, pause: Callable[[float], None]) -> None:
        """Take the address and the key; ``pause`` waits for some seconds."""
        self._base, self._key, self._pause = base, key, pause
        self._ids: dict[str, str] = {}
        self._customer = "", ""
        self.compared = 0

    def run(self, lines: Iterable[str]) -> Iterator[Difference]:
        """Send each request of a recording, and yield what differs, each difference once."""
        seen = set()
        asked = (line for line in map(read_line, lines) if line.get("answer") is not None)
        for _, group in groupby(asked, lambda line: json.dumps(line["request"], sort_keys=True)):
            lines_alike = list(group)
            is_reading = lines_alike[0]["request"]["method"] == "GET"
            for line in lines_alike[-1:] if is_reading else lines_alike:
                found = self._compare(line)
                # Where Jara waits, it asks the same again and again: the last answer counts.
                for tries in range(3 * len(lines_alike[1:])):
                    if not found or not is_reading:
                        break
                    self._pause(min(1 + tries, 10))
                    found = self._compare(line)
                yield from (one for one in found if one not in seen)
                seen.update(found)

    def _compare(self, line: dict[str, Any]) -> list[Difference]:
        request, answer = line["request"], line["answer"]
        status, ours = self._send(request["method"], request["path"], request["form"])
        self.compared += 1
        call = f"{request['method']} {_ID.sub('*', request['path'])}"
        if status != line["status"]:
            return [Difference(call, "(status)", str(line["status"]), str(status))]
        if request["path"] == "/v1/events":
            theirs, own = (
                _kinds_of(*pair) for pair in zip((answer, ours), self._customer, strict=True)
            )
            if theirs == own:
                return []
            return [Difference(call, "order of events", ", ".join(theirs), ", ".join(own))]
        if request["path"].rpartition("/")[2] in _OF_ACCOUNT and answer.get("object") == "list":
            answer, ours = _alike(answer, ours)
        found = [Difference(call, *three) for three in self._differ("", answer, ours)]
        if (request["method"], request["path"]) == ("POST", "/v1/customers"):
            self._customer = answer.get("id", ""), ours.get("id", "")
        return found

    def _differ(self, path: str, theirs: Any, ours: Any) -> Iterator[tuple[str, str, str]]:
        match theirs, ours:
            case dict(), dict():
                yield from self._differ_in_fields(path, theirs, ours)
            case list(), list():
                if len(theirs) != len(ours):
                    yield path, f"{len(theirs)} items", f"{len(ours)} items"
                for one, other in zip(theirs, ours, strict=False):
                    yield from self._differ(f"{path}[]", one, other)
            case str(), str():
                if theirs != ours and path.rpartition(".")[2] in _STATES:
                    yield path, theirs, ours
                if theirs != REMOVED and _ID.fullmatch(theirs):
                    self._ids[theirs] = ours
            case _ if _kind_of(theirs) != _kind_of(ours):
                yield path, _kind_of(theirs), _kind_of(ours)

    def _differ_in_fields(
        self, path: str, theirs: dict[str, Any], ours: dict[str, Any]
    ) -> Iterator[tuple[str, str, str]]:
        for key in sorted((theirs.keys() | ours.keys()) - {"metadata"}):
            inner = f"{path}.{key}".lstrip(".")
            recorded, double = theirs.get(key), ours.get(key)
            if recorded is not None and double is not None:
                yield from self._differ(inner, recorded, double)
            elif recorded is not double and key in _READ:
                yield inner, _kind_of(recorded), _kind_of(double)

    def _send(self, method: str, path: str, form: str) -> tuple[int, Any]:
        path, form = (_ID.sub(self._own_id, text) for text in (path, form))
        target = f"{self._base}{path}" + (f"?{form}" if method == "GET" and form else "")
        request = urllib.request.Request(  # noqa: S310 - the address of the settings
            target,
            data=form.encode() if method == "POST" else None,
            headers={"Authorization": f"Bearer {self._key}"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 - as above
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, ValueError) as error:
            raise Unavailable(f"{self._base} did not answer {method} {path}: {error}") from error

    def _own_id(self, found: re.Match[str]) -> str:
        return self._ids.get(found[0], found[0])


def compare(lines: Iterable[str]) -> tuple[list[Difference], int]:
    """Send a recording to a new double; return the differences and the number of requests."""
    with StripeDouble(FakeClock()) as double:
        replay = Replay(
            double.url, double.secret_key, pause=lambda seconds: double.advance(seconds=seconds)
        )
        return list(replay.run(lines)), replay.compared


def _kinds_of(answer: Any, customer_id: str) -> list[str]:
    return [
        event["type"]
        for event in answer["data"]
        if event["type"] in EVENTS and event["data"]["object"].get("customer") == customer_id
    ]


def _alike(theirs: Any, ours: Any) -> tuple[Any, Any]:
    """Return two lists of one object of each state that both have."""
    own, recorded = ({_states(one): one for one in doc["data"]} for doc in (ours, theirs))
    both = [states for states in recorded if states in own]
    return [recorded[states] for states in both], [own[states] for states in both]


def _states(item: dict[str, Any]) -> str:
    source = item.get("source")
    kind = source.get("object") if isinstance(source, dict) else None
    return str([*(item.get(name) for name in sorted(_STATES)), kind])


def _kind_of(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return "list"
        case _:
            return "object"
