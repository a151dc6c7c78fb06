"""Voting: proposals, the electoral roll, ballots and tallies."""
