"""The database behind the ports of the services."""
