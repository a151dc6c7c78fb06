"""Settings: what an organisation can set, and where each value came from."""
