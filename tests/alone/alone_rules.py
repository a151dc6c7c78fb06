"""What one person alone must not change, counted from the books and the log by other code."""

import io
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import Any, NamedTuple

from jara import jara_verify
from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.control.ways_in import WayIn
from jara.records.journal import EntryQuery
from jara.services.authority import read_control
from jara.services.context import Context
from jara.services.legal.changing import LEADING
from jara.services.organisation import own_values
from jara.services.ways_in import stored_value
from jara.store.unit_of_work import UnitOfWork
from tests.alone.alone_world import LIMIT_CENTS, AloneWorld

MANY = 25


class Governed(NamedTuple):
    """What nobody changes alone."""

    electors: dict[str, str]
    votes: dict[str, Any]
    ballots: frozenset[Any]
    ways: dict[str, Any]
    promises: frozenset[Any]
    signers: Any
    told: frozenset[Any]
    goals: frozenset[Any]
    identity: Any
    last: int


def read_governed(context: Context) -> Governed:
    """Read what nobody changes alone."""
    with context.store.read() as work:
        sql = work.sql
        control = read_control(context, work)
        now = context.now()
        emails: dict[str, str] = dict(sql.all("SELECT id, email FROM members"))
        return Governed(
            {one: emails[one] for one in work.electors.member_ids(now)},
            {
                row[0]: tuple(row[1:])
                for row in sql.all(
                    "SELECT id, status, ends_at, doc, title FROM proposals"
                    " WHERE status NOT IN ('draft')"
                )
            },
            frozenset(sql.all("SELECT proposal, box FROM sealed_ballots")),
            {way: dict(stored_value(context, work, way) or {}) for way in WayIn},
            frozenset(
                (*row,)
                for ask in (
                    "SELECT 'policy', log_index, weights FROM policies",
                    "SELECT text, number, contents FROM legal_versions WHERE withdrawn_at IS NULL",
                    "SELECT 'year', year, root FROM year_locks WHERE year = 2025",
                    "SELECT 'card', fingerprint, why FROM shared_cards",
                )
                for row in sql.all(ask)
            ),
            (dict(control.keys), control.limits, control.own),
            frozenset(
                sql.all(f"SELECT id, recipients FROM announcements WHERE recipients > {MANY}")  # noqa: S608
            ),
            frozenset(sql.all("SELECT proposal, goal_cents FROM commitments")),
            [own_values(work).get(part) for part in LEADING],
            _last(work),
        )


def _last(work: UnitOfWork) -> int:
    return int(work.sql.all("SELECT COALESCE(MAX(idx), -1) FROM entries")[0][0])


_PAID_BY_CARD = """
    SELECT members.id FROM members JOIN payments ON payments.member_key = members.member_key
    WHERE payments.way = 'card'
"""


def findings(context: Context, before: Governed) -> list[str]:
    """Return what was changed that one person must not change."""
    after = read_governed(context)
    found = []
    new = after.electors.keys() - before.electors.keys()
    with context.store.read() as work:
        paying = {row[0] for row in work.sql.all(_PAID_BY_CARD)}
    found += ["a new elector"] * (not new <= paying)
    found += ["the address of an elector"] * any(
        after.electors.get(member, email) != email for member, email in before.electors.items()
    )
    found += ["an elector is gone"] * (not before.electors.keys() <= after.electors.keys())
    found += ["an open or closed vote"] * any(
        after.votes.get(name) != row for name, row in before.votes.items()
    )
    cast = len(after.ballots - before.ballots)
    found += ["a ballot"] * (not before.ballots <= after.ballots or cast > len(new))
    found += ["a way to pay"] * (before.ways != after.ways)
    found += ["a published promise"] * (before.promises != after.promises)
    found += ["who may sign"] * (before.signers != after.signers)
    found += ["many were told"] * (before.told != after.told)
    found += ["where readers are sent"] * (before.identity != after.identity)
    found += ["a goal"] * (before.goals != after.goals)
    with context.store.read() as work:
        entries = [
            posted.entry
            for posted in work.journal.entries(EntryQuery())
            if posted.index > before.last
        ]
    found += _money(entries)
    return sorted(set(found))


def _money(entries: Iterable[JournalEntry]) -> list[str]:
    """Return whether more left the organisation, or one of its purposes, than the limits allow."""
    gone: Counter[str] = Counter()
    for entry in entries:
        own = [one for one in entry.postings if one.account in _OWN]
        gone["outside"] += max(0, -sum(one.cents for one in own))
        for fund in (Fund.PROJECTS, Fund.COMMITTED):
            if entry.kind is EntryKind.COMMITMENT:
                continue  # what a vote decided
            moved = sum(one.cents for one in own if one.fund is fund)
            gone[f"of {fund.value}"] += max(0, -moved)
    return [f"money went {where}" for where, cents in gone.items() if cents >= LIMIT_CENTS]


_OWN = frozenset({"assets:bank", "assets:stripe"})


def verify_alone(world: AloneWorld) -> str:
    """Verify the bundle with the verifier that anybody can run; return what it objects to."""
    path = world.folder / "bundle.tar"
    path.unlink(missing_ok=True)
    status, said = world.run("ada", ["proofs", "bundle", str(path)])
    if status:
        return said
    text = io.StringIO()
    with redirect_stdout(text):
        status = jara_verify.main([str(path)])
    return text.getvalue() if status else ""
