"""Access control: operators' keys, roles and limits, and the statements they sign."""
