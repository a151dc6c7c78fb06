"""Who may act: operators' keys, their roles, the limits, and what they sign."""
