"""The gunicorn server: its worker, its settings, its background tasks."""
