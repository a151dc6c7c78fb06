"""``jara rehearse``: each row of the rehearsal against the double, and when Stripe fails."""

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import InvalidInput, JaraError
from jara.payments.stripe.client import StripeAccess
from jara.payments.stripe.rehearsal import ADDRESS, Rehearsal, RowResult, Verdict, read_rehearsal
from jara.payments.stripe.rehearsal_rows import ROWS
from tests.fakes.clock import FakeClock
from tests.stripe_double import invoices, subscriptions
from tests.stripe_double.double import StripeDouble
from tests.stripe_double.replay import Replay

UNSEEN = {"confirmations", "other-balances", "payments-file"}
"""What an account without a past, and without a person, cannot show."""
PUBLISHED = Path(__file__).with_name("published_shapes.jsonl")


class Killed(BaseException):
    """The end of a process, after which nothing runs."""


@pytest.fixture
def double() -> Iterator[StripeDouble]:
    """Return a Stripe account."""
    with StripeDouble(FakeClock()) as double:
        yield double


def rehearsal_on(
    double: StripeDouble, *, is_confirmed: bool = False, read_seconds: float = 60.0
) -> Rehearsal:
    """Return a rehearsal whose waiting moves the double's clock."""

    def ask(_sentence: str) -> bool:
        if is_confirmed:
            double.confirm(double.client_secret_of(""))
        return is_confirmed

    return Rehearsal(
        StripeAccess(double.secret_key, api_base=double.url, read_seconds=read_seconds, retries=0),
        clock=double.account.clock,
        pause=lambda seconds: double.advance(seconds=seconds),
        ask=ask,
    )


def run(double: StripeDouble, *names: str, **more: Any) -> tuple[list[RowResult], list[Any]]:
    """Run some rows, or all; return their results and the lines of the file."""
    out = io.StringIO()
    chosen = {name: row for name, row in ROWS.items() if not names or name in names}
    results = list(rehearsal_on(double, **more).run(chosen, out))
    return results, [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_row_holds_for_the_double(double: StripeDouble) -> None:
    """Every row that an empty account can show holds, and nothing is left of it."""
    results, _ = run(double)

    assert {one.row: one.seen for one in results if one.verdict is Verdict.FAILED} == {}
    assert {one.row: one.seen for one in results if one.verdict is Verdict.DIFFERS} == {}
    assert {one.row for one in results if one.verdict is Verdict.UNSEEN} == UNSEEN
    assert double.account.all("test_helpers.test_clock") == []
    assert double.account.all("customer") == []


def test_a_person_confirms_a_card_that_asks_at_the_start(double: StripeDouble) -> None:
    """With somebody at the terminal the row of the two cards holds."""
    results, _ = run(double, "confirmations", is_confirmed=True)

    assert [(one.verdict, one.seen) for one in results] == [
        (Verdict.HOLDS, "3184 asked in both months, 3155 at the start alone.")
    ]


def _later_debits(double: StripeDouble) -> None:
    double.fail_payout(double.account.all("payout")[0]["id"])
    double.account.pays_out = False


def test_a_failed_payout_is_looked_for_in_later_ones(double: StripeDouble) -> None:
    """A reversal that no later payout has is named."""
    run(double, "refunds", "events")
    _later_debits(double)

    results, _ = run(double, "payout-parts")

    assert [one.verdict for one in results] == [Verdict.DIFFERS]


def test_a_balance_without_a_payout_is_unseen(double: StripeDouble) -> None:
    """An account that cannot pay out, such as one without a bank account, says so."""
    double.account.currency = "cad"

    results, _ = run(double, "balance")

    assert [(one.verdict, "insufficient" in one.seen) for one in results] == [
        (Verdict.UNSEEN, True)
    ]


@pytest.mark.parametrize("row", ["cancelled-twice", "draft-hour", "paused-skip", "open-amount"])
def test_a_row_differs_if_stripe_does_something_else(
    double: StripeDouble, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    """A row can fail: a Stripe that behaves otherwise is noticed."""
    if row == "cancelled-twice":
        monkeypatch.setattr(subscriptions, "_ENDED", ())
    if row == "draft-hour":
        monkeypatch.setattr(invoices, "HOUR", 60)
    if row == "open-amount":
        double.account.retries = ()
    if row == "paused-skip":
        keep = {"behavior": "void", "resumes_at": 1}
        monkeypatch.setattr(
            subscriptions, "_pause", lambda _a, one, _p: one.update(pause_collection=keep)
        )

    results, _ = run(double, row)

    assert [one.verdict for one in results] == [Verdict.DIFFERS]


@pytest.mark.parametrize("kind", ["429", "500", "before", "hang", "cut"])
@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ("POST /v1/customers", ("cancelled-twice", "refunds")),
        ("POST /v1/subscriptions", ("cancelled-twice", "refunds")),
        ("GET /v1/invoices?", ("changed-day", "refunds")),
    ],
)
def test_a_row_that_stripe_does_not_answer_leaves_the_others(
    double: StripeDouble, kind: str, call: str, rows: tuple[str, ...]
) -> None:
    """The row fails with a sentence, the next one of the same run holds, and nothing is left."""
    double.fault(call, kind)

    results, lines = run(double, *rows, read_seconds=2.0 if kind == "hang" else 60.0)

    assert [one.verdict for one in results] == [Verdict.FAILED, Verdict.HOLDS]
    assert "Stripe" in results[0].seen
    assert double.account.all("test_helpers.test_clock") == []
    assert (int(kind) if kind.isdigit() else None) in [line.get("status") for line in lines]


