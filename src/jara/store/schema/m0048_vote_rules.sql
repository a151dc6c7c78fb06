-- An index of the leaves that set the rule of new votes; a log without them has none.

CREATE INDEX log_vote_rules ON log (idx) WHERE type = 'jara/v1/vote_rule';
