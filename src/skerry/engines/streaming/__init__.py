"""Edges that come in batches: joined as they come, or gathered for an algorithm or a GPU."""
