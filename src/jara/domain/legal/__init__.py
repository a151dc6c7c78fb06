"""The legal texts: their places, their versions, and from which day each holds."""
