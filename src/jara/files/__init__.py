"""Files that operators import and export."""
