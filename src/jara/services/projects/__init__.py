"""Funded projects: milestones, payouts, the public catalogue."""
