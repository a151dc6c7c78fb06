"""Payment providers."""
