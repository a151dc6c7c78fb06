"""No row shows that a member voted while the ballot key exists.

The list of who took part is written when the key is destroyed; until then a ballot's tokens
stand for its voter. Lists of votes whose key exists wait in ``open_participations`` until
`jara.services.ballots.counting.move_old_lists` has turned them into claims.
"""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE ballot_claims (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        token TEXT NOT NULL,
        voter TEXT NOT NULL,
        PRIMARY KEY (proposal, token, voter))""",
    """CREATE TABLE open_participations (
        proposal TEXT NOT NULL,
        member_id TEXT NOT NULL,
        PRIMARY KEY (proposal, member_id))""",
    """INSERT INTO open_participations (proposal, member_id)
        SELECT x.proposal, x.member_id FROM participations x
        JOIN proposals o ON o.id = x.proposal WHERE o.key_destroyed_at IS NULL
        ORDER BY x.proposal, x.member_id""",
    """CREATE TABLE closed_participations (
        proposal TEXT NOT NULL,
        member_id TEXT NOT NULL)""",
    """INSERT INTO closed_participations (proposal, member_id)
        SELECT x.proposal, x.member_id FROM participations x
        JOIN proposals o ON o.id = x.proposal WHERE o.key_destroyed_at IS NOT NULL""",
    "DROP TABLE participations",
    """CREATE TABLE participations (
        proposal TEXT NOT NULL REFERENCES proposals (id),
        member_id TEXT NOT NULL,
        PRIMARY KEY (proposal, member_id))""",
    """INSERT INTO participations (proposal, member_id)
        SELECT proposal, member_id FROM closed_participations ORDER BY proposal, member_id""",
    "DROP TABLE closed_participations",
    "ALTER TABLE electors ADD COLUMN member_key TEXT",
    """UPDATE electors SET member_key =
        (SELECT m.member_key FROM members m WHERE m.id = electors.member_id)""",
    "CREATE TABLE lapsed_members (member_key TEXT PRIMARY KEY)",
    """INSERT INTO lapsed_members (member_key)
        SELECT DISTINCT m.member_key FROM lapsed_voters v JOIN members m ON m.id = v.member_id""",
    "DROP TABLE lapsed_voters",
    "ALTER TABLE pledges ADD COLUMN card_fingerprint TEXT",
    """CREATE TABLE shared_cards (
        fingerprint TEXT PRIMARY KEY,
        allowed_at TEXT NOT NULL,
        why TEXT NOT NULL)""",
)

APPEND_ONLY = ("participations",)

WITHOUT_ROWID = frozenset(
    {"ballot_claims", "open_participations", "participations", "lapsed_members"}
)
