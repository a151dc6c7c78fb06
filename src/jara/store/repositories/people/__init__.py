"""Members, their pledges, and people who register or are imported."""
