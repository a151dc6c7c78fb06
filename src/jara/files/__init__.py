"""Files that operators hand in and take out."""
