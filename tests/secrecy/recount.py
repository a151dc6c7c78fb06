"""Counts the votes of a bundle again, by what the documents say; imports nothing of Jara."""

from hashlib import sha256
from typing import Any, NamedTuple


class Result(NamedTuple):
    """The result of one vote: ballots for and against, how many were dropped, and the outcome."""

    yes: int
    no: int
    dropped: int
    passed: bool


def recount(files: dict[str, bytes], leaves: list[dict[str, Any]], proposal: str) -> Result:
    """Count the listed ballots of a vote."""
    own = [leaf for leaf in leaves if leaf.get("proposal") == proposal]
    (opening,) = (leaf for leaf in own if leaf["t"] == "jara/v1/proposal_open")
    (closing,) = (leaf for leaf in own if leaf["t"] == "jara/v1/proposal_close")
    ballots = [leaf for leaf in own if leaf["t"] == "jara/v1/ballot"]
    roll = files[f"rolls/{proposal}.txt"].decode().split()
    voters = [ballot["voter"] for ballot in ballots]
    assert len(set(voters)) == len(voters), "a voter has two ballots"
    assert set(voters) <= set(roll), "a voter is not on the roll"
    assert sorted(set(roll)) == roll, "an elector is on the roll twice"
    assert len(roll) == closing["roll_size"]
    assert _root([sha256(b"\0" + one.encode()).digest() for one in roll]) == closing["roll_root"]
    yes = sum(ballot["choice"] == "up" for ballot in ballots)
    no = sum(ballot["choice"] == "down" for ballot in ballots)
    assert yes + no == len(ballots)
    assert sum(closing["ways"].values()) == len(ballots)
    rule = opening["rule"]
    passed = bool(roll) and rule["den"] * yes >= rule["num"] * len(roll)
    return Result(yes, no, len(closing["dropped"]), passed)


def stated(leaves: list[dict[str, Any]], proposal: str) -> Result:
    """Return the result as the closing leaf states it."""
    (closing,) = (
        leaf
        for leaf in leaves
        if leaf.get("proposal") == proposal and leaf["t"] == "jara/v1/proposal_close"
    )
    return Result(closing["yes"], closing["no"], closing["void"], closing["passed"])


def _root(hashes: list[bytes]) -> str:
    """Return the root of a Merkle tree (RFC 6962 §2.1), in hex."""
    return _tree(hashes).hex()


def _tree(hashes: list[bytes]) -> bytes:
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256().digest()
    half = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha256(b"\1" + _tree(hashes[:half]) + _tree(hashes[half:])).digest()
