-- Values that follow from others: each query finds the keys of rows that contradict others.
-- A heading names the check, and says what is wrong; {} is the key of the row.

-- check payments: The payment at log index {} differs from its entry: kind, way, member, account or day.
SELECT p.entry FROM payments p JOIN entries e ON e.idx = p.entry
    WHERE p.kind <> e.kind OR NOT EXISTS (SELECT 1 FROM postings po
    WHERE po.entry = p.entry AND po.account = p.account)
    OR p.day <> COALESCE(e.true_day, e.day)
    OR COALESCE(p.member_key, '') <> COALESCE(e.member_key, '')
    OR (e.source IN ('card', 'transfer', 'cash', 'mobile', 'cheque') AND p.way <> e.source)
    OR (e.source = 'stripe' AND p.way <> 'card');

-- check payments: The parts of the payment at log index {} are not those of its entry.
SELECT p.entry FROM payments p WHERE p.parts <> '{' || (SELECT string_agg(
    '"' || po.fund || '":' || -po.cents, ',' ORDER BY po.fund) FROM postings po
    WHERE po.entry = p.entry AND po.account = p.account) || '}';

-- check payments: The payment at log index {} has a charge that its movement at the provider does not have.
SELECT p.entry FROM payments p WHERE p.source_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM identities i WHERE i.entry = p.entry) AND NOT EXISTS (
    SELECT 1 FROM identities i WHERE i.entry = p.entry
    AND (i.source_id = p.source_id OR i.charge_id = p.source_id));

-- check payments: Nothing shows the proof that the payment at log index {} is said to have.
SELECT p.entry FROM payments p JOIN entries e ON e.idx = p.entry
    WHERE (p.proof = 'provider' AND e.source <> 'stripe'
    AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.entry = p.entry))
    OR (p.proof = 'statement' AND NOT EXISTS (SELECT 1 FROM bank_matches m
    JOIN bank_lines l ON l.id = m.line JOIN bank_statements s ON s.id = l.statement
    WHERE m.entry = p.entry AND s.is_proven = 1))
    OR (p.proof = 'operators' AND NOT EXISTS (SELECT 1 FROM audit a
    WHERE a.action = 'payments.vouch' AND a.subject = e.id))
    OR (p.proof = 'trust' AND p.entry > (SELECT MIN(idx) FROM log WHERE type = 'jara/v1/operator_key'));

-- check bank: Nobody vouched for the statement {}, which is said to show payments.
SELECT s.id FROM bank_statements s WHERE s.is_proven = 1
    AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.action = 'bank.vouch'
    AND a.subject = s.import_id)
    AND s.imported_at > (SELECT MIN(at) FROM audit WHERE action = 'operators.add');

-- check bank: The bank's line {} differs from the entries that it is matched with.
SELECT l.id FROM bank_lines l JOIN bank_accounts b ON b.number = l.account
    JOIN bank_statements s ON s.id = l.statement AND s.undone_at IS NULL
    JOIN bank_matches m ON m.line = l.id JOIN postings po ON po.entry = m.entry
    AND po.account = b.ledger WHERE NOT EXISTS (SELECT 1 FROM bank_matches n
    JOIN bank_lines o ON o.id = n.line AND o.account = l.account
    WHERE n.entry IN (SELECT entry FROM bank_matches WHERE line = l.id) AND n.line <> l.id)
    AND NOT EXISTS (SELECT 1 FROM entries v WHERE v.reverses = m.entry)
    GROUP BY l.id, l.cents HAVING SUM(po.cents) <> l.cents;

-- check bank: The bank's line {} is matched with an entry that does not move its account.
SELECT m.line FROM bank_matches m JOIN bank_lines l ON l.id = m.line
    JOIN bank_statements s ON s.id = l.statement AND s.undone_at IS NULL
    JOIN bank_accounts b ON b.number = l.account WHERE NOT EXISTS (
    SELECT 1 FROM postings po WHERE po.entry = m.entry AND po.account = b.ledger);

-- check bank: The lines of the statement {} are not the difference of its balances.
SELECT s.id FROM bank_statements s JOIN bank_lines l ON l.statement = s.id
    WHERE s.opening_cents IS NOT NULL AND s.closing_cents IS NOT NULL
-- One that overlaps brought only the lines that were not known yet.
    AND NOT EXISTS (SELECT 1 FROM bank_statements o WHERE o.account = s.account
    AND o.id <> s.id AND o.first_day <= s.last_day AND o.last_day >= s.first_day)
    GROUP BY s.id, s.opening_cents, s.closing_cents
    HAVING SUM(l.cents) <> s.closing_cents - s.opening_cents;

-- check identities: The movement of {} is said to be undone, but its entry is not reversed.
SELECT i.source_id FROM identities i WHERE i.is_undone = 1 AND i.entry IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.reverses = i.entry);

-- check ballots: A claim on a vote for {} belongs to no ballot.
SELECT c.proposal FROM ballot_claims c WHERE NOT EXISTS (SELECT 1 FROM sealed_ballots b
    WHERE b.proposal = c.proposal AND b.box = c.voter)
    AND NOT EXISTS (SELECT 1 FROM closings e WHERE e.proposal = c.proposal);

-- check ballots: A ballot for {} claims no card, account or payment, so these have a vote left.
SELECT b.proposal FROM sealed_ballots b WHERE NOT EXISTS (SELECT 1 FROM ballot_claims c
    WHERE c.proposal = b.proposal AND c.voter = b.box)
    AND NOT EXISTS (SELECT 1 FROM closings e WHERE e.proposal = b.proposal);

-- check shared_cards: No operator let several members vote with a card since {}.
SELECT s.allowed_at FROM shared_cards s WHERE NOT EXISTS (SELECT 1 FROM audit a
    WHERE a.action = 'members.share-card' AND a.why = s.why AND a.at >= s.allowed_at);

-- check content: '{}' on the website differs from the newest change in its history.
SELECT c.id FROM content c JOIN content_changes h ON h.seq = (SELECT MAX(n.seq)
    FROM content_changes n WHERE n.kind = c.kind AND n.id = c.id)
    WHERE h.doc <> c.doc OR h.published <> c.published;

-- check members: The address of the member {} is not the one that they sign in with.
SELECT m.member_key FROM members m
    WHERE CASE WHEN m.email = '' THEN ' ' || m.id ELSE lower(m.email) END <> m.email_key
    AND m.closed_at IS NULL;
