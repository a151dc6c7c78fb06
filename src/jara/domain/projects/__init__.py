"""Projects and their milestones."""
