"""What is funded: milestones, payouts, the public catalogue."""
