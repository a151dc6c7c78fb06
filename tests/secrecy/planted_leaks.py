"""Leaks that a version of Jara could have, and the traces in which the attacker must find them."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from jara.domain.publiclog import ballots
from jara.records.voting import Closing
from jara.security.sealing import BallotSealer
from jara.services.ballots import counting
from jara.services.proposals import closing_steps
from jara.store.repositories.log import BALLOT
from jara.store.repositories.voting.closings import ClosingRepository
from tests.secrecy.elections import Cast, Election, Leak

Patch = Callable[[pytest.MonkeyPatch, Election], None]


def _append(election: Election, leaf: dict[str, Any]) -> None:
    with election.desk.application.context.store.write() as work:
        work.log.append(leaf)


def leaf_at_once(election: Election, cast: Cast) -> None:
    """List a ballot in the log while the vote is open."""
    leaf = json.loads(cast.leaf)
    _append(election, {"choice": leaf["choice"], "t": "jara/v0/ballot", "voter": leaf["voter"]})


def void_beside_a_refund(election: Election, cast: Cast) -> None:
    """Void a ballot in the log, next to the entry of the refund."""
    _append(election, {"t": "jara/v0/void", "voter": json.loads(cast.leaf)["voter"]})


def counter_row(election: Election, cast: Cast) -> None:
    """Count the ballots of each choice in the database."""
    with election.desk.application.context.store.write() as work:
        name = f"count of {election.proposal}: {cast.choice}"
        work.meta.put(name, str(int(work.meta.get(name) or 0) + 1))


def roll_of_voters(election: Election) -> dict[str, str]:
    """Publish a roll that keeps members who have voted, even if they pause."""
    context = election.desk.application.context
    voters = {cast.person.id for cast in election.cast}
    with context.store.read() as work:
        size = len(voters | work.electors.member_ids(context.now()))
    return {"roll of voters": str(size)}


def cast_order(patch: pytest.MonkeyPatch, _election: Election) -> None:
    """List the ballots in the order in which they were cast."""

    def unshuffled(_context: object, items: Iterable[Any]) -> list[Any]:
        return list(items)

    patch.setattr(closing_steps, "_shuffled", unshuffled)


def stored_order(patch: pytest.MonkeyPatch, election: Election) -> None:
    """Store the listed ballots in the order in which they were cast."""

    def in_order(self: ClosingRepository, closing: Closing, _count: int) -> int:
        ranks = {cast.names[0]: rank for rank, cast in enumerate(election.cast)}
        piece = {"first": closing.first_index, "proposal": closing.proposal}
        chosen = "FROM prepared_leaves WHERE proposal = :proposal"
        self._sql.run(
            "INSERT INTO log (idx, hash, body, type) "
            f"SELECT :first + place, hash, body, '{BALLOT}' {chosen} ORDER BY place",
            piece,
        )
        rows = self._sql.all(f"SELECT voter, choice, :first + place {chosen}", piece)
        for voter, choice, index in sorted(rows, key=lambda row: ranks[row[0]]):
            self._sql.run(
                "INSERT INTO ballots (proposal, voter, choice, log_index) "
                "VALUES (:proposal, :voter, :choice, :index)",
                {"proposal": closing.proposal, "voter": voter, "choice": choice, "index": index},
            )
        self.put(closing._replace(ballots_moved=len(rows)))
        return 0

    patch.setattr(ClosingRepository, "move_ballots", in_order)


def telling_length(patch: pytest.MonkeyPatch, _election: Election) -> None:
    """Make the sealed form of a no longer."""
    seal, open_ = BallotSealer.seal, BallotSealer.open

    def longer(self: BallotSealer, box: str, ballot: bytes, *, iv: bytes) -> bytes:
        sealed = seal(self, box, ballot, iv=iv)
        return sealed + b"x" * ballot[-2]

    def cut(self: BallotSealer, box: str, sealed: bytes) -> bytes:
        length = len(sealed) - (len(sealed) % 2)
        return open_(self, box, sealed[:length])

    patch.setattr(BallotSealer, "seal", longer)
    patch.setattr(BallotSealer, "open", cut)


def one_token(patch: pytest.MonkeyPatch, _election: Election) -> None:
    """Give a voter the same token in the box and in the log."""
    patch.setattr(ballots, "box_token", ballots.voter_token)
    patch.setattr(counting, "box_token", ballots.voter_token)


NO_LEAK = Leak()


@dataclass(frozen=True)
class Planted:
    """A planted leak.

    Args:
        name: what leaks.
        trace: what the name of at least one found trace contains.
        leak: what the organisation does besides.
        patch: how its program differs.
        engines: where it is stored at all.
    """

    name: str
    trace: str
    leak: Leak = NO_LEAK
    patch: Patch | None = None
    engines: tuple[str, ...] = ("sqlite", "postgresql")


PLANTED = (
    Planted("leaf at once", "bundle of a contributor during the vote", Leak(voted=leaf_at_once)),
    Planted(
        "void beside a refund",
        "bundle of a contributor late in the vote: ballots of refunded members",
        Leak(refunded=void_beside_a_refund),
    ),
    Planted("counter row", "vote alone, in the database: meta.", Leak(voted=counter_row)),
    Planted("roll of voters", "pause, in public: roll of voters", Leak(published=roll_of_voters)),
    Planted("order of casting", "bundle of a contributor after the close", patch=cast_order),
    Planted("telling length", "vote alone, in the database: sealed_", patch=telling_length),
    Planted(
        "stored order",
        "tables after the close: ballots.voter",
        patch=stored_order,
        engines=("postgresql",),  # SQLite keeps no order of such rows
    ),
    Planted("one token", "tables during the vote: sealed_ballots.box", patch=one_token),
)
