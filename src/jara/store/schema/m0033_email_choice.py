"""Members choose which emails they get; the newsletter of a member's address is their choice."""

from __future__ import annotations

STATEMENTS = (
    "ALTER TABLE members ADD COLUMN email_choice TEXT NOT NULL DEFAULT 'nothing'",
    "UPDATE members SET email_choice = 'monthly' WHERE notifications = 1",
    "ALTER TABLE members DROP COLUMN notifications",
    """INSERT INTO consents (member_id, purpose, given, wording, source, at)
        SELECT m.id, 'notifications', 1, r.wording, r.source, r.confirmed_at
        FROM members m JOIN newsletter_readers r ON r.email = m.email_key
        WHERE m.email_confirmed = 1 AND r.confirmed_at IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM consents c WHERE c.member_id = m.id
            AND c.purpose = 'notifications' AND c.at >= r.confirmed_at)""",
    """UPDATE members SET email_choice = 'monthly' WHERE EXISTS (
        SELECT 1 FROM newsletter_readers r JOIN consents c
        ON c.at = r.confirmed_at AND c.wording = r.wording AND c.purpose = 'notifications'
        WHERE r.email = members.email_key AND c.member_id = members.id)""",
    """DELETE FROM newsletter_readers WHERE confirmed_at IS NOT NULL AND email IN (
        SELECT email_key FROM members WHERE email_confirmed = 1)""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
