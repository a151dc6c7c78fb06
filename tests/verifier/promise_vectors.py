"""Receipts of sealed ballots for the website's tests, with what the verifier says of each.

``python -m tests.verifier.promise_vectors`` writes webui/src/testing/promise-vectors.json.
"""

import json
from pathlib import Path
from typing import Any

from tests.verifier.log_builder import LogBuilder, sealed_votes

FILE = Path(__file__).parents[2] / "webui" / "src" / "testing" / "promise-vectors.json"
FATES = {
    "promised": ("open", "a", "up"),
    "yes": ("new", "a", "up"),
    "no": ("new", "b", "down"),
    "dropped": ("new", "x", "down"),
    "withdrawn": ("gone", "a", "up"),
    "missing": ("new", "d", "up"),
    "turned": ("new", "b", "up"),
}
"""The ballots by what became of them; the last was cast the other way round."""


def make_vectors() -> dict[str, Any]:
    """Return the log of `sealed_votes`, and each receipt with the server's answer."""
    log = sealed_votes()
    receipts = {fate: log.promise(*ballot) for fate, ballot in FATES.items()}
    lines = log.files(withhold=True)["entries.ndjson"].decode()
    answers = {fate: log.ballot_proof(receipt) for fate, receipt in receipts.items()}
    late = receipts["promised"] | {"listedBy": "2027-02-02T00:00:00Z"}
    forged = {
        "late": log.sign_promise(late),
        "strange": LogBuilder(seed=9).sign_promise(receipts["yes"]),
    }
    size = len(log.leaves)
    root = next(iter(answers.values()))["root"]
    head = {
        "size": size,
        "root": root,
        "checkpoint": log.note_at(size),
        "key": log.key.text(),
        "cosigned": None,
    }
    return {
        "head": head,
        "lines": lines,
        "receipts": receipts,
        "answers": answers,
        "forged": {
            name: {"receipt": one, "answer": log.ballot_proof(one)} for name, one in forged.items()
        },
    }


def print_vectors() -> str:
    """Return the contents of the file."""
    return json.dumps(make_vectors(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(print_vectors(), encoding="utf-8")
