"""A witness of public logs: its folder and its decisions, and the client that asks witnesses."""
