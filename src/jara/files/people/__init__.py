"""Files of people from other programs."""
