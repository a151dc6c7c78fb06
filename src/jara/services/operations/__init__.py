"""What keeps an installation running: daily run, backups, diagnosis, retention."""
