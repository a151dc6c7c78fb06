"""JSON lists of balance transactions, streamed item by item."""

import json
from datetime import date
from io import BytesIO
from typing import Any

import pytest

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.errors import InvalidInput
from jara.files.json_stream import JsonList
from jara.files.reading import FileReport
from jara.files.stripe.reader import read_stripe
from tests.files.stripe_texts import A_CHARGE

Document = dict[str, Any]

CHARGE: Document = {
    "id": "txn_1",
    "object": "balance_transaction",
    "amount": 1000,
    "balance_type": "payments",
    "created": 1772366467,
    "currency": "usd",
    "exchange_rate": 1.25,
    "fee": 67,
    "fee_details": [
        {"amount": 59, "currency": "usd", "type": "stripe_fee"},
        {"amount": 8, "currency": "usd", "type": "tax"},
    ],
    "net": 933,
    "reporting_category": "charge",
    "source": {
        "id": "ch_1",
        "object": "charge",
        "billing_details": {"email": "a@example.org"},
        "customer": {"id": "cus_1"},
        "description": "Subscription update",
        "metadata": {"jara_member": "m1"},
    },
    "type": "charge",
}


def read(
    text: str | bytes, assume: ChargeKind | None = None
) -> tuple[list[ProviderRow], FileReport]:
    """Read a JSON file of this text."""
    report = FileReport()
    content = text if isinstance(text, bytes) else text.encode()
    return list(read_stripe(BytesIO(content), "f.json", report, assume=assume)), report


def read_one(document: object, assume: ChargeKind | None = None) -> ProviderRow:
    """Read a list of one valid transaction."""
    rows, report = read(json.dumps([document]), assume)
    assert report.rejected == []
    return rows[0]


def test_expanded_charge_reads_with_all_it_tells() -> None:
    """Member, customer, kind, and the tax within the fee are read from a charge."""
    assert read_one(CHARGE) == A_CHARGE._replace(
        fee=67, fee_tax=8, net=933, member_id="m1", payout_id=None, line=1
    )


def test_bare_list_and_answer_of_the_api_are_the_same() -> None:
    """The list may be bare or under `data`, with or without a byte-order mark."""
    bare, _ = read(json.dumps([CHARGE, CHARGE]))
    answer, report = read(
        "\ufeff"
        + json.dumps({"object": "list", "data": [CHARGE, CHARGE], "has_more": True, "n": 12})
    )

    assert bare == answer
    assert report.read == 2
    assert report.notes == ["f.json: the list is one page of several (has_more is true)."]


def test_lines_of_items_are_known() -> None:
    """A rejected item is reported with the line on which it starts."""
    text = f'{{"url": "/v1",\n"data": [\n{json.dumps(CHARGE, indent=1)},\n{{"id": "t"}}\n]}}\n'

    rows, report = read(text)

    lines = json.dumps(CHARGE, indent=1).count("\n") + 1
    assert [row.line for row in rows] == [3]
    assert [error.line for error in report.rejected] == [3 + lines]


def test_long_lists_are_read_in_pieces() -> None:
    """An item may span the chunks in which a file is read."""
    documents = [{**CHARGE, "id": f"txn_{n}", "description": "é" * 900} for n in range(400)]
    text = json.dumps(documents, ensure_ascii=False)

    rows, _ = read(text)

    assert [f"txn_{n}" for n in range(400)] == [row.txn_id for row in rows]


def test_ids_instead_of_objects_are_enough() -> None:
    """Without expanded sources, a list is read, but the kind of charges must be given."""
    document = {**CHARGE, "source": "ch_1"}

    row = read_one(document, ChargeKind.GIFT)

    assert (row.source_id, row.charge_id, row.charge_kind) == ("ch_1", "ch_1", ChargeKind.GIFT)
    assert "say `--as pledges`" in read(json.dumps([document]))[1].rejected[0].message


def test_refunds_and_disputes_name_their_charge() -> None:
    """A refund or dispute is linked to its expanded charge; an id alone gives no link."""
    change = {"amount": -1000, "fee": 0, "net": -1000, "fee_details": None}
    refund = {**CHARGE, **change, "reporting_category": "refund"}

    assert read_one({**refund, "source": {"id": "re_1", "charge": "ch_1"}}).charge_id == "ch_1"
    assert (
        read_one({**refund, "source": {"id": "re_1", "charge": {"id": "ch_1"}}}).charge_id == "ch_1"
    )
    assert read_one({**refund, "source": "re_1"}).charge_id is None
    assert read_one({**refund, "source": {"id": "re_1", "charge": {}}}).charge_id is None


