"""One module for each group of calls: validate, call a service, return its result."""
