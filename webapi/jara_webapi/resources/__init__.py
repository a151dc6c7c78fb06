"""One file for each group of calls: check, call a service, write its answer."""
