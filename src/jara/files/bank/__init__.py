"""Bank statements as files: CAMT.053, MT940, OFX, and CSV by a mapping."""
