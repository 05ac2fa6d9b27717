"""LDBC Graphalytics: its graphs, its metrics, its check of answers and the jobs of its driver.

The specification is arXiv 2011.15028. Nothing here makes an audited LDBC result.
"""
