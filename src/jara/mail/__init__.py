"""Mail senders."""
