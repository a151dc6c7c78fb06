"""The store of votes: separation, counts and refusals."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import AlreadyVoted, Conflict, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting.tally import Choice
from jara.records.log import Extent
from jara.services.ballots.counting import voted_on
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal
from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store
from jara.store.unit_of_work import UnitOfWork
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, refund, vote
from tests.store.conftest import NewDatabase


@pytest.fixture
def context(tmp_path: Path, new_database: NewDatabase) -> Iterator[Context]:
    """An organisation with one closed vote and two ballots, one of them dropped."""
    context = make_organisation(tmp_path, database=new_database())
    open_vote(context)
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    vote(context, ada)
    vote(context, bob, "down")
    refund(context, bob, 1000)
    clock_of(context).advance(days=11)
    close_due_votes(context)
    yield context
    context.store.close()


def columns_of(context: Context, table: str) -> list[str]:
    """Return the names of a table's columns."""
    assert isinstance(context.store, Store)
    database = context.store._database
    statement = (
        "SELECT name FROM pragma_table_info(:name) ORDER BY cid"
        if isinstance(database, SqliteDatabase)
        else "SELECT column_name FROM information_schema.columns "
        "WHERE table_name = :name ORDER BY ordinal_position"
    )
    with database.transaction(write=False) as sql:
        return [row[0] for row in sql.all(statement, {"name": table})]


def plan_of(context: Context, read: Callable[[UnitOfWork], object]) -> list[str]:
    """Return SQLite's query plan for a read."""
    assert isinstance(context.store, Store)
    asked: list[str] = []
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined] # behind the store's door
    connection.set_trace_callback(asked.append)
    with context.store.read() as work:
        read(work)
    connection.set_trace_callback(None)
    return [
        str(row[3])
        for statement in asked
        if statement.startswith("SELECT")
        for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")
    ]


def test_where_a_member_voted_is_found_by_key(tmp_path: Path) -> None:
    """Reading a member's votes uses keys and does not read other members' votes."""
    context = make_organisation(tmp_path)
    open_vote(context)

    steps = plan_of(context, lambda work: work.ballots.participations("nobody"))

    assert any("SEARCH x" in step for step in steps)
    assert not any("SCAN x" in step or "SCAN participations" in step for step in steps)


def test_a_proposal_is_named_by_its_whole_id_or_slug(context: Context) -> None:
    """A vote needs the complete id or slug of a proposal."""
    with context.store.read() as work:
        for name in ("prop_01", "clean-water"):
            record = work.proposals.named(name)
            assert record is not None
            assert record.proposal.id == "prop_01"
        assert work.proposals.named("prop_0") is None


def test_a_member_sees_where_they_voted(context: Context) -> None:
    """The list has exactly the proposals in which the member voted."""
    with context.store.read() as work:
        ada = next(one for one in work.members.all() if one.firstname == "Ada")
        assert voted_on(context, work, ada.id) == ["prop_01"]
        assert voted_on(context, work, "nobody") == []


def test_proposals_are_read_together(context: Context) -> None:
    """One query reads several proposals; unknown ids are left out."""
    with context.store.read() as work:
        assert work.proposals.among(["prop_01", "prop_99"]) == [work.proposals.get("prop_01")]
        assert work.proposals.among([]) == []


def test_only_a_paying_member_is_an_elector(context: Context) -> None:
    """A member whose only payment was refunded is no elector."""
    with context.store.read() as work:
        members = {one.firstname: one.id for one in work.members.all()}
        electors = work.electors.member_ids(context.now())
        assert members["Ada"] in electors
        assert members["Bob"] not in electors


def test_a_tally_does_not_walk_through_everybody(tmp_path: Path) -> None:
    """The tally looks for lapsed rights only among those that have ended."""
    context = make_organisation(tmp_path)
    open_vote(context)

    steps = plan_of(context, lambda work: work.electors.lapsed(context.now()))

    assert any("electors_by_end" in step for step in steps)


def test_rare_leaves_are_found_without_reading_the_log(tmp_path: Path) -> None:
    """Rules, keys and corrections are found by their type, among a million entries too."""
    context = make_organisation(tmp_path)
    open_vote(context)

    def read(work: UnitOfWork) -> None:
        list(work.log.control_leaves())
        work.log.vote_rules()
        work.log.corrections()
        work.log.plans()

    of_log = [step for step in plan_of(context, read) if " log" in step and "log_head" not in step]

    assert len(of_log) == 4
    assert [step for step in of_log if "log_rare" not in step] == []


