"""formats/writers."""
