"""Bodies and answers with the names they have on the wire."""
