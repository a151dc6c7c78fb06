"""The stand-alone verifier: a receipt finds its ballot, and a changed receipt fails."""

import json
from pathlib import Path

import pytest

from jara.domain.publiclog import merkle
from jara.files.publiclog import bundle
from tests.verifier.log_builder import (
    Check,
    LogBuilder,
    lines_of,
    small_organisation,
    write_receipt,
)


def test_a_receipt_finds_its_ballot(check: Check, tmp_path: Path) -> None:
    """The ballot is listed as it was cast, also if it was voided later."""
    log = small_organisation()
    mine = write_receipt(log.receipt(9, "c", 10), tmp_path / "r.json")
    assert (
        "ok      receipt: 'up' on prop_01 is leaf 9\n" in check(log.files(), "--receipt", mine)[1]
    )

    mine = write_receipt(log.receipt(6, "b", 7), tmp_path / "r.json")
    status, out = check(log.files(withhold=True), "--receipt", mine)
    assert status == 0
    assert "ok      receipt: 'down' on prop_01 is leaf 6; it was voided by leaf 10\n" in out


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"leaf": 5}, "the receipt has no proper 'leaf'"),
        ({"index": -1}, "the receipt has no proper 'index'"),
        ({"index": 10}, "leaf 10 at size 10 is not in a log of 25 leaves"),
        ({"size": None}, "leaf 9 at size -1 is not in a log of 25 leaves"),
        ({"size": 26}, "leaf 9 at size 26 is not in a log of 25 leaves"),
        ({"size": 11}, "its checkpoint signs another size or root"),
        ({"leafBytes": None}, "the receipt has no proper 'leafBytes'"),
        ({"leafBytes": "{}"}, "leafBytes do not hash to leaf"),
        ({"leafBytes": "\ud800"}, "leafBytes do not hash to leaf"),
        ({"nonce": "00"}, "the receipt has no proper 'nonce'"),
        ({"nonce": "00" * 16}, "the nonce is not the ballot's"),
        ({"tracker": "AAAA-BBBB-CCCC"}, "the tracker is not the leaf's"),
        ({"root": "00" * 32}, "its checkpoint signs another size or root"),
        ({"checkpoint": "x"}, "it is no signed checkpoint"),
        ({"checkpoint": LogBuilder(seed=9).note_at(1)}, "the checkpoint at size 1 has no"),
        ({"proof": None}, "the receipt has no proper 'proof'"),
        ({"proof": [5]}, "the proof does not lead from leaf 9"),
        ({"proof": []}, "the proof does not lead from leaf 9"),
        ({"proof": ["00" * 32] * 9}, "the proof does not lead from leaf 9"),
        ({"index": 8}, "the proof does not lead from leaf 8"),
    ],
)
def test_a_receipt_with_a_changed_field_fails(
    check: Check, tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    """Each field of a receipt is checked."""
    log = small_organisation()
    path = tmp_path / "r.json"
    document = {**log.receipt(9, "c", 10), **fields}
    path.write_text(json.dumps(document), encoding="ascii")  # escaped halves of surrogates

    status, out = check(log.files(), "--receipt", path)

    assert status == 1
    assert f"FAILED  receipt: {message}" in out


def test_a_receipt_of_something_else_than_a_ballot_fails(check: Check, tmp_path: Path) -> None:
    """The proof of an entry is no receipt of a vote."""
    log = small_organisation()
    receipt = {**log.receipt(2, "c", 10), "nonce": "00" * 16}

    _, out = check(log.files(), "--receipt", write_receipt(receipt, tmp_path / "r.json"))

    assert "FAILED  receipt: the leaf is not a ballot" in out


def test_a_receipt_of_another_history_fails(check: Check, tmp_path: Path) -> None:
    """A signed root that is not in the bundle means two logs with one name."""
    told = small_organisation()
    path = write_receipt(told.receipt(9, "c", 10), tmp_path / "r.json")

    shown = small_organisation()
    shown.leaves[9]["choice"] = "down"
    assert (
        "FAILED  receipt: the bundle's root at size 10 is another one"
        in check(shown.files(), "--receipt", path)[1]
    )


def test_a_receipt_whose_leaf_the_bundle_replaced_fails(check: Check, tmp_path: Path) -> None:
    """The bundle's own line is compared, and not only the proof's hash."""
    log = small_organisation()
    path = write_receipt(log.receipt(9, "c", 10), tmp_path / "r.json")
    files = log.files()
    lines = lines_of(files)
    lines[9] = bundle.withheld_line(merkle.leaf_hash(lines[9][:-1]))

    status, out = check({**files, bundle.ENTRIES: b"".join(lines)}, "--receipt", path)

    assert status == 1
    assert "FAILED  receipt: leaf 9 of the bundle is another one or withheld" in out


@pytest.mark.parametrize("data", [b"\xff", b"[]", b"{", b"[" * 9999])
def test_a_receipt_that_is_no_object_is_unreadable(
    check: Check, tmp_path: Path, data: bytes
) -> None:
    """A receipt is a JSON object in UTF-8."""
    (tmp_path / "r.json").write_bytes(data)

    assert check(small_organisation().files(), "--receipt", tmp_path / "r.json")[0] == 2
