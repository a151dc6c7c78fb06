"""Sample content and the demo organisation."""
