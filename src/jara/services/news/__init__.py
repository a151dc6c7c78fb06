"""News: fanned out to members and readers, and written when it is sent."""
