"""The first run of an organisation: its questions, and what follows from the answers."""
