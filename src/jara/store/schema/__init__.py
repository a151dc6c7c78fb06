"""The schema as numbered steps; a step that has landed is never changed."""
