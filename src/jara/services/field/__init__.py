"""Reports from the field: partners and their links, receiving, publishing."""
