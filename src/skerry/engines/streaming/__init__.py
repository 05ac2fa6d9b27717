"""engines/streaming."""
