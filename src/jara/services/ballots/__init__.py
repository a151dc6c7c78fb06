"""Right to vote, and ballots: who may vote, casting, counting."""
