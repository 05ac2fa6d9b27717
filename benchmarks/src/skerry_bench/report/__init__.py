"""The report: the papers' figures, tables and claims beside what was measured, on one page."""
