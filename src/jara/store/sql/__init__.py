"""What both database engines share: statements, codecs, buffering."""
