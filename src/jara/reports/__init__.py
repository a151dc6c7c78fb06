"""Values turned into documents."""