def test_a_clock_that_cannot_be_deleted_is_named(double: StripeDouble) -> None:
    """What is left has its name in the row, and `clean` removes it."""
    double.fault("DELETE /v1/test_helpers", "500")

    results, _ = run(double, "declined")

    (clock,) = double.account.all("test_helpers.test_clock")
    assert f"{clock['id']} is left" in results[0].seen
    assert list(rehearsal_on(double).clean()) == [clock["id"]]
    assert double.account.all("test_helpers.test_clock") == []


@pytest.mark.parametrize("row", ROWS)
def test_clean_removes_the_rest_of_a_killed_row(double: StripeDouble, row: str) -> None:
    """After a kill in any row, every clock and customer is found by its name."""

    class Paper(io.StringIO):
        def write(self, text: str) -> int:
            if f'"row": "{row}", "request"' in text:
                self.left -= 1
                if self.left < 0:
                    raise Killed
            return super().write(text)

        left = 6

    try:
        list(rehearsal_on(double).run({row: ROWS[row]}, Paper()))
    except Killed:
        list(rehearsal_on(double).clean())

    assert double.account.all("test_helpers.test_clock") == []
    assert double.account.all("customer") == []


@pytest.mark.parametrize("key", ["sk_live_x", "rk_live_x", "pk_test_x", "", "sk_test"])
def test_only_a_secret_key_of_test_mode_is_taken(double: StripeDouble, key: str) -> None:
    """Any other key is refused before anything is sent."""
    with pytest.raises(InvalidInput, match="Nothing was sent"):
        Rehearsal(
            StripeAccess(key, api_base=double.url), clock=double.account.clock, pause=lambda _: None
        )

    assert double.calls == []


def test_the_file_has_no_secrets_and_no_addresses(double: StripeDouble) -> None:
    """Keys, client secrets and addresses are left out of what was answered."""
    _, lines = run(double, "refunds", "paid-now")

    text = json.dumps([line.get("answer") for line in lines])
    assert double.secret_key not in json.dumps(lines)
    assert not re.search(r"_secret_|whsec_", text)
    assert ADDRESS not in text


def test_the_double_answers_a_rehearsal_of_its_own_again(double: StripeDouble) -> None:
    """A replay finds nothing to complain of, and finds each thing that was planted."""
    _, lines = run(double, "paid-now", "disputes", "events")
    same, _ = replay(lines)
    for line in lines:
        answer = line.get("answer") or {}
        if answer.get("object") == "subscription":
            answer["status"] = "resting"
        if answer.get("object") == "refund" or "error" in answer:
            line["status"] = 418
        if answer.get("object") == "customer":
            answer["email"], answer["created"] = None, "today"
        if line.get("request", {}).get("path") == "/v1/events":
            answer["data"].reverse()
    planted, compared = replay(lines)

    assert same == []
    assert {(one.field, one.recorded) for one in planted if one.field != "order of events"} == {
        ("(status)", "418"),
        ("created", "text"),
        ("email", "nothing"),
        ("status", "resting"),
    }
    assert "order of events" in {one.field for one in planted}
    assert compared >= 30


