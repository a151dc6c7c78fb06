"""Every public answer of the web API, as values by name; without the live figures of yes and no."""

import csv
import io
import json
import tarfile
from collections.abc import Iterator
from typing import Any

from tests.webapi.desk import Desk

PATHS = (
    "/user/get-proposals",
    "/user/all-users",
    "/user/all-contribution",
    "/user/get-cash-overviews",
    "/stats",
    "/ledger/budget",
    "/ledger/budget/available",
    "/impact",
    "/sample-trace",
    "/open-data/votes.csv",
    "/open-data/months.csv",
    "/feed.xml",
    "/votes.ics",
    "/donations",
    "/config",
    "/proofs/checkpoint",
    "/proofs/witnesses",
    "/proofs/entries",
)
LIVE_FIGURES = frozenset(
    {
        "votes",
        "yes",
        "no",
        "notVoted",
        "not_voted",
        "needed",
        "passes",
        "upvotePercentage",
        "downvotePercentage",
        "yes_percent",
        "no_percent",
        "turnout_percent",
    }
)
"""What these tell somebody who watches is said in ``docs/security.md``."""


def public_answers(desk: Desk) -> dict[str, str]:
    """Return each value of each public answer by its name."""
    values: dict[str, str] = {}
    for path in PATHS:
        answer = desk.get(path)
        values[path] = str(answer.status_code)
        kind = answer.headers.get("content-type", "")
        if kind.startswith("application/json"):
            values.update(_flat(path, answer.json))
        elif kind.startswith("text/csv"):
            for row in csv.DictReader(io.StringIO(answer.text)):
                values.update(_flat(f"{path} {next(iter(row.values()))}", row))
        else:
            lines = answer.text.splitlines()
            values.update({f"{path} line {number}": line for number, line in enumerate(lines)})
    return values


def bundle(desk: Desk, token: str | None) -> bytes:
    """Download the bundle; with a token as a contributor."""
    answer = desk.get("/proofs/bundle.tar", token=token)
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def files_in(data: bytes) -> dict[str, bytes]:
    """Return the files of a bundle."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {
            member.name: file.read()
            for member in tar.getmembers()
            if (file := tar.extractfile(member)) is not None
        }


def leaves_in(files: dict[str, bytes]) -> list[dict[str, Any]]:
    """Return the leaves of a bundle."""
    return [json.loads(line) for line in files["entries.ndjson"].splitlines()]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in LIVE_FIGURES:
                yield from _flat(f"{name}.{key}", one)
    elif isinstance(value, list):
        yield f"{name}.count", str(len(value))
        for number, one in enumerate(value):
            yield from _flat(f"{name}[{number}]", one)
    else:
        yield name, str(value)