def test_no_table_has_a_member_and_a_choice(context: Context) -> None:
    """Tables of voters and of choices share only the proposal's column, and no time."""
    assert columns_of(context, "participations") == ["proposal", "member_id"]
    assert columns_of(context, "ballots") == ["proposal", "voter", "choice", "log_index"]
    assert columns_of(context, "sealed_ballots") == ["proposal", "place", "box", "sealed"]


def test_the_close_stores_the_counts(context: Context) -> None:
    """Those of the listed and dropped ballots."""
    with context.store.read() as work:
        assert work.ballots.counts("prop_01") == (1, 0, 1)
        assert work.ballots.counts("none") == (0, 0, 0)
        [listed] = work.ballots.ballots("prop_01")
        [dropped] = work.ballots.dropped("prop_01")
        assert listed.choice is Choice.UP
        assert [work.ballots.is_dropped("prop_01", one) for one in (listed.voter, dropped)] == [
            False,
            True,
        ]


def test_a_box_token_has_one_ballot(context: Context) -> None:
    """The store refuses a second ballot, and empties the box with its claims."""
    with context.store.write() as work:
        work.box.add("prop_01", "a", b"1", claims=["c"])
        with pytest.raises(AlreadyVoted):
            work.box.add("prop_01", "a", b"2", claims=["d"])
        work.box.add("prop_01", "b", b"3", claims=["c"])
        assert [(row.place, row.box) for row in work.box.since("prop_01")] == [(1, "a"), (2, "b")]
        assert [row.place for row in work.box.since("prop_01", 2)] == [2]
        assert work.box.claimed("prop_01", ["c", "d"]) == {"c": ["a", "b"]}
        assert work.box.count_sharing("prop_01") == 2
        assert work.box.count_sharing("prop_01", besides=["a"]) == 0
        work.box.empty("prop_01")
        assert (work.box.get("prop_01", "a"), work.box.claimed("prop_01", ["c"])) == (None, {})


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM ballots",
        "UPDATE ballots SET choice = 'up'",
        "DELETE FROM dropped_ballots",
        "UPDATE dropped_ballots SET voter = 'x'",
        "DELETE FROM participations",
        "UPDATE participations SET member_id = 'x'",
        "DELETE FROM log",
        "UPDATE log SET type = 'x'",
    ],
)
def test_history_refuses_changes(context: Context, statement: str) -> None:
    """Triggers refuse every UPDATE and DELETE."""
    assert isinstance(context.store, Store)
    with context.store.write() as work:
        work.ballots.write_participants("prop_01", ["ada"])
    with (
        pytest.raises(Conflict, match="append-only"),
        context.store._database.transaction(write=True) as sql,
    ):
        sql.run(statement)


def test_a_proposal_is_found_by_a_unique_beginning(context: Context) -> None:
    """An id or slug may be shortened; an ambiguous one is refused."""
    draft_proposal(context, {**PROPOSAL, "id": "prop_02", "title": "Clean rivers"})
    with context.store.read() as work:
        assert work.proposals.find("clean-r").proposal.id == "prop_02"
        assert work.proposals.find("clean-water").proposal.id == "prop_01"
        assert work.proposals.find("clean riv").proposal.id == "prop_02"
        assert work.proposals.get("nothing") is None
        for text in ("nothing", ""):
            with pytest.raises(NotFound):
                work.proposals.find(text)
        with pytest.raises(Conflict, match="begin with 'prop_': clean-rivers, clean-water"):
            work.proposals.find("prop_")


def test_the_log_tells_its_extent(context: Context) -> None:
    """The log reports its bytes and leaves by type, up to a size."""
    with context.store.read() as work:
        extents = work.log.extents(work.log.size())
        leaves = list(work.log.leaves())
        ballots = [leaf for leaf in leaves if leaf.type == LeafType.BALLOT]

        assert ballots == list(work.log.leaves_of(LeafType.BALLOT))
        assert sum(len(leaf.body) for leaf in leaves) == sum(extent.bytes for extent in extents)
        assert Extent(LeafType.BALLOT, 1, sum(len(leaf.body) for leaf in ballots)) in extents
        assert work.log.extents(1) == [Extent(LeafType.GENESIS, 1, len(leaves[0].body))]


def test_a_log_has_no_more_than_it_has(context: Context) -> None:
    """Sizes and indexes beyond the end are refused."""
    with context.store.read() as work:
        for ask in (
            lambda: work.log.leaf(99),
            lambda: work.log.root(99),
            lambda: work.log.inclusion(1, 99),
            lambda: work.log.consistency(1, 99),
        ):
            with pytest.raises(NotFound, match="The log has 10 leaves"):
                ask()