def test_the_double_has_the_published_kinds() -> None:
    """No field has another kind than in Stripe's published examples, which are no recording.

    What the examples leave empty, or fill, and their states differ from any real answer.
    """
    note, *lines = map(json.loads, PUBLISHED.read_text("utf-8").splitlines())

    found, compared = replay([{**line, "waits": "a day"} for line in lines])

    assert note["note"].startswith("No recording")
    kinds = {"text", "number", "true or false", "list", "object"}
    assert [one for one in found if {one.recorded, one.double} <= kinds] == []
    assert compared == len(lines)


def replay(lines: list[Any]) -> tuple[list[Any], int]:
    """Send the requests to a new double; return the differences and the number of requests."""
    with StripeDouble(FakeClock()) as other:
        again = Replay(
            other.url, other.secret_key, pause=lambda seconds: other.advance(seconds=seconds)
        )
        found = []
        for group in [lines] if "waits" not in lines[0] else [[line] for line in lines]:
            found += list(again.run(json.dumps(line) for line in group))
            if "waits" in group[0]:
                other.advance(days=1)
        return found, again.compared


def _head(**more: str) -> dict[str, str]:
    return {"rehearsal": "stripe", "apiVersion": "v1", "day": "2026-11-20"} | more


def _verdicts(**other: str) -> list[dict[str, str]]:
    return [{"row": row, "verdict": other.get(row, "holds")} for row in ROWS]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "not a rehearsal with Stripe"),
        ([_head(double="http://127.0.0.1"), *_verdicts()], "not a rehearsal with Stripe"),
        ([_head()], "do not hold: declined"),
        ([_head(), *_verdicts(refunds="failed")], "do not hold: refunds"),
        ([_head(), *_verdicts(balance="differs")], "do not hold: balance"),
        (["words"], "not a line"),
        ([_head(), *_verdicts(), _head(apiVersion="v2")], "do not hold: declined"),
    ],
)
def test_only_a_whole_rehearsal_counts(lines: list[Any], said: str) -> None:
    """A double's, a partial one, and one with a row that does not hold are refused."""
    with pytest.raises(JaraError, match=said):
        read_rehearsal((json.dumps(line).encode() for line in lines), ROWS)


def test_a_row_that_was_tried_again_counts_as_the_last_time() -> None:
    """A row that failed and then held is fine; rows that were not seen are named."""
    older = [_head() | {"apiVersion": "v0"}, *_verdicts()]
    lines = [*older, _head(), *_verdicts(refunds="failed", disputes="unseen"), *_verdicts()[:14]]

    written = [b'{"row": "refunds", "reques', *(json.dumps(line).encode() for line in lines), b""]
    version, day, unseen = read_rehearsal(written, ROWS)

    assert (version, str(day), unseen) == ("v1", "2026-11-20", ["disputes"])


@pytest.mark.parametrize(
    ("again", "day"),
    [
        (_verdicts(), "2027-11-01"),
        (_verdicts()[1:], "2026-11-20"),
        ([], "2026-11-20"),
    ],
)
def test_the_day_is_that_of_the_oldest_verdict_that_counts(again: list[Any], day: str) -> None:
    """Rows that are all tried again have the new day; one that is not keeps the old one."""
    lines = [_head(), *_verdicts(), _head(day="2027-11-01"), *again]

    read = read_rehearsal((json.dumps(line).encode() for line in lines), ROWS)

    assert str(read[1]) == day


def test_the_page_lists_the_rows() -> None:
    """docs/payments.md has a line for each row, with its text."""
    page = (Path(__file__).parents[2] / "docs" / "payments.md").read_text("utf-8")

    table = page.partition("| row | behaviour |")[2]
    listed = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", table, re.MULTILINE)

    assert listed == [(name, _text_of(row)) for name, row in ROWS.items()]


def _text_of(row: Callable[..., object]) -> str:
    return (row.__doc__ or "").partition("\n")[0]
