"""Bank statements: lines, their identity, what they are matched with."""
