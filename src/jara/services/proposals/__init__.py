"""Proposals: drafting, opening, closing, views, emails."""
