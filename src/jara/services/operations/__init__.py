"""Operating an installation: daily run, backups, diagnosis, retention."""
