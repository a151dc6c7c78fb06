"""The books as JSON documents and for Beancount."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.journal import JournalEntry
from jara.files.ledger.beancount import beancount_account, write_beancount
from jara.files.ledger.file_entry import write_entries_json
from tests.files.posted_samples import ABROAD, HISTORY, odd_history, posted, posted_id


def documents(entries: list[JournalEntry]) -> Any:
    """Return the documents of entries, parsed again."""
    out = io.StringIO()
    write_entries_json(posted(entries), out, posted_id)
    return json.loads(out.getvalue())


def test_entry_is_exactly_this_document() -> None:
    """Keys are camelCase, money is cents, links are ids."""
    assert documents(list(HISTORY))[1] == {
        "id": posted_id(1),
        "index": 1,
        "bookedAt": "2026-03-02T08:30:00Z",
        "date": "2026-02-27",
        "kind": "disbursement",
        "description": "Disbursement: wells-of-x",
        "reference": "wells-of-x",
        "source": "operator",
        "postings": [
            {"account": "expenses:projects:wells-of-x", "fund": "projects", "cents": 40000},
            {"account": "assets:bank", "fund": "projects", "cents": -40000},
        ],
        "trueDate": "2025-12-30",
        "foreign": {"currency": "KES", "amountMinor": 5160000, "rate": "129.00"},
    }


def test_links_are_ids_and_private_words_stay_out() -> None:
    """Refunds and reversals have the id of their entry; keys and notes are not exported."""
    found = documents(list(HISTORY))

    assert (posted_id(0), posted_id(1)) == (found[2]["of"], found[3]["reverses"])
    assert not {"memberKey", "externalId", "note"} & set(found[0])


def test_any_words_and_no_entries_are_valid_json() -> None:
    """Unusual texts are read back unchanged; no entries give an empty list."""
    assert [e.description for e in odd_history()] == [
        document["description"] for document in documents(odd_history())
    ]
    assert documents([]) == []


def test_a_payment_abroad_has_its_receipt() -> None:
    """The receipt is exported; the rate's source, which an operator wrote, is not."""
    (document,) = documents([ABROAD])

    expected = {"currency": "KES", "amountMinor": 5160000, "rate": "129.00", "receipt": "ab" * 32}
    assert document["foreign"] == expected


def written(entries: list[JournalEntry]) -> str:
    """Return the text of entries as a Beancount file."""
    out = io.StringIO()
    write_beancount(posted(entries), out, posted_id)
    return out.getvalue()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("assets:in-transit", "Assets:In-transit"),
        ("expenses:projects:wells-of-x", "Expenses:Projects:Wells-of-x"),
        ("expenses:grants:2026-fund", "Expenses:Grants:2026-fund"),
    ],
)
def test_accounts_are_capitalised_and_lower_case_leads_back(ours: str, theirs: str) -> None:
    """Each part of a name is capitalised, and nothing else changes."""
    assert beancount_account(ours) == theirs
    assert theirs.lower() == ours


def test_written_file_is_exactly_this() -> None:
    """The format is stable; accounts are opened on the day of their first use."""
    assert written([HISTORY[0], HISTORY[3]]) == (
        'option "title" "The books of Jara"\n'
        'option "operating_currency" "USD"\n'
        "\n"
        f'2026-03-01 * "Pledge" ^{posted_id(0)}\n'
        f'  id: "{posted_id(0)}"\n'
        '  kind: "pledge"\n'
        '  source: "stripe"\n'
        "  Assets:Stripe  8.00 USD\n"
        '    fund: "projects"\n'
        "  Income:Pledges  -8.00 USD\n"
        '    fund: "projects"\n'
        "  Assets:Stripe  2.00 USD\n"
        '    fund: "other"\n'
        "  Income:Pledges  -2.00 USD\n"
        '    fund: "other"\n'
        "\n"
        f'2026-03-06 * "Reversal of {posted_id(1)}" ^{posted_id(1)} ^{posted_id(1)}\n'
        f'  id: "{posted_id(1)}"\n'
        '  kind: "reversal"\n'
        '  source: "operator"\n'
        f'  reverses: "{posted_id(1)}"\n'
        "  Assets:Bank  400.00 USD\n"
        '    fund: "projects"\n'
        "  Expenses:Projects:Wells-of-x  -400.00 USD\n"
        '    fund: "projects"\n'
        "\n"
        "2026-03-06 open Assets:Bank USD\n"
        "2026-03-01 open Assets:Stripe USD\n"
        "2026-03-06 open Expenses:Projects:Wells-of-x USD\n"
        "2026-03-01 open Income:Pledges USD\n"
    )


def test_a_payment_abroad_has_its_amount_rate_and_receipt() -> None:
    """Amount, rate and receipt are metadata, and the postings stay in dollars."""
    text = written([ABROAD])

    assert f'  foreign: 51600.00 KES\n  rate: "129.00"\n  receipt: "{"ab" * 32}"\n' in text
    assert "slip" not in text


@pytest.mark.external
@pytest.mark.parametrize("entries", [[], [*HISTORY, ABROAD, *odd_history()]], ids=["empty", "odd"])
def test_bean_check_is_silent(tmp_path: Path, entries: list[JournalEntry]) -> None:
    """bean-check accepts the export without output, for any description."""
    tool = shutil.which("bean-check", path=str(Path(sys.executable).parent)) or shutil.which(
        "bean-check"
    )
    assert tool, "bean-check is missing; install the Python package 'beancount'"
    path = tmp_path / "books.beancount"
    path.write_text(written(entries), encoding="utf-8", newline="")

    run = subprocess.run([tool, str(path)], capture_output=True, encoding="utf-8", check=False)

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
