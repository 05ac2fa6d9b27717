"""formats/readers."""
