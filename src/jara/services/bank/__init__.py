"""Bank statements: importing, matching with the books, reconciling."""
