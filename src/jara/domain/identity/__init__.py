"""The organisation's own identity: name, legal name, address, contact, colour, logo."""
