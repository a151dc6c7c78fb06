-- One index of all leaves but entries and ballots, instead of one for each kind that is read often.

DROP INDEX log_control;

DROP INDEX log_vote_rules;

CREATE INDEX log_rare ON log (type, idx) WHERE type NOT IN ('jara/v1/entry', 'jara/v1/ballot');
