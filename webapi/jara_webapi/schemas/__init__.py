"""Request and response bodies, with their JSON names."""
