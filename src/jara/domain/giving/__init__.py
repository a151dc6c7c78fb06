"""Giving: members, pledges, billing days and contributions."""
