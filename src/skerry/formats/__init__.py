"""Files of edges: one module a family of formats, a table of them, and one way to open any."""
