"""The figures of the report as data: one module per kind of figure."""
