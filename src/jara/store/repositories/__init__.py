"""One repository for each group of tables; they implement the ports."""
