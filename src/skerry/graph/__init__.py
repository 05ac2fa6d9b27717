"""The two forms of a graph, the ways between them, and graphs to try them on."""
