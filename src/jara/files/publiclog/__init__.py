"""Writes the bundle of the public log and its file of checkpoints."""