def test_marked_gift_is_a_gift() -> None:
    """Jara's own metadata has priority over the description."""
    source = {**CHARGE["source"], "metadata": {"jara_kind": "gift"}}

    assert read_one({**CHARGE, "source": source}).charge_kind == ChargeKind.GIFT


@pytest.mark.parametrize(
    ("source", "arrives"),
    [
        ({"id": "po_1", "arrival_date": 1772582400, "status": "paid"}, date(2026, 3, 4)),
        ({"id": "po_1", "arrival_date": 1772582400, "status": "failed"}, None),
        ({"id": "po_1", "arrival_date": 1772582400, "status": "canceled"}, None),
        ("po_1", None),
    ],
)
def test_payouts_arrive_unless_they_failed(source: object, arrives: date | None) -> None:
    """A payout has the day on which the money reaches the bank."""
    document = {**CHARGE, "reporting_category": "payout", "source": source}

    assert read_one(document).arrives_on == arrives


def test_other_balances_are_ignored() -> None:
    """A row that mirrors another movement is not booked again."""
    rows, report = read(json.dumps([{**CHARGE, "balance_type": "risk_reserved"}]))

    assert (rows, report.read, report.ignored, report.rejected) == ([], 1, 1, [])


def test_older_rows_without_category_are_known_by_type() -> None:
    """Without a reporting category, the type decides."""
    document = {**CHARGE, "reporting_category": None, "type": "advance", "source": None}

    assert (read_one(document).category, read_one(document).raw_category) == (
        RowCategory.UNKNOWN,
        "advance",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amount": 10.5}, "'amount' is '10.5'; it should be a whole number."),
        ({"amount": True}, "'amount' is True; it should be a whole number."),
        ({"fee": "59"}, "'fee' is '59'; it should be a whole number."),
        ({"net": 934}, "The net 9.34 is not 10.00 less the fee 0.67."),
        ({"currency": "cad"}, "The row is in 'cad'; the books are kept only in 'usd'."),
        ({"id": None}, "The cell 'id' is empty; it names the movement."),
        ({"created": -1}, "-1 is not a time in seconds since 1970."),
        ({"created": 10**15}, "1000000000000000 is not a time in seconds since 1970."),
    ],
)
def test_bad_transactions_are_rejected_by_line(change: Document, message: str) -> None:
    """An invalid transaction is returned with its line, and the valid ones are read."""
    rows, report = read(json.dumps([{**CHARGE, **change}, CHARGE]))

    assert len(rows) == 1
    assert [(error.line, error.message) for error in report.rejected] == [(1, message)]


def test_items_that_are_no_balance_transactions_are_rejected() -> None:
    """Other items are rejected with the names of the missing fields."""
    told = "The item is not a balance transaction of Stripe; it lacks 'currency', 'amount', 'fee', "
    entry = '[{"id": "e1", "created": 1, "net": 5}]'
    assert read(entry)[1].rejected[0].message.startswith(told[:-2])
    assert read("[12]")[1].rejected[0].message == "The item is not a balance transaction."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "f.json, line 1: the text is not JSON (Expecting value)."),
        ("[{}\n{}]", "f.json, line 2: a comma or ']' is missing."),
        ("[]\n[]", "f.json, line 2: there is text after the end of the list."),
        ('[{"amount": NaN}]', "f.json, line 1: the text is not JSON ('NaN' is not a JSON number)."),
        ('{"object": "list"}', "f.json, line 1: the object has no list 'data'."),
        ("{12: []}", "f.json, line 1: the file is not a JSON object with 'data'."),
        ("[" * 100_000, "f.json, line 1: the text is nested too deeply."),
        (
            b'[{"id":\n"\xff"}]',
            "f.json: a byte after line 1 is not UTF-8; save the file as UTF-8 and try again.",
        ),
    ],
)
def test_files_that_are_no_json_list_are_refused(text: str | bytes, message: str) -> None:
    """A file with a syntax error is refused as a whole, with the line."""
    with pytest.raises(InvalidInput) as refusal:
        read(text)

    assert refusal.value.message == message


def test_other_values_are_no_list() -> None:
    """A file with a single value is refused."""
    with pytest.raises(InvalidInput, match=r"f\.json, line 1: the file is not a JSON list"):
        list(JsonList(BytesIO(b"12"), "f.json").items())


def test_number_may_straddle_two_pieces() -> None:
    """A number that spans two chunks is read completely."""
    content = b"[" + b" " * ((1 << 16) - 3) + b"1234]"

    assert list(JsonList(BytesIO(content), "f.json").items()) == [(1, 1234)]


def test_empty_list_is_no_error() -> None:
    """A page without transactions is valid."""
    assert (read("[ ]")[0], read('{"data": []}')[1].read) == ([], 0)
