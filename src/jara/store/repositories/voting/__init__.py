"""Proposals and ballots."""
