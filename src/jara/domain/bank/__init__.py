"""Bank statements: lines, their identity and their matches."""
