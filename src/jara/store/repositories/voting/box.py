"""The ballot box: sealed ballots of open votes, and the claims that allow one ballot each.

No row names a member, and none can be read without the key of its vote. The order of the rows
says nothing about a choice: the close lists the ballots in random order, under other tokens.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from jara.domain.errors import AlreadyVoted
from jara.records.voting import SealedBallot
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import chunks, in_list

SEALED = Rows("sealed_ballots", SealedBallot)
_PAGE_ROWS = 1000
"""Of one query: a cursor would cost two more, and most reads find a few new ballots."""


class BoxRepository(Repository):
    """The sealed ballots of open votes, emptied when a vote ends."""

    def add(self, proposal: str, box: str, sealed: bytes, *, claims: Iterable[str]) -> None:
        """Store a sealed ballot with its claims.

        Raises:
            AlreadyVoted: the box token already has a ballot.
        """
        is_first = self._sql.run(
            "INSERT INTO sealed_ballots (proposal, place, box, sealed) SELECT :proposal, "
            "(SELECT COALESCE(MAX(place), 0) + 1 FROM sealed_ballots WHERE proposal = :proposal), "
            ":box, :sealed ON CONFLICT (proposal, box) DO NOTHING",
            {"proposal": proposal, "box": box, "sealed": sealed},
        )
        if not is_first:
            raise AlreadyVoted("Your vote on this proposal is counted; a vote is final.")
        self._sql.run_many(
            "INSERT INTO ballot_claims (proposal, token, voter) VALUES (:proposal, :token, :voter)",
            [{"proposal": proposal, "token": claim, "voter": box} for claim in claims],
        )

    def get(self, proposal: str, box: str) -> SealedBallot | None:
        """Return the ballot of a box token."""
        return SEALED.one(
            self._sql, "WHERE proposal = :proposal AND box = :box", proposal=proposal, box=box
        )

    def first(self, proposal: str) -> SealedBallot | None:
        """Return the ballot that was cast first."""
        return next(iter(self._page(proposal, 0, 1)), None)

    def since(self, proposal: str, place: int = 0) -> Iterator[SealedBallot]:
        """Return the ballots from a place on, in the order in which they were cast."""
        while True:
            page = self._page(proposal, place, _PAGE_ROWS)
            yield from page
            if len(page) < _PAGE_ROWS:
                return
            place = page[-1].place + 1

    def _page(self, proposal: str, place: int, limit: int) -> list[SealedBallot]:
        return SEALED.all(
            self._sql,
            "WHERE proposal = :proposal AND place >= :place ORDER BY place LIMIT :limit",
            proposal=proposal,
            place=place,
            limit=limit,
        )

    def at(self, proposal: str, places: Iterable[int]) -> dict[int, SealedBallot]:
        """Return the ballots at these places."""
        rows: dict[int, SealedBallot] = {}
        for piece in chunks(places):
            names, params = in_list("p", piece)
            where = f"WHERE proposal = :proposal AND place IN {names}"
            found = SEALED.all(self._sql, where, proposal=proposal, **params)
            rows |= {row.place: row for row in found}
        return rows

    def tokens(self, proposal: str) -> frozenset[str]:
        """Return the box tokens of a vote."""
        query = "SELECT box FROM sealed_ballots WHERE proposal = :proposal"
        return frozenset(self._column(query, proposal=proposal))

    def empty(self, proposal: str) -> None:
        """Delete the ballots and claims of a vote that ends."""
        for table in ("sealed_ballots", "ballot_claims"):
            self._sql.run(f"DELETE FROM {table} WHERE proposal = :proposal", {"proposal": proposal})

    def empty_some(self, proposal: str, count: int) -> int:
        """Delete some claims, or ballots if no claim is left; return how many."""
        for table, key in (("ballot_claims", "token"), ("sealed_ballots", "place")):
            rows = self._sql.all(
                f"SELECT {key} FROM {table} WHERE proposal = :proposal ORDER BY {key} LIMIT :count",
                {"proposal": proposal, "count": count},
            )
            if rows:
                return self._sql.run(
                    f"DELETE FROM {table} WHERE proposal = :proposal AND {key} <= :last",
                    {"proposal": proposal, "last": rows[-1][0]},
                )
        return 0

    def claimed(self, proposal: str, claims: Iterable[str]) -> dict[str, list[str]]:
        """Return the sorted tokens of the ballots with each claim; only claims that are taken."""
        tokens: dict[str, list[str]] = {}
        for piece in chunks(claims):
            names, params = in_list("c", piece)
            rows = self._sql.all(
                "SELECT token, voter FROM ballot_claims WHERE proposal = :proposal "
                f"AND token IN {names} ORDER BY token, voter",
                {"proposal": proposal, **params},
            )
            for claim, token in rows:
                tokens.setdefault(claim, []).append(token)
        return tokens

    def count_sharing(self, proposal: str, *, besides: Collection[str] = ()) -> int:
        """Return how many ballots, besides some, share a claim with another of them."""
        rows = self._sql.all(
            "SELECT token, voter FROM ballot_claims WHERE proposal = :proposal "
            "AND token IN (SELECT token FROM ballot_claims WHERE proposal = :proposal "
            "GROUP BY token HAVING COUNT(*) > 1)",
            {"proposal": proposal},
        )
        sharing: defaultdict[str, set[str]] = defaultdict(set)
        for token, voter in rows:
            if voter not in besides:
                sharing[token].add(voter)
        return len(set().union(*(one for one in sharing.values() if len(one) > 1)))
