"""Random logs with the verifier's results, for another program to reproduce.

``python -m tests.verifier.random_logs COUNT SEED`` prints a line of JSON for each log: its
leaves and states, valid and invalid receipts,
and manipulated leaves with the first bad one, with the results of `jara_verify.py`.
"""

import json
import random
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from jara import jara_verify
from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.publiclog import merkle
from jara.files.publiclog import bundle
from tests.domain.publiclog.merkle_tree import MemoryTree
from tests.verifier.log_builder import LogBuilder, write_folder, write_receipt

Lines = list[bytes]
_LEAF = re.compile(r"^FAILED  leaves: leaf (\d+)", re.MULTILINE)
_RANGE = re.compile(r"^FAILED  checkpoints: .*(?:leaves from|ends after) (\d+)", re.MULTILINE)


def add_votes(log: LogBuilder, dice: random.Random) -> list[tuple[str, str, str]]:
    """Add votes; return ballots that were cast, and one that was not."""
    log.name_promise_key()
    promised = []
    for number in range(dice.randrange(1, 3)):
        name = f"prop_{number}"
        log.open_vote(name)
        for _ in range(dice.randrange(4)):
            log.move(RowCategory.CHARGE, dice.randrange(500, 5000), 59, kind=ChargeKind.PLEDGE)
        members = dice.sample("abcdefgh", dice.randrange(2, 8))
        choices = {member: dice.choice(("up", "down")) for member in members}
        promised += [(name, member, choice) for member, choice in choices.items()]
        lost = {member: choices.pop(member) for member in members[: dice.randrange(2)]}
        end = dice.random()
        if number and end < 0.15:  # or the vote stays open, and every promise is overdue
            log.withdraw(name)
        elif not number or end < 0.85:
            passed = 2 * [*choices.values()].count("up") >= len(choices)
            log.close_sealed(name, "".join(choices), choices, dropped=lost, passed=passed)
    name, member, choice = dice.choice(promised)
    return [*promised, (name, member, "down" if choice == "up" else "up")]


def tamperings(lines: Lines, dice: random.Random) -> list[tuple[str, Lines]]:
    """Return changed copies of the leaves."""
    found: list[tuple[str, Callable[[int], Lines]]] = [
        ("dropped", lambda at: lines[:at] + lines[at + 1 :]),
        ("doubled", lambda at: lines[: at + 1] + lines[at:]),
        ("swapped", lambda at: [*lines[:at], *reversed(lines[at : at + 2]), *lines[at + 2 :]]),
        ("misspelt", lambda at: [*lines[:at], lines[at][:-2] + b" }\n", *lines[at + 1 :]]),
        ("cut off", lambda _at: lines[:-1]),
        ("turned round", lambda _at: _turned(lines, dice)),
    ]
    return [(name, change(dice.randrange(2, len(lines) - 1))) for name, change in found]


def _turned(lines: Lines, dice: random.Random) -> Lines:
    """Reverse a vote in a leaf, which stays canonical."""
    ballots = [place for place, line in enumerate(lines) if b'"t":"jara/v1/ballot"' in line]
    at = dice.choice(ballots)
    up, down = b'"choice":"up"', b'"choice":"down"'
    old, new = (up, down) if up in lines[at] else (down, up)
    return [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]


def judge(files: dict[str, bytes], *options: str) -> tuple[int, str]:
    """Run the verifier on a bundle; return its status and lines."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as told:
        place = write_folder(files, Path(folder) / "bundle")
        status = jara_verify.main([str(place), *options])
    return status, told.getvalue()


def first_bad(told: str) -> int | None:
    """Return the leaf that the verifier names, or the first one of a range."""
    places = _LEAF.findall(told) or _RANGE.findall(told)
    return min(map(int, places)) if places else None


def document_of(dice: random.Random) -> dict[str, Any]:
    """Return a log with all results."""
    log = LogBuilder(dice.randrange(1, 200))
    promised = add_votes(log, dice)
    size = len(log.leaves)
    middle = dice.randrange(1, size)
    log.checkpoint_sizes = sorted({middle, size})
    files = log.files()
    assert judge(files)[0] == 0
    lines = files[bundle.ENTRIES].splitlines(keepends=True)
    hashes = [merkle.leaf_hash(line[:-1]) for line in lines]
    tree = MemoryTree(hashes)
    bad = []
    for what, changed in tamperings(lines, dice):
        status, told = judge({**files, bundle.ENTRIES: b"".join(changed)})
        bad.append(
            {
                "what": what,
                "lines": b"".join(changed).decode(),
                "holds": status == 0,
                "firstBad": first_bad(told),
            }
        )
    return {
        "lines": b"".join(lines).decode(),
        "states": [
            {"size": s, "root": merkle.tree_root(hashes[:s]).hex()} for s in log.checkpoint_sizes
        ],
        "head": {
            "size": size,
            "root": tree.frontier.root().hex(),
            "checkpoint": log.note_at(size),
            "key": log.key.text(),
        },
        "consistency": [step.hex() for step in merkle.consistency_proof(tree.node, middle, size)],
        "olderHolds": _since_holds(files, log.note_at(dice.randrange(1, size + 1))),
        "promises": [_judged_promise(log, files, one) for one in _promises(log, promised, dice)],
        "tamperings": bad,
    }


def _since_holds(files: dict[str, bytes], note: str) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as kept:
        kept.write(note)
        kept.flush()
        return judge(files, "--since", kept.name)[0] == 0


def _judged(files: dict[str, bytes], receipt: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = write_receipt(receipt, Path(folder) / "receipt.json")
        status, _ = judge(files, "--receipt", str(path))
    return {"receipt": receipt, "holds": status == 0}


def _promises(
    log: LogBuilder, ballots: list[tuple[str, str, str]], dice: random.Random
) -> list[dict[str, Any]]:
    """Return promises about some ballots, and some with one changed field."""
    receipts = [log.promise(*ballot) for ballot in [ballots[-1], *dice.sample(ballots, 2)]]
    stranger = LogBuilder(seed=255 - 1)
    changes: list[dict[str, Any]] = [
        {"nonce": f"{dice.getrandbits(128):032x}"},
        {"tracker": "AAAA-AAAA-AAAA"},
        {"leaf": "00" * 32},
        {"proposal": "prop_9"},
        {"listedBy": "2026-02-01T23:59:59Z"},
        {"signature": f"{dice.getrandbits(512):0128x}"},
    ]
    forgeries = [{**receipts[1], **change} for change in dice.sample(changes, 2)]
    late = log.sign_promise(receipts[1] | {"listedBy": "2126-02-02T00:00:00Z"})
    return [*receipts, *forgeries, late, stranger.sign_promise(receipts[1])]


def _judged_promise(
    log: LogBuilder, files: dict[str, bytes], receipt: dict[str, Any]
) -> dict[str, Any]:
    return {**_judged(files, receipt), "answer": log.ballot_proof(receipt)}


def main() -> None:
    """Print the given number of logs."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    for number in range(count):
        document = document_of(random.Random(f"{seed}:{number}"))
        sys.stdout.write(json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
