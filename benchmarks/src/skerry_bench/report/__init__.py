"""The report: figures, tables and claims of the papers beside what was measured, on one page."""
