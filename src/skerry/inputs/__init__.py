"""Turns what the user has into `Edges` or `Csr`, validated, without a copy where none is needed."""
