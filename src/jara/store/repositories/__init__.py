"""One repository for each group of tables; a unit of work has them all."""
